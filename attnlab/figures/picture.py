"""A picture with the words that say what to see in it.

Pictures are legible on a light page and on a dark one, because no text relies on what it does not bring along: text on a colour has a
ground of its own and an ink that fits it, text on the page takes the page's ink, and a plot, which as an image cannot know the page, has
a white ground.
"""

from __future__ import annotations

import base64
import html
import io
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attnlab.figures.colours import KEY, QUERY, ink

LEGEND = 0.22  # inches, for each line of a legend
WIDEST = 8.5  # inches of a plot: 816 pixels, what a notebook of 900 pixels leaves for an output
STYLE = {
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.labelsize": 10,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "attnlab",
}


class Picture:
    """What Jupyter shows: a piece of HTML with its caption.

    Args:
        body: HTML that keeps its look without style sheets and scripts, because Jupyter takes both out of notebooks of others.
        says: one sentence or two: the caption, and the text for people who cannot see the picture.
        before: a line above the picture.
    """

    def __init__(self, body: str, says: str, before: str = ""):
        self.body, self.says, self.before = body, says, before

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        line = f'<div style="font-weight:600;margin:0 0 8px">{html.escape(self.before)}</div>' if self.before else ""
        return {
            "text/html": f'<figure style="margin:0">{line}{self.body}<figcaption>{html.escape(self.says)}</figcaption></figure>',
            "text/plain": f"[picture] {f'{self.before} {self.says}'.strip()}",
        }


class WithWidget:
    """A widget, and beside it the picture for those who cannot show widgets.

    Args:
        widget: any of ipywidgets' kind.
        picture: what it shows, or how it begins.
    """

    def __init__(self, widget: Any, picture: Picture):
        self.widget, self.picture = widget, picture

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        shown = self.widget._repr_mimebundle_()
        data = shown[0] if isinstance(shown, tuple) else shown  # anywidget adds where Colab finds a manager of widgets
        return {**data, **self.picture._repr_mimebundle_()}


def new_figure(
    width: float, height: float, left: float = 0.05, bottom: float = 0.05, right: float = 0.05, top: float = 0.05, between: float = 0.2
) -> Figure:
    """An empty matplotlib figure in the course's look, known to no window and no backend.

    Sizes and margins in inches, `between` axes in widths of one. They are given, because measuring every label takes longer
    than drawing.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        figure.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height, between)
    return figure


def name_axes(axes: Axes, query: bool = True) -> None:
    """Write on a map of weights what its rows and columns are, in the colours of queries and keys."""
    for set_label, text, colour in ((axes.set_xlabel, "key (column)", KEY), (axes.set_ylabel, "query (row)", QUERY))[: 1 + query]:
        set_label(text, color=ink(colour), bbox={"boxstyle": "round,pad=0.2", "facecolor": colour, "edgecolor": "none"}, labelpad=6)


def plot(figure: Figure, says: str) -> Picture:
    """The picture that shows a matplotlib figure: as SVG, which is sharp at any size and drawn in less time than PNG."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return image(buffer.getvalue(), "image/svg+xml", says)


def image(data: bytes, kind: str, says: str) -> Picture:
    """The picture that shows a PNG or SVG image on its own white ground."""
    return Picture(f'<img style="max-width:100%" alt="{html.escape(says)}" src="{data_address(data, kind)}">', says)


def data_address(data: bytes, kind: str) -> str:
    """An image as an address that holds it whole."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
