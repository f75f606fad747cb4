"""What students change in cells that anybody may change, and that are no solution cells: the grader has those names from the instructor's text.

With nbgrader itself the student's text counts there. So a test that uses such a name is judged once more, with the student's own; where that
makes a difference, nobody can tell a right answer from a checker that was replaced, and a person has to look.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Instructor, is_locked, role_of
from nbjudge._analysis.plans import plan_for
from nbjudge._analysis.statements import read_cell
from nbjudge._execution.verdicts import Verdict

WHY = (
    "it uses {names}, which the student has changed in a cell that is no solution cell and is not locked: with the student's own it gives "
    "{theirs:g} of {most:g} points, with the instructor's {own:g}. Look which is right; mark that cell as a solution cell, or lock it"
)


def changed_names(submission: NotebookNode, instructor: Instructor) -> dict[str, frozenset[str]]:
    """By test cell, the names from cells that anybody may change that it uses, and that the submission makes otherwise."""
    tests = {name: plan.changeable for name, plan in plan_for(instructor).tests.items() if plan.changeable}
    if not tests:
        return {}
    given = [cell.source.strip() for cell in instructor.notebook.cells if cell.cell_type == "code" and role_of(cell) == "given"]
    handed_in = [cell.source.strip() for cell in submission.cells if cell.cell_type == "code"]
    names = {name for text in set(handed_in) - {*given, *(cell.source.strip() for cell in instructor.tests.values())} for name in _made(text)}
    changeable = [cell for cell in instructor.notebook.cells if cell.cell_type == "code" and role_of(cell) == "given" and not is_locked(cell)]
    names |= {name for cell in changeable if cell.source.strip() not in handed_in for name in _made(cell.source)}
    names -= {name for cell in instructor.notebook.cells if cell.cell_type == "code" and role_of(cell) == "solution" for name in _made(cell.source)}
    return {test: found for test, used in tests.items() if (found := used & names)}


def _made(source: str) -> set[str]:
    return {name for statement in read_cell(source).statements for name in statement.binds | statement.deletes}


def compared(verdicts: Iterable[Verdict], theirs: Iterable[Verdict], changed: dict[str, frozenset[str]]) -> list[Verdict]:
    """The verdicts, with those as "unjudged" for which it matters whose the changed names are."""
    others = {verdict.grade_id: verdict for verdict in theirs}
    return [
        replace(one, kind="unjudged", points=0.0, message=_why(one, others[one.grade_id], changed[one.grade_id]))
        if one.grade_id in changed and one.kind != "unjudged" and others[one.grade_id].points != one.points
        else one
        for one in verdicts
    ]


def _why(own: Verdict, theirs: Verdict, names: frozenset[str]) -> str:
    listed = ", ".join(f"`{name}`" for name in sorted(names))
    return WHY.format(names=listed, theirs=theirs.points, most=own.max_points, own=own.points)
