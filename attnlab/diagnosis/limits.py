"""Limits for a learner's own session: an endless loop is stopped with a hint, and gigabytes are foreseen before they are asked for."""

from __future__ import annotations

import contextlib
import signal
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from types import FrameType

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.text.endless import endless
from attnlab.diagnosis.text.source import place_now

SECONDS = 20  # the lessons' own answers take less than one
NOT_ENDED = ("limits.nothing_changes", "limits.still_at_work")  # the ids of causes
AGAIN = 1.0  # a learner's `except:` may swallow what stops it
MOST_BYTES = 2 * 2**30


class TooLong(BaseException):
    """A learner's code was stopped. Not an `Exception`, so that its own `except Exception` does not go on.

    Attributes:
        diagnosis: what it was doing, for its author.
    """

    def __init__(self, diagnosis: Diagnosis):
        super().__init__(diagnosis.observed)
        self.diagnosis = diagnosis


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Stop what runs meanwhile after that many seconds on the clock, where the session allows it.

    That is in the main thread, on systems with alarms, and where nobody else has set one: a grader has limits of its own.

    Raises:
        TooLong: the time is up.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL
    ):
        yield
        return

    def ring(_: int, frame: FrameType | None) -> None:
        raise TooLong(_still_at_work(frame, seconds))

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _still_at_work(frame: FrameType | None, seconds: float) -> Diagnosis:
    place = place_now(frame)
    where = f", {place}" if place else ""
    told = f"; there, {place.told}" if place and place.told else ""
    observed, expected = f"your code was stopped: it was still running after {seconds:g} seconds{where}{told}", "a result in less than a second"
    if place and (sure := endless(place)):
        return Diagnosis(
            observed,
            expected,
            Cause(NOT_ENDED[0], sure, "which name should change in every round? Change it in the loop, for example with `j += 1`"),
        )
    return Diagnosis(
        observed,
        expected,
        Cause(
            NOT_ENDED[1],
            "a loop never ends, or there are far too many steps: this check cannot tell which",
            "print what the loop changes: does it get closer to the condition that ends the loop?",
        ),
    )


def foresee_memory(call: Callable[[int], object], count: int, unit: str) -> Diagnosis | None:
    """What is wrong when a call with `count` of something would take gigabytes, found out with a few of them.

    Args:
        call: makes the call with as many as it is told.
        count: how many the real call has.
        unit: what is counted, for the message: "samples".
    """
    few = 200
    peaks = []
    for number in (few, 2 * few):
        tracemalloc.start()
        try:
            call(number)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    if peaks[1] < 3 * peaks[0]:  # grows as the count does
        return None
    foreseen = peaks[1] * (count / (2 * few)) ** 2
    if foreseen < MOST_BYTES:
        return None
    return Diagnosis(
        f"{few} {unit} take {peaks[0] / 2**20:.1f} MB, {2 * few} take {peaks[1] / 2**20:.1f} MB, so {count:,} would take about "
        f"{foreseen / 2**30:.0f} GB; the check did not try it",
        f"memory that grows in proportion to the number of {unit}",
        Cause(
            "limits.memory_grows_quadratically",
            f"twice as many {unit} take four times as much: an array has one entry for each *pair* of {unit}",
            f"compute one number for each of the {unit}: multiply in pairs and sum along the last axis",
        ),
    )
