"""Matrices as real tables: coloured cells that can be selected and copied, zoomed, and read aloud.

All looks are in the elements themselves. JupyterLab takes style sheets out of notebooks that it does not trust, and has rules of
its own for tables (stripes, alignment, lines), which each element here overrides. Text without a ground of its own keeps the colour
of the page, light or dark.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnlab.figures.colours import ERROR, ROLES, Scale, hexadecimal, ink, role_in

LONGEST_NAME = 12  # characters; longer names of columns are broken
LONGEST_LINE = 24  # characters; longer titles are broken
TIE = 1e-6  # values that are closer are equal but for rounding

TITLE = "caption-side:top;font-weight:600;text-align:center;color:inherit;padding:0 0 4px"
TABLE = (
    "border-collapse:separate;border-spacing:2px;border:none;margin:0;width:auto;table-layout:auto;"
    "color:inherit;font-size:inherit;font-variant:tabular-nums"
)
PLAIN = "background:none;border:none"
_CELL = "border:none;border-radius:3px;padding:2px 3px;text-align:center;white-space:nowrap"
NAME = "border:none;border-radius:3px;padding:2px 5px;font-weight:normal"
_APART = {
    "": "",
    "beside": ";border-left:8px solid transparent;background-clip:padding-box",
    "below": ";border-top:8px solid transparent;background-clip:padding-box",
}


@dataclass(frozen=True)
class Cell:
    """A text on a coloured ground, in black or white unless `ink` says otherwise; without `ground` it stands on the page."""

    text: str
    ground: str = ""
    ink: str = ""

    def look(self) -> str:
        """The colours, as a piece of a style."""
        return f"background:{self.ground};color:{self.ink or ink(self.ground)}" if self.ground else "background:none;color:inherit"


Name = str | Cell


class Panel:
    """What `layout` puts beside others of its kind. Here: one without printed cells."""

    width = 0  # columns of cells

    def longest(self) -> int:
        """Characters of the widest cell."""
        return 0

    def html(self, cell_width: float) -> str:
        """The panel; every cell is at least `cell_width` em wide."""
        raise NotImplementedError


@dataclass(frozen=True)
class Table(Panel):
    """One matrix.

    Args:
        title: the caption.
        cells: rows of equal length.
        rows, columns: a name for each row and column; none leaves the names out.
        row_axis, column_axis: what rows and columns stand for; queries and keys with a line in their colours.
        beside: a further column, a little apart: its name and one cell for each row.
        below: a further row, a little apart: its name and one cell for each column.
    """

    title: str
    cells: Sequence[Sequence[Cell]]
    rows: Sequence[Name] = ()
    columns: Sequence[Name] = ()
    row_axis: str = ""
    column_axis: str = ""
    beside: tuple[str, Sequence[Cell]] | None = None
    below: tuple[str, Sequence[Cell]] | None = None

    @property
    def width(self) -> int:
        """The number of columns of cells."""
        return max(map(len, self.cells), default=0) + bool(self.beside)

    def longest(self) -> int:
        """Characters of the widest cell or name of a column."""
        names = [_text(name)[:LONGEST_NAME] for name in self.columns]
        return max(map(len, [*names, *(cell.text for row in self.cells for cell in row)]), default=0)

    def html(self, cell_width: float) -> str:
        """The table; every cell is at least `cell_width` em wide."""
        size = f"min-width:{cell_width:.1f}em;height:2em;"
        names = [heading(name, "row", "text-align:right;white-space:nowrap") for name in self.rows]
        sums = [_td(cell, size, "beside") for cell in self.beside[1]] if self.beside else []
        lines = [
            _tr(*names[number : number + 1], *(_td(cell, size) for cell in row), *sums[number : number + 1]) for number, row in enumerate(self.cells)
        ]
        if self.below:
            name = heading(self.below[0], "row", "text-align:right", "below")
            lines.append(_tr(name, *(_td(cell, size, "below") for cell in self.below[1])))
        wraps = "normal" if len(self.title) > LONGEST_LINE else "nowrap"
        return (
            f'<table style="{TABLE}"><caption style="{TITLE};white-space:{wraps}">{html.escape(self.title)}</caption>'
            f'{self._head(cell_width)}<tbody style="{PLAIN}">{"".join(lines)}</tbody></table>'
        )

    def _head(self, cell_width: float) -> str:
        lines = []
        corner = [f'<td style="{PLAIN}"></td>'] if self.rows or self.below else []
        look = f"text-align:center;max-width:{max(cell_width, 0.6 * LONGEST_NAME):.1f}em;overflow-wrap:break-word"
        if self.column_axis:
            lines.append(_tr(*corner, axis_name(self.column_axis, "text-align:center", span=len(self.cells[0]))))
        if any(_text(name) for name in self.columns) or self.row_axis:
            corner = [axis_name(self.row_axis, "text-align:right")] if self.row_axis and corner else corner
            beside = [heading(self.beside[0], "col", "text-align:center", "beside")] if self.beside else []
            lines.append(_tr(*corner, *(heading(name, "col", look) for name in self.columns), *beside))
        return f'<thead style="{PLAIN}">{"".join(lines)}</thead>' if lines else ""


def shaded(matrix: np.ndarray, scale: Scale) -> list[list[Cell]]:
    """A cell for every entry of a matrix `(rows, columns)`, with its value and its colour. What is no finite number stands out."""
    return [
        [Cell(short(value), hexadecimal(shade), "" if math.isfinite(value) else ERROR) for value, shade in zip(*line)]
        for line in zip(matrix.tolist(), scale.shades(matrix).tolist())
    ]


def plain(matrix: np.ndarray) -> list[list[Cell]]:
    """A cell for every entry of a matrix `(rows, columns)`, without a colour: for numbers whose size says nothing by itself."""
    return [[Cell(short(value)) if math.isfinite(value) else Cell(str(value), "#ffffff", ERROR) for value in row] for row in matrix.tolist()]


def axis_name(text: str, look: str, span: int = 1) -> str:
    """What an axis stands for, as a cell of a table: "query (row)" has a blue line under it, "key" one in the colour of keys."""
    line = f";border-bottom:3px solid {ROLES[role_in(text)]};border-radius:0" if role_in(text) else ""
    return heading(text, "colgroup" if span > 1 else "col", look + line, span=span)


def numbered(names: Sequence[Name], length: int) -> list[Name]:
    """The names when there is one for each, else numbers; a single row or column needs no number."""
    if len(names) == length:
        return list(names)
    return [str(index) for index in range(length)] if length > 1 else []


def short(value: float) -> str:
    """A number in at most five characters or so: two decimals, none where they say nothing."""
    if not math.isfinite(value):
        return str(value)
    if abs(value) >= 1e7:
        return f"{value:.1e}"
    text = f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def where_largest(row: np.ndarray, names: Sequence[Name]) -> str:
    """The name that the largest value of `(S,)` stands under; all of them where they tie."""
    found = [str(names[place]) for place in np.flatnonzero(row >= row.max() - TIE)]
    if len(found) == len(row) > 2:
        return "all alike"
    return " and ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else found[0]


def _tr(*cells: str) -> str:
    return f'<tr style="{PLAIN}">{"".join(cells)}</tr>'


def _td(cell: Cell, size: str, apart: str = "") -> str:
    return f'<td style="{_CELL};{size}{cell.look()}{_APART[apart]}">{html.escape(cell.text)}</td>'


def heading(name: Name, scope: str, look: str, apart: str = "", span: int = 1) -> str:
    """The name of a row, a column or an axis, as a cell of a table."""
    cell = Cell(name) if isinstance(name, str) else name
    wide = f' colspan="{span}"' if span > 1 else ""
    return f'<th scope="{scope}"{wide} style="{NAME};{look};{cell.look()}{_APART[apart]}">{html.escape(cell.text)}</th>'


def _text(name: Name) -> str:
    return name if isinstance(name, str) else name.text
