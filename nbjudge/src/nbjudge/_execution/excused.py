"""Test cells that cannot judge, and whose points could hang on that.

A cell that the instructor's own solution does not pass here says nothing about whoever loses points there, no more than one that cannot run at all:
a person has to look. Whether the solution passes is looked at once for each notebook, and only when somebody has lost points there. Where nothing was
done, nothing is to be looked at: a hand-in of which all code is as it was handed out has no points at such a cell.
"""

from __future__ import annotations

import filecmp
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from nbformat import NotebookNode

from nbjudge._analysis.exercises import Mentions, exercises_of
from nbjudge._analysis.instructor import BESIDE, Instructor, grade_id, is_locked, is_skipped, is_test, role_of
from nbjudge._analysis.statements import BUILTINS, Text, bases_of, is_open, read_cell
from nbjudge._execution.solution_results import Remembered, SolutionResults
from nbjudge._execution.verdicts import Clue, Verdict
from nbjudge._wire.limits import Limits

WHY = "the instructor's own solution does not pass it here either ({said})"
NOTHING_DONE = "All code of this notebook is as you were given it, so there is nothing that this test could judge."
CLOCKS = frozenset(
    "perf_counter perf_counter_ns process_time process_time_ns monotonic monotonic_ns thread_time timeit default_timer time_ns".split()
)
_results = SolutionResults[dict[str, str]]("unpaid")


class Executed(Protocol):
    """An `nbjudge._execution.execute.Execution`."""

    @property
    def notebook(self) -> NotebookNode: ...
    @property
    def verdicts(self) -> list[Verdict]: ...
    @property
    def hindered(self) -> bool: ...


def excused(
    verdicts: Iterable[Verdict], instructor: Instructor, limits: Limits, remembered: Remembered | None, run: Callable[[], Executed]
) -> list[Verdict]:
    """The verdicts, with those that lost points where the solution does so, too, as "unjudged".

    Args:
        remembered: what other processes know of the solution.
        run: executes the instructor's notebook as if a student had handed it in. It is asked twice before anything is believed, because a
            test may draw random numbers; three times where a test reads a clock, which cannot judge if the solution fails once; and never
            where nobody lost points at a test that the solution has an answer to.
    """
    found = list(verdicts)
    answered = _answered(instructor, {verdict.grade_id for verdict in found if verdict.has_lost})
    if not answered:
        return found
    said = unpaid(instructor, limits, remembered, run)
    return [
        replace(verdict, kind="unjudged", points=0.0, message=WHY.format(said=said[verdict.grade_id]))
        if verdict.has_lost and verdict.grade_id in said and verdict.grade_id in answered
        else verdict
        for verdict in found
    ]


def with_nothing_done(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The verdicts of a hand-in that `is_as_given`: where a cell cannot judge, there is nothing to look at."""
    return [
        replace(verdict, kind="failed", message=NOTHING_DONE, clue=Clue("nbjudge")) if verdict.kind == "unjudged" else verdict for verdict in verdicts
    ]


def is_as_given(notebook: NotebookNode, instructor: Instructor, folders: Iterable[Path]) -> bool:
    """Whether nothing that a test could judge is the student's own: no code cell, and no file in one of `folders`."""
    left, own = set(instructor.tests), []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if (name := grade_id(cell)) in left:  # the first one of a name is run with the instructor's text, and any other as the student's
            left.remove(name)
        else:
            own.append(cell.source.strip())
    given = [folder.absolute() for folder in instructor.beside_solution]
    theirs = [folder for folder in folders if folder.absolute() not in given]
    return all(not text or text in instructor.handed_out for text in own) and not any(_has_own_file(folder, given) for folder in theirs)


def _has_own_file(folder: Path, given: list[Path]) -> bool:
    names = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.name not in BESIDE]
    return any(
        name.suffix != ".ipynb"
        and not any(part.startswith(".") for part in name.parts)
        and not _is_given(folder / name, [one / name for one in given])
        for name in names
    )


def _is_given(path: Path, as_given: list[Path]) -> bool:
    return any(one.is_file() and filecmp.cmp(path, one, shallow=False) for one in as_given)


def unpaid(instructor: Instructor, limits: Limits, remembered: Remembered | None, run: Callable[[], Executed]) -> dict[str, str]:
    """The test cells that the solution does not pass, each with what was said to it. `run`: see `excused`."""
    known = _results.known(instructor, limits, remembered)
    if known is None:
        said: dict[str, str] | None = None
        timed = {name for name, cell in instructor.tests.items() if any(one.words & CLOCKS for one in read_cell(cell.source).statements)}
        for _ in range(3 if timed else 2):
            execution = run()
            if execution.hindered:
                return {}
            stops = _stops(execution.notebook)
            lost = {
                verdict.grade_id: (verdict.message.rstrip(".") or f"it gives {verdict.points:g} of {verdict.max_points:g} points") + stops
                for verdict in execution.verdicts
                if (verdict.has_lost or verdict.kind == "unjudged") and "NotImplementedError" not in verdict.message
            }
            at_once = {name: text for name, text in lost.items() if name in timed}
            said = lost if said is None else {name: text for name, text in said.items() if name in lost or name in timed} | at_once
            if not said and not timed:
                break
        known = said or {}
        # Whether a failure was chance or the machine's, another process finds out by itself.
        _results.keep(instructor, limits, None if known else remembered, known)
    return known


def _answered(instructor: Instructor, tests: set[str]) -> set[str]:
    """Those of the tests that need no cell whose solution is missing. Of what was only released nothing can be learned."""
    if not tests or not instructor.complete:
        return set()
    cells = [cell for cell in instructor.notebook.cells if cell.cell_type == "code" and not is_skipped(cell)]
    texts = [read_cell(cell.source) for cell in cells]
    bases = bases_of(texts)
    roles = [role_of(cell) for cell in cells]
    # Not what people grade.
    asked = {number for number, role in enumerate(roles) if role == "solution" and not cells[number].metadata["nbgrader"].get("grade")}
    if not asked:
        return set()
    missing = {number for number in asked if is_open(texts[number], bases) and not instructor.has_answer(cells[number].source)}
    solved = {name for number in asked - missing for statement in texts[number].statements for name in statement.binds}
    to_write = _open_names(cells, texts, roles) - solved
    made = {name for text in texts for statement in text.statements for name in statement.binds} | BUILTINS
    has_blank = any(role == "given" and not is_locked(cell) and not text.statements for cell, text, role in zip(cells, texts, roles, strict=True))
    exercises, mentions = exercises_of(instructor), Mentions(instructor.notebook, instructor)
    found = set()
    for name in tests & exercises.tests.keys():
        about = exercises.tests[name]
        behind, waiting = set(), [*(about.own | about.cells)]
        while waiting:
            if (number := waiting.pop()) not in behind:
                behind.add(number)
                waiting += exercises.solutions[number].needs
        behind = asked if about.is_doubtful or not behind else behind & asked
        asks = mentions.behind(about.asks)
        unknown = bool(about.asks - made) or not about.own
        above = unknown and any(_binds_nothing(texts[number]) and number < _place(cells, name) for number in missing)
        if not (missing & behind or above or asks & to_write or (has_blank and about.asks - made)):
            found.add(name)
    return found


def _open_names(cells: list[NotebookNode], texts: list[Text], roles: Sequence[str]) -> set[str]:
    """The names that students are to make in cells that are no solution cells."""
    return {
        name
        for cell, text, role in zip(cells, texts, roles, strict=True)
        if role == "given" and not is_locked(cell)
        for statement in text.statements
        if statement.is_open
        for name in statement.binds
    }


def _binds_nothing(text: Text) -> bool:
    """Whether a cell does not tell what a solution would make there."""
    return not any(statement.binds for statement in text.statements)


def _place(cells: list[NotebookNode], test: str) -> int:
    return next(number for number, cell in enumerate(cells) if is_test(cell) and grade_id(cell) == test)


def _stops(notebook: NotebookNode) -> str:
    """Words for a solution cell that ends with an error, if one does."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and role_of(cell) == "solution":
            for output in cell.outputs:
                if output.output_type == "error":
                    return f"; its cell `{grade_id(cell)}` stops with {output.ename}: {str(output.evalue)[:200]}"
    return ""
