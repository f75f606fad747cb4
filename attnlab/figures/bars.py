"""Numbers as bars, in real tables: a name, a bar and its value in every row."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from attnlab.figures.tables import NAME, PLAIN, TABLE, TITLE, Panel, axis_name, short

_CELL = "border:none;background:none;padding:1px 4px 1px 0;text-align:left;white-space:nowrap;color:inherit"


@dataclass(frozen=True)
class Bars(Panel):
    """A panel of bars.

    Args:
        title: the caption.
        names: one for each value.
        values: what the bars show, from zero to the right, or to the left when negative.
        colour: of all bars.
        least, most: the values at the ends of the full `length`, so that panels can be compared; by default the smallest one, if it is
            negative, and the largest.
        axis: what the names stand for.
        length: of the longest bar, in em.
    """

    title: str
    names: Sequence[str]
    values: Sequence[float]
    colour: str
    least: float = 0.0
    most: float | None = None
    axis: str = ""
    length: float = 14

    def html(self, cell_width: float) -> str:
        """The table."""
        finite = [value for value in self.values if math.isfinite(value)]
        low = min([self.least, *finite])
        high = self.most if self.most is not None else max([0.0, *finite])
        step = self.length / ((high - low) or 1.0)
        look = f"{_CELL};min-width:{self.length + 3:.1f}em"  # as wide for short bars, so that panels line up
        rows = "".join(
            f'<tr style="{PLAIN}"><th scope="row" style="{NAME};text-align:right;white-space:nowrap">{html.escape(name)}</th>'
            f'<td style="{look}">{self._bar(value, low, step)}{short(value)}</td></tr>'
            for name, value in zip(self.names, self.values)
        )
        axis = axis_name(self.axis, "text-align:right")
        head = f'<thead style="{PLAIN}"><tr style="{PLAIN}">{axis}<td style="{_CELL}"></td></tr></thead>' if self.axis else ""
        return (
            f'<table style="{TABLE}"><caption style="{TITLE};text-align:left;white-space:nowrap">{html.escape(self.title)}</caption>'
            f'{head}<tbody style="{PLAIN}">{rows}</tbody></table>'
        )

    def _bar(self, value: float, low: float, step: float) -> str:
        shown = value if math.isfinite(value) else 0.0
        before, long = (min(shown, 0.0) - low) * step, abs(shown) * step
        return (
            f'<span style="display:inline-block;vertical-align:middle;margin:0 6px 0 {before:.2f}em;width:{max(long, 0.1):.2f}em;'
            f'height:1.3em;background:{self.colour};border-radius:2px"></span>'
        )
