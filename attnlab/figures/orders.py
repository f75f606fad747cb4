"""What a function does when its tokens change places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable

import matplotlib
import numpy as np
from matplotlib.axes import Axes

from attnlab.figures.heatmap import draw_matrix
from attnlab.figures.panels import CELL_HEIGHT, CELL_WIDTH, common_scale
from attnlab.figures.picture import STYLE, Picture, new_figure
from attnlab.figures.tiles import TOKEN_COLOURS

Panel = tuple[str, np.ndarray, Sequence[int], Sequence[int]]  # title, matrix, tokens of the rows, tokens of the columns


def equivariance(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, permutation: Sequence[int], says: str) -> Picture:
    """Draw both ways round: first f, then the new order; first the new order, then f.

    Args:
        f: a function from tokens `(T, k)` to `(T, d)`.
        x: tokens `(T, k)`.
        permutation: row i of the new order is row permutation[i] of the old one.
        says: what to see.
    """
    order, start = list(permutation), list(range(len(x)))
    y = f(x)
    return _draw([[("x", x, start, ()), ("f(x)", y, start, ()), ("then the new order: P f(x)", y[order], order, ())],
                  [("x", x, start, ()), ("the new order: Px", x[order], order, ()), ("then f: f(Px)", f(x[order]), order, ())]], says)


def invariance(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, permutation: Sequence[int], says: str) -> Picture:
    """Draw a function that makes one vector of all tokens, before and after they change places."""
    order, start = list(permutation), list(range(len(x)))
    return _draw([[("x", x, start, ()), ("f(x)", f(x)[None], (), ())],
                  [("Px", x[order], order, ()), ("f(Px)", f(x[order])[None], (), ())]], says)


def both_axes(before: np.ndarray, after: np.ndarray, permutation: Sequence[int], says: str) -> Picture:
    """Draw attention weights before and after the tokens change places, and what moving one axis or both makes of the first.

    Args:
        before: weights `(T, T)` of the tokens.
        after: weights of the permuted tokens.
    """
    order, start = list(permutation), list(range(len(before)))
    return _draw([[("A, weights of x", before, start, start), ("only rows moved: P A", before[order], order, start),
                   ("rows and columns: P A Pᵀ", before[order][:, order], order, order), ("weights of Px", after, order, order)]], says)


def _draw(grid: list[list[Panel]], says: str) -> Picture:
    drawn = [matrix for line in grid for _, matrix, _, _ in line]
    low, high, colours = common_scale(drawn)
    widths = [max(CELL_WIDTH * panel[1].shape[1], 0.085 * len(panel[0]) + 0.2) for panel in grid[0]]
    height = max(CELL_HEIGHT * len(matrix) for matrix in drawn) + 0.75
    with matplotlib.rc_context(STYLE):
        figure = new_figure(sum(widths) + 0.7 * len(widths), height * len(grid))
        places = figure.subplots(len(grid), len(widths), width_ratios=widths, squeeze=False)
        for line, row in zip(grid, places):
            for (title, matrix, rows, columns), axes in zip(line, row):
                draw_matrix(axes, matrix, low, high, colours)
                axes.set_title(title)
                axes.set_yticks(range(len(rows)), [f"t{token}" for token in rows])
                axes.set_xticks(range(len(columns)), [f"t{token}" for token in columns])
                if not rows:
                    axes.set_box_aspect(CELL_HEIGHT / (CELL_WIDTH * matrix.shape[1]))
                _colour(axes, rows, columns)
    return Picture(figure, says)


def _colour(axes: Axes, rows: Sequence[int], columns: Sequence[int]) -> None:
    """Give the name of each token its colour, so that the eye can follow it."""
    for label, token in [*zip(axes.get_yticklabels(), rows), *zip(axes.get_xticklabels(), columns)]:
        colour = TOKEN_COLOURS[token % len(TOKEN_COLOURS)]
        label.set(color="white" if token % len(TOKEN_COLOURS) in (2, 4, 5) else "black",
                  bbox={"facecolor": colour, "edgecolor": "none", "pad": 1.5})
