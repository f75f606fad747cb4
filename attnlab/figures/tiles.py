"""Tokens cut into tiles, coloured by the token that a tile comes from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import TOKEN_COLOURS
from attnlab.figures.layout import Group, Panel, layout
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Cell, Table


def marked_tokens(T: int, E: int) -> np.ndarray:
    """An array `(1, T, E)` whose numbers say where they come from: entry 2.3 is number 3 of token 2."""
    return (np.arange(T)[:, None] + np.arange(E)[None, :] / 10)[None]


def token_tiles(panels: Mapping[str, np.ndarray], says: str) -> Picture:
    """Show arrays of marked tokens as tiles, one colour per token.

    Args:
        panels: a title for each array or tensor; `(1, T, E)` for whole tokens, `(1, h, T, s)` for heads.
        says: what to see.
    """
    return Picture(layout([_panel(title, as_numpy(array)) for title, array in panels.items()], align="flex-end"), says)


def _panel(title: str, array: np.ndarray) -> Panel:
    """The first sequence of a batch: one table of whole tokens, or one for each head."""
    if array.ndim != 4:
        return _table(title, array[0])
    return Group(title, [_table(f"head {number}", head) for number, head in enumerate(array[0])])


def _table(title: str, marks: np.ndarray) -> Table:
    cells = [[Cell(f"{mark:.1f}", TOKEN_COLOURS[int(mark) % len(TOKEN_COLOURS)]) for mark in row] for row in marks.tolist()]
    return Table(title, cells, [f"row {row}" for row in range(len(cells))])
