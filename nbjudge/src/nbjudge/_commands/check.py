"""`nbjudge check`: before any student is graded, which test cells can be judged, which not, and why."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from nbjudge._common.settings import temporarily
from nbjudge._common.terminal_text import plural
from nbjudge._course.course import Course
from nbjudge._course.given_files import given_files
from nbjudge._execution.check import Finding, check_notebook
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.errors import CannotGrade


@dataclass(frozen=True)
class Checked:
    """One notebook of an assignment: a finding for each of its test cells."""

    assignment: str
    notebook: str
    findings: list[Finding]

    @property
    def troubles(self) -> list[Finding]:
        """Test cells that do not give the instructor's own solution all points."""
        return [finding for finding in self.findings if not finding.is_full]


def check_assignments(course: Course, wanted: list[str]) -> Iterator[Checked]:
    """Grade the instructor's own solutions. The gradebook and all folders stay as they are.

    Args:
        wanted: names of assignments, or their folders in `source/`; all when there are none.

    Raises:
        CannotGrade: an assignment is not there, nbgrader refuses it, or a solution does not run.
        OwnFailure: the grader itself cannot work.
    """
    names = [Path(one).name for one in wanted] or list(course.lessons)
    if unknown := [name for name in names if name not in course.lessons]:
        known = ", ".join(course.lessons) or "none"
        raise CannotGrade(f"there is no assignment {', '.join(unknown)} in {course.folder('source')} (there: {known})", "mend the name")
    executor = course.executor()
    with (
        WarmKernels(tuple(executor.packages), executor.sandbox) as warm,
        tempfile.TemporaryDirectory() as elsewhere,
        temporarily(course.folders, db_url=f"sqlite:///{elsewhere}/gradebook.db"),
    ):
        for name in names:
            course.register(name)
            given = given_files(course, name, Path(elsewhere, "given"))
            for notebook in course.lessons[name].notebooks:
                instructor = replace(course.instructor(name, notebook), given=(given,) if given else ())
                yield Checked(name, notebook, check_notebook(instructor, warm, executor.chosen_limits()))


def check(course: Course, console: Console, wanted: list[str]) -> int:
    """Print what `check_assignments` finds; 0 when every solution earns all points of every test cell."""
    number = troubles = 0
    for checked in check_assignments(course, wanted):
        number, troubles = number + len(checked.findings), troubles + len(checked.troubles)
        full = len(checked.findings) - len(checked.troubles)
        console.print(
            f"{checked.assignment}/{checked.notebook}: your solution earns all points of {full} of {plural(len(checked.findings), 'test cell')}",
            markup=False,
            soft_wrap=True,
        )
        for finding in checked.troubles:
            console.print(
                f"  {finding.grade_id}, {finding.points:g} of {finding.max_points:g}: {finding.why}.\n      Next: {finding.next_step}.",
                markup=False,
                soft_wrap=True,
            )
        for finding in checked.findings:
            for note in (*finding.uncertain, *finding.weak, *finding.alone):
                console.print(f"  {finding.grade_id}, note: {note}.", markup=False, soft_wrap=True)
    if troubles:
        console.print(f"\n{troubles} of {plural(number, 'test cell')} would cost every student points.")
    return 1 if troubles else 0
