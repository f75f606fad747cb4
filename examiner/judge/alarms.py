"""A limit of time for what runs in the examiner's own process."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


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
