"""Matrices of weights, as pictures."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes

from attnlab.figures.picture import DIFFERENCE_MAP, STYLE, WEIGHTS_MAP, Picture, new_figure

NOTHING = 1e-4
MOST_VALUES = 64  # above this many cells, printed values would be too small to read


def weights_heatmap(weights: np.ndarray, tokens: Sequence[str] | None = None, title: str = "attention weights",
                    says: str | None = None) -> Picture:
    """Draw attention weights with a strip of row sums beside them.

    Args:
        weights: array `(T, T)`; row i holds the weights of query i over all keys.
        tokens: T names for both axes; numbers by default.
    """
    weights = np.asarray(weights, dtype=float)
    names = list(tokens) if tokens is not None else [str(index) for index in range(len(weights))]
    sums = weights.sum(axis=1, keepdims=True)
    with matplotlib.rc_context(STYLE):
        figure = new_figure(2.6 + 0.62 * weights.shape[1], 1.5 + 0.5 * weights.shape[0])
        left, right = figure.subplots(1, 2, width_ratios=[weights.shape[1], 1.0])
        draw_matrix(left, weights, vmin=0, vmax=max(1.0, weights.max()))
        left.set(title=title, xlabel="key (column)", ylabel="query (row)")
        label_axes(left, names, names)
        draw_matrix(right, sums, vmin=0, vmax=max(1.0, weights.max()))
        right.set(title="row sum")
        right.set_xticks([])
        right.set_yticks([])
    return Picture(figure, says or _describe(weights, names))


def draw_matrix(axes: Axes, matrix: np.ndarray, vmin: float, vmax: float, colours: str = WEIGHTS_MAP) -> None:
    """Draw a matrix as coloured cells, with its values printed when there is room."""
    image = axes.imshow(matrix, cmap=colours, vmin=vmin, vmax=vmax, aspect="auto")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    if matrix.size > MOST_VALUES:
        return
    for (row, column), value in np.ndenumerate(matrix):
        red, green, blue, _ = image.cmap(image.norm(value))
        ink = "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
        axes.text(column, row, short(value), ha="center", va="center", color=ink, fontsize=9)


def draw_difference(axes: Axes, difference: np.ndarray) -> None:
    """Draw a matrix of differences: white where there is none. Below `NOTHING` a difference is only rounding."""
    difference = np.where(np.abs(difference) < NOTHING, 0.0, difference)
    largest = float(np.abs(difference).max()) or 1.0
    draw_matrix(axes, difference, -largest, largest, DIFFERENCE_MAP)


def label_axes(axes: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Name the rows and columns; long names are tilted."""
    tilted = max(map(len, columns), default=0) > 4
    axes.set_xticks(range(len(columns)), columns, rotation=40 if tilted else 0, ha="right" if tilted else "center")
    axes.set_yticks(range(len(rows)), rows)


def short(value: float) -> str:
    """A number in at most five characters or so: two decimals, none where they say nothing."""
    if not np.isfinite(value):
        return str(value)
    text = f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _describe(weights: np.ndarray, names: Sequence[str]) -> str:
    if not np.isfinite(weights).all():
        return "Attention weights; some are nan or infinite."
    strongest = ", ".join(f"{name} → {names[int(row.argmax())]} {short(row.max())}" for name, row in zip(names, weights))
    return f"Attention weights. Each row is one query. The largest weight of each: {strongest}."
