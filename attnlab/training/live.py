"""A picture that is drawn again while its cell runs."""

from __future__ import annotations

import time
from collections.abc import Callable

from IPython import get_ipython
from IPython.display import display

from attnlab.figures.picture import Picture

PAUSE = 0.7  # seconds between two drawings: often enough to see it move, seldom enough not to cost much


def in_notebook() -> bool:
    """Whether there is a notebook to draw in."""
    return getattr(get_ipython(), "kernel", None) is not None


class Live:
    """Draws in the cell's output, again and again in the same place; draws nothing where no notebook is open.

    Args:
        draw: makes the picture as it is now.
    """

    def __init__(self, draw: Callable[[], Picture]):
        self._draw = draw
        self._shown = in_notebook()
        self._handle = None
        self._last = -PAUSE

    def redraw(self, last: bool = False) -> None:
        """Draw, unless that was done a moment ago; with `last`, in any case."""
        now = time.monotonic()
        if not self._shown or (now - self._last < PAUSE and not last):
            return
        picture = self._draw()
        if self._handle is None:
            self._handle = display(picture, display_id=True)
        else:
            self._handle.update(picture)
        self._last = time.monotonic()
