"""Keeps all processes of one student kernel together to a share of the processors, so that they take nobody else's.

The system shares processors between groups of processes, and who calls setsid often enough has most of the groups. Priorities count
within a group only, and limits of control groups need rights that an ordinary user has not. So the supervisor counts what the
processes compute, and stops them for as long as it takes to be even.
"""

import os
import signal
from collections.abc import Callable
from typing import Any

from examiner.inside.meter import Use

BURST = 1.0  # seconds of one processor that may be taken above the share before anything is stopped
RESTING = 0.1  # of the share, while the examiner waits for nothing: nobody needs what is computed then
LEAST = 0.2  # of the share, for the other processes where the kernel itself takes all of it: it may wait for them


class Share:
    """`processors`: how many processors' time the processes have together. `send`: gives a signal to all of them, or all but the kernel."""

    def __init__(self, processors: float, send: Callable[[signal.Signals, bool], None]):
        self._processors, self._send = processors, send
        self._for_others = self._for_all = BURST  # what may be taken now
        self._others_stopped = self._all_stopped = False

    @property
    def is_short(self) -> bool:
        """Whether it has to be looked at often."""
        return min(self._for_others, self._for_all) < BURST / 2

    def account(self, use: Use, resting: bool) -> None:
        """Stop, or let go on, after what was used since the last time."""
        processors = self._processors * (RESTING if resting else 1)
        income = processors * use.seconds
        self._for_others = min(BURST, self._for_others + max(income - use.kernel, LEAST * income) - use.others)
        self._for_all = min(BURST, self._for_all + (1 + LEAST) * income - use.kernel - use.others)
        self._set(self._for_others < 0, self._for_all < 0)

    def let_go(self) -> None:
        """Let all go on, for now: they are to hear something."""
        self._for_others, self._for_all = max(0.0, self._for_others), max(0.0, self._for_all)
        self._set(False, False)

    def _set(self, stop_others: bool, stop_all: bool) -> None:
        stop_others = stop_others or stop_all
        if stop_all:
            self._send(signal.SIGSTOP, True)  # again and again: what was stopped may have been woken
        elif stop_others:
            self._send(signal.SIGSTOP, False)
        elif self._others_stopped:
            self._send(signal.SIGCONT, True)
        self._others_stopped, self._all_stopped = stop_others, stop_all


def to_namespace(kernel: int) -> Callable[[signal.Signals, bool], None]:
    """Sends to every process of the namespace that the caller is the first process of: none is forked past it."""

    def send(number: signal.Signals, all_of_them: bool) -> None:
        _quietly(os.kill, -1, number)
        if not all_of_them:
            _quietly(os.kill, kernel, signal.SIGCONT)  # takes the stop back, mostly before it is noticed

    return send


def to_family(kernel: int, family: Callable[[], dict[str, Any] | None]) -> Callable[[signal.Signals, bool], None]:
    """Sends to each process that is found, where there is no namespace."""

    def send(number: signal.Signals, all_of_them: bool) -> None:
        for name in family() or ():
            if all_of_them or int(name) != kernel:
                _quietly(os.kill, int(name), number)

    return send


def _quietly(call: Callable[[int, int], None], process: int, number: int) -> None:
    try:
        call(process, number)
    except ProcessLookupError:
        pass
