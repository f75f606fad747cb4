"""Ctrl-C, heard where it harms nothing: between files and between hand-ins."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

_pressed: list[int] = []


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C waits for the next `pause` as long as this lasts; pressed twice it does not wait."""
    def press(number: int, _: object) -> None:
        _pressed.append(number)
        if len(_pressed) > 1:
            raise KeyboardInterrupt

    _pressed.clear()
    before = signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _pressed.clear()


def pause() -> None:
    """A moment at which the run may be stopped.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    if _pressed:
        raise KeyboardInterrupt
