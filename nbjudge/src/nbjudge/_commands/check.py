"""The check of a course: before any student is graded, which test cells can be judged, and which names `c.Execute.beside_students` needs."""

from __future__ import annotations

import glob
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbjudge._common.settings import temporarily
from nbjudge._course.course import Course
from nbjudge._course.given_files import given_files
from nbjudge._execution.check import Finding, NotebookCheck
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.errors import CannotGrade


@dataclass(frozen=True)
class Checked:
    """One notebook of an assignment: a finding for each of its test cells, and for each other cell that stops.

    Args:
        why: why it cannot be checked at all, where that is so; and what to do.
        wants_all: whether most test cells of the assignment pass only beside the students' code, and all that have a road pass there.
    """

    assignment: str
    notebook: str
    findings: list[Finding] = field(default_factory=list)
    why: str = ""
    next_step: str = ""
    wants_all: bool = False

    @property
    def tests(self) -> list[Finding]:
        """The findings on test cells."""
        return [finding for finding in self.findings if finding.road != "stops"]

    @property
    def troubles(self) -> list[Finding]:
        """What does not give the instructor's own solution all points, as the course is set up now; and solution cells that stop."""
        return [finding for finding in self.findings if not finding.is_full]

    @property
    def is_well(self) -> bool:
        """Whether every test cell is judged."""
        return not self.why and all(finding.is_full for finding in self.tests)


def check_assignments(course: Course, wanted: list[str], notes: bool = True, tell: Callable[[str], None] = lambda _: None) -> Iterator[Checked]:
    """Grade the instructor's own solutions. The gradebook and all folders stay as they are.

    Args:
        wanted: names of assignments, or their folders in `source/`; all when there are none.
        notes: whether to look for tests that pass on nothing, and the like.
        tell: hears which notebook is looked at.

    Raises:
        CannotGrade: an assignment is not there.
        OwnFailure: the grader itself cannot work.
    """
    there: dict[str, list[str]] = {}
    for path in sorted(course.folder("source").glob("*/*.ipynb"), key=lambda path: (_by_number(path.parent.name), _by_number(path.stem))):
        there.setdefault(path.parent.name, []).append(path.stem)
    names = list(dict.fromkeys(course.named(wanted, there))) or list(there)
    executor = course.executor()
    with (
        WarmKernels(tuple(executor.packages), executor.sandbox) as warm,
        tempfile.TemporaryDirectory() as elsewhere,
        temporarily(course.folders, db_url=f"sqlite:///{elsewhere}/gradebook.db"),
    ):
        for name in names:
            checks: list[tuple[Checked, NotebookCheck | None]] = []
            for notebook in there[name]:
                tell(f"{name}/{notebook}")
                try:
                    course.register(name, glob.escape(notebook))
                    given = given_files(course, name, Path(elsewhere, "given"))
                    instructor = replace(course.instructor(name, notebook), given=(given,) if given else ())
                except CannotGrade as error:
                    checks.append((Checked(name, notebook, why=error.why, next_step=error.next_step), None))
                    continue
                check = NotebookCheck(instructor, warm, executor.chosen_limits())
                checks.append((Checked(name, notebook, check.findings(notes)), check))
            wants_all = _wants_all(checks)
            yield from (replace(checked, wants_all=wants_all) for checked, _ in checks)


def _wants_all(checks: Sequence[tuple[Checked, NotebookCheck | None]]) -> bool:
    tests = [finding for checked, _ in checks for finding in checked.tests]
    needed = [finding for finding in tests if finding.road in ("beside", "only beside")]
    if len(needed) < 2 or len(needed) * 2 <= len(tests) or all(finding.road == "beside" for finding in needed):
        return False
    return not any(check.lost_if_all_are_named() for _, check in checks if check is not None)


def proposed(named: Iterable[str], checked: Iterable[Checked]) -> dict[str, str]:
    """What `c.Execute.beside_students` has to name so that every cell that has a road is judged, each with what it is where the name tells nobody.

    Args:
        named: what it names already; that stays, unless a new name says the same.
    """
    found = dict.fromkeys(named, "")
    for one in checked:
        if one.wants_all:
            found = {name: words for name, words in found.items() if not name.startswith(f"{one.assignment}/")} | {f"{one.assignment}/*": ""}
            continue
        for finding in one.findings:
            if finding.road == "only beside":
                found[f"{one.assignment}/{finding.grade_id}"] = f"{one.notebook}, {finding.label}" if finding.label != finding.grade_id else ""
    return found


def unused(named: Iterable[str], checked: Sequence[Checked]) -> list[str]:
    """Names in `c.Execute.beside_students` that are no test cell of the whole course."""
    cells = {(one.assignment, finding.grade_id) for one in checked for finding in one.tests}
    known = {"*", *(cell for _, cell in cells), *(f"{assignment}/{cell}" for assignment, cell in cells), *(f"{name}/*" for name, _ in cells)}
    return [name for name in named if name not in known]


def _by_number(name: str) -> list[tuple[int, str]]:
    """To sort by: ps2 comes before ps10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]+)", name) if part]
