"""Being asked to end: when it is heard, and that it is never lost or printed as a traceback."""

from __future__ import annotations

import signal
import sys
import time
import weakref
from collections.abc import Callable

import pytest

from nbjudge._common.signals import ASK, FOR_EVER, pause, stoppable
from nbjudge._wire.errors import OwnFailure

LONG = 20.0  # seconds: one that is not stopped sleeps as long


def ask(number: int = signal.SIGINT) -> None:
    signal.raise_signal(number)  # to this thread: of a whole process, a thread that does not run Python may get it, some time later
    sum(range(1000))  # Python hears it between two of its own steps


@pytest.mark.parametrize("number", ASK)
def test_without_a_grace_it_is_heard_at_once(number: int) -> None:
    with pytest.raises(KeyboardInterrupt), stoppable():
        ask(number)
        pytest.fail("it went on")


def test_with_a_grace_it_is_heard_at_the_next_pause() -> None:
    went_on = False
    with pytest.raises(KeyboardInterrupt), stoppable(LONG):
        pause()
        ask()
        went_on = True
        pause()
        pytest.fail("it went on")
    assert went_on


@pytest.mark.parametrize("numbers", [(), (signal.SIGTERM,)], ids=["the grace is over", "asked twice"])
def test_what_comes_to_no_pause_is_ended(numbers: tuple[int, ...]) -> None:
    begun, went_on = time.monotonic(), False
    with pytest.raises(KeyboardInterrupt), stoppable(FOR_EVER if numbers else 0.1):
        ask()
        went_on = True
        for number in numbers:
            ask(number)
        time.sleep(LONG)
    assert went_on and time.monotonic() - begun < LONG


def _in_del(act: Callable[[], None]) -> None:
    class Cleared:
        def __del__(self) -> None:
            act()

    Cleared()


def _in_a_finalizer(act: Callable[[], None]) -> None:
    class Cleared:
        pass

    weakref.finalize(Cleared(), act)


@pytest.mark.parametrize("clear", [_in_del, _in_a_finalizer])
@pytest.mark.parametrize("grace", [0, 0.05], ids=["at once", "after a grace"])
def test_while_an_object_is_cleared_up_nothing_is_raised_and_soon_after_it_is(
    clear: Callable[[Callable[[], None]], None], grace: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", dropped.append)
    monkeypatch.setattr(sys, "excepthook", lambda *what: dropped.append(what))  # weakref tells what a finalizer raises there
    ended = False

    def act() -> None:
        nonlocal ended
        ask()
        time.sleep(0.1)
        ended = True

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), stoppable(grace):
        clear(act)
        time.sleep(LONG)
    assert ended and time.monotonic() - begun < LONG
    assert dropped == []


@pytest.mark.parametrize("is_asked", [True, False])
def test_what_goes_wrong_after_somebody_asked_is_no_failure_of_its_own(is_asked: bool) -> None:
    with pytest.raises(KeyboardInterrupt if is_asked else OwnFailure), stoppable(LONG):
        if is_asked:
            ask()
        raise OwnFailure("its process is gone")


def test_afterwards_everything_is_as_before_and_an_ignored_signal_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        heard = [signal.getsignal(number) for number in (*ASK, signal.SIGALRM)]
        with pytest.raises(KeyboardInterrupt), stoppable(0.05):
            ask(signal.SIGHUP)
            pause()
            ask()
            time.sleep(LONG)
        assert [signal.getsignal(number) for number in (*ASK, signal.SIGALRM)] == heard
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
        pause()
    finally:
        signal.signal(signal.SIGHUP, before)
