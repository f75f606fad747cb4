"""Several matrices side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from attnlab.figures.colours import NOTHING, Scale, scale_of, scale_of_differences
from attnlab.figures.layout import layout, matrix_panel
from attnlab.figures.picture import Picture
from attnlab.figures.tables import numbered


def matrices(
    panels: Mapping[str, np.ndarray], says: str, rows: Sequence[str] = (), columns: Sequence[str] = (), row_axis: str = "", column_axis: str = ""
) -> Picture:
    """Show matrices side by side, all on one scale of colours: that of weights or scores where one of the axes counts keys.

    Args:
        panels: a title for each matrix; the matrices may differ in width.
        says: what to see.
        rows, columns: names of the rows and columns; numbers by default.
        row_axis, column_axis: what the rows and columns stand for.
    """
    arrays = {title: np.asarray(matrix, dtype=float) for title, matrix in panels.items()}
    scale = _scale(arrays.values(), row_axis, column_axis)
    drawn = [
        matrix_panel(title, matrix, scale, numbered(rows, matrix.shape[0]), numbered(columns, matrix.shape[1]), row_axis, column_axis)
        for title, matrix in arrays.items()
    ]
    return Picture(layout(drawn), says)


def side_by_side(matrices: Mapping[str, np.ndarray], says: str, rows: str = "token", columns: str = "component") -> Picture:
    """Show matrices of equal shape beside each other; a title with a minus sign is a difference.

    Weights and scores, where one of the axes counts keys, have their colours; other numbers have none.

    Args:
        matrices: title -> array `(T, d)`.
        says: what to see.
        rows, columns: what the axes count.
    """
    arrays = {title: np.asarray(matrix, dtype=float) for title, matrix in matrices.items()}
    scale = _scale([matrix for title, matrix in arrays.items() if "−" not in title], rows, columns)
    coloured = scale if scale.name in ("weights", "scores") else None
    drawn = [
        matrix_panel(
            title,
            matrix,
            scale_of_differences(matrix) if "−" in title else coloured,
            numbered((), matrix.shape[0]),
            numbered((), matrix.shape[1]),
            rows,
            columns,
        )
        for title, matrix in arrays.items()
    ]
    return Picture(layout(drawn), says)


def _scale(arrays: Iterable[np.ndarray], *axes: str) -> Scale:
    """Over keys there are weights, or, where some are negative or large, scores."""
    arrays = list(arrays)
    if not any("key" in axis.split() for axis in axes):
        return scale_of("numbers", arrays)
    return scale_of("weights" if all(((matrix >= 0) & (matrix <= 1 + NOTHING)).all() for matrix in arrays) else "scores", arrays)
