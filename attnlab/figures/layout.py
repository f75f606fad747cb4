"""Panels side by side: tables, and what stands in the place of a table."""

from __future__ import annotations

import html
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.image
import numpy as np

from attnlab.figures.colours import Scale, scale_of
from attnlab.figures.picture import data_address
from attnlab.figures.tables import TITLE, Name, Panel, Table, plain, shaded, short

MOST_CELLS = 256  # above this many, printed values would be too small to read
WIDE = 42  # em of cells side by side; with more, everything is a little smaller, so that it fits a notebook of 900 pixels
MOSAIC = 320  # pixels of a large matrix, about


def layout(*lines: Sequence[Panel | str], align: str = "flex-start") -> str:
    """Lines of panels, as HTML: side by side, or one under the other where the page is narrow. All cells become equally wide.

    Args:
        lines: the panels, line by line; a text is a sign between two panels.
        align: how panels of one line stand that differ in height: "flex-start", "center" or "flex-end".
    """
    panels = [panel for line in lines for panel in line if not isinstance(panel, str)]
    cell_width = max(2.8, 0.3 + 0.56 * max((panel.longest() for panel in panels), default=0))
    columns = max(sum(panel.width for panel in line if not isinstance(panel, str)) for line in lines)
    many = columns * cell_width > WIDE
    drawn = [_line([_sign(panel) if isinstance(panel, str) else panel.html(cell_width) for panel in line], align) for line in lines]
    return f'<div style="font-size:{0.8 if many else 0.93}em;overflow-x:auto">{"".join(drawn)}</div>'


def matrix_panel(
    title: str,
    matrix: np.ndarray,
    scale: Scale | None,
    rows: Sequence[Name] = (),
    columns: Sequence[Name] = (),
    row_axis: str = "",
    column_axis: str = "",
) -> Panel:
    """A matrix `(rows, columns)` with its values printed, in colours where there is a scale; or as a mosaic when there are too many."""
    if matrix.size > MOST_CELLS:
        return Mosaic(title, matrix, scale or scale_of("numbers", [matrix]), row_axis, column_axis)
    return Table(title, shaded(matrix, scale) if scale else plain(matrix), rows, columns, row_axis, column_axis)


@dataclass(frozen=True)
class Mosaic(Panel):
    """A matrix with too many cells for printed values: small coloured cells, in one image."""

    title: str
    matrix: np.ndarray
    scale: Scale
    row_axis: str = ""
    column_axis: str = ""

    def html(self, cell_width: float) -> str:
        """The image under its title, with what it shows in words."""
        step = math.ceil(max(self.matrix.shape) / MOSAIC)
        size = max(1, MOSAIC // max(self.matrix.shape))
        pixels = self.scale.shades(self.matrix[::step, ::step]).repeat(size, axis=0).repeat(size, axis=1)
        buffer = io.BytesIO()
        matplotlib.image.imsave(buffer, pixels, format="png", metadata={"Software": None})
        shape = " × ".join(map(str, self.matrix.shape))
        says = f"{self.title}: {shape} numbers from {short(self.matrix.min())} to {short(self.matrix.max())}"
        under = "; ".join(part for part in (f"{shape} numbers", self.row_axis, self.column_axis) if part)
        return (
            f'<div><div style="{TITLE}">{html.escape(self.title)}</div>'
            f'<img alt="{html.escape(says)}" style="max-width:100%" src="{data_address(buffer.getvalue(), "image/png")}">'
            f'<div style="text-align:center">{html.escape(under)}</div></div>'
        )


@dataclass(frozen=True)
class Gap(Panel):
    """A frame in place of a matrix that is not there, with the reason."""

    title: str
    reason: str

    def html(self, cell_width: float) -> str:
        """A dashed frame as high as the panels beside it."""
        return (
            f'<div style="align-self:stretch;display:flex;flex-direction:column"><div style="{TITLE}">{html.escape(self.title)}</div>'
            '<div style="flex-grow:1;display:flex;align-items:center;justify-content:center;text-align:center;min-height:3em;'
            f'width:14em;box-sizing:border-box;padding:8px;border:1px dashed;border-radius:4px">{html.escape(self.reason)}</div></div>'
        )


@dataclass(frozen=True)
class Group(Panel):
    """Several tables under one title."""

    title: str
    tables: Sequence[Table]

    @property
    def width(self) -> int:
        """The columns of all tables."""
        return sum(table.width for table in self.tables)

    def longest(self) -> int:
        """Characters of the widest cell."""
        return max(table.longest() for table in self.tables)

    def html(self, cell_width: float) -> str:
        """The tables beside each other."""
        return f'<div><div style="{TITLE}">{html.escape(self.title)}</div>{_line([table.html(cell_width) for table in self.tables])}</div>'


def _line(parts: Sequence[str], align: str = "flex-start") -> str:
    return f'<div style="display:flex;flex-wrap:wrap;align-items:{align};gap:8px 14px;margin:0 0 8px">{"".join(parts)}</div>'


def _sign(text: str) -> str:
    return f'<div style="align-self:center;font-size:1.5em">{html.escape(text)}</div>'
