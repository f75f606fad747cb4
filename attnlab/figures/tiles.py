"""Tokens cut into tiles, coloured by the token that a tile comes from."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attnlab.check.kinds import as_numpy
from attnlab.figures.picture import STYLE, Picture, new_figure

TOKEN_COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")  # Okabe-Ito
TILE = 0.52  # inches


def marked_tokens(T: int, E: int) -> np.ndarray:
    """An array `(1, T, E)` whose numbers say where they come from: entry 2.3 is number 3 of token 2."""
    return (np.arange(T)[:, None] + np.arange(E)[None, :] / 10)[None]


def token_tiles(panels: Mapping[str, np.ndarray], says: str) -> Picture:
    """Draw arrays of marked tokens as tiles, one colour per token.

    Args:
        panels: a title for each array or tensor; `(1, T, E)` for whole tokens, `(1, h, T, s)` for heads.
        says: what to see.
    """
    drawn = {title: _heads(as_numpy(array)) for title, array in panels.items()}
    widths = [max(TILE * heads.shape[2], 0.085 * len(title)) for title, heads in drawn.items()]
    heights = [sum(TILE * 0.8 * heads.shape[1] + 0.42 for _ in heads) for heads in drawn.values()]
    with matplotlib.rc_context(STYLE):
        figure = new_figure(sum(widths) + 0.75 * len(drawn), max(heights) + 0.5)
        for part, (title, heads) in zip(np.atleast_1d(figure.subfigures(1, len(drawn), width_ratios=widths)), drawn.items()):
            part.suptitle(title, fontsize=10.5)
            for number, axes in enumerate(np.atleast_1d(part.subplots(len(heads), 1))):
                _draw_tiles(axes, heads[number], f"head {number}" if len(heads) > 1 else "")
    return Picture(figure, says)


def _heads(array: np.ndarray) -> np.ndarray:
    """The first sequence of a batch as `(heads, T, s)`; whole tokens count as one head."""
    return array[0] if array.ndim == 4 else array[:1]


def _draw_tiles(axes: Axes, tiles: np.ndarray, name: str) -> None:
    rows, columns = tiles.shape
    for (row, column), mark in np.ndenumerate(tiles):
        token = int(mark)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=TOKEN_COLOURS[token % len(TOKEN_COLOURS)],
                                 edgecolor="white", linewidth=2))
        axes.text(column + 0.5, row + 0.5, f"{mark:.1f}", ha="center", va="center", fontsize=9,
                  color="white" if token % len(TOKEN_COLOURS) in (2, 4, 5) else "black")
    axes.set(xlim=(0, columns), ylim=(rows, 0), xticks=[], aspect="equal", title=name)
    axes.title.set_fontsize(9.5)
    axes.set_yticks(np.arange(rows) + 0.5, [f"row {row}" for row in range(rows)], fontsize=8.5)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
