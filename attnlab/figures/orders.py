"""What a function does when its tokens change places."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from attnlab.figures.colours import TOKEN_COLOURS, scale_of
from attnlab.figures.layout import layout
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Cell, Table, plain, shaded, short

Step = tuple[str, np.ndarray, Sequence[int], Sequence[int]]  # title, matrix, tokens of the rows, tokens of the columns


def equivariance(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, permutation: Sequence[int], says: str) -> Picture:
    """Show both ways round: first f, then the new order; first the new order, then f.

    Args:
        f: a function from tokens `(T, k)` to `(T, d)`.
        x: tokens `(T, k)`.
        permutation: row i of the new order is row permutation[i] of the old one.
        says: what to see.
    """
    order, start = list(permutation), list(range(len(x)))
    y = f(x)
    return _draw(
        [
            [("x", x, start, ()), ("f(x)", y, start, ()), ("then the new order: P f(x)", y[order], order, ())],
            [("x", x, start, ()), ("the new order: Px", x[order], order, ()), ("then f: f(Px)", f(x[order]), order, ())],
        ],
        says,
        "→",
    )


def invariance(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, permutation: Sequence[int], says: str) -> Picture:
    """Show a function that makes one vector of all tokens, before and after they change places.

    Args:
        f: a function from tokens `(T, k)` to one vector `(d,)`.
        x: tokens `(T, k)`.
        permutation: row i of the new order is row permutation[i] of the old one.
        says: what to see.
    """
    order, start = list(permutation), list(range(len(x)))
    return _draw(
        [[("x", x, start, ()), ("f(x)", f(x)[None], (), ())], [("Px", x[order], order, ()), ("f(Px)", f(x[order])[None], (), ())]], says, "→"
    )


def both_axes(before: np.ndarray, after: np.ndarray, permutation: Sequence[int], says: str) -> Picture:
    """Show attention weights before and after the tokens change places, and what moving one axis or both makes of the first.

    Args:
        before: weights `(T, T)` of the tokens.
        after: weights `(T, T)` of the permuted tokens.
        permutation: row i of the new order is row permutation[i] of the old one.
        says: what to see.
    """
    order, start = list(permutation), list(range(len(before)))
    return _draw(
        [
            [
                ("A, weights of x", before, start, start),
                ("only rows moved: P A", before[order], order, start),
            ],
            [
                ("rows and columns: P A Pᵀ", before[order][:, order], order, order),
                ("weights of Px", after, order, order),
            ],
        ],
        says,
    )


def _draw(lines: list[list[Step]], says: str, sign: str = "") -> Picture:
    """The steps line by line, with a sign between them. Over keys there are weights; rows of anything else are tokens, in their own colours."""
    drawn = [[part for step in line for part in (sign, _table(*step)) if part][bool(sign) :] for line in lines]
    return Picture(layout(*drawn, align="center"), says)


def _table(title: str, matrix: np.ndarray, rows: Sequence[int], columns: Sequence[int]) -> Table:
    matrix = np.asarray(matrix, dtype=float)
    if columns:
        return Table(title, shaded(matrix, scale_of("weights", [matrix])), _names(rows), _names(columns), "query", "key")
    if not rows:
        return Table(title, plain(matrix))
    cells = [[Cell(short(value), name.ground) for value in row] for name, row in zip(_names(rows), matrix.tolist())]
    return Table(title, cells, _names(rows))


def _names(tokens: Sequence[int]) -> list[Cell]:
    """The name of each token in its own colour, so that the eye can follow it."""
    return [Cell(f"t{token}", TOKEN_COLOURS[token % len(TOKEN_COLOURS)]) for token in tokens]
