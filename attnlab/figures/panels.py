"""Several matrices side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np

from attnlab.figures.heatmap import draw_matrix, label_axes
from attnlab.figures.picture import DIFFERENCE_MAP, STYLE, WEIGHTS_MAP, Picture, new_figure

CELL_WIDTH, CELL_HEIGHT = 0.56, 0.42  # inches


def matrices(panels: Mapping[str, np.ndarray], says: str, rows: Sequence[str] = (), columns: Sequence[str] = (),
             row_axis: str = "", column_axis: str = "") -> Picture:
    """Draw matrices side by side, all on one scale of colours.

    Args:
        panels: a title for each matrix; the matrices may differ in width.
        says: what to see.
        rows, columns: names of the rows and columns; numbers by default.
        row_axis, column_axis: what the rows and columns stand for.
    """
    drawn = {title: np.asarray(matrix, dtype=float) for title, matrix in panels.items()}
    low, high, colours = common_scale(drawn.values())
    widths = [max(CELL_WIDTH * matrix.shape[1], 0.082 * len(title) + 0.3) for title, matrix in drawn.items()]
    names = max(map(len, rows), default=1)
    with matplotlib.rc_context(STYLE):
        figure = new_figure(sum(widths) + (0.35 + 0.085 * names) * len(drawn) + 0.3,
                            1.0 + CELL_HEIGHT * max(len(matrix) for matrix in drawn.values()) + 0.045 * max(map(len, columns), default=0))
        for place, (axes, (title, matrix)) in enumerate(zip(figure.subplots(1, len(drawn), width_ratios=widths, squeeze=False)[0],
                                                            drawn.items())):
            draw_matrix(axes, matrix, low, high, colours)
            axes.set_title(title)
            axes.set(xlabel=column_axis, ylabel=row_axis if place == 0 else "")
            label_axes(axes, _names(rows, matrix.shape[0]), _names(columns, matrix.shape[1]))
    return Picture(figure, says)


def common_scale(drawn: Sequence[np.ndarray]) -> tuple[float, float, str]:
    """Lowest and highest value of a scale for all matrices, and its colours: two-sided when some value is negative."""
    largest = max((float(np.abs(matrix[np.isfinite(matrix)]).max(initial=0)) for matrix in drawn), default=0) or 1.0
    if any((matrix < 0).any() for matrix in drawn):
        return -largest, largest, DIFFERENCE_MAP
    return 0.0, largest, WEIGHTS_MAP


def _names(names: Sequence[str], length: int) -> list[str]:
    return list(names) if len(names) == length else [str(index) for index in range(length)]
