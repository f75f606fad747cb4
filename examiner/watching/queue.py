"""Which hand-in comes next: whole ones, a student who was graded longest ago first, and nobody more often than the limit says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from examiner.watching.journal import Journal
from examiner.watching.settings import Watch
from examiner.watching.sight import Place, Sign


@dataclass
class HandIn:
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
        self.waiting: dict[Place, HandIn] = {}

    def see(self, found: Mapping[Place, Sign], now: float) -> None:
        """Take note of what lies there at this moment."""
        for place, sign in found.items():
            if place in self.waiting:
                if self.waiting[place].sign != sign:
                    self.waiting[place].has_changed(sign, now)
            elif self._journal.settled.get(place) != sign:
                self.waiting[place] = HandIn(place, sign, now, now)
        for place in self.waiting.keys() - found.keys():
            del self.waiting[place]
        self._journal.forget(self._journal.settled.keys() - found.keys())

    def to_look_at(self, now: float) -> Iterator[HandIn]:
        """Those that did not change for a while, and of which nobody knows yet whether they have to be graded."""
        for hand_in in list(self.waiting.values()):
            if not hand_in.is_new and now >= hand_in.not_before and now - hand_in.changed >= self._settings.quiet_seconds:
                yield hand_in

    def next(self, now: float, time_of_day: float, recorded: Collection[Place], hold: Callable[[HandIn, float], None]) -> HandIn | None:
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

    def settle(self, hand_in: HandIn, is_graded: bool, graded_at: float | None = None) -> None:
        """Nothing is to be done for this version any more."""
        self._journal.write(hand_in.place, hand_in.sign, is_graded, graded_at)
        self.waiting.pop(hand_in.place, None)
