"""Where one word of a sentence looks: an arc diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from attnlab.arrays import as_numpy
from attnlab.figures.colours import KEY, QUERY
from attnlab.figures.picture import STYLE, Picture, new_figure, plot

WIDTH, UNIT = 9.0, 0.66  # inches: of the picture, and of one step up
THICK = 11.0  # points, of an arc with weight 1
LEAST, NUMBERED = 0.005, 0.15  # from which weight on an arc is drawn, and has its number beside it
STEM, RISE, TOP = 0.42, 0.26, 2.0  # where arcs begin above the words, how much a word between the ends adds to the height, and the most
QUIET = "0.35"


def arc_diagram(sentences: Sequence[str], weights: Mapping[str, Any], query: int, says: str | None = None) -> Picture:
    """Draw sentences one below the other, each with arcs from one of its words to all words, as thick as the weights.

    Args:
        sentences: n sentences of T words each.
        weights: one or two arrays or tensors `(n, T)` by title: for each sentence the weights of the query. The first is drawn above the words,
            the second below them.
        query: the position of the word that looks, from 0.
        says: what to see; by default at which word it looks most, in each array and each sentence.

    Raises:
        ValueError: weights of another shape, more than two of them, or no such word.
    """
    words = [sentence.split() for sentence in sentences]
    sides = {title: np.asarray(as_numpy(rows), dtype=float) for title, rows in weights.items()}
    _fit(words, sides, query)
    high, low = [_room(rows, query) for rows in sides.values()] + [0.6] * (2 - len(sides))
    with matplotlib.rc_context(STYLE):
        figure = new_figure(WIDTH, UNIT * (high + low) * len(words), left=0.02, right=0.02, bottom=0.02, top=0.02, between=0)
        for number, line in enumerate(words):
            axes = figure.add_subplot(len(words), 1, number + 1)
            axes.set(xlim=(-0.6, len(line) - 0.4), ylim=(-low, high))
            axes.set_axis_off()
            for (title, rows), up in zip(sides.items(), (1, -1)):
                axes.text(-0.5, up * 1.2, title, va="center", color=QUIET, fontsize=11)
                _arcs(axes, rows[number], query, up)
            _words(axes, line, query, int(next(iter(sides.values()))[number].argmax()))
    return plot(figure, says or _describe(words, sides, query))


def _fit(words: Sequence[Sequence[str]], sides: Mapping[str, np.ndarray], query: int) -> None:
    if not 1 <= len(sides) <= 2:
        raise ValueError(f"there are {len(sides)} arrays of weights: give one, or two")
    for title, rows in sides.items():
        if any(rows.shape != (len(words), len(line)) for line in words):
            raise ValueError(f"{title}: weights {rows.shape} do not fit, each of the {len(words)} sentences needs a weight for each of its words")
    if not 0 <= query < len(words[0]):
        raise ValueError(f"there is no word {query}: choose one from 0 to {len(words[0]) - 1}")


def _top(query: int, key: int) -> float:
    """How high an arc goes."""
    return min(TOP, STEM + RISE * (abs(query - key) + 1))


def _room(rows: np.ndarray, query: int) -> float:
    """How far from the words all arcs of one side, and their numbers, stay."""
    return 0.55 + max(_top(query, key) for key in np.nonzero((rows >= LEAST).any(0))[0].tolist())


def _words(axes: Axes, words: Sequence[str], query: int, found: int) -> None:
    for place, word in enumerate(words):
        colour = {found: KEY, query: QUERY}.get(place, QUIET)
        strong = colour != QUIET
        frame = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.6} if strong else None
        look = {"fontsize": 15, "fontweight": "bold", "bbox": frame} if strong else {"fontsize": 13}
        axes.text(place, 0, word, ha="center", va="center", color=colour, zorder=3, **look)


def _arcs(axes: Axes, weights: np.ndarray, query: int, up: int) -> None:
    """From the query to each key; `up` is 1 above the words, -1 below them. From the query to itself it is a loop."""
    most = int(weights.argmax())
    for key in np.argsort(weights).tolist():  # thick arcs lie on thin ones
        weight, colour = float(weights[key]), KEY if key == most else QUERY
        if weight < LEAST:
            continue
        top = _top(query, key)
        ends = (query - 0.16, query + 0.16) if query == key else (query, key)
        control = STEM + (top - STEM) * 4 / 3  # such a curve rises to three quarters of the height of its control points
        corners = [(ends[0], up * STEM), (ends[0], up * control), (ends[1], up * control), (ends[1], up * STEM)]
        path = Path(corners, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour, linewidth=max(0.6, THICK * weight), capstyle="round"))
        if weight >= NUMBERED:
            number = {"ha": "center", "va": "center", "fontsize": 12, "fontweight": "bold", "color": colour}
            ground = {"boxstyle": "round,pad=0.05", "facecolor": "white", "edgecolor": "none"}  # other arcs may pass below the number
            axes.text(sum(ends) / 2, up * (top + 0.2 + 0.12 * weight), f"{weight:.2f}", zorder=2, bbox=ground, **number)


def _describe(words: Sequence[Sequence[str]], sides: Mapping[str, np.ndarray], query: int) -> str:
    """Sentence by sentence, the first title first."""
    said = []
    for title, rows in sides.items():
        seen = [f"at “{line[row.argmax()]}” ({row.max():.2f}) in “{' '.join(line)}”" for line, row in zip(words, rows)]
        said.append(f"{title.capitalize()}: “{words[0][query]}” looks most {', '.join(seen)}.")
    return " ".join(said)
