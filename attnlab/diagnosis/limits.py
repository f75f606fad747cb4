"""The time that a learner's code may take in a check or a picture, and what was at work when it was up."""

from __future__ import annotations

import io
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import FrameType
from typing import Any, TextIO
from weakref import WeakKeyDictionary

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.text.endless import endless, loop_around
from attnlab.diagnosis.text.source import learners_frames, place_of

SECONDS = 5.0  # the lessons' own answers take less than one
AT_MOST = 4  # times as many seconds on the clock, where other programs keep the processor busy
WAITS = 0.02  # the part of the time below which code does not compute, but waits
SOON, AGAIN = 0.02, 0.1  # seconds
MOST_PRINTED = 20_000  # characters, which a page still shows

_running: Limit | None = None
_stopped: WeakKeyDictionary[Any, Diagnosis] = WeakKeyDictionary()


class CodeTimeoutError(BaseException):
    """A learner's code was stopped. Not an `Exception`, so that its own `except Exception` does not go on.

    Attributes:
        diagnosis: what it was doing, for its author; or what was being explained.
        while_explaining: whether something else is wrong, and was being explained.
        headline, marks: where the check was, as its message has them.
    """

    headline = marks = ""

    def __init__(self, diagnosis: Diagnosis, while_explaining: bool = False):
        super().__init__(diagnosis.observed)
        self.diagnosis, self.while_explaining = diagnosis, while_explaining

    def _render_traceback_(self) -> list[str]:
        """IPython calls this where a cell that draws was stopped."""
        return ["✗ not drawn", *self.diagnosis.lines()]

    def __del__(self) -> None:
        if _running:  # a learner's bare `except:` has swallowed it, and goes on
            _running.stop_at_the_next_line()


@contextmanager
def limited(seconds: float | None = None, whole_cell: bool = False) -> Iterator[None]:
    """Stop the learner's code that runs meanwhile when its time is up, where the session allows it.

    That is in the main thread, on systems with alarms, and where nobody else has set one: a grader has limits of its own. Within another
    limit, that one counts. Time counts in which the code computes, or waits for something else than a processor; of what is printed, the
    beginning is shown.

    Args:
        seconds: by default `SECONDS`.
        whole_cell: whether the cell itself may be stopped, too.

    Raises:
        CodeTimeoutError: the time is up.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL
    ):
        yield
        return
    caller = None if whole_cell else sys._getframe(2)  # between lies `contextmanager`
    limit = Limit(SECONDS if seconds is None else seconds, caller)
    with redirect_stdout(_Beginning(sys.stdout)), _one_thread():
        try:
            limit.begin()
            yield
        finally:
            limit.end()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch use one thread: threads that wait for each other on a busy machine take more time than they save."""
    torch = sys.modules.get("torch")
    threads = torch.get_num_threads() if torch else 1
    if threads > 1:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if threads > 1:
            torch.set_num_threads(threads)


def next_call() -> None:
    """Another call of the learner's code begins, which gets all the time again."""
    if _running and not _running.found:
        _running.start()


@contextmanager
def explaining(found: Diagnosis) -> Iterator[None]:
    """What was found is about to be explained, by more calls, which get as much time again: should they take longer, it is told as it is.

    Within another one, there is no more time, and what is told then is this.
    """
    limit = _running
    if limit is None:
        yield
        return
    before, limit.found = limit.found, found
    if before is None:
        limit.start()
    try:
        yield
    finally:
        limit.found = before


def remember_stopped(answer: Any, diagnosis: Diagnosis) -> None:
    """Remember that this very function or class did not come to an end, until `forget_stopped`."""
    try:
        _stopped[answer] = diagnosis
    except TypeError:  # no weak references to it, or no hash
        return


def forget_stopped(answer: Any) -> None:
    """Forget what was remembered: somebody tries once more."""
    try:
        _stopped.pop(answer, None)
    except TypeError:
        return


def stopped(answer: Any) -> Diagnosis | None:
    """Why a function or class was stopped when it was called last; None where it was not."""
    try:
        return _stopped.get(answer)
    except TypeError:
        return None


class _Beginning(io.TextIOBase):
    """Passes on the beginning of what is printed: a loop that prints and never ends would stop the page that shows it."""

    def __init__(self, shown: TextIO):
        self._shown, self._left = shown, MOST_PRINTED

    def write(self, text: str) -> int:
        """Print, as far as there is room."""
        if self._left > 0:
            self._shown.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self._shown.write("\n… More was printed; it is not shown.\n")
        return len(text)

    def flush(self) -> None:
        """Show what was printed."""
        self._shown.flush()


class Limit:
    """One limit of time, with the alarm that ends it.

    Args:
        seconds: how long.
        outside: the frame that set it: what called that one is not looked at; None for no such frame.

    Attributes:
        found: what is being explained.
    """

    def __init__(self, seconds: float, outside: FrameType | None):
        self.found: Diagnosis | None = None
        self._seconds, self._outside = seconds, outside
        self._is_up = self._is_busy = False
        self._frames: list[FrameType] = []  # of the learner's, when the time was up

    def begin(self) -> None:
        """Set the alarm."""
        global _running
        _running = self
        self.start()
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def start(self) -> None:
        """Begin to count the time."""
        self._clock, self._computed, self._of_all_threads = time.monotonic(), time.thread_time(), time.process_time()

    def end(self) -> None:
        """Take the alarm back."""
        global _running
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _running = None
        if self._is_up:
            self._frames.clear()
            sys.settrace(self._trace)

    def _ring(self, _: int, frame: FrameType | None) -> None:
        if not self._is_up and (left := self._left()) > 0:
            signal.setitimer(signal.ITIMER_REAL, max(left, SOON))
            return
        signal.setitimer(signal.ITIMER_REAL, 0)  # until it is known what to say
        frames = list(learners_frames(frame, self._outside))
        if frames and not self._is_up:
            self._is_up, self._trace = True, sys.gettrace()
            self._says = self.found or _still_at_work(frames, self._seconds, self._waits())
        if self._is_busy or not frames:  # between two calls of the learner's code
            signal.setitimer(signal.ITIMER_REAL, SOON)
            return
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
        self._frames = [one for one in frames if one is not self._outside]
        self.stop_at_the_next_line()
        raise self._error()

    def _left(self) -> float:
        clock, computed = time.monotonic() - self._clock, time.thread_time() - self._computed
        return self._seconds - (clock if self._waits() else max(computed, clock / AT_MOST))

    def _waits(self) -> bool:
        return time.process_time() - self._of_all_threads < WAITS * (time.monotonic() - self._clock)

    def stop_at_the_next_line(self) -> None:
        """Raise once more at the next line of the learner's: that is where a bare `except:` would go on."""
        if not self._frames:
            return
        self._is_busy = True
        for frame in self._frames:
            frame.f_trace = self._stop
        sys.settrace(lambda *_: None)  # new frames are not looked at
        self._is_busy = False

    def _stop(self, *_: object) -> Any:
        raise self._error()

    def _error(self) -> CodeTimeoutError:
        return CodeTimeoutError(self._says, self.found is not None)


def _still_at_work(frames: list[FrameType], seconds: float, waits: bool) -> Diagnosis:
    """What to say of code that is still at work.

    Args:
        frames: the learner's, the innermost first.
        seconds: how long it was waited for.
        waits: whether it computed next to nothing.
    """
    place = place_of(frames[0])
    loop = next((found for frame in frames if (found := loop_around(place_of(frame)))), None)
    within = f", in the loop `{loop.text}` of line {loop.line}" if loop and loop.line != place.line else ""
    told = f"; there, {place.told}" if place.told else ""
    observed, expected = (
        f"your code was stopped: it was still running after {seconds:g} seconds, {place}{within}{told}",
        "a result within that time",
    )
    if waits:
        return Diagnosis(
            observed,
            expected,
            Cause(
                "limits.waits",
                "in this time it computed next to nothing: it waits for something, such as `input()`, `time.sleep`, a lock or another thread",
                "take out the call that waits: a function that is checked gets all that it needs as arguments",
            ),
        )
    if sure := next((sure for frame in frames if (sure := endless(place_of(frame)))), ""):
        return Diagnosis(
            observed,
            expected,
            Cause("limits.nothing_changes", sure, "which name should change in every round? Change it in the loop, for example with `j += 1`"),
        )
    if loop is None and not any(" for " in place_of(frame).text for frame in frames):
        return Diagnosis(
            observed,
            expected,
            Cause(
                "limits.too_much_work",
                "no loop of this function is at work in that line: the line, or what it calls, takes too long, or it has been called many times",
                "how many numbers does it compute with, and how often? Compare that with what the card asks for",
            ),
        )
    return Diagnosis(
        observed,
        expected,
        Cause(
            "limits.still_at_work",
            "a loop never ends, or there are far too many steps: this check cannot tell which",
            "print what the loop changes: does it get closer to the condition that ends the loop?",
        ),
    )
