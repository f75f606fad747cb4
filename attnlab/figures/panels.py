"""Several matrices side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from attnlab.figures.colours import Scale, common_scale, scale_of_differences
from attnlab.figures.layout import layout, matrix_panel
from attnlab.figures.picture import Picture
from attnlab.figures.tables import numbered


def matrices(
    panels: Mapping[str, np.ndarray], says: str, rows: Sequence[str] = (), columns: Sequence[str] = (), row_axis: str = "", column_axis: str = ""
) -> Picture:
    """Show matrices side by side, all on one scale of colours.

    Args:
        panels: a title for each matrix; the matrices may differ in width.
        says: what to see.
        rows, columns: names of the rows and columns; numbers by default.
        row_axis, column_axis: what the rows and columns stand for.
    """
    arrays = {title: np.asarray(matrix, dtype=float) for title, matrix in panels.items()}
    scale = common_scale(arrays.values())
    drawn = [
        matrix_panel(title, matrix, scale, numbered(rows, matrix.shape[0]), numbered(columns, matrix.shape[1]), row_axis, column_axis)
        for title, matrix in arrays.items()
    ]
    return Picture(layout(drawn), says)


def side_by_side(matrices: Mapping[str, np.ndarray], says: str, rows: str = "token", columns: str = "component") -> Picture:
    """Show matrices of equal shape beside each other; a title with a minus sign is a difference.

    Args:
        matrices: title -> array `(T, d)`.
        says: what to see.
        rows, columns: what the axes count.
    """
    arrays = {title: np.asarray(matrix, dtype=float) for title, matrix in matrices.items()}
    plain = [matrix for title, matrix in arrays.items() if "−" not in title]
    scale = Scale(min(0.0, *(matrix.min() for matrix in plain)), max(matrix.max() for matrix in plain))
    drawn = [
        matrix_panel(
            title,
            matrix,
            scale_of_differences(matrix) if "−" in title else scale,
            numbered((), matrix.shape[0]),
            numbered((), matrix.shape[1]),
            rows,
            columns,
        )
        for title, matrix in arrays.items()
    ]
    return Picture(layout(drawn), says)
