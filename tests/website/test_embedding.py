"""The explorer that teachers embed: right answers, questions to try, what is chosen in the address, and the page that is one explorer."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from attnlab import training
from attnlab.explorer import embedded, names_of_runs, run, script, style
from attnlab.explorer.pages import ALONE, HIDEABLE, source
from attnlab.explorer.runs import maps_in
from attnlab.explorer.widget import RENDER
from website.embedding import alone

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SENTENCES = 300
NAMES, THINGS = ("Ann", "Ben", "Cat", "Dan", "Eva", "Fay"), ("apple", "book", "key", "lamp", "pear", "shoe")
TRAINED = [name for name in names_of_runs() if "task" in run(name)]
STORIES = [(name, number) for name in names_of_runs() for number in range(len(run(name).get("stories", [])))]
SMALL = """all => all.map((one) => [one.outerHTML, one.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([text]) => text)"""
FACTS = """([run, state]) => {
  const explorer = begin(run, document.createElement("div"), { state });
  if (!run.steps) {
    const maps = explorer.maps instanceof Maps ? explorer.maps : explorer;
    const weights = maps.rows()[maps.query];
    const chances = explorer instanceof Letters ? Object.fromEntries(explorer.chances().map((chance, at) => [run.words[at], chance])) : {};
    return { weights, chances, answers: [], largest: maps.names[weights.indexOf(Math.max(...weights))], problems: explorer.parts.problems.textContent,
      layer: maps.layer, head: maps.head };
  }
  const all = explorer.computed();
  const best = (head) => explorer.sentence[head.weights[explorer.query].indexOf(Math.max(...head.weights[explorer.query]))];
  const head = explorer.head === "first" ? all.first : all.heads[explorer.head];
  return { weights: head.weights[explorer.query], largest: best(head), first: all.first && best(all.first), second: best(all.heads[0]),
    entropy: entropy(head.weights[explorer.query]), answers: judgedAnswers(explorer, all), problems: explorer.parts.problems.textContent };
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the site has of the explorer, and a page of a teacher with two of them, one in a frame."""
    to = tmp_path_factory.mktemp("embedding")
    for path, text in {**alone(), "_static/explorer.js": script(), "_static/explorer.css": style()}.items():
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_text(text, encoding="utf-8")
    head = '<!doctype html><html lang="en"><title>A lecture</title><meta charset="utf-8"><link rel="stylesheet" href="../_static/explorer.css">'
    (to / "lectures").mkdir()
    (to / "lectures" / "two.html").write_text(
        f'{head}<script src="../_static/explorer.js"></script><main>{embedded("words")}'
        f"{embedded('who eats', hidden=('way', 'tools'), state='tokens=meat+eats+dog&query=0')}</main>",
        encoding="utf-8",
    )
    return to


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    assert errors == []


def opened(context: BrowserContext, folder: Path, **address: str) -> Page:
    page = context.new_page()
    page.goto(f"{(folder / ALONE).as_uri()}?{urlencode(address)}")
    page.locator(".attn").wait_for()
    return page


def picture(page: Page) -> str:
    """What a reader sees, in words and in what controls hold."""
    held = "all => all.map(one => one.type === 'checkbox' || one.type === 'radio' ? one.checked : one.value).join(' ')"
    return page.locator(".attn").inner_text() + page.locator(".attn input").evaluate_all(held)


def sentences_of(name: str) -> list[tuple[list[str], list[str]]]:
    """Random sentences of the task that the run was trained on, and the right answers, both in the words of its readers."""
    shown, draw = run(name), torch.Generator().manual_seed(3)
    if shown["task"] == "backwards":
        digits = torch.randint(10, (SENTENCES, 8), generator=draw)
        return [([str(digit) for digit in row], [str(digit) for digit in reversed(row)]) for row in digits.tolist()]
    task, many = {
        "next letter": (training.NextLetter(letters=6), SENTENCES),
        "two questions": (training.TwoQuestions(names=6, listed=4), SENTENCES),
        "who eats": (training.WhoEats(words=8), SENTENCES),
        "who it is": (training.Coreference(), SENTENCES),
    }[shown["task"]]
    tokens, answers = task.batch(many, draw)
    words = shown["words"] + [""] * 20  # positions of “who it is” have no name
    together = [["+".join(filter(None, (words[entry] for entry in token))) for token in sentence] for sentence in tokens.tolist()]
    return [(sentence, [shown["classes"][answer] for answer in right]) for sentence, right in zip(together, answers.tolist(), strict=True)]


@pytest.mark.parametrize("name", TRAINED)
def test_right_answers_are_those_of_the_training(functions: Page, name: str) -> None:
    made = sentences_of(name)
    said = functions.evaluate(
        "([run, sentences]) => sentences.map(sentence => rightAnswers(run, sentence))", [run(name), [sentence for sentence, _ in made]]
    )
    assert said == [right for _, right in made] and len({tuple(sentence) for sentence, _ in made}) > SENTENCES / 6


@pytest.mark.parametrize("name", TRAINED)
def test_marks_are_as_many_as_the_run_says(functions: Page, name: str) -> None:
    """The last step answers new sentences right; the first does not."""
    shown = run(name)
    for step in (0, -1):
        number = step % len(shown["steps"])
        good = []
        for sentence, _ in sentences_of(name)[:40]:
            state = urlencode({"tokens": " ".join(sentence), "batches": shown["steps"][number]["batches"]})
            said = functions.evaluate(FACTS, [shown, state])
            assert said["problems"] == ""
            good.append(all(answer["what"] == answer["right"] for answer in said["answers"]))
        share = sum(good) / len(good)
        assert share >= 0.9 if step else share <= 0.3


@pytest.mark.parametrize(
    ("name", "sentence", "right"),
    [
        ("two questions", "Ben+key Eva+lamp Fay+pear Dan+key 1:Ann+2:Eva", [None, "lamp"]),
        ("two questions", "Ben+key Ben+lamp Fay+pear Ann+key 1:Fay+2:Ben", ["pear", None]),
        ("two questions", "Ben+key Eva+lamp Fay+pear Ann+key", [None, None]),
        ("two questions", "Ben+key Eva+lamp Fay Ann+key 1:Fay+2:Ben", [None, "key"]),
        ("two questions", "Ben+key key+Fay 2:Ben+1:Fay", ["key", "key"]),
        ("two questions", "Ben+key 2:Ben", [None, "key"]),
        ("two questions", "Ben+key Fay+pear 1:Ben+1:Fay", [None, None]),
        ("two questions", "Ben+key Fay+pear 1:Ben+2:Fay+key", [None, None]),
        ("next letter", "c+3 a+1 f+4 b+5 e+9", [None, "5", "1", "3", "4"]),
        ("next letter", "c+3 d+8 d+2", [None, None, None]),
        ("next letter", "c+3 d", [None, None]),
        ("scaled", "c d+8 8+8 a+b", [None, None, None, None]),
        ("scaled", "3+c d+8", ["8", None]),
        ("who eats", "eats dog meat", [None, None]),
        ("who eats", "dog eats", ["dog", None]),
        ("who eats", "dog eats eats", ["dog", None]),
        ("who eats", "dog+cat eats meat", [None, "meat"]),
        ("who it is", "the dog dropped the dog because it was heavy", [None]),
        ("who it is", "the dog dropped the bone because it was wooden", ["b"]),
        ("who it is", "the bone hit the dog because it was wooden", ["b"]),
        ("who it is", "the dog dropped the bone because it was dog", [None]),
        ("who it is", "the dog dropped the bone because it", [None]),
        ("backwards", "3 1 4", ["4", "1", "3"]),
        ("backwards", "3 1+1 4", ["4", None, "3"]),
    ],
)
def test_questions_without_sense_have_no_right_answer(functions: Page, name: str, sentence: str, right: list[str | None]) -> None:
    said = functions.evaluate("([run, sentence]) => rightAnswers(run, sentence).map(answer => answer ?? null)", [run(name), sentence.split()])
    assert said == right


def test_answers_are_marked(context: BrowserContext, folder: Path) -> None:
    page = opened(context, folder, run="two questions", tokens="Ben+key Eva+lamp Fay+pear Dan+key 1:Ann+2:Eva")
    asked = page.locator(".attn-result .attn-answer > span")
    expect(asked).to_have_text([re.compile(r"first: no such question; it says lamp \(\d+ %\)"), re.compile(r"second: lamp \(100 %\) ✓")])
    page = opened(context, folder, run="two questions", off="0")
    asked = page.locator(".attn-result .attn-answer > span")
    expect(asked).to_have_text([re.compile(r"first: pear \(\d+ %\) ✓"), re.compile(r"second: lamp \(\d+ %\) ✗ right: key")])
    expect(page.get_by_role("img", name="not right", exact=True)).to_have_count(2)  # in the table, and in what is said


def test_each_run_has_three_to_five_stories() -> None:
    assert all(3 <= len(run(name)["stories"]) <= 5 for name in names_of_runs())


def true_of(said: dict, expected: dict, maps: np.ndarray | None = None) -> None:
    """Whether what the explorer says is what is expected; `maps` are those of a model that has no others."""
    assert said["problems"] == ""
    marks = [("senseless" if one.get("right") is None else "right" if one["right"] == one["what"] else "false") for one in said["answers"]]
    for what, wanted in expected.items():
        if what == "at_least":
            assert max(said["weights"]) >= wanted
        elif what == "weights":
            assert {key: round(said["weights"][int(key)], 2) for key in wanted} == wanted
        elif what == "chances" and "chances" in said:
            assert {letter: round(100 * said["chances"][letter]) for letter in wanted} == wanted
        elif what == "likeliest":
            assert max(said["chances"], key=said["chances"].get) == wanted
        elif what == "one_back":
            assert round(np.diagonal(maps[said["layer"], said["head"]], offset=-1).mean(), 2) == wanted
        elif what == "on_the_first":
            assert (maps[:, :, 1:, 0].mean(axis=2) > 0.5).sum() == wanted
        elif what == "chances":
            assert {key: round(100 * said["answers"][int(key)]["chance"]) for key in wanted} == wanted
        elif what == "answers":
            assert [one["what"] for one in said["answers"]] == wanted
        elif what == "marks":
            assert marks == wanted
        elif what == "entropy":
            assert round(said["entropy"], 2) == wanted
        else:
            assert said[what] == wanted, what


@pytest.mark.parametrize(("name", "number"), STORIES)
def test_what_a_story_tells_is_what_the_explorer_shows(functions: Page, name: str, number: int) -> None:
    shown = run(name)
    story = shown["stories"][number]
    assert story["expects"] and story["asks"].endswith("?") and 0 <= story["right"] < len(story["choices"]) >= 2
    true_of(functions.evaluate(FACTS, [shown, story["shows"]]), story["expects"], maps_in(shown) if name == "real model" else None)
    true_of(functions.evaluate(FACTS, [shown, story.get("before", "")]), story.get("expects_before", {}))
    for also in story.get("also", []):
        true_of(functions.evaluate(FACTS, [shown, also["shows"]]), also["expects"])


def test_a_story_is_asked_shown_and_left(context: BrowserContext, folder: Path) -> None:
    page = opened(context, folder, run="who it is", query="2")
    page.get_by_role("button", name="Tired or heavy").click()
    expect(page.locator(".attn-said")).to_contain_text("Query “it”")
    expect(page.locator(".attn-told")).to_have_text("")
    page.get_by_role("radio", name="dog", exact=True).check()
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_label("Tokens, with spaces")).to_have_value("the dog dropped the bone because it was heavy")
    expect(page.locator(".attn-told")).to_contain_text("✗ It is: bone. From “dog” to “bone”.")
    expect(page.locator(".attn-lines p")).to_have_text(["Query “it” in the first layer", "Query “it” in the second layer"])
    page.get_by_label("show the first layer").check()
    expect(page.locator(".attn-told")).to_have_text("You changed something since it was shown.")
    page.get_by_role("radio", name="bone", exact=True).check()
    page.get_by_role("button", name="Show me again").click()
    expect(page.locator(".attn-told")).to_contain_text("✓ Right. From “dog” to “bone”.")
    seen = picture(page)
    page.reload()
    page.locator(".attn").wait_for()
    assert picture(page) == seen
    page.get_by_role("button", name="Tired or heavy").click()
    expect(page.locator(".attn-story")).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "title", "choice", "told", "change"),
    [
        ("names", "Colder", "99 %", "✓ Right. 99 %.", "layer 1, head 0"),
        ("repeated letters", "Layer 1 off", "yes", "✗ It is: no. It says “a”", "layer 2, head 0"),
        ("real model", "One token back", "the first token", "✗ It is: the token before the query.", "leave out the first token"),
    ],
)
def test_a_story_of_maps_is_asked_shown_and_left(
    context: BrowserContext, folder: Path, name: str, title: str, choice: str, told: str, change: str
) -> None:
    page = opened(context, folder, run=name)
    page.get_by_role("button", name=title, exact=True).click()
    expect(page.locator(".attn-told")).to_have_text("")
    page.get_by_role("radio", name=choice, exact=True).check()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".attn-told")).to_contain_text(told)
    seen = picture(page)
    page.reload()
    page.locator(".attn").wait_for()
    assert picture(page) == seen
    page.get_by_label(change, exact=True).click()
    expect(page.locator(".attn-told")).to_have_text("You changed something since it was shown.")
    page.get_by_role("button", name=title, exact=True).click()
    expect(page.locator(".attn-story")).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("words", {"tokens": "cat the walks", "query": "1", "scale": "1", "mask": "1", "stage": "3", "moved": "0_1_0_2.5 0_2_0_-3"}),
        ("next letter", {"tokens": "b+5 c+3", "query": "1", "batches": "40", "stage": "2"}),
        ("who it is", {"head": "first", "positions": "0", "moved": "first_6_8_-30 0_6_1_4", "story": "1", "told": "shown"}),
        ("two questions", {"head": "1", "off": "0 1", "story": "2"}),
        ("scaled", {"scale": "0", "batches": "0"}),
        ("names", {"text": "anna", "temperature": "0.5", "off": "1_1 2_0", "query": "2", "layer": "2", "head": "3", "without": "1"}),
        ("repeated letters", {"text": "abcabc", "without": "1"}),
        ("real model", {"query": "3", "layer": "29", "head": "0", "without": "1"}),
    ],
)
def test_an_address_is_read_and_written_again(context: BrowserContext, folder: Path, name: str, state: dict[str, str]) -> None:
    page = opened(context, folder, run=name, **state)
    expect(page.get_by_role("alert").filter(has_text="address")).to_have_count(0)
    address = dict(re.findall(r"([a-z]+)=([^&]*)", page.url.split("?")[1]))
    assert {"run", *state} <= set(address) <= {"run", "query", *state}  # another text has another last letter
    begun = opened(context, folder, run=name)
    assert picture(begun) != picture(page)
    again = context.new_page()
    again.goto(page.url)
    again.locator(".attn").wait_for()
    assert picture(again) == picture(page) and again.url == page.url
    page.get_by_role("button", name="Reset").click()
    assert picture(page) == picture(again)


def test_what_a_reader_does_is_in_the_address_and_reset_takes_it_back(context: BrowserContext, folder: Path) -> None:
    page = opened(context, folder, run="two questions")
    first, begun = picture(page), page.url
    field = page.get_by_label("Tokens, with spaces")
    field.fill("Ben+key Fay+pear 1:Fay+2:Ben")
    field.press("Enter")
    page.get_by_label("show head 1").check()
    page.get_by_label("head 0 is on").uncheck()
    page.get_by_label("divide scores").uncheck()
    page.get_by_label("Training", exact=True).fill("3")
    page.get_by_role("slider", name="score of key 1").fill("3.14159")
    page.get_by_role("button", name="weight", exact=True).click()
    again = context.new_page()
    again.goto(page.url)
    again.locator(".attn").wait_for()
    assert picture(again) == picture(page)
    assert "moved=1_2_1_3.14" in page.url
    page.get_by_role("button", name="Reset").click()
    assert picture(page) == first and page.url == begun


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ({"run": "nowhere"}, "There is no run “nowhere”. You see “words”; there are also next letter"),
        ({"run": "toString"}, "There is no run “toString”"),
        ({"run": "words", "tokens": "the lion"}, "it does not know “lion”"),
        ({"run": "words", "tokens": " "}, "write at least one token"),
        ({"run": "words", "query": "6"}, "there is no query “6”"),
        ({"run": "words", "query": "-1"}, "there is no query “-1”"),
        ({"run": "words", "tokens": "cat", "query": "2"}, "there is no query “2”"),
        ({"run": "words", "head": "first"}, "there is no head “first”"),
        ({"run": "words", "stage": "3"}, "there is no stage “3”"),
        ({"run": "words", "scale": "yes"}, "“scale” is 0 or 1, not “yes”"),
        ({"run": "words", "colour": "red"}, "it has no part “colour”"),
        ({"run": "words", "constructor": "1"}, "it has no part “constructor”"),
        ({"run": "words", "moved": "0_1_9_3"}, "there is no token “9”"),
        ({"run": "words", "moved": "0_1_1_NaN"}, "“0_1_1_NaN” is no moved score"),
        ({"run": "words", "moved": "0_1_1_1e9"}, "“0_1_1_1e9” is no moved score"),
        ({"run": "words", "moved": "0_1_1_99999"}, "“0_1_1_99999” is no moved score"),
        ({"run": "words", "moved": ""}, "“” is no moved score"),
        ({"run": "words", "told": "0"}, "no story is chosen"),
        ({"run": "words", "story": "0", "told": "9"}, "there is no choice “9”"),
        ({"run": "words", "off": ""}, "there is no head “”"),
        ({"run": "next letter", "batches": "7"}, "no step of its training is after “7” batches"),
        ({"run": "two questions", "off": "0 2"}, "there is no head “2”"),
        ({"run": "names", "text": "anna2"}, "It does not know “2”"),
        ({"run": "names", "temperature": "9"}, "the temperature is from 0.1 to 2"),
        ({"run": "names", "layer": "0"}, "there is no layer “0”"),
        ({"run": "real model", "layer": "30"}, "there is no layer “30”"),
        ({"run": "words", "hide": "way,everything"}, "There is no part “everything” to hide: choose from about"),
    ],
)
def test_bad_addresses_are_refused_and_the_beginning_is_shown(context: BrowserContext, folder: Path, address: dict[str, str], said: str) -> None:
    page = opened(context, folder, **address)
    expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    known = address["run"] if address["run"] in names_of_runs() else "words"
    begun = opened(context, folder, run=known, **({"hide": "way"} if "hide" in address else {}))
    assert picture(begun) == re.sub(r"\A.*(This address|There is no).*\n+", "", picture(page))


def test_a_part_that_stands_twice_is_refused(context: BrowserContext, folder: Path) -> None:
    page = context.new_page()
    page.goto(f"{(folder / ALONE).as_uri()}?run=words&query=1&query=2")
    expect(page.get_by_role("alert")).to_contain_text("it has “query” twice")


@pytest.mark.parametrize("part", HIDEABLE)
def test_each_part_can_be_hidden(context: BrowserContext, folder: Path, part: str) -> None:
    expect(opened(context, folder, run="two questions").locator(f".attn-{part}").first).to_be_visible()
    page = opened(context, folder, run="two questions", hide=part)
    expect(page.locator(f".attn-{part}").first).to_be_hidden()
    others = [other for other in HIDEABLE if other != part]
    assert [other for other in others if page.locator(f".attn-{other}").first.is_hidden()] == []


def test_a_page_with_several_explorers_keeps_its_address_and_gives_copies(context: BrowserContext, folder: Path) -> None:
    page = context.new_page()
    address = (folder / "lectures" / "two.html").as_uri()
    page.goto(address)
    words, eats = page.locator(".attn").first, page.locator(".attn").last
    expect(eats.locator(".attn-said")).to_contain_text("Query “meat”")
    expect(eats.locator(".attn-way")).to_be_hidden()
    words.get_by_role("button", name="cat", exact=True).click()
    assert page.url == address
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    words.get_by_role("button", name="Copy link").click()
    copied = words.get_by_label("what was copied")
    expect(copied).to_be_focused()
    link = copied.input_value()
    assert link == f"{(folder / ALONE).as_uri()}?run=words&query=1"
    assert page.evaluate("getSelection().toString()") == link or copied.evaluate("field => field.selectionEnd - field.selectionStart") == len(link)
    expect(words.locator(".attn-tools")).to_contain_text("Copy it with Ctrl+C")
    page.evaluate("() => { navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }; }")
    words.get_by_role("button", name="Copy iframe").click()
    expect(words.locator(".attn-tools")).to_contain_text("Copied.")
    assert page.evaluate("window.copied") == copied.input_value()
    (folder / "lectures" / "frame.html").write_text(f"<!doctype html><title>A lecture</title><h1>Here</h1>{copied.input_value()}", encoding="utf-8")
    page.goto((folder / "lectures" / "frame.html").as_uri())
    framed = page.frame_locator("iframe")
    expect(framed.locator(".attn-said")).to_contain_text("Query “cat”")
    framed.get_by_role("button", name="on", exact=True).click()
    expect(framed.locator(".attn-said")).to_contain_text("Query “on”")
    for width in (1280, 500, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert framed.locator("html").evaluate("page => page.scrollWidth <= page.clientWidth")


def test_what_cannot_be_hidden_is_told() -> None:
    with pytest.raises(ValueError, match="there is no part nothing to hide: choose from about, tools"):
        embedded("words", hidden=("nothing",))


def test_in_a_notebook_there_is_nothing_to_copy(context: BrowserContext) -> None:
    page = context.new_page()
    page.set_content("<div id=here></div>")
    page.evaluate(
        """async ([text, run]) => {
        const { default: widget } = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
        widget.render({ model: { get: () => run }, el: document.querySelector("#here") });
    }""",
        [source() + RENDER, run("words")],
    )
    expect(page.get_by_role("button", name="Reset")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Copy"))).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_run_is_accessible_fits_and_has_targets_for_fingers(browser: Browser, folder: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    for name in names_of_runs():
        page = opened(context, folder, run=name, **({"story": "0", "told": "shown"} if run(name).get("stories") else {}))
        if page.get_by_label("head 0 is on").count():
            page.get_by_label("head 0 is on").uncheck()
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        small = page.locator(".attn :is(button, input, summary, [role=slider])").evaluate_all(SMALL)
        assert small == [], name
        page.close()
    context.close()


@pytest.mark.parametrize("name", TRAINED)
def test_on_a_phone_the_weight_is_beside_the_finger(browser: Browser, folder: Path, name: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    page = opened(context, folder, run=name)
    row = page.locator(".attn-way tbody tr").nth(2)
    row.scroll_into_view_if_needed()
    slider, weight = row.get_by_role("slider"), row.locator(".attn-now")
    slider.fill("9")
    table = float(row.locator("td.attn-weight").text_content() or "")
    expect(weight).to_have_text(f"weight {table:.2f}")
    finger, seen = slider.bounding_box(), weight.bounding_box()
    assert finger and seen and seen["x"] >= 0 and seen["x"] + seen["width"] <= 390 and -40 < seen["y"] - finger["y"] < 0
    context.close()


@pytest.mark.parametrize("width", [1280, 1600])
@pytest.mark.parametrize("name", TRAINED)
def test_slider_matrix_and_answer_are_in_one_view(context: BrowserContext, folder: Path, name: str, width: int) -> None:
    page = opened(context, folder, run=name)
    page.set_viewport_size({"width": width, "height": 800})
    boxes = [page.locator(part).bounding_box() for part in (".attn-matrix tbody", ".attn-way tbody", ".attn-said")]
    assert all(boxes)
    top, end = min(box["y"] for box in boxes), max(box["y"] + box["height"] for box in boxes)
    assert end - top <= 800 and boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]


def test_full_screen_has_larger_letters(context: BrowserContext, folder: Path) -> None:
    page = opened(context, folder, run="words")
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    before = page.locator(".attn").evaluate(size)
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement?.classList.contains('attn')")
    assert page.locator(".attn").evaluate(size) > 1.15 * before


def test_without_javascript_the_page_names_another(browser: Browser, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / ALONE).as_uri())
    expect(page.locator("body")).to_contain_text("The explorer needs JavaScript.")
    assert html.escape("words") in (folder / ALONE).read_text(encoding="utf-8")
    context.close()
