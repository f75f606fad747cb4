"""Ctrl-C and other signals that ask a program to end, heard where it harms nothing; and a limit of time for what runs in this process."""

from __future__ import annotations

import contextlib
import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from types import FrameType


@contextlib.contextmanager
def alarm(seconds: float, ring: Callable[[], float]) -> Iterator[None]:
    """Call `ring` when what runs meanwhile takes longer than `seconds`, in a process's main thread.

    Args:
        seconds: on the wall.
        ring: raises what ends it, or returns how many seconds more it may take.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: signal.setitimer(signal.ITIMER_REAL, ring()))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


ASK = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AGAIN_SECONDS = 0.05  # again and again: a signal that comes just before a program begins to wait is not heard until it has waited
FOR_EVER = float("inf")


class _Asked:
    """What one `stoppable` has been asked."""

    def __init__(self, grace: float):
        self.grace, self.is_asked = grace, False

    def ask(self, number: int, frame: FrameType | None) -> None:
        """Somebody asks: the first time there may be a grace."""
        at_once = self.is_asked or not self.grace
        self.is_asked = True
        if at_once:
            self.stop(number, frame)
        elif self.grace < FOR_EVER:
            signal.setitimer(signal.ITIMER_REAL, self.grace, AGAIN_SECONDS)

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Raise, or a moment later, where Python would print what is raised and go on."""
        if _would_be_dropped(frame):
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS, AGAIN_SECONDS)
        else:
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt


_current: list[_Asked] = []  # the innermost last


@contextlib.contextmanager
def stoppable(grace: float = 0) -> Iterator[None]:
    """Being asked to end raises `KeyboardInterrupt`, for as long as the context lasts: at the next `pause`, and otherwise when the grace is over.

    Whoever asks twice does not wait. What goes wrong after somebody asked, goes wrong because of that: Ctrl-C in a terminal reaches all
    processes, so those that the work needs may be gone a moment earlier. It counts as the same `KeyboardInterrupt`.

    Args:
        grace: seconds for which work goes on that comes to no `pause`; 0 for none, `FOR_EVER` for as long as it takes.
    """
    asked = _Asked(grace)
    before = {number: signal.getsignal(number) for number in (*ASK, signal.SIGALRM)}
    for number in ASK:
        if before[number] is not signal.SIG_IGN:  # one that is ignored, as `nohup` has it, stays so
            signal.signal(number, asked.ask)
    signal.signal(signal.SIGALRM, asked.stop)
    _current.append(asked)
    try:
        yield
    except Exception as error:
        if asked.is_asked:
            raise KeyboardInterrupt from error
        raise
    finally:
        _current.remove(asked)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def pause() -> None:
    """A moment at which the run may be stopped.

    Raises:
        KeyboardInterrupt: somebody asked for it.
    """
    if _current and _current[-1].is_asked:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt


def _would_be_dropped(frame: FrameType | None) -> bool:
    """Whether a signal came while Python clears up an object: what is raised there is printed, and nothing stops."""
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_code.co_filename == weakref.__file__:
            return True
        frame = frame.f_back
    return False
