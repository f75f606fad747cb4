"""How far the learner is: everything that earns points, each with what is known about it and nothing more."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from attnlab import history, reference
from attnlab.check import session
from attnlab.diagnosis.cause import WIDTH
from attnlab.reference import Graded

BAR = 20  # characters
WIDEST = 46  # characters of a title
MADE, PASSES, NOTED, OPEN, UNSEEN = "made", "passes", "noted", "open", "unseen"
SUMS = {
    MADE: "predictions made",
    PASSES: "visible checks pass; hidden tests decide after you hand in",
    NOTED: "answered or written; graded after you hand in",
    UNSEEN: "written answers, which cannot be seen from here",
    OPEN: "still open: not started, or the visible check does not pass yet",
}


@dataclass(frozen=True)
class _Standing:
    """One thing that earns points: where it counts, its mark and what to say."""

    item: Graded
    counts_as: str
    mark: str
    says: str


def progress(lesson: str | None = None) -> None:
    """Print how far the learner is.

    Args:
        lesson: "1_basic_attention" for what it asks for, one by one; without it, one line for each lesson of the course, and one for the
            course, which leaves optional lessons out.
    """
    if lesson is None:
        _print_course()
    else:
        _print_lesson(lesson)


def _print_lesson(lesson: str) -> None:
    now, path = session.now(), history.notebook()
    if not now and path is None:
        print("no check has run in this session, so there is nothing to count")
        return
    standings = _standings(lesson, now, path)
    predictions = [one for one in standings if one.item.kind == "prediction"]
    others = [one for one in standings if one.item.kind != "prediction"]
    widest = min(WIDEST, max(len(one.item.title) for one in others))
    if predictions:
        made = [one for one in predictions if one.counts_as == MADE]
        room = WIDTH - widest - len("+ 00 points  next: “”")
        left = [one.item.title for one in predictions if one.counts_as == OPEN]
        _print_line(
            "+" if made else "○",
            f"predictions made: {len(made)} of {len(predictions)}",
            sum(one.item.points for one in predictions),
            f"next: “{textwrap.shorten(left[0], room, placeholder=' …')}”" if left else "",
            widest,
        )
    for one in others:
        _print_line(one.mark, one.item.title, one.item.points, one.says, widest)
    points = _points(standings)
    print(f"\nof {points.total()} points")
    for counts_as, words in SUMS.items():
        if points[counts_as] or counts_as == OPEN:
            print(f"{points[counts_as]:>4}  {words if points[counts_as] else words.split(':')[0]}")
    if any(one.mark == "·" for one in others):
        print("·  passed before this session; run its check again to be sure that it still does")


def _print_line(mark: str, title: str, points: int, says: str, widest: int) -> None:
    print(f"{mark} {title:<{widest}}{points:>3} point{'s' if points != 1 else ' '}  {says}".rstrip())


def _print_course() -> None:
    here = history.notebook()
    every: Counter[str] = Counter()
    for lesson in reference.lessons():
        path = (here.parent if here else Path()) / lesson / f"{lesson.split('_', 1)[1]}.ipynb"
        points = _points(_standings(lesson, {}, path))
        if reference.is_optional(lesson):
            _print_bar(f"{lesson} (optional)", points)
            continue
        _print_bar(lesson, points)
        every += points
    _print_bar("all but optional", every)
    print(
        "\nCounted: predictions made, exercises whose visible check passes, questions answered, texts written.\nPoints are given after you hand in."
    )


def _print_bar(name: str, points: Counter[str]) -> None:
    total, left = points.total(), points[OPEN] + points[UNSEEN]
    full = BAR * (total - left) // total
    print(f"{name:<24}{'█' * full}{'░' * (BAR - full)}  {total - left} of {total} points counted, {left} still open")


def _points(standings: list[_Standing]) -> Counter[str]:
    points: Counter[str] = Counter()
    for one in standings:
        points[one.counts_as] += one.item.points
    return points


def _standings(lesson: str, now: dict[str, bool | None], path: Path | None) -> list[_Standing]:
    items = reference.graded(lesson)
    before = session.before(path.parent if path else None)
    written = session.written(path, {item.name: item.placeholder for item in items if item.kind == "written answer"})
    return [
        _of_text(item, written[item.name])
        if item.name in written
        else _of_code(item, now.get(item.name) if item.name in now else before.get(item.name), item.name in now)
        for item in items
    ]


def _of_text(item: Graded, written: bool | None) -> _Standing:
    if written is None:
        return _Standing(item, UNSEEN, "?", "cannot be seen from here")
    return _Standing(item, NOTED, "+", "written, as last saved") if written else _Standing(item, OPEN, "○", "not written, as last saved")


def _of_code(item: Graded, state: bool | None, in_this_session: bool) -> _Standing:
    if state is None or (item.kind != "exercise" and not state):
        return _Standing(item, OPEN, "○", "open")
    if item.kind == "prediction":
        return _Standing(item, MADE, "+", "made")
    if item.kind == "question":
        return _Standing(item, NOTED, "+", "answered; graded later")
    if not state:
        return _Standing(item, OPEN, "✗", "visible check did not pass")
    return _Standing(item, PASSES, *(("✓", "visible check passes") if in_this_session else ("·", "visible check passed before")))
