"""`nbjudge check` as one page: what needs somebody first, one sentence for each cause, and the lines to paste last."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import TypeVar

from rich.console import Console

from nbjudge._commands.check import Checked, check_assignments, proposed, unused
from nbjudge._common.terminal_text import plural, say, shown
from nbjudge._course.course import Course
from nbjudge._execution.check import Finding

SETTING = "c.Execute.beside_students"
Item = TypeVar("Item")
Key = TypeVar("Key")
WIDEST = 120  # columns
MOST_SAID = 300  # letters of what a cell said
COST = "which is less safe (docs/writing_tests.md)"


def check(course: Course, console: Console, wanted: list[str], propose: bool = False) -> int:
    """Print what `check_assignments` finds; with `propose`, only what is to be pasted, as Python.

    Returns:
        0 when every test cell is judged, with `propose` as the lines say; else 1.
    """
    named = list(course.executor().beside_students)
    checked: list[Checked] = []
    with console.status("") if console.is_terminal and not propose else nullcontext() as status:
        tell = (lambda name: status.update(shown(f"checking {name}"))) if status is not None else (lambda _: None)
        checked += check_assignments(course, wanted, notes=not propose, tell=tell)
    lines = list(_lines_to_paste(named, checked))
    if propose:
        page = [*(lines or [f"# Nothing has to be named in {SETTING}" + (" besides what is." if named else ".")]), *_left(checked)]
    else:
        page = list(_page(named, checked, lines, is_whole=not wanted, width=min(console.width, WIDEST)))
    for line in page:
        say(console, line)
    return 0 if all(one.is_well or (propose and not one.why and all(f.road != "nowhere" for f in one.tests)) for one in checked) else 1


def _page(named: list[str], checked: list[Checked], lines: list[str], is_whole: bool, width: int) -> Iterator[str]:
    def written(text: str, indent: int = 0, hanging: int = 0) -> Iterator[str]:
        first, rest = " " * indent, " " * (indent + hanging)
        yield from textwrap.wrap(
            shown(text, 4000), width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
        )

    def cells(found: list[tuple[Checked, Finding]], said: bool = False) -> Iterator[str]:
        """The cells of a group, by notebook; each on a line of its own where it says something, or where it takes words to name it."""
        for place, group in _grouped(found, lambda pair: f"{pair[0].assignment}/{pair[0].notebook}").items():
            labels = [finding.label for _, finding in group]
            if all(finding.label == finding.grade_id and not (said and finding.said) for _, finding in group):
                yield from written(f"{place}: {', '.join(labels)}", 4, 2)
                continue
            yield from written(f"{place}:", 4)
            for _, finding in group:
                yield from written(finding.label + (f": {_cut(finding.said)}" if said and finding.said else ""), 6, 2)

    def group(found: list[tuple[Checked, Finding]]) -> Iterator[str]:
        for (why, step), some in _grouped(found, lambda pair: (pair[1].why, pair[1].next_step)).items():
            yield from written(f"- {why[:1].upper()}{why[1:]}.{f' Next: {step}.' if step else ''}", 2, 2)
            yield from cells(some, said=True)

    everything = [(one, finding) for one in checked for finding in one.findings]
    tests = [(one, finding) for one, finding in everything if finding.road != "stops"]

    def on(road: str) -> list[tuple[Checked, Finding]]:
        return [pair for pair in everything if pair[1].road == road]

    yield from written(_summary(checked, [finding for _, finding in tests]))
    well = [one for one in dict.fromkeys(one.assignment for one in checked) if all(c.is_well for c in checked if c.assignment == one)]
    if well and len(well) < len({one.assignment for one in checked}):
        yield from written(f"Nothing to do in {', '.join(well)}.")
    if unread := [one for one in checked if one.why]:
        yield from ("", "Not checked")
        for one in unread:
            yield from written(f"- {one.assignment}/{one.notebook}: {_cut(one.why)}. Next: {one.next_step}.", 2, 2)
    if stops := on("stops"):
        yield from ("", "Cells that stop")
        for one, finding in stops:
            yield from written(f"- {one.assignment}/{one.notebook}, {finding.label}: {_cut(finding.said)}. Next: {finding.next_step}.", 2, 2)
            if below := [f.label for c, f in everything if c is one and f.below == finding.label]:
                yield from written(f"Below it, and perhaps because of it, your solution does not pass {', '.join(below)}.", 4)
    if nowhere := [pair for pair in on("nowhere") if not pair[1].below]:
        yield from ("", "Not judged")
        yield from group(nowhere)
    if only := on("only beside"):
        yield from ("", f"To be named in {SETTING}, or written differently")
        yield from written(f"They pass with your solution when they run beside its code, {COST}, and not over the wire.", 2)
        yield from group(only)
    told = [(pair, note) for pair in tests for note in (*pair[1].weak, *pair[1].uncertain, *pair[1].alone)]
    idle = unused(named, checked) if is_whole and not unread else []
    if told or idle:
        yield from ("", "Notes")
        for note, noted in _grouped(told, lambda item: item[1]).items():
            yield from written(f"- {note[:1].upper()}{note[1:]}.", 2, 2)
            yield from cells([pair for pair, _ in noted])
        if idle:
            yield from written(f"- {SETTING} names {', '.join(idle)}: no test cell of the course.", 2, 2)
    if lines:
        yield from ("", "Ready to paste into nbgrader_config.py, in the place of what is there", "", *lines)


def _summary(checked: list[Checked], tests: list[Finding]) -> str:
    roads = [finding.road for finding in tests]
    counts = (
        ("judged", "judged"),
        ("beside", f"judged beside the students' code, as {SETTING} says"),
        ("only beside", f"to be named in {SETTING}"),
        ("nowhere", "not judged"),
    )
    said = [f"{roads.count(road)} {words}" for road, words in counts if road in roads]
    many = plural(len(tests), "test cell")
    notebooks = f"{plural(len(checked), 'notebook')} of {plural(len({one.assignment for one in checked}), 'assignment')}"
    if roads and set(roads) == {"judged"}:
        return f"{notebooks}: your solution earns all points of {'the' if len(roads) == 1 else 'all'} {many}."
    return f"{notebooks}, {many}{': ' if said else ''}{'; '.join(said)}."


def _lines_to_paste(named: list[str], checked: list[Checked]) -> Iterator[str]:
    """The whole setting, where it has to be another one."""
    found = proposed(named, checked)
    if list(found) == named:
        return
    yield f"{SETTING} = ["
    for name, words in found.items():
        yield f"    {name!r},{f'  # {_cut(words)}' if words else ''}".replace("'", '"') if '"' not in name and "'" not in name else f"    {name!r},"
    yield "]"


def _left(checked: list[Checked]) -> Iterator[str]:
    """What remains when these lines are there, as remarks of Python."""
    tests = [finding for one in checked for finding in one.tests]
    left = [f"{one.assignment}/{finding.grade_id}" for one in checked for finding in one.tests if finding.road == "nowhere"]
    unread = [f"{one.assignment}/{one.notebook}" for one in checked if one.why]
    yield f"# Checked with this: {len(tests) - len(left)} of {plural(len(tests), 'test cell')} are judged."
    if left:
        yield f"# Not judged: {', '.join(left)}. `nbjudge check` says why."
    if unread:
        yield f"# Not checked: {', '.join(unread)}. `nbjudge check` says why."


def _grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    found: dict[Key, list[Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def _cut(text: str) -> str:
    return shown(" ".join(text.split()).rstrip("."), MOST_SAID)
