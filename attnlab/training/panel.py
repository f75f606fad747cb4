"""What stands below a cell while it trains: a bar, a button that stops it, and a picture. When the cell ends, only the picture stays."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from IPython import get_ipython
from IPython.display import display

from attnlab.figures.picture import Picture, WithWidget
from attnlab.training.live import PAUSE, in_notebook
from attnlab.training.stopping import Stoppable

BLINK = 0.1  # seconds between two moves of the bar
SHARE = 4  # drawing takes at most one part in so many of the time
STOP = "Stop and keep what was learned"


class Panel:
    """Stands below the cell that makes it; where no notebook is open, it shows nothing.

    Bar, button and picture are one output. While the cell runs it is a widget; then it becomes the picture, so that a stored notebook
    holds no widget.

    Args:
        draw: makes the picture as it is now.
    """

    def __init__(self, draw: Callable[[], Picture]):
        self._draw = draw
        self._thread = threading.current_thread()
        self._training: Stoppable | None = None
        self._name, self._began, self._drawn, self._moved, self._pause = "", 0.0, 0.0, 0.0, PAUSE
        self.open = in_notebook()
        if self.open:
            self._build()
            get_ipython().events.register("post_run_cell", self._cell_ended)

    def _build(self) -> None:
        import ipywidgets

        self._bar = ipywidgets.IntProgress(layout=ipywidgets.Layout(width="180px"))
        self._text = ipywidgets.Label()
        self._button = ipywidgets.Button(description=STOP, icon="stop", layout=ipywidgets.Layout(width="auto"))
        self._picture = ipywidgets.HTML()
        self._row = ipywidgets.HBox([self._bar, self._text, self._button], layout=ipywidgets.Layout(flex_flow="row wrap"))
        self._all = ipywidgets.VBox([self._row, self._picture])
        self._button.on_click(self._pressed)
        _handle_while_busy(self._button)
        self._handle: Any = None

    def begin(self, name: str, steps: int, training: Stoppable) -> None:
        """A model begins: the bar is empty, and the button stops this one."""
        self._name, self._training, self._began = name, training, time.monotonic()
        if not self.open:
            return
        self._bar.max, self._button.disabled = steps, False
        self._move(0)
        self.redraw()

    def show(self, taken: int) -> None:
        """So many steps are taken. It is shown, unless something was shown a moment ago."""
        now = time.monotonic()
        if self.open and now - self._moved >= BLINK:
            self._move(taken)
        if now - self._drawn >= self._pause:
            self.redraw()

    def finish(self, taken: int) -> None:
        """A model is trained: show that, and let nobody stop it any more."""
        if self.open:
            self._button.disabled = True
            self._move(taken)
        self.redraw()

    def redraw(self) -> None:
        """Draw the picture, now."""
        if not self.open:
            return
        began = time.monotonic()
        self._last = self._draw()
        self._picture.value = _html(self._last)
        if self._handle is None:
            self._handle = display(WithWidget(self._all, self._last), display_id=True)
        self._drawn = time.monotonic()
        self._pause = max(PAUSE, SHARE * (self._drawn - began))

    def close(self) -> None:
        """Leave nothing but the picture."""
        if not self.open:
            return
        self.open = False
        get_ipython().events.unregister("post_run_cell", self._cell_ended)
        if self._handle is not None:
            self._handle.update(self._last)
        for widget in (self._all, self._row, self._picture, self._button, self._text, self._bar):
            widget.close()

    def _pressed(self, button: object) -> None:
        if self._training is not None:
            self._training.asked.set()

    def _move(self, taken: int) -> None:
        self._bar.value = taken
        self._text.value = f"{self._name}: step {taken} of {self._bar.max} · {time.monotonic() - self._began:.1f} s"
        self._moved = time.monotonic()

    def _cell_ended(self, *_: object) -> None:
        """The cell ended, be it with an error: end a training that nobody goes on with. Messages of widgets come in other threads."""
        if threading.current_thread() is self._thread:
            if self._training is not None:
                self._training.end()
            self.close()


def _html(picture: Picture) -> str:
    """With letters and lines as JupyterLab has them outside widgets, so that nothing jumps when the picture stands there alone."""
    looks = "font-size:var(--jp-content-font-size1, inherit);line-height:var(--jp-content-line-height, inherit)"
    return f'<div style="{looks}">{picture._repr_mimebundle_()["text/html"]}</div>'


def _handle_while_busy(widget: Any) -> None:
    """Let messages of a widget be handled where JupyterLab sends them, which is beside the main shell, so that they arrive while a cell runs.

    ipykernel 7.4 would send them where the widget's last own message came from, which is the busy main shell.
    """
    if widget.comm is not None:
        widget.comm._reply_subshell_for = None
