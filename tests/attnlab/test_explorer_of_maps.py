"""The explorer of a model that is too large for a page: its stored maps, and what a reader does with them, in a browser."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from attnlab import real_model
from attnlab.explorer import embedded, run, script, style
from attnlab.explorer.pages import source
from attnlab.explorer.runs import maps_in, path_of
from attnlab.figures.colours import Scale
from authoring.lessons import ROOT
from authoring.runs import triangles

NAME = "real model"
MOST_BYTES = 100_000
EXACT = 1e-4  # of a stored weight, and of the sum of a row

SHOWN = run(NAME)
MAPS = maps_in(SHOWN)
WORDS = SHOWN["sentence"]
LAYERS, HEADS, T = MAPS.shape[:3]


@pytest.mark.model
def test_stored_maps_are_those_of_the_model() -> None:
    text = runpy.run_path(str(ROOT / "source" / SHOWN["lesson"] / "run.py"))["TEXT"]
    model, words = real_model.opened()
    assert [token.strip() for token in words.split(text)] == WORDS and "".join(words.split(text)) == text
    maps = real_model.maps_of(model, real_model.run(words.encode(text), model))
    np.testing.assert_allclose(MAPS, maps, atol=EXACT)


def test_rows_are_weights_of_keys_up_to_the_query() -> None:
    assert MAPS.shape == (30, 9, 13, 13) and MAPS.min() >= 0
    np.testing.assert_allclose(MAPS.sum(-1), 1, atol=EXACT)
    assert not np.triu(MAPS, 1).any()


def test_what_is_stored_is_small_and_stays_as_it_is() -> None:
    assert path_of(NAME).stat().st_size < MOST_BYTES
    assert triangles(MAPS) == SHOWN["maps"]


def left_out(row: np.ndarray) -> np.ndarray:
    """A row without the first key."""
    return np.array([0, *row[1:] / row[1:].sum()]) if row[1:].any() else row


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The explorer alone, from a file."""
    page = browser.new_page(viewport={"width": 800, "height": 1000})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><style>{style()}</style><script>{script()}</script>{embedded(NAME)}", encoding="utf-8")
    page.goto(file.as_uri())
    yield page
    page.close()
    assert errors == []


def numbers(page: Page, selector: str) -> list[float]:
    """What stands in cells, without those that hold no number."""
    return [float(text) for text in page.locator(selector).all_inner_texts() if re.fullmatch(r"[\d.]+", text)]


def shows(page: Page, layer: int, head: int, query: int) -> None:
    """The chosen row is the stored one, in the map and beside the lines."""
    expect(page.locator(".attn-map caption")).to_contain_text(f"Weights of layer {layer}, head {head}:")
    expect(page.locator(".attn-said")).to_contain_text(f"Layer {layer}, head {head}. Query “{WORDS[query]}”")
    wanted = MAPS[layer, head, query, : query + 1]
    for place in (".attn-map tr.attn-chosen td", ".attn-lines tbody td"):
        np.testing.assert_allclose(numbers(page, place), wanted, atol=0.0051)
    assert page.locator(".attn-curves path").count() == (wanted >= 0.005).sum()


@pytest.mark.browser
def test_the_browser_reads_the_stored_weights(page: Page) -> None:
    page.add_script_tag(content=source())
    said = page.evaluate("run => unpacked(run)", SHOWN)
    without = page.evaluate("run => unpacked(run).map(layer => layer.map(head => head.map(withoutFirst)))", SHOWN)
    for query in range(T):
        rows = MAPS[:, :, query, : query + 1]
        np.testing.assert_allclose([[head[query] for head in layer] for layer in said], rows, atol=1e-12)
        rescaled = np.array([[head[query] for head in layer] for layer in without])
        np.testing.assert_allclose(rescaled, np.apply_along_axis(left_out, -1, rows), atol=1e-12)
    assert page.evaluate("[withoutFirst([1]), withoutFirst([1, 0]), withoutFirst([0.5, 0.125, 0.375])]") == [[1], [1, 0], [0, 0.25, 0.75]]


@pytest.mark.browser
def test_a_head_is_chosen_with_the_arrow_keys(page: Page) -> None:
    layer, head, query = (SHOWN[what] for what in ("layer", "head", "query"))
    shows(page, layer, head, query)
    slider = page.get_by_role("slider")
    slider.focus()
    for key, step in (("ArrowRight", (1, 0)), ("ArrowUp", (0, -1)), ("ArrowLeft", (-1, 0)), ("ArrowDown", (0, 1)), ("ArrowDown", (0, 0))):
        page.keyboard.press(key)
        layer, head = layer + step[0], head + step[1]
        expect(slider).to_be_focused()
        expect(slider).to_have_attribute("aria-valuetext", f"layer {layer}, head {head}")
        shows(page, layer, head, query)
    for _ in range(LAYERS):
        page.keyboard.press("ArrowRight")
    shows(page, LAYERS - 1, head, query)
    mark, last = page.locator(".attn-mark").bounding_box(), page.locator("canvas").last.bounding_box()
    assert mark and last and mark["x"] + mark["width"] == pytest.approx(last["x"] + last["width"], abs=3)


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_a_head_is_chosen_where_it_is_drawn(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 1000})
    for layer, head in ((0, 0), (14, 8), (15, 3), (29, 7)):
        band = page.locator("canvas").nth(layer // 15)
        box = band.bounding_box()
        assert box
        band.click(position={"x": (layer % 15 + 0.5) * box["width"] / 15, "y": (head + 0.5) * box["height"] / HEADS})
        shows(page, layer, head, SHOWN["query"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".attn-map").evaluate("map => map.scrollWidth - map.clientWidth") <= 0


@pytest.mark.browser
def test_a_query_is_chosen_with_the_arrow_keys_or_by_a_click(page: Page) -> None:
    layer, head = SHOWN["layer"], SHOWN["head"]
    page.get_by_role("button", name="it", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="was", exact=True)).to_be_focused()
    shows(page, layer, head, WORDS.index("was"))
    page.get_by_role("button", name="tired", exact=True).click()
    shows(page, layer, head, WORDS.index("tired"))
    page.locator(".attn-map tbody tr").nth(3).click()
    shows(page, layer, head, 3)


@pytest.mark.browser
def test_without_the_first_token_rows_are_rescaled_and_what_is_left_out_is_told(page: Page) -> None:
    row = MAPS[SHOWN["layer"], SHOWN["head"], SHOWN["query"], : SHOWN["query"] + 1]
    drawn = page.locator("canvas").first.evaluate("canvas => canvas.toDataURL()")
    page.get_by_label("leave out the first token").check()
    expect(page.locator(".attn-said")).to_contain_text(f"“it”: {row[0]:.2f} of its weight is on the first token and left out")
    expect(page.locator(".attn-map tr.attn-chosen td").last).to_have_text(f"{row[0]:.2f}".removeprefix("0"))
    expect(page.locator(".attn-lines tbody td").first).to_have_text(f"left out, {row[0]:.2f}")
    np.testing.assert_allclose(numbers(page, ".attn-lines tbody td"), left_out(row)[1:], atol=0.0051)
    np.testing.assert_allclose(numbers(page, ".attn-map tr.attn-chosen td.attn-weight"), left_out(row)[1:], atol=0.0051)
    assert page.locator("canvas").first.evaluate("canvas => canvas.toDataURL()") != drawn
    page.get_by_role("button", name="The", exact=True).click()
    expect(page.locator(".attn-said")).to_contain_text(
        "The largest weight, 1.00, is on “The”. It has no other key with a weight, so this row stays as it is."
    )
    page.get_by_label("leave out the first token").uncheck()
    shows(page, SHOWN["layer"], SHOWN["head"], 0)
    assert page.locator("canvas").first.evaluate("canvas => canvas.toDataURL()") == drawn


@pytest.mark.browser
def test_small_maps_have_the_colours_of_weights(page: Page) -> None:
    """The middle of the squares of one head, and nothing where keys are later than their query."""
    layer, head = 3, 4
    pixels = page.locator("canvas").first.evaluate(
        """(canvas, [layer, head, T]) => [...Array(T).keys()].map(i => [...Array(T).keys()].map(j =>
             [...canvas.getContext("2d").getImageData((layer * (T + 1) + j + 1) * 4, (head * (T + 1) + i + 1) * 4, 1, 1).data]))""",
        [layer, head, T],
    )
    wanted = Scale(0.0, 1.0, "weights").shades(MAPS[layer, head])
    kept = np.tril_indices(T)
    assert np.abs(np.array(pixels)[..., :3][kept].astype(int) - wanted[kept]).max() <= 3
    assert not np.array(pixels)[..., 3][np.triu_indices(T, 1)].any()
