"""How shares of points go from assignment to assignment: those of the class, and who goes another way.

All shares are of the points that are graded, before any penalty. What a student fell or rose by is measured against the class's median, so that a
hard assignment is no fall.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence

from nbjudge._report.model import FEWEST_SHARES, Moved, Stage, Trend

FEWEST_STAGES = 3  # with two there is a difference, and no trend
RECENT = 2  # assignments that are compared with those before them
MUCH = 0.2  # of all points: about one exercise in five

Shares = Mapping[str, float]  # by student


def trend(shares: Mapping[str, Shares], expected: Mapping[str, Collection[str]]) -> Trend:
    """The trend of a class.

    A stage is an assignment with `FEWEST_SHARES` shares or more; with fewer than `FEWEST_STAGES` of them there is no trend. Fallen or risen is who
    has at least `FEWEST_STAGES` shares and, in the last `RECENT` of them, lies lower or higher above the class's median by `MUCH` than in all
    earlier ones, on average. Stopped is who has a share, and none in the last `RECENT` stages at which one was expected, these being later.

    Args:
        shares: by assignment, in the order of the course.
        expected: who had to hand each of them in by now.
    """
    kept = {name: held for name, held in shares.items() if len(held) >= FEWEST_SHARES}
    if len(kept) < FEWEST_STAGES:
        return Trend()
    stages = tuple(_stage(name, held) for name, held in kept.items())
    moved = [found for student in sorted(set().union(*kept.values())) if (found := _moved(student, stages, kept, expected)) is not None]
    return Trend(stages, tuple(sorted(moved, key=lambda one: (ORDER.index(one.kind), -abs(one.by or 0)))))


ORDER = ("stopped", "fell", "rose")


def _stage(name: str, held: Shares) -> Stage:
    low, middle, high = statistics.quantiles(held.values(), n=4, method="inclusive")
    return Stage(name, len(held), low, middle, high)


def _moved(student: str, stages: Sequence[Stage], shares: Mapping[str, Shares], expected: Mapping[str, Collection[str]]) -> Moved | None:
    own = tuple(shares[stage.assignment].get(student) for stage in stages)
    asked = [place for place, stage in enumerate(stages) if student in expected.get(stage.assignment, ())][-RECENT:]
    handed_in = [place for place, share in enumerate(own) if share is not None]
    if len(asked) == RECENT and handed_in[-1] < asked[0]:
        return Moved(student, "stopped", own)
    above = [share - stage.middle for share, stage in zip(own, stages) if share is not None]
    if len(above) < FEWEST_STAGES:
        return None
    by = statistics.fmean(above[-RECENT:]) - statistics.fmean(above[:-RECENT])
    return Moved(student, "rose" if by > 0 else "fell", own, by) if abs(by) >= MUCH - 1e-9 else None
