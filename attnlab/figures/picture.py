"""A figure with the words that say what to see in it."""

from __future__ import annotations

import base64
import html
import io

import matplotlib
from matplotlib.figure import Figure

STYLE = {"font.size": 10, "axes.titlesize": 10.5, "axes.labelsize": 10, "figure.facecolor": "white",
         "savefig.facecolor": "white", "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "attnlab"}
WEIGHTS_MAP = "cividis"  # light is large; readable for colour-blind people and in grey
DIFFERENCE_MAP = "PuOr"  # white is zero
QUERY, KEY = "#0072B2", "#D55E00"  # blue and vermilion of the Okabe-Ito palette


def new_figure(width: float, height: float) -> Figure:
    """An empty figure in the course's look, known to no window and no backend. Sizes in inches."""
    with matplotlib.rc_context(STYLE):
        return Figure(figsize=(width, height), layout="constrained")


class Picture:
    """A drawn figure. `says` is one sentence: the caption, and the text for people who cannot see the picture."""

    def __init__(self, figure: Figure, says: str):
        self.figure, self.says = figure, says

    def png(self, dpi: int = 110) -> bytes:
        """The picture as PNG."""
        buffer = io.BytesIO()
        with matplotlib.rc_context(STYLE):
            self.figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
        return buffer.getvalue()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        data = base64.b64encode(self.png()).decode()
        says = html.escape(self.says)
        return {
            "text/html": f'<figure style="margin:0"><img style="max-width:100%" alt="{says}" '
                         f'src="data:image/png;base64,{data}"><figcaption>{says}</figcaption></figure>',
            "text/plain": f"[picture] {self.says}",
        }
