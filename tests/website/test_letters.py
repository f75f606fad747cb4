"""The models of letters: what is stored, JavaScript beside torch, and what readers do with them, by mouse and by keyboard."""

from __future__ import annotations

import itertools
import re
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from attnlab import training
from attnlab.explorer import embedded, run, script, style
from attnlab.explorer.pages import source
from attnlab.explorer.runs import maps_in, path_of
from attnlab.explorer.widget import RENDER
from attnlab.training.looking import matrices_of
from attnlab.training.stored import parameters_of
from authoring.lessons import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.browser]

STATES = {"names": "names", "repeated letters": "repeat"}  # of the runs, where their parameters are stored for lesson 7
MOST_BYTES = 120_000
EXACT = 1e-4  # of a logit, which torch computes in single precision
MAP_EXACT = 2e-5  # of a weight, of which parts of 65535 of its root are stored
LETTERS_SHOWN = 8
OF_WHOLE_PAGES = ("document-title", "html-has-lang")  # the explorer is alone on a page that has neither
TEXTS = {
    "names": ["", "a", "jess", "anna", "zzqx", "maximiliano", "elizabethan"],
    "repeated letters": ["a", "qzkfqz", "aaaa", "planetplane", "abcabcabcabcabcabcabcabc", "abcdefghijklabcdefghijkl"],
}
EACH_TEXT = pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in TEXTS.items() for text in texts])
EACH = pytest.mark.parametrize("name", list(STATES))
COMPUTED = """([run, tokens, off]) => transformer({ ...run, parameters: parametersOf(run) }, tokens, new Set(off))"""


def model_of(name: str) -> training.TorchTransformer:
    """Torch's transformer with the parameters that lesson 7 offers."""
    shown = run(name)
    model = training.TorchTransformer(len(shown["words"]), shown["longest"], shown["shapes"]["norm.weight"][0], shown["layers"], shown["heads"])
    training.load(STATES[name], model)
    return model.eval()


def tokens_of(name: str, text: str) -> list[int]:
    shown = run(name)
    return [shown["words"].index(word) for word in [*([shown["start"]] if shown["start"] else []), *text]]


def logits_of(name: str, text: str, off: tuple[tuple[int, int], ...] = ()) -> torch.Tensor:
    """What torch says of each token, `(T, V)`, without these heads: `(layer, head)`."""
    model = model_of(name)
    with torch.no_grad():
        for layer, head in off:
            matrix = matrices_of(model.blocks[layer].attention)["unifyheads"]  # the parameter itself
            size = matrix.shape[1] // run(name)["heads"]
            matrix[:, head * size : (head + 1) * size] = 0
        return model(torch.tensor([tokens_of(name, text)]))[0]


def likeliest(name: str, text: str, temperature: float = 1.0, off: tuple[tuple[int, int], ...] = ()) -> list[tuple[str, float]]:
    """The letters that torch finds likeliest to come next, and how likely, in percent."""
    chances, places = (100 * torch.softmax(logits_of(name, text, off)[-1] / temperature, -1)).topk(LETTERS_SHOWN)
    shown = run(name)
    words = ["end" if word == shown["start"] else word for word in shown["words"]]
    return [(words[place], chance) for place, chance in zip(places.tolist(), chances.tolist())]


def test_stored_runs_are_what_the_lesson_makes() -> None:
    for made in runpy.run_path(str(ROOT / "source" / "7_language_model" / "run.py"))["runs"](None):
        stored = run(made["name"])
        np.testing.assert_allclose(maps_in(stored), maps_in(made), atol=MAP_EXACT)
        questions = {"stories": stored["stories"]}  # which stand in a file of their own
        assert stored == {"lesson": "7_language_model", **made, "maps": stored["maps"], **questions}


@EACH
def test_a_run_is_small_and_has_every_parameter_as_it_is_stored_for_the_lesson(browser: Browser, name: str) -> None:
    assert path_of(name).stat().st_size < MOST_BYTES
    page = browser.new_page()
    page.add_script_tag(content=source())
    read = page.evaluate("run => parametersOf(run)", run(name))
    page.close()
    wanted = parameters_of(model_of(name))
    assert list(read) == list(wanted)
    for parameter, value in wanted.items():
        assert np.array_equal(np.array(read[parameter]), value.double().numpy()), parameter


@EACH_TEXT
def test_logits_and_maps_are_torchs(functions: Page, name: str, text: str) -> None:
    shown, tokens = run(name), tokens_of(name, text)
    said = functions.evaluate(COMPUTED, [shown, tokens, []])
    wanted = logits_of(name, text)
    np.testing.assert_allclose(said["logits"], wanted, atol=EXACT)
    maps = training.maps_of(model_of(name), torch.tensor([tokens]), shown["heads"], mask=True)
    for layer, head, query in itertools.product(range(shown["layers"]), range(shown["heads"]), range(len(tokens))):
        np.testing.assert_allclose(said["maps"][layer][head][query], maps[layer][0, head, query, : query + 1], atol=EXACT)


@EACH
def test_each_head_that_is_off_moves_the_logits_as_in_torch(functions: Page, name: str) -> None:
    shown, text = run(name), TEXTS[name][3]
    every = list(itertools.product(range(shown["layers"]), range(shown["heads"])))
    whole = logits_of(name, text)
    for off in [*[(one,) for one in every], tuple(every)]:
        said = functions.evaluate(COMPUTED, [shown, tokens_of(name, text), [f"{layer},{head}" for layer, head in off]])
        wanted = logits_of(name, text, off)
        np.testing.assert_allclose(said["logits"], wanted, atol=EXACT)
        assert (wanted - whole).abs().max() > 0.01


def test_half_precision_is_numpys(functions: Page) -> None:
    bits = [bits for bits in range(2**16) if bits >> 10 & 31 != 31]  # without infinities
    assert functions.evaluate("bits => bits.map(halved)", bits) == np.array(bits, dtype="<u2").view("<f2").astype(float).tolist()


def test_letters_are_drawn_as_often_as_they_are_likely(functions: Page) -> None:
    shares = [0.5, 0.0, 0.3, 0.15, 0.05]
    turns = """([seed, shares]) => { const random = randomNumbers(seed); return Array.from({ length: 20000 }, () => drawn(shares, random())); }"""
    places = functions.evaluate(turns, [40, shares])
    np.testing.assert_allclose(np.bincount(places, minlength=5) / len(places), shares, atol=0.015)
    assert places == functions.evaluate(turns, [40, shares]) != functions.evaluate(turns, [41, shares])
    assert functions.evaluate("drawn([0.25, 0.5, 0.2499999], 0.99999999)") == 1  # where rounding leaves a little, the likeliest


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], Page]]:
    """One explorer alone, from a file."""
    page = browser.new_page(viewport={"width": 1000, "height": 1000})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def open_run(name: str) -> Page:
        file = tmp_path / "page.html"
        file.write_text(f"<!doctype html><meta charset=utf-8><style>{style()}</style><script>{script()}</script>{embedded(name)}", encoding="utf-8")
        page.goto(file.as_uri())
        return page

    yield open_run
    page.close()
    assert errors == []


def field(page: Page) -> Locator:
    return page.get_by_role("textbox")


def shows(page: Page, name: str, text: str, temperature: float = 1.0, off: tuple[tuple[int, int], ...] = ()) -> None:
    """The letters of torch with their bars, and maps of the text."""
    heading = f"What follows “{run(name)['start'] or ''}{text}”: the 8 likeliest of {len(run(name)['words'])}, at temperature {temperature:.1f}."
    expect(page.locator(".attn-next caption")).to_have_text(heading)
    wanted = likeliest(name, text, temperature, off)
    percent = [float(said.removeprefix("< ").removesuffix(" %")) for said in page.locator(".attn-chance").all_inner_texts()]
    bars = page.locator(".attn-chance i").evaluate_all("bars => bars.map(bar => parseFloat(bar.style.getPropertyValue('--share')))")
    for got in (percent, bars):
        np.testing.assert_allclose(got, [chance for _, chance in wanted], atol=0.55)
    clear = [letter for (letter, chance), (_, below) in itertools.pairwise(wanted) if chance > below + 0.01]  # others may change their places
    assert [letter for letter in page.locator(".attn-next tbody th").all_inner_texts() if letter in clear] == clear
    names = [*([run(name)["start"]] if run(name)["start"] else []), *text]
    expect(page.locator(".attn-map tbody th")).to_have_text(names)
    expect(page.locator(".attn-asking button")).to_have_text(names)


@EACH_TEXT
def test_a_text_is_written_and_read(opened: Callable[[str], Page], name: str, text: str) -> None:
    page = opened(name)
    shows(page, name, "".join(run(name)["sentence"]).removeprefix("^"))
    field(page).fill(f" {text.upper()} ")  # as phones write
    shows(page, name, text)
    expect(page.get_by_role("alert")).to_be_hidden()
    layer, head, query = run(name)["layer"], run(name)["head"], len(tokens_of(name, text)) - 1
    weights = training.maps_of(model_of(name), torch.tensor([tokens_of(name, text)]), run(name)["heads"], mask=True)[layer][0, head, query]
    np.testing.assert_allclose([float(said) for said in page.locator(".attn-lines tbody td").all_inner_texts()], weights, atol=0.0051)
    assert page.locator(".attn-curves path").count() == (weights >= 0.005).sum()


@pytest.mark.parametrize(
    ("name", "written", "said"),
    [
        ("names", "jos\u00e9", "It does not know “\u00e9”: it reads the letters a to z."),
        ("names", "jose\u0301", "It does not know “\u00e9”: it reads"),
        ("names", "mary ann", "It does not know a space: it reads"),
        ("names", "a-1-b^", "It does not know “-”, “1”, “^”: it reads"),
        ("names", "\U0001f600a", "It does not know “\U0001f600”: it reads"),
        ("names", "abcdefghijkl", "It reads at most 11 letters; these are 12."),
        ("names", "<b>", "It does not know “<”, “>”: it reads"),
        ("repeated letters", "", "Write at least one letter."),
        ("repeated letters", "ab" * 13, "It reads at most 24 letters; these are 26."),
    ],
)
def test_what_it_cannot_read_is_told_and_nothing_is_lost(opened: Callable[[str], Page], name: str, written: str, said: str) -> None:
    page = opened(name)
    first = "".join(run(name)["sentence"]).removeprefix("^")
    field(page).fill(written)
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_role("alert")).to_contain_text("The last text that it could read stays below.")
    expect(field(page)).to_have_value(written)
    page.get_by_label("Temperature").fill("0.5")
    expect(field(page)).to_have_value(written)
    expect(page.get_by_role("alert")).to_contain_text(said)
    shows(page, name, first, 0.5)
    field(page).fill("ab")
    expect(page.get_by_role("alert")).to_be_hidden()
    shows(page, name, "ab", 0.5)


def test_the_temperature_moves_the_bars(opened: Callable[[str], Page]) -> None:
    page = opened("names")
    page.get_by_label("Temperature").focus()
    for key, temperature in (("Home", 0.1), ("ArrowRight", 0.2), ("End", 2.0), ("ArrowLeft", 1.9)):
        page.keyboard.press(key)
        shows(page, "names", "jess", temperature)
    assert likeliest("names", "jess", 0.1)[0][1] > 99 > 50 > likeliest("names", "jess", 2)[0][1]


def test_letters_are_added_and_a_reset_brings_the_same_again(opened: Callable[[str], Page]) -> None:
    page = opened("repeated letters")
    added = []
    for _ in range(2):
        texts = ["planetplane"]
        page.get_by_label("Temperature").fill("2")
        page.get_by_label("layer 2, head 0").uncheck()
        page.get_by_label("layer 2, head 1").uncheck()  # nothing is sure any more
        for _ in range(5):
            page.get_by_role("button", name="Add a letter").click()
            texts.append(field(page).input_value())
            assert texts[-1][:-1] == texts[-2]
            expect(page.locator(".attn-writing [role=status]")).to_have_text(f"It wrote “{texts[-1][-1]}”.")
        shows(page, "repeated letters", texts[-1], 2.0, ((1, 0), (1, 1)))
        added.append(texts)
        page.get_by_role("button", name="Reset").click()
        shows(page, "repeated letters", "planetplane")
        expect(field(page)).to_have_value("planetplane")
        expect(page.get_by_role("checkbox", checked=True)).to_have_count(4)
    assert added[0] == added[1] and added[0][-1] != "planetplanetplan"


def test_it_goes_on_until_it_is_full_and_continues_what_repeats(opened: Callable[[str], Page]) -> None:
    page = opened("repeated letters")
    field(page).fill("qzkfqzkf")
    page.get_by_label("Temperature").fill("0.1")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    shows(page, "repeated letters", "qzkf" * 6, 0.1)
    expect(page.locator(".attn-writing [role=status]")).to_have_text("It reads at most 24 letters. Shorten the text to add others.")
    page.get_by_role("button", name="Add a letter").focus()
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value("qzkf" * 6)
    field(page).fill("qz")
    expect(page.locator(".attn-writing [role=status]")).to_be_empty()


def test_it_is_stopped(opened: Callable[[str], Page]) -> None:
    page = opened("repeated letters")
    page.get_by_role("button", name="Go on").focus()
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value(re.compile("planetplane.+"))
    page.keyboard.press("Enter")
    stopped = field(page).input_value()
    assert len(stopped) < 24
    page.wait_for_timeout(1000)
    expect(field(page)).to_have_value(stopped)
    expect(page.locator(".attn-writing [role=status]")).to_have_text(f"It wrote “{stopped.removeprefix('planetplane')}”.")
    page.get_by_role("button", name="Go on").click()
    field(page).fill("abc")  # who writes stops it, too
    page.wait_for_timeout(1000)
    shows(page, "repeated letters", "abc")


def test_a_name_ends_and_the_next_one_begins(opened: Callable[[str], Page]) -> None:
    page = opened("names")
    made = []
    for _ in range(3):
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("button", name="Go on")).to_be_visible()
        status = page.locator(".attn-writing [role=status]")
        made.append(field(page).input_value())
        expect(status).to_have_text(f"It ended “{made[-1]}” here. The next letter begins a new one.")
    assert made[0].startswith("jess") and len(set(made)) == 3 and not made[1].startswith("jess")


def test_heads_that_are_off_take_their_part_of_the_answer_along(opened: Callable[[str], Page]) -> None:
    page = opened("repeated letters")
    drawn = [page.locator("canvas").evaluate("canvas => canvas.toDataURL()")]
    assert page.locator(".attn-next thead th").all_inner_texts() == ["next", "probability"]
    off = []
    for layer, head in ((1, 0), (1, 1)):
        page.get_by_label(f"layer {layer + 1}, head {head}").uncheck()
        off.append((layer, head))
        shows(page, "repeated letters", "planetplane", off=tuple(off))
        expect(page.locator(".attn-said")).to_contain_text("Layer 2, head 0, which is off. Query “e”")
        drawn.append(page.locator("canvas").evaluate("canvas => canvas.toDataURL()"))
        assert page.locator(".attn-next thead th").all_inner_texts() == ["next", "probability", "all heads on"]
    row = page.locator(".attn-next tbody tr")
    whole = dict(likeliest("repeated letters", "planetplane"))
    for letter, _, before in (one.locator("th, td").all_inner_texts() for one in row.all()):
        assert float(before.removeprefix("< ").removesuffix(" %")) == pytest.approx(whole.get(letter, 0.1), abs=0.55)
    assert likeliest("repeated letters", "planetplane")[0][0] == "t" and likeliest("repeated letters", "planetplane", 1, tuple(off))[0][1] < 75
    page.get_by_label("layer 2, head 0").check()
    page.get_by_label("layer 2, head 1").check()
    shows(page, "repeated letters", "planetplane")
    drawn.append(page.locator("canvas").evaluate("canvas => canvas.toDataURL()"))
    assert drawn[0] == drawn[3] and len(set(drawn)) == 3  # maps of heads that are off are faint
    expect(page.locator(".attn-said")).to_contain_text("Layer 2, head 0. Query “e”")


def test_a_head_and_a_query_are_chosen_by_mouse_and_by_keyboard(opened: Callable[[str], Page]) -> None:
    page = opened("names")
    canvas, box = page.locator("canvas"), page.locator("canvas").bounding_box()
    assert box
    for layer, head in ((1, 3), (0, 2)):
        canvas.click(position={"x": (layer + 0.5) * box["width"] / 2, "y": (head + 0.5) * box["height"] / 4})
        expect(page.locator(".attn-map caption")).to_contain_text(f"Weights of layer {layer + 1}, head {head}:")
    heads = page.get_by_role("slider", name=re.compile("^head:"))
    heads.focus()
    for key, said in (("ArrowRight", "layer 2, head 2"), ("ArrowUp", "layer 2, head 1"), ("ArrowRight", "layer 2, head 1")):
        page.keyboard.press(key)
        expect(heads).to_have_attribute("aria-valuetext", said)
        expect(page.locator(".attn-said")).to_contain_text(said.capitalize())
    page.get_by_role("button", name="e", exact=True).click()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".attn-said")).to_contain_text("Query “j”")
    expect(page.locator(".attn-lines tbody td")).to_have_text([re.compile(r"\d")] * 2 + ["later"] * 3)
    page.get_by_label("layer 1, head 0").uncheck()  # the query stays where the text does
    expect(page.locator(".attn-said")).to_contain_text("Query “j”")
    field(page).fill("")
    expect(page.locator(".attn-said")).to_contain_text("Query “^”. The largest weight, 1.00, is on “^”.")
    page.get_by_label("leave out the first token").check()
    expect(page.locator(".attn-said")).to_contain_text("this row stays as it is")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".attn-said")).to_contain_text("Layer 1, head 0. Query “s”")
    expect(page.get_by_label("leave out the first token")).not_to_be_checked()


@EACH
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_it_fits_and_fingers_hit(opened: Callable[[str], Page], name: str, width: int) -> None:
    page = opened(name)
    page.set_viewport_size({"width": width, "height": 900})
    for text in ("a", "m" * (run(name)["longest"] - (run(name)["start"] is not None))):
        field(page).fill(text)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sizes = page.locator(".attn-writing button, .attn-writing label, .attn-writing input:not([type=checkbox]), .attn-asking button").evaluate_all(
            "parts => parts.map(part => [part.getBoundingClientRect().height, part.getBoundingClientRect().width, part.textContent])"
        )
        assert len(sizes) > 10 and [size for size in sizes if min(size[:2]) < 24] == []
        canvas = page.locator("canvas").bounding_box()
        assert canvas and canvas["width"] / run(name)["layers"] > 60
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical") and one["id"] not in OF_WHOLE_PAGES] == []


@EACH
def test_the_widget_of_notebooks_shows_the_same(browser: Browser, name: str) -> None:
    """As JupyterLab does it: a module, a place that is not yet on the page, and a model that is asked for the run."""
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.evaluate(
        """async ([code, run]) => {
          const { default: widget } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
          const el = document.createElement("div");
          widget.render({ model: { get: () => run }, el });
          document.body.append(el);
        }""",
        [source() + RENDER, run(name)],
    )
    field(page).fill("abab")
    shows(page, name, "abab")
    assert page.locator("canvas").evaluate("canvas => canvas.width") >= 400
    page.close()
    assert errors == []


def test_the_site_has_them_with_a_picture_for_those_without_javascript(browser: Browser, site: Path) -> None:
    for javascript in (True, False):
        context = browser.new_context(java_script_enabled=javascript)
        page = context.new_page()
        page.goto((site / "explorer.html").as_uri())
        for name in STATES:
            shown = page.locator(f'.attn-explorer[data-run="run-{name.replace(" ", "-")}"]')
            if javascript:
                shown.get_by_role("textbox").fill("abab")
                expect(shown.locator(".attn-next caption")).to_contain_text("abab”")
            else:
                query = run(name)["sentence"][run(name)["query"]]
                expect(shown.locator("figcaption")).to_contain_text(f"Query “{query}” has its largest weight")
                expect(shown.locator("caption").first).to_have_text(re.compile(r"^weights of layer \d, head \d$"))
        context.close()
