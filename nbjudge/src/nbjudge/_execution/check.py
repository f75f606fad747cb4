"""Before any student is graded: which test cells of an instructor's notebook can be judged, and which not, and why.

The instructor's own solution is graded as if a student had handed it in. A test cell that does not pay it in full would not
pay any student either.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbjudge._analysis.exercises import Mentions, exercises_of
from nbjudge._analysis.flow import Flow
from nbjudge._analysis.handed_over import handed_over
from nbjudge._analysis.instructor import Instructor, grade_id, role_of
from nbjudge._analysis.ownership import star_names
from nbjudge._analysis.plans import plan_for
from nbjudge._analysis.statements import CHECKS, Statement, read_cell
from nbjudge._analysis.weak_tests import certainly, mirrored
from nbjudge._execution.empty_answers import flow_of, weak_tests
from nbjudge._execution.execute import execute
from nbjudge._execution.verdicts import Verdict
from nbjudge._sandbox.starting import KernelStarter
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import Limits

OPT_IN = "name the cell in c.Execute.beside_students, and it runs on the second road, in one process with the student's code"
REWRITE = "write the test with calls and plain values"
MEND = "mend the cell"
# What of a failure's text tells that it is the wire which stopped the test, and what helps.
CAUSES = (
    ("changed its argument", "the solution changes an argument in a way that is not brought back", f"return the result instead, or {OPT_IN}"),
    ("plain value was expected", "an object of the student's stands where only a plain value can be compared", f"{REWRITE}, or {OPT_IN}"),
    ("cannot be checked", "a value of the student's does not travel to the test", f"{REWRITE}, or {OPT_IN}"),
    ("Proxy", "the test does with an object of the student's what only its own process can do", f"{REWRITE}, or {OPT_IN}"),
    ("the student's", "the test does with an object of the student's what only its own process can do", f"{REWRITE}, or {OPT_IN}"),
    ("No answer within", "the solution takes longer than c.Execute.limits allows", "raise test_seconds, or make the test smaller"),
    ("comes from an earlier test", "an earlier test cell did not come to its end", "see to that cell first"),
    ("defines no", "no cell of the notebook makes a name that the test uses", MEND),
)


@dataclass(frozen=True)
class Finding:
    """One test cell: whether the instructor's own solution earns all its points; and if not, why, and what to do.

    `uncertain` tells what of a test that passes a student's code could forge; `weak` what gets points of which nothing is right, and what to
    write instead; `alone` after which failures follow-through gives nothing here, where the course has it, because the test is about these, too.
    """

    grade_id: str
    points: float
    max_points: float
    why: str = ""
    next_step: str = ""
    uncertain: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    verdict: Verdict | None = None

    @property
    def is_full(self) -> bool:
        """Whether the solution earns everything."""
        return self.points == self.max_points


def check_notebook(
    instructor: Instructor, warm: KernelStarter, limits: Limits = Limits(), files: Path | Sequence[Path] | None = None
) -> list[Finding]:
    """One finding for each test cell, in the notebook's order. Needs no database.

    Args:
        instructor: with the solutions in its notebook.
        files: what the solution's cells find beside them; what the instructor has given when nothing is said.

    Raises:
        CannotGrade: a solution cell does not end well, so that nothing can be said about the tests.
        OwnFailure: the grader itself cannot work.
    """
    folders = instructor.beside_solution if files is None else [files] if isinstance(files, Path) else list(files)
    execution = execute(instructor.notebook, instructor, warm, limits, folders)
    for cell in execution.notebook.cells:
        if cell.cell_type == "code" and role_of(cell) == "solution":
            for output in (one for one in cell.outputs if one.output_type == "error"):
                raise CannotGrade(
                    f"the solution cell `{grade_id(cell)}` stops with {output.ename}: {output.evalue}",
                    "mend the solution, or look whether the instructor's notebook holds one",
                )
    sources = {name: cell.source for name, cell in instructor.tests.items()}
    findings = [_finding(verdict, sources[verdict.grade_id], instructor) for verdict in execution.verdicts]
    flows = {name: flow for name in instructor.tests if (flow := _flow(name, instructor))}
    tried = weak_tests(instructor, execution.verdicts, warm, limits, folders, {name: list(certainly(flow)) for name, flow in flows.items()})
    return [
        replace(one, weak=(*tried.get(one.grade_id, ()), *(_told(one.grade_id, flows[one.grade_id], instructor) if one.grade_id in flows else ())))
        for one in findings
    ]


def _finding(verdict: Verdict, source: str, instructor: Instructor) -> Finding:
    why, next_step = _cause(verdict, source)
    uncertain = tuple(_forgeable(verdict.grade_id, instructor)) + ((verdict.note,) if verdict.note else ())
    alone = tuple(_without_follow_through(verdict.grade_id, instructor)) if instructor.follow_through else ()
    return Finding(verdict.grade_id, verdict.points, verdict.max_points, why, next_step, uncertain, alone=alone, verdict=verdict)


def _cause(verdict: Verdict, source: str) -> tuple[str, str]:
    """Why the solution does not earn everything, and what to do; empty when it does."""
    if verdict.kind == "passed":
        return "", ""
    if verdict.kind == "partial":
        return ("", "") if verdict.points == verdict.max_points else (f"it gives the solution {verdict.points:g} points", MEND)
    if verdict.kind == "unjudged":
        text = read_cell(source)
        return verdict.message, MEND if text.line else f"{MEND}, or {OPT_IN}"
    for words, cause, step in CAUSES:
        if words in verdict.message:
            return f"{cause} ({verdict.message.rstrip('.')})", step
    return f"the solution does not pass: {verdict.message.rstrip('.')}", f"{MEND} or the solution; if both are right in a notebook, {OPT_IN}"


def _forgeable(test: str, instructor: Instructor) -> list[str]:
    """Checkers that the test takes from the student's kernel: a solution cell's import by a star, or of what lies beside, is the student's."""
    plan = plan_for(instructor).tests.get(test)
    owners = plan.owners if plan is not None else {}
    theirs = {name for name, owner in owners.items() if owner.who == "student"} | set(plan.wanted if plan is not None else ())
    found = []
    for cell in instructor.notebook.cells:
        if cell.cell_type != "code" or role_of(cell) != "solution":
            continue
        for statement in read_cell(cell.source).statements:
            found += [
                f"`{name}` is imported in the solution cell `{grade_id(cell)}`, so a student's code can replace it: import it in the test"
                for name in sorted(_imported_checkers(statement) & theirs)
            ]
    return found


def _without_follow_through(test: str, instructor: Instructor) -> Iterator[str]:
    """The earlier exercises that the solution calls here, and that the test may be about itself."""
    exercises = exercises_of(instructor)
    about, called = exercises.tests[test], Mentions(instructor.notebook, instructor).behind(exercises.tests[test].asks)
    earlier = itertools.takewhile(lambda name: name != test, exercises.tests)
    failing = [own for name in earlier if not about.own <= (own := exercises.tests[name].own) and exercises.may_be_about(test, own)]
    names = {name for own in failing for name in exercises.names_of(own) & called}
    if names:
        listed = " or ".join(f"`{name}`" for name in sorted(names))
        yield f"follow-through gives nothing here after a failure of {listed}: the test uses that, too, or it cannot be told that it does not"


def _flow(test: str, instructor: Instructor) -> Flow | None:
    """Where the values of a test cell come from; nothing where it is no Python, which the finding says."""
    plan = plan_for(instructor).tests[test]
    students = {*plan.wanted, *plan.perhaps, *(name for name, owner in plan.owners.items() if owner.who == "student")}
    try:
        return flow_of(instructor.tests[test], sorted(students), instructor)
    except (SyntaxError, RecursionError):
        return None


def _told(test: str, flow: Flow, instructor: Instructor) -> Iterator[str]:
    """How a student's code gets to know what the test compares with."""
    plan = plan_for(instructor).tests[test]
    for line, what, name in handed_over(flow):
        yield (
            f"line {line}: {what} goes to the student's code and takes `{name}` along, which the test compares with: the answer can be read there. "
            f"Hand over functions that do not use `{name}`"
        )
    for name in sorted(mirrored(flow, {*plan.mirrors, *plan.volatile})):
        yield (
            f"`{name}` is a name that the solution's functions use, so a student's function can read and set what the test compares with: give the "
            "test's value another name"
        )


def _imported_checkers(statement: Statement) -> set[str]:
    if statement.kind != "import":
        return set()
    if not statement.has_star:
        return set(statement.binds) if statement.is_checker else set()
    try:
        return set(filter(CHECKS.search, star_names(statement.node)))
    except Exception:  # whatever the module raises: then the solution cell has said so
        return set()
