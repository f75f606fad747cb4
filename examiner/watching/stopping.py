"""Ctrl-C, and the signals that ask a program to end: what is being graded is finished if that is soon, and abandoned if not."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

GRACE_SECONDS = 3.0
ASK = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopping:
    """Turns these signals into `KeyboardInterrupt`, for as long as the context lasts: at once, or where something is `not_now`, a little later."""

    def __init__(self) -> None:
        self.asked = False
        self._busy = False

    def __enter__(self) -> Stopping:
        # One that is ignored, as `nohup` has it, stays so.
        self._before = {number: signal.getsignal(number) for number in (*ASK, signal.SIGALRM)}
        for number in ASK:
            if self._before[number] is not signal.SIG_IGN:
                signal.signal(number, self._ask)
        signal.signal(signal.SIGALRM, self._abandon)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def check(self) -> None:
        """Raises `KeyboardInterrupt` where it was asked for, also when Python dropped it: it does, while it clears up an object."""
        if self.asked:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def not_now(self) -> Iterator[None]:
        """What happens here is finished first, if it takes no more than `GRACE_SECONDS` and nobody asks twice."""
        self.check()
        self._busy = True
        try:
            yield
        finally:
            self._busy = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _ask(self, number: int, _: object) -> None:
        if self._busy and not self.asked:
            self.asked = True
            signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS, 1)  # again each second, in case that Python drops one
            return
        self.asked = True
        raise KeyboardInterrupt

    def _abandon(self, number: int, _: object) -> None:
        if self._busy:
            raise KeyboardInterrupt
