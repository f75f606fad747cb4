"""One code of colours in all pictures and in the explorer, for colour-blind readers too, on a light page, on a dark one, and 900 pixels wide."""

from __future__ import annotations

import base64
import itertools
import re

import numpy as np
import pytest
from playwright.sync_api import Browser

from attnlab import figures
from attnlab.explorer.pages import source, style
from attnlab.figures import colours
from attnlab.figures.learning import learning
from attnlab.figures.picture import Picture
from attnlab.figures.training import training

DRAWN = np.random.RandomState(0)
SCORES = np.array([[2.0, -1, 0], [0.5, 4, 1], [0, -3, 2.5]])
WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.1, 0.9, 0.0], [0.0, 0.05, 0.95]])
WORDS = "the dog dropped the bone because it was tired".split()
ROLES = {"query": colours.QUERY, "key": colours.KEY, "value": colours.VALUE, "score": colours.SCORE, "weight": colours.WEIGHT}

# Linear red, green and blue as three kinds of colour-blind people see them: Machado, Oliveira and Fernandes, 2009, severity 1.
SEEN = {
    "all": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
DIFFERENT = 15  # CIE 1976: about 2 is just noticed, 10 is seen at a glance
LEAST_CONTRAST = 4.5  # of text: Web Content Accessibility Guidelines, AA
LEAST_LETTERS, PAGE = 10, 816  # pixels: of letters, and of an output in a notebook of 900


def lab(colour: str, seen: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of `#rrggbb`: L* is the lightness, from 0 to 100."""
    levels = np.array(list(bytes.fromhex(colour[1:]))) / 255
    linear = np.clip(seen @ np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4), 0, 1)
    x, y, z = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear / [0.9505, 1, 1.089]
    f = [np.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(colours.luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def whole(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


def shades(name: str) -> list[str]:
    return [colours.hexadecimal(shade) for shade in colours.Scale(0.0, 1.0, name).shades(np.linspace(0, 1, 101)[None])[0].tolist()]


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("code", [tuple(ROLES.values()), colours.TOKEN_COLOURS[:5]], ids=["roles", "tokens"])
def test_colour_blind_readers_tell_them_apart(code: tuple[str, ...], seen: str) -> None:
    distances = [np.linalg.norm(lab(one, SEEN[seen]) - lab(other, SEEN[seen])) for one, other in itertools.combinations(code, 2)]
    assert min(distances) > DIFFERENT


@pytest.mark.parametrize("name", colours.MAPS)
def test_light_is_little_in_every_map(name: str) -> None:
    lightness = np.array([lab(shade, np.eye(3))[0] for shade in shades(name)])
    upward = lightness if name in ("weights", "numbers") else lightness[50:]  # signed numbers: from zero in the middle
    assert upward[0] > 94 and (np.diff(upward) < 0.01).all() and upward[0] - upward[-1] > 25
    if name not in ("weights", "numbers"):
        assert np.allclose(lightness, lightness[::-1], atol=7)  # as strong to both sides


@pytest.mark.parametrize("name", colours.MAPS)
def test_what_is_written_on_a_map_is_legible(name: str) -> None:
    assert min(contrast(shade, whole(colours.ink(shade))) for shade in shades(name)) > LEAST_CONTRAST


def test_no_curve_of_a_model_and_no_token_has_the_colour_of_a_role() -> None:
    others = {colour for colour, _ in colours.MODEL_LOOKS} | set(colours.TOKEN_COLOURS) | {colours.NEUTRAL, colours.OPEN, colours.SHUT}
    for other, role in itertools.product(others, ROLES.values()):
        assert np.linalg.norm(lab(other, np.eye(3)) - lab(role, np.eye(3))) > DIFFERENT


def ground_of(picture: Picture, number: str) -> set[str]:
    """The grounds of cells with that number, in tables that are no differences."""
    tables = [table for table in re.findall("<table.*?</table>", picture.body) if "−" not in re.findall("<caption[^>]*>([^<]*)", table)[0]]
    return {ground for table in tables for ground in re.findall(rf'background:(#\w+);[^"]*">{re.escape(number)}</td>', table)}


def scale(name: str, low: float, high: float, value: float) -> set[str]:
    return {colours.hexadecimal(colours.Scale(low, high, name).shades(np.array([[value]]))[0, 0].tolist())}


OF_WEIGHTS = {
    "weights_heatmap": figures.weights_heatmap(WEIGHTS),
    "columns_heatmap": figures.columns_heatmap(WEIGHTS.T, "abc"),
    "matrices": figures.matrices({"head 0": WEIGHTS, "head 1": WEIGHTS[::-1]}, "says", row_axis="query (row)", column_axis="key (column)"),
    "side_by_side": figures.side_by_side({"one": WEIGHTS, "other": WEIGHTS}, "says", rows="query", columns="key"),
    "compare": figures.compare("attention_weights", lambda x: WEIGHTS),
    "compare in columns": figures.compare("self_attention", lambda *inputs: (np.ones((4, 3)), WEIGHTS.T)),
    "both_axes": figures.both_axes(WEIGHTS, WEIGHTS, [2, 0, 1], "says"),
}
OF_SCORES = {
    "matrices": figures.matrices({"first layer": SCORES}, "says", row_axis="query (row)", column_axis="key (column)"),
    "compare": figures.compare("attention_scores", lambda x: SCORES),
    "compare in columns": figures.compare("column_scores", lambda *inputs: SCORES),
}
BARS = {
    "scores_and_weights": figures.scores_and_weights(SCORES, WEIGHTS),
    "temperatures": figures.temperatures([2.0, 4, 1], [0.25, 1, 4]),
    "dimension": figures.dimension(16),
    "named_bars": figures.named_bars({"weights": WEIGHTS[0]}, "abc", "says", axis="key"),
}


@pytest.mark.parametrize("name", OF_WEIGHTS)
def test_weights_have_their_map_from_0_to_1(name: str) -> None:
    assert ground_of(OF_WEIGHTS[name], "0.25") == scale("weights", 0, 1, 0.25) and ground_of(OF_WEIGHTS[name], "0.95") == scale("weights", 0, 1, 0.95)


@pytest.mark.parametrize("name", OF_SCORES)
def test_scores_have_theirs_around_zero(name: str) -> None:
    ends = {"matrices": 4.0, "compare": 8.0, "compare in columns": 30.7}  # the largest sizes, of the target where there is one
    assert ground_of(OF_SCORES[name], "0.5") == scale("scores", -ends[name], ends[name], 0.5)


@pytest.mark.parametrize("picture", [*OF_WEIGHTS.values(), *OF_SCORES.values()], ids=[*OF_WEIGHTS, *(f"scores: {name}" for name in OF_SCORES)])
def test_both_axes_are_named_in_their_colours(picture: Picture) -> None:
    for role in ("query", "key"):
        assert re.search(rf'border-bottom:3px solid {ROLES[role]}[^"]*">{role}( \((row|column)\))?</th>', picture.body)


def test_in_column_form_queries_are_columns() -> None:
    for picture in (OF_WEIGHTS["columns_heatmap"], OF_WEIGHTS["compare in columns"], OF_SCORES["compare in columns"]):
        assert "query (column)" in picture.body and "key (row)" in picture.body and "query (row)" not in picture.body


@pytest.mark.parametrize("name", BARS)
def test_bars_of_weights_and_scores_have_their_colours_and_name_the_keys(name: str) -> None:
    shown = set(re.findall(r"height:1.3em;background:(#\w+)", BARS[name].body))
    assert shown == ({colours.SCORE, colours.WEIGHT} if name == "scores_and_weights" else {colours.WEIGHT})
    assert f"border-bottom:3px solid {colours.KEY}" in BARS[name].body


def lengths(picture: Picture) -> list[float]:
    return [float(length) for length in re.findall(r"width:([\d.]+)em;height", picture.body)]


def test_rows_of_scores_can_be_compared() -> None:
    drawn = lengths(figures.scores_and_weights([[2.0, 4], [16, 4]], [[0.1, 0.9], [1, 0]]))
    assert drawn[:2] + drawn[4:6] == pytest.approx([drawn[4] * score / 16 for score in (2, 4, 16, 4)], abs=0.01)


def test_panels_of_one_kind_can_be_compared_and_those_of_others_are_not_flattened() -> None:
    drawn = lengths(figures.named_bars({"temperature 0": [1.0, 0.5], "temperature 1": [0.5, 0.5], "scores": [20.0, 10]}, "ab", "says"))
    assert drawn[1] == drawn[2] == drawn[3] == drawn[0] / 2 == drawn[5]


def test_numbers_that_stand_for_nothing_have_no_colour() -> None:
    for picture in (figures.compare("score_variance", lambda *inputs: 16.0), figures.compare("basic_self_attention", lambda x: x)):
        yours = picture.body.split("target")[0]
        assert re.findall(r"<td", yours) and not re.findall(r"<td[^>]*background:#", yours)


def test_roles_that_are_columns_are_named_in_their_colours() -> None:
    body = figures.compare("query_key_value", lambda *inputs: None).body
    for name in ("query", "key", "value"):
        assert re.search(rf'background:{ROLES[name]};[^"]*">{name}</th>', body)


class Trained:
    """A model that has learned something."""

    steps, right, values, final = [10, 20], [0.2, 0.9], [0.2, 0.9], float("nan")


def maps(number: int, tokens: int) -> dict[str, np.ndarray]:
    return {f"layer {layer}": np.eye(tokens) for layer in range(number)}


RUNS = {"without": Trained(), "with": Trained(), "both": Trained()}
PLOTS = {
    "chain_and_attention": figures.chain_and_attention(),
    "roles": figures.roles([0.6, 0.25, 0.15], 2, ["dog", "bone", "it"]),
    "shapes": figures.shapes(5, 7, 3, 2),
    "two_troubles": figures.two_troubles([[3, 2, 1], [1000, 1000, 999]]),
    "variances": figures.variances([4, 16], [3.9, 16.1], [0.1, 0.4]),
    "gradient_bands": figures.gradient_bands([1, 4], [np.ones(3), np.ones(3)], [np.ones(3), np.ones(3)]),
    "head_variants": figures.head_variants(256, 4),
    "cost_against_length": figures.cost_against_length({"one head at a time": np.sum}, [np.ones((1, 8, 4)), np.ones((1, 16, 4))]),
    "positions": figures.positions(np.eye(64, 32)),
    "training": training(RUNS, 20, 0.1, maps(2, 5), list("abcde")),
    "training, rows": training(RUNS, 20, 0.1, {f"2 heads: head {head}": DRAWN.dirichlet(np.ones(9))[None] for head in range(3)}, WORDS),
    "learning": learning(RUNS, 20, "right", {"guessing": 0.1}, maps(2, 16), None, "both"),
    "learning, words": learning(RUNS, 20, "loss", {"guessing": 0.1}, maps(1, 9), WORDS, "both"),
}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_legible_in_a_notebook_of_900_pixels(name: str) -> None:
    drawing = base64.b64decode(re.findall(r"svg\+xml;base64,([^\"]+)", PLOTS[name].body)[0]).decode()
    width = float(re.findall(r'<svg[^>]* width="([\d.]+)pt"', drawing)[0]) * 96 / 72
    letters = [100 * float(size) for size in re.findall(r"scale\(([\d.]+) -[\d.]+\)", drawing)]  # points; letters are drawn 100 points high
    assert min(letters) * 96 / 72 * min(1, PAGE / width) > LEAST_LETTERS


HTML = {
    "attention_blocks": figures.attention_blocks(),
    "multi_head_blocks": figures.multi_head_blocks(),
    "transformer_blocks": figures.transformer_blocks(),
    "data_flow": figures.data_flow(*DRAWN.normal(size=(3, 4, 8)), mask=np.tril(np.ones((4, 4)))),
    "mixture": figures.mixture(WEIGHTS, SCORES),
    "equivariance": figures.equivariance(lambda x: x, SCORES, [2, 0, 1], "says"),
    "invariance": figures.invariance(lambda x: x.mean(axis=0), SCORES, [2, 0, 1], "says"),
    "token_tiles": figures.token_tiles({"the tokens": figures.marked_tokens(7, 4)}, "says"),
    "word_rows": figures.word_rows(WORDS, {word: row for row, word in enumerate(dict.fromkeys(WORDS))}, np.ones((9, 2))),
    "may_look": figures.may_look(np.tril(np.ones((3, 3)))),
    "verdicts": figures.verdicts({"A": True, "B": False}),
    "nan": figures.compare("attention_scores", lambda x: np.full((3, 3), np.nan)),
}


@pytest.mark.parametrize("picture", [*OF_WEIGHTS.values(), *OF_SCORES.values(), *BARS.values(), *HTML.values()])
def test_text_is_legible_on_a_light_and_on_a_dark_page(picture: Picture) -> None:
    """Ink that is fixed has a ground that is fixed, and fits it; the rest takes the ink of the page."""
    for look in re.findall(r'style="([^"]*)"', picture.body):
        ink, ground = (re.findall(rf"(?:^|;){what}:(#\w+)", look) for what in ("color", "background"))
        if ink:
            assert len(ground) == 1 and contrast(whole(ink[-1]), whole(ground[0])) > LEAST_CONTRAST, look


def test_the_explorer_names_no_colour_of_its_own() -> None:
    rules = style().split("\n", 1)[1]
    assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b", re.sub(r"var\(--(jp|color)[^;]*;", "", rules))) <= {"#000", "#fff"}  # ink on weights
    assert set(re.findall(r"var\(--((?!jp|color)[\w-]+)\)", rules)) >= {*ROLES, "no-weight", "neutral"}


CELLS = """() => {
  const cells = [...Array(101).keys()].map(percent => make("td", shade(percent / 100), percent));
  document.body.append(make("div", { class: "attn" }, make("table", {}, make("tr", {}, ...cells))));
  return cells.map(getComputedStyle).map(look => [look.backgroundColor, look.color]);
}"""


@pytest.mark.browser
def test_a_weight_in_the_explorer_looks_as_it_does_in_pictures(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(f"<style>{style()}</style>")
    page.add_script_tag(content=source())
    shades = colours.Scale(0.0, 1.0, "weights").shades(np.linspace(0, 1, 101)[None])[0]
    for (ground, ink), shade in zip(page.evaluate(CELLS), shades):
        shown = 255 * np.array([float(part) for part in ground.removeprefix("color(srgb ").removesuffix(")").split()])
        assert np.abs(shown - shade).max() < 1.5
        assert ink == {"#000": "rgb(0, 0, 0)", "#fff": "rgb(255, 255, 255)"}[colours.ink(colours.hexadecimal(shade.tolist()))]
    page.close()
