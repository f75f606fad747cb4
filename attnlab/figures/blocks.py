"""Diagrams of blocks and arrows, as tables: what happens to an array, step by step from top to bottom, with its shape at each arrow."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from attnlab.figures.colours import ink
from attnlab.figures.tables import PLAIN, TITLE

HALVES = 2  # columns of the table for one column of the diagram: a line runs between them
_CELL = "border:none;background:none;padding:0 6px;text-align:center;vertical-align:middle;color:inherit;white-space:normal"


@dataclass(frozen=True)
class Block:
    """A step, or an array that goes in or comes out.

    Args:
        name: what it is called.
        does: what it does, below the name.
        colour: of the whole block; without one it is a frame.
        span: columns of the diagram.
        optional: the frame is dashed.
        chips: small frames inside, side by side.
    """

    name: str
    does: str = ""
    colour: str = ""
    span: int = 1
    optional: bool = False
    chips: Sequence[str] = ()

    def html(self) -> str:
        """The cell of the table."""
        ground = (
            f"border:2px solid {self.colour};background:{self.colour};color:{ink(self.colour)}"
            if self.colour
            else (f"border:2px {'dashed' if self.optional else 'solid'};background:none;color:inherit")
        )
        does = f'<div style="font-size:0.9em">{html.escape(self.does)}</div>' if self.does else ""
        chips = "".join(
            f'<span style="display:inline-block;border:1px solid;border-radius:4px;padding:0 6px;margin:3px">{html.escape(chip)}</span>'
            for chip in self.chips
        )
        return _td(
            f'<div style="{ground};border-radius:8px;padding:5px 8px"><div style="font-weight:600">{html.escape(self.name)}</div>'
            f"{does}{f'<div>{chips}</div>' if chips else ''}</div>",
            self.span,
        )


@dataclass(frozen=True)
class Arrow:
    """What goes from one block down to the next.

    Args:
        shape: of the array.
        span: columns of the diagram.
    """

    shape: str
    span: int = 1

    def html(self) -> str:
        """The cell of the table."""
        return _td(f'<span style="font-size:1.4em;font-weight:600">↓</span> {html.escape(self.shape)}', self.span)


@dataclass(frozen=True)
class Line:
    """A line beside other blocks, over several rows."""

    colour: str
    rows: int

    def html(self) -> str:
        """Two cells of the table, with the line between them."""
        empty = "border:none;background:none;padding:0"
        return f'<td rowspan="{self.rows}" style="{empty};border-right:2px solid {self.colour}"></td><td rowspan="{self.rows}" style="{empty}"></td>'


def diagram(title: str, columns: int, rows: Sequence[Sequence[Block | Arrow | Line]]) -> str:
    """The diagram as HTML, as wide as the page or as three columns are."""
    widths = f'<col style="width:{100 / (HALVES * columns):.2f}%">' * (HALVES * columns)
    lines = "".join(f'<tr style="{PLAIN}">{"".join(cell.html() for cell in row)}</tr>' for row in rows)
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:separate;border-spacing:0;border:none;margin:0 0 8px;width:100%;'
        f'max-width:46em;table-layout:fixed;color:inherit;font-size:0.93em"><caption style="{TITLE}">{html.escape(title)}</caption>'
        f'<colgroup>{widths}</colgroup><tbody style="{PLAIN}">{lines}</tbody></table></div>'
    )


def _td(content: str, span: int) -> str:
    return f'<td colspan="{HALVES * span}" style="{_CELL}">{content}</td>'
