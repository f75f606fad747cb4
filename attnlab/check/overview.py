"""How far the learner is: everything that earns points, each with what is known about it and nothing more."""

from __future__ import annotations

import html
import textwrap
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from attnlab import history, reference
from attnlab.check import session
from attnlab.check.cards import COLOURS, GREEN, GREY, chip, tell
from attnlab.diagnosis.cause import WIDTH
from attnlab.reference import Graded

BAR = 20  # characters
WIDEST = 46  # characters of a title
PASSES, NOTED, OPEN, UNSEEN, ELSEWHERE = "passes", "noted", "open", "unseen", "elsewhere"
SUMS = {
    PASSES: "visible checks pass; hidden tests decide after you hand in",
    NOTED: "answered or written; graded after you hand in",
    UNSEEN: "written answers, which cannot be seen from here",
    ELSEWHERE: "on your computer: these checks need torch, which does not run in a browser",
    OPEN: "still open: not started, or the visible check does not pass yet",
}
COUNTED = (
    "Counted: exercises whose visible check passes, questions answered, texts written.",
    "Points are given after you hand in.",
)


@dataclass(frozen=True)
class _Standing:
    """One thing that earns points: where it counts, its mark and what to say."""

    item: Graded
    counts_as: str
    mark: str
    says: str


def progress(lesson: str | None = None) -> None:
    """Show how far the learner is, and where to go on.

    Args:
        lesson: "1_basic_attention" for what it asks for, one by one; without it, one line for each lesson of the course, and one for the
            course, which leaves optional lessons out.
    """
    tell(*(_course() if lesson is None else _lesson(lesson)))


def _lesson(lesson: str) -> tuple[str, str]:
    """How far a lesson is, as HTML and as text."""
    now, path = session.now(), history.notebook()
    if not now and path is None:
        nothing = "no check has run in this session, so there is nothing to count"
        return nothing, nothing
    standings = _standings(lesson, now, path)
    points = _points(standings)
    sums = [(points[one], words if points[one] else words.split(":")[0]) for one, words in SUMS.items() if points[one] or one == OPEN]
    next_one = _next(standings)
    remark = "·  passed before this session; run its check again to be sure that it still does" if any(one.mark == "·" for one in standings) else ""
    widest = min(WIDEST, max(len(one.item.title) for one in standings))
    text = [_line(one, widest) for one in standings]
    text += ["", f"of {points.total()} points", *(f"{count:>4}  {words}" for count, words in sums)]
    text += [remark] if remark else []
    text += [f"go on here: {next_one.title}"] if next_one else []
    address = path.name if path else _file_of(lesson)
    body = [_div(_bar(points), _go_on(address, next_one))]
    body += [_row(one, address) for one in standings]
    body += [_div(f"{_worth(count)}: {html.escape(words)}") for count, words in sums]
    body += [_div(html.escape(remark))] if remark else []
    return "".join(body), "\n".join(text)


def _next(standings: list[_Standing]) -> Graded | None:
    """The first that is open; None where nothing is."""
    return next((one.item for one in standings if one.counts_as == OPEN), None)


def _line(one: _Standing, widest: int) -> str:
    start = f"{one.mark} {one.item.title:<{widest}}{one.item.points:>3} point{'s' if one.item.points != 1 else ' '}  "
    return f"{start}{textwrap.shorten(one.says, WIDTH - len(start), placeholder=' …”')}".rstrip()


def _course() -> tuple[str, str]:
    """How far every lesson is, and the course without optional ones, as HTML and as text."""
    here = history.notebook()
    every: Counter[str] = Counter()
    first: tuple[str, Graded] | None = None
    rows: list[tuple[str, str, Counter[str]]] = []
    for lesson in reference.lessons():
        path = (here.parent if here else Path()) / lesson / _file_of(lesson)
        standings = _standings(lesson, {}, path)
        points, address = _points(standings), f"{lesson}/{path.name}"
        optional = reference.is_optional(lesson)
        rows.append((f"{lesson} (optional)" if optional else lesson, address, points))
        if not optional:
            every += points
            first = first or ((address, found) if (found := _next(standings)) else None)
    rows.append(("all but optional", "", every))
    widest = max(len(name) for name, _, _ in rows)
    text = [f"{name:<{widest}}  {_blocks(points)}  {_counted(points)}" for name, _, points in rows]
    text += ["", *COUNTED]
    text += [f"go on here: {first[1].title}, in {first[0]}"] if first else []
    body = [_go_on(*first)] if first else []
    body += [_div(_fixed(0.6 * widest, _link(address, name)), _bar(points)) for name, address, points in rows]
    body += [_div(html.escape(line)) for line in COUNTED]
    return "".join(body), "\n".join(text)


def _counted(points: Counter[str]) -> str:
    left = points.total() - _done(points) - points[ELSEWHERE]
    elsewhere = f", {points[ELSEWHERE]} on your computer" if points[ELSEWHERE] else ""
    return f"{_done(points)} of {points.total()} points counted, {left} still open{elsewhere}"


def _done(points: Counter[str]) -> int:
    return points[PASSES] + points[NOTED]


def _blocks(points: Counter[str]) -> str:
    """A bar as text."""
    full = BAR * _done(points) // points.total()
    return "█" * full + "░" * (BAR - full)


def _bar(points: Counter[str]) -> str:
    """A bar as HTML, with its numbers beside it."""
    full = f'<span style="display:inline-block;height:100%;width:{100 * _done(points) / points.total():.0f}%;background:{GREEN}"></span>'
    look = f"display:inline-block;width:12em;height:0.8em;border:1px solid {GREY};border-radius:3px;margin-right:1em;overflow:hidden"
    return f'<span aria-hidden="true" style="{look}">{full}</span>{_counted(points)}'


def _row(one: _Standing, address: str) -> str:
    mark = chip(one.mark, COLOURS[one.mark]) if one.mark in COLOURS else one.mark
    return _div(
        _fixed(2.5, mark),
        _fixed(22, _link(f"{address}{_place(one.item)}", one.item.title)),
        _fixed(5, _worth(one.item.points)),
        html.escape(one.says),
    )


def _go_on(address: str, item: Graded | None) -> str:
    return f'<strong style="margin-left:1em">{_link(f"{address}{_place(item)}", f"go on here: {item.title}")}</strong>' if item else ""


def _file_of(lesson: str) -> str:
    """The notebook of a lesson, in its own folder."""
    return f"{lesson.split('_', 1)[1]}.ipynb"


def _worth(points: int) -> str:
    return f"{points} point{'s' if points != 1 else ''}"


def _place(item: Graded) -> str:
    """The cell of an item, as JupyterLab has it in addresses."""
    return f"#cell-id={item.name}"


def _link(address: str, text: str) -> str:
    return f'<a href="{html.escape(address)}">{html.escape(text)}</a>' if address else html.escape(text)


def _div(*parts: str) -> str:
    return f'<div style="display:flex;flex-wrap:wrap;align-items:center;margin:3px 0">{" ".join(parts)}</div>'


def _fixed(width: float, part: str) -> str:
    return f'<span style="display:inline-block;flex:0 0 {width}em">{part}</span>'


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
    if item.name in session.elsewhere():
        return _Standing(item, ELSEWHERE, "–", "on your computer: it needs torch")
    if state is None or (item.kind != "exercise" and not state):
        return _Standing(item, OPEN, "○", "open")
    if item.kind == "question":
        return _Standing(item, NOTED, "+", "answered; graded later")
    if not state:
        return _Standing(item, OPEN, "✗", "visible check did not pass")
    return _Standing(item, PASSES, *(("✓", "visible check passes") if in_this_session else ("·", "visible check passed before")))
