"""How a training that runs is stopped without losing what was learned: by a button, by an interrupt, by the next training."""

from __future__ import annotations

import signal
import threading
from contextlib import ExitStack
from types import FrameType
from typing import Any, ClassVar

from attnlab.training.loop import one_thread


class Stoppable:
    """One training. While it lasts, torch uses one thread, and the first interrupt only sets `asked`; the second one interrupts as ever.

    There is one at a time: beginning another ends the one before. That also tidies up after a loop that an error ended, whose generator
    lives on in the error's traceback.
    """

    _running: ClassVar[Stoppable | None] = None

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.over = False
        self._handler = self._interrupted  # one object, to be recognised again
        self._before: Any = None
        self._held = ExitStack()

    def begin(self) -> None:
        """Take the interrupts and the threads, from now on until `end`."""
        if Stoppable._running is not None:
            Stoppable._running.end()
        Stoppable._running = self
        self._held.enter_context(one_thread())
        if _in_main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, self._handler)

    def end(self) -> None:
        """Give back what `begin` took; a second time, do nothing."""
        if self.over or Stoppable._running is not self:
            return
        self.over, Stoppable._running = True, None
        self._held.close()
        if _in_main_thread() and signal.getsignal(signal.SIGINT) == self._handler:
            signal.signal(signal.SIGINT, signal.default_int_handler if self._before is None else self._before)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.asked.is_set():
            raise KeyboardInterrupt
        self.asked.set()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
