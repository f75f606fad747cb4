"""Before any student is graded: which test cells of an instructor's notebook can be judged, and which not, why, and what to do.

The instructor's own solution is graded as if a student had handed it in. What does not pay it in full would not pay any student either.
Whose fault that is is tried out; see `nbjudge._execution.which_road`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nbformat import NotebookNode

from nbjudge._analysis.exercises import Mentions, exercises_of
from nbjudge._analysis.flow import Flow
from nbjudge._analysis.handed_over import handed_over
from nbjudge._analysis.instructor import Instructor, grade_id, role_of
from nbjudge._analysis.labels import labels
from nbjudge._analysis.ownership import star_names
from nbjudge._analysis.plans import plan_for
from nbjudge._analysis.statements import CHECKS, Statement, read_cell
from nbjudge._analysis.weak_tests import certainly, mirrored
from nbjudge._common.check_lines import COMPARE
from nbjudge._execution.empty_answers import flow_of, weak_tests
from nbjudge._execution.verdicts import Verdict
from nbjudge._execution.which_road import RoadFinder, Stop, is_full, stop_of
from nbjudge._sandbox.starting import KernelStarter
from nbjudge._wire.limits import Limits

# judged: in the grader's process. beside: named for the second road, and judged there. only beside: judged there, and not named yet.
# nowhere: an ordinary kernel does not pass it either, or neither road does what that does. stops: a cell that is no test, with an error.
Road = Literal["judged", "beside", "only beside", "nowhere", "stops"]
REWRITE = "write the test with calls and plain values"
# What of a failure's text tells what the wire does not carry, where the second road has shown that it is the wire; and what helps besides that road.
CAUSES = (
    ("changed its argument", "the solution changes an argument in a way that is not brought back", "return the result instead"),
    ("plain value was expected", "an object of the solution's stands where only a plain value can be compared", REWRITE),
    ("cannot be checked", "a value of the solution's does not travel to the test", REWRITE),
    ("Proxy", "the test does with an object of the solution's what only its own process can do", REWRITE),
    ("the student's", "the test does with an object of the solution's what only its own process can do", REWRITE),
    ("No answer within", "over the wire it takes longer than c.Execute.limits allows", "raise test_seconds, or ask in fewer calls"),
    ("did not come to an end", "over the wire it takes longer than c.Execute.limits allows", "raise test_seconds, or ask in fewer calls"),
    ("comes from an earlier test", "it uses what an earlier test makes, which is not judged in the same way", "make the value in this test, too"),
)
ONLY_GIVEN = "it fails with your solution, which finds beside it no more than students will"
SOLUTION_STOPS = "this cell of the solution stops"
# What an ordinary kernel's error tells of what is missing.
MISSING = (
    (
        ("No module named", "ModuleNotFoundError"),
        "install it where nbjudge runs; a package of the course's own folder is named in c.Execute.packages",
    ),
    (
        ("URLError", "gaierror", "ConnectionError", "ConnectTimeout", "Temporary failure in name resolution", "Network is unreachable", "HTTPError"),
        "there is no network where students' code runs: put what it loads into source/ASSIGNMENT/",
    ),
    (("FileNotFoundError",), "put the file into source/ASSIGNMENT/, where c.CourseDirectory.ignore does not name it"),
    (("CellTimeout", "TimeIsUp"), "make it smaller, or raise cell_seconds, test_seconds or submission_seconds in c.Execute.limits"),
    (("ProgramEnded", "MemoryError"), "make it smaller, or raise memory_mb in c.Execute.limits"),
    (("NotImplementedError",), "write the solution into source/"),
)


@dataclass(frozen=True)
class Finding:
    """One test cell, or another cell that stops: whether the instructor's own solution earns all its points; if not, why, what to do.

    `label` is how to call it where its name is a random one. `road` is by which road it is judged, `below` which cell above stops, where that
    may be why. `uncertain` tells what of a test that passes a student's code could forge; `weak` what gets points of which nothing is right, and
    what to write instead; `alone` after which failures follow-through gives nothing here, where the course has it, because the test is about
    these, too.
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
    road: Road = "judged"
    label: str = ""
    said: str = ""  # in which words it failed
    below: str = ""

    @property
    def is_full(self) -> bool:
        """Whether the solution earns everything, as the course is set up now."""
        return self.road in ("judged", "beside")


class NotebookCheck:
    """The check of one notebook. Needs no database.

    Args:
        instructor: with the solutions in its notebook.
        files: what the solution's cells find beside them; what the instructor has given when nothing is said.

    Raises:
        OwnFailure: the grader itself cannot work, at each method.
    """

    def __init__(self, instructor: Instructor, warm: KernelStarter, limits: Limits = Limits(), files: Path | Sequence[Path] | None = None):
        folders = instructor.beside_solution if files is None else [files] if isinstance(files, Path) else list(files)
        self._instructor, self._warm, self._limits, self._folders = instructor, warm, limits, folders
        self._roads = RoadFinder(instructor, warm, limits, folders)

    def findings(self, notes: bool = True) -> list[Finding]:
        """One for each test cell, and one for each cell above or between them that stops, in the notebook's order.

        Args:
            notes: whether to look at tests that pass, too: what they give points for. That takes the most time.
        """
        roads, instructor = self._roads, self._instructor
        execution = roads.executed(roads.settled)
        by_name = {verdict.grade_id: verdict for verdict in execution.verdicts}
        now = {verdict.grade_id: verdict for verdict in roads.executed(roads.now).verdicts}
        weak = self._weak(execution.verdicts) if notes else {}
        found: list[Finding] = []
        above = ""
        for cell, label in zip(execution.notebook.cells, labels(instructor.notebook)):
            name = str(grade_id(cell) or "")
            if name in by_name and role_of(cell) == "test":
                found.append(self._finding(by_name.pop(name), now[name], label, above, weak.get(name, ()), notes))
            elif cell.cell_type == "code" and (stop := _real(stop_of(cell.outputs, cell.source), cell)):
                above = above or label
                found.append(_stopped(name, label, stop, role_of(cell) == "solution"))
        return found

    def lost_if_all_are_named(self) -> frozenset[str]:
        """The test cells that have a road, and would lose it if all cells of the notebook were on the second one."""
        return self._roads.lost(frozenset(self._instructor.tests)) - self._roads.lost(self._roads.settled)

    def _finding(self, verdict: Verdict, now: Verdict, label: str, above: str, weak: Sequence[str], notes: bool) -> Finding:
        name, roads, instructor = verdict.grade_id, self._roads, self._instructor
        if not is_full(verdict):
            stop = roads.in_one_kernel.get(name)
            if stop and verdict.kind == "failed" and _lies_beside(stop, instructor.folder):  # tests find it here
                stop, why, next_step = None, ONLY_GIVEN, _mend(verdict.message, "mend the test cell or the solution")
            else:
                why, next_step = _fault(verdict, stop)
            said = str(stop) if stop else _first(verdict.message)
            return Finding(
                name, now.points, now.max_points, why, next_step, verdict=now, road="nowhere", label=label, said=said, below=above if stop else ""
            )
        uncertain = (*_forgeable(name, instructor), *((verdict.note,) if verdict.note else ())) if notes else ()
        alone = tuple(_without_follow_through(name, instructor)) if instructor.follow_through and notes else ()
        if name not in roads.added:
            road: Road = "beside" if name in instructor.beside_students else "judged"
            return Finding(name, now.points, now.max_points, "", "", tuple(uncertain), tuple(weak), alone, now, road, label)
        why, next_step, said = _cause(roads.added[name])
        return Finding(name, now.points, now.max_points, why, next_step, (), tuple(weak), alone, now, "only beside", label, said)

    def _weak(self, verdicts: Sequence[Verdict]) -> dict[str, list[str]]:
        instructor = self._roads.naming(self._roads.settled)
        flows = {name: flow for name in instructor.tests if (flow := _flow(name, instructor))}
        known = {name: list(certainly(flow)) for name, flow in flows.items()}
        tried = weak_tests(instructor, verdicts, self._warm, self._limits, self._folders, known)
        return {name: [*tried.get(name, ()), *(_told(name, flows[name], instructor) if name in flows else ())] for name in instructor.tests}


def check_notebook(
    instructor: Instructor, warm: KernelStarter, limits: Limits = Limits(), files: Path | Sequence[Path] | None = None
) -> list[Finding]:
    """`NotebookCheck.findings`."""
    return NotebookCheck(instructor, warm, limits, files).findings()


def _stopped(name: str, label: str, stop: Stop, is_solutions: bool) -> Finding:
    why, next_step = (SOLUTION_STOPS, "mend the solution") if is_solutions else ("this set-up cell stops", "mend the cell")
    return Finding(name, 0.0, 0.0, why, _mend(stop, next_step), road="stops", label=label, said=str(stop))


def _real(stop: Stop | None, cell: NotebookNode) -> Stop | None:
    """What nobody meant: nbclient's own tag says where an error is meant."""
    return None if "raises-exception" in cell.metadata.get("tags", ()) else stop


def _first(message: str) -> str:
    return (message.strip().splitlines() or [""])[0].rstrip(".")


def _cause(verdict: Verdict) -> tuple[str, str, str]:
    """What the wire does not carry, in a test that passes beside the solution's code; how to write it so that it does; and what else was said."""
    if verdict.kind == "unjudged":
        return verdict.message.rstrip("."), REWRITE, ""
    for words, cause, step in CAUSES:
        if words in verdict.message:
            return cause, step, ""
    return "over the wire it gives another result", REWRITE, _first(verdict.message.removesuffix(COMPARE))


def _fault(verdict: Verdict, stop: Stop | None) -> tuple[str, str]:
    """Why a test cell has no road, and what to do."""
    if stop is not None:
        return "it fails with your solution in an ordinary kernel, too, as with stock nbgrader", _mend(stop, "mend the test cell or the solution")
    if verdict.kind == "partial":
        return f"it gives the solution {verdict.points:g} of {verdict.max_points:g} points", "mend the test cell or the solution"
    if verdict.kind == "unjudged" and verdict.message.startswith("it gives "):
        return verdict.message, "mend the test cell"
    return "an ordinary kernel passes it, and nbjudge does not, by either road", REWRITE


def _mend(stop: Stop | str, otherwise: str) -> str:
    return next((step for words, step in MISSING if any(word in str(stop) for word in words)), otherwise)


def _lies_beside(stop: Stop, folder: Path | None) -> bool:
    """Whether an ordinary kernel, which has what students will have, misses a module of the instructor's folder."""
    missing = re.match(r"ModuleNotFoundError: No module named '(\w+)", str(stop))
    return bool(missing and folder and any((folder / name).exists() for name in (missing[1], f"{missing[1]}.py")))


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
