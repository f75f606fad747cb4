"""Which hand-in comes next: whole ones, a student who was graded longest ago first, and nobody more often than the limit says."""

from __future__ import annotations

import contextlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbjudge._common.settings import Watch
from nbjudge._watch.scan import Place, Sign


class Journal:
    """The journal in a file, and what it says.

    Args:
        path: of the file; it need not be there.
        seconds: for how long a grading counts.
        now: seconds since 1970.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path, seconds: float, now: float):
        self.settled: dict[Place, Sign] = {}
        self.is_graded: dict[Place, bool] = {}
        self._path, self._seconds = path, seconds
        self._gradings: dict[str, set[float]] = defaultdict(set)
        self._waiting: list[str] = []
        with contextlib.suppress(FileNotFoundError), path.open(encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                self._take(line)
        self._rewrite(now)

    def write(self, place: Place, sign: Sign, is_graded: bool, graded_at: float | None = None) -> None:
        """Note what became of a hand-in: whether it has points, and when it was graded, if it was now. `flush` writes it to the file."""
        line = json.dumps({"place": place, "sign": sign, "graded": is_graded, "at": graded_at})
        self._take(line)
        self._waiting.append(line)

    def flush(self) -> None:
        """Write what was noted. What cannot be written now is written the next time."""
        if self._waiting:
            with contextlib.suppress(OSError):
                self._path.parent.mkdir(exist_ok=True)
                with self._path.open("a", encoding="utf-8") as file:
                    file.write("".join(f"{line}\n" for line in self._waiting))
                self._waiting.clear()

    def free_at(self, student: str, limit: int, now: float) -> float:
        """When a student may be graded again: now, or later where there were `limit` gradings within the time that counts."""
        times = sorted(at for at in self._gradings[student] if now - self._seconds < at <= now)  # a clock that was set back holds nobody up
        self._gradings[student] = set(times)
        return now if len(times) < limit else times[-limit] + self._seconds

    def last(self, student: str) -> float:
        """When a student was graded last; 0.0 where that does not count any more."""
        return max(self._gradings[student], default=0.0)

    def forget(self, places: Collection[Place]) -> None:
        """Nothing of these is settled any more."""
        for place in places:
            self.settled.pop(place, None)
            self.is_graded.pop(place, None)

    def _take(self, line: str) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
            told: dict[str, Any] = json.loads(line)
            student, name = map(str, told["place"])
            if told["at"] is not None:
                self._gradings[student].add(float(told["at"]))
            if told["sign"] is not None:
                count, newest, size, numbers = map(int, told["sign"])
                self.settled[student, name] = count, newest, size, numbers
                self.is_graded[student, name] = bool(told["graded"])

    def _rewrite(self, now: float) -> None:
        """Keep of the file what still counts, so that it does not grow for ever."""
        last = [{"place": place, "sign": sign, "graded": self.is_graded[place], "at": None} for place, sign in self.settled.items()]
        times = [
            {"place": (student, ""), "sign": None, "graded": True, "at": at}
            for student, found in self._gradings.items()
            for at in found
            if now - self._seconds < at <= now
        ]
        self._path.parent.mkdir(exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text("".join(f"{json.dumps(line)}\n" for line in (*last, *times)), encoding="utf-8")
        os.replace(fresh, self._path)


@dataclass
class QueuedHandIn:
    """Something that is new or different since it was settled last. A later version takes the place of an earlier one.

    Times are a clock's that is never set.

    Args:
        arrived: when the first version was seen.
        changed: when this version was seen first.
        not_before: when it is to be looked at, or tried, again.
        tries: how often it was tried in vain, for no reason of its student's.
        is_new: it was looked at and has to be graded.
        is_held: it was said that it waits for the limit.
    """

    place: Place
    sign: Sign
    arrived: float
    changed: float
    not_before: float = 0.0
    tries: int = 0
    is_new: bool = False
    is_held: bool = False

    def has_changed(self, sign: Sign, now: float) -> None:
        """Another version lies there now: everything begins anew but its place in the order."""
        self.sign, self.changed, self.not_before, self.tries, self.is_new = sign, now, 0.0, 0, False


class Queue:
    """The hand-ins that are not settled."""

    def __init__(self, settings: Watch, journal: Journal):
        self._settings, self._journal = settings, journal
        self.waiting: dict[Place, QueuedHandIn] = {}

    def see(self, found: Mapping[Place, Sign], now: float) -> None:
        """Take note of what lies there at this moment."""
        for place, sign in found.items():
            if place in self.waiting:
                if self.waiting[place].sign != sign:
                    self.waiting[place].has_changed(sign, now)
            elif self._journal.settled.get(place) != sign:
                self.waiting[place] = QueuedHandIn(place, sign, now, now)
        for place in self.waiting.keys() - found.keys():
            del self.waiting[place]
        self._journal.forget(self._journal.settled.keys() - found.keys())

    def to_look_at(self, now: float) -> Iterator[QueuedHandIn]:
        """Those that did not change for a while, and of which nobody knows yet whether they have to be graded."""
        for hand_in in list(self.waiting.values()):
            if not hand_in.is_new and now >= hand_in.not_before and now - hand_in.changed >= self._settings.quiet_seconds:
                yield hand_in

    def next(self, now: float, time_of_day: float, recorded: Collection[Place], hold: Callable[[QueuedHandIn, float], None]) -> QueuedHandIn | None:
        """The one to grade now, if there is one.

        Args:
            recorded: what has points already; to grade anything else never waits for the limit.
            hold: hears, once for each, what waits for the limit and until when.
        """
        chosen, best = None, (float("inf"), float("inf"))
        for hand_in in self.waiting.values():
            if not hand_in.is_new or now < hand_in.not_before:
                continue
            student = hand_in.place[0]
            if hand_in.place in recorded and (free := self._journal.free_at(student, self._settings.limit, time_of_day)) > time_of_day:
                if not hand_in.is_held:
                    hand_in.is_held = True
                    hold(hand_in, free)
                continue
            if (order := (self._journal.last(student), hand_in.arrived)) < best:
                chosen, best = hand_in, order
        return chosen

    def settle(self, hand_in: QueuedHandIn, is_graded: bool, graded_at: float | None = None) -> None:
        """Nothing is to be done for this version any more."""
        self._journal.write(hand_in.place, hand_in.sign, is_graded, graded_at)
        self.waiting.pop(hand_in.place, None)
