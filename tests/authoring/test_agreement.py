"""A build keeps what is committed when it differs by the machine's last digits alone, and nothing else."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from attnlab import figures
from attnlab.figures.picture import new_figure, plot
from authoring.agreement import keep_what_agrees, look_the_same, settle
from authoring.references import encode

NUMBERS = np.array([[0.25, -3.0], [1e-9, 2.0]])


def stored(array: np.ndarray) -> dict:
    return json.loads(json.dumps(encode(array)))


@pytest.mark.parametrize(("dtype", "last_digits", "more"), [("float32", 3e-7, 1e-4), ("float64", 1e-15, 1e-7)])
def test_last_digits_stay_as_committed_and_more_does_not(dtype: str, last_digits: float, more: float) -> None:
    committed = {"cases": [{"expected": stored(NUMBERS.astype(dtype))}]}
    moved = {"cases": [{"expected": stored((NUMBERS + 3 * last_digits).astype(dtype))}]}
    changed = {"cases": [{"expected": stored((NUMBERS + 3 * more).astype(dtype))}]}
    assert moved != committed and settle(moved, committed) == committed
    assert settle(changed, committed) == changed


@pytest.mark.parametrize(
    "other",
    [
        NUMBERS.astype(np.float32),
        NUMBERS.reshape(4),
        np.array([[0.25, -3.0], [np.nan, 2.0]]),
        np.array([[0.25, -3.0], [np.inf, 2.0]]),
        np.array([[0, -3], [0, 2]]),
    ],
    ids=["another type", "another shape", "nan", "infinite", "whole"],
)
def test_another_kind_of_array_is_taken(other: np.ndarray) -> None:
    assert json.dumps(settle(stored(other), stored(NUMBERS))) == json.dumps(stored(other))


def test_nan_in_the_same_place_agrees() -> None:
    committed = stored(np.array([np.nan, 1.0, -np.inf]))
    assert settle(stored(np.array([np.nan, 1.0 + 1e-15, -np.inf])), committed) is committed


def test_whole_numbers_and_texts_are_always_taken() -> None:
    assert settle({"points": 3, "title": "a", "n": stored(np.array([1, 2]))}, {"points": 2, "title": "b", "n": stored(np.array([1, 3]))}) == {
        "points": 3,
        "title": "a",
        "n": stored(np.array([1, 2])),
    }


def test_what_is_new_or_gone_is_new_or_gone() -> None:
    assert settle({"a": [1.0, 2.0], "new": 1}, {"a": [1.0], "gone": 2}) == {"a": [1.0, 2.0], "new": 1}
    assert settle([1.0], [1.0, 2.0]) == [1.0]


def test_float32_is_stored_with_the_digits_that_tell_it_from_its_neighbours() -> None:
    numbers = np.array([0.1, 1 / 3, 16777217.0], dtype=np.float32)
    assert stored(numbers)["array"][0] == 0.1
    assert np.array_equal(np.array(stored(numbers)["array"], dtype=np.float32), numbers)


def line(height: float, label: str = "height") -> str:
    figure = new_figure(2, 2, left=0.4, bottom=0.4)
    axes = figure.subplots()
    axes.plot([0, 1], [0, height], marker="o")
    axes.set(ylim=(0, 1), ylabel=label)
    return plot(figure, "one line").body


def mosaic(corner: float) -> str:
    matrix = np.full((40, 40), 0.5)
    matrix[0, 0] = corner
    return figures.weights_heatmap(matrix).body


def test_a_picture_that_looks_the_same_is_kept() -> None:
    assert line(0.5 + 1e-6) != line(0.5), "the drawing has to show the difference"
    assert look_the_same(line(0.5 + 1e-6), line(0.5))
    assert look_the_same(mosaic(0.9 + 1e-12), mosaic(0.9))
    assert look_the_same("<td style='background:#102030'>1</td>", "<td style='background:#112030'>1</td>")


@pytest.mark.parametrize(
    ("made", "committed"),
    [
        (line(0.6), line(0.5)),
        (line(0.5, "width"), line(0.5)),
        (mosaic(0.2), mosaic(0.9)),
        (line(0.5), mosaic(0.5)),
        ("<td>0.1235</td>", "<td>0.1234</td>"),
        ("background:#162030", "background:#102030"),
        ("background:#102030", "1"),
        ("a", 1),
        ({"a": 1}, {"b": 1}),
        ([1], [1, 1]),
    ],
    ids=["line", "label", "corner", "kind of picture", "printed number", "colour", "no colour", "type", "key", "length"],
)
def test_what_a_reader_can_tell_apart_is_not_kept(made: object, committed: object) -> None:
    assert not look_the_same(made, committed)


def test_a_broken_drawing_is_not_taken_for_the_old_one() -> None:
    broken = base64.b64encode(b"<svg></svg>").decode()
    assert not look_the_same(f"data:image/svg+xml;base64,{broken}", line(0.5))


def test_outputs_are_kept_cell_by_cell() -> None:
    def notebook(first: str, second: str) -> object:
        cells = [
            new_code_cell("draw()", id=name, outputs=[new_output("display_data", {"text/html": html})])
            for name, html in (("one", first), ("two", second))
        ]
        return new_notebook(cells=cells)

    new, old = notebook(line(0.5 + 1e-6), "0.1235"), notebook(line(0.5), "0.1234")
    keep_what_agrees(new, old)
    assert [cell.outputs[0].data["text/html"] for cell in new.cells] == [line(0.5), "0.1235"]
