"""By which road a test cell can be judged: in the grader's process, beside the students' code, or by neither. It is tried, and not guessed.

The instructor's notebook is graded with other cells named for the second road each time, and once all of it runs in one kernel, as stock
nbgrader runs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Instructor, grade_id, is_test
from nbjudge._common.check_lines import line_in_kernel
from nbjudge._execution.execute import Execution, execute
from nbjudge._execution.session import StudentSession
from nbjudge._execution.transcript import Kernels
from nbjudge._execution.verdicts import Verdict
from nbjudge._sandbox.starting import KernelStarter
from nbjudge._wire.limits import Limits


@dataclass(frozen=True)
class Stop:
    """With which exception a cell stopped."""

    ename: str
    evalue: str

    def __str__(self) -> str:
        return f"{self.ename}: {self.evalue}".strip(": ")


class RoadFinder:
    """What the instructor's own solution gets, by what is named for the second road. Each run is made once."""

    def __init__(self, instructor: Instructor, warm: KernelStarter, limits: Limits, files: list[Path]):
        self.instructor = instructor
        self._warm, self._limits, self._files = warm, limits, files
        self._executed: dict[frozenset[str], Execution] = {}

    @property
    def now(self) -> frozenset[str]:
        """The cells that the course names for the second road."""
        return frozenset(self.instructor.tests) & self.instructor.beside_students

    def naming(self, named: Iterable[str]) -> Instructor:
        """The instructor's side, with these cells on the second road."""
        return replace(self.instructor, beside_students=frozenset(named))

    def executed(self, named: frozenset[str]) -> Execution:
        """The notebook as if a student had handed it in."""
        if named not in self._executed:
            self._executed[named] = execute(self.instructor.notebook, self.naming(named), self._warm, self._limits, self._files)
        return self._executed[named]

    def lost(self, named: frozenset[str]) -> frozenset[str]:
        """The test cells that do not give the solution everything."""
        return frozenset(verdict.grade_id for verdict in self.executed(named).verdicts if not is_full(verdict))

    @cached_property
    def settled(self) -> frozenset[str]:
        """What has to be named so that every cell that has a road is judged: what is named, what passes only there, and what that drags along."""
        return self.now.union(self.added)

    @cached_property
    def added(self) -> dict[str, Verdict]:
        """What has to be named besides what is, each with the verdict that it had without."""
        found, hopeless = dict[str, Verdict](), frozenset[str]()
        while more := self.lost(named := self.now.union(found)) - named - hopeless:
            verdicts = {verdict.grade_id: verdict for verdict in self.executed(named).verdicts}
            hopeless |= self.lost(named | more) & more
            found |= {name: verdict for name, verdict in verdicts.items() if name in more - hopeless}
        return found

    @cached_property
    def in_one_kernel(self) -> dict[str, Stop]:
        """The test cells that stop in an ordinary kernel in which all cells run in order, and with what."""
        kernels, stops = Kernels(self._warm), dict[str, Stop]()
        with StudentSession(kernels, self._limits, self._files) as session:
            kernels.seed()
            for cell in self.instructor.notebook.cells:
                if cell.cell_type == "code" and cell.source.strip() not in self.instructor.skipped:
                    outputs = session.run_cell(cell.source)
                    if is_test(cell) and (stop := stop_of(outputs, cell.source)):
                        stops.setdefault(str(grade_id(cell)), stop)
        return stops


def stop_of(outputs: Iterable[NotebookNode], source: str = "") -> Stop | None:
    """The first error among the outputs of a cell; where it has no message, with the line of the source."""
    for output in outputs:
        if output.output_type == "error":
            line = "" if output.evalue or not source else line_in_kernel(output.traceback, source)
            return Stop(output.ename, output.evalue or (f"at {line}" if line else ""))
    return None


def is_full(verdict: Verdict) -> bool:
    """Whether the verdict gives everything."""
    return verdict.kind == "passed" or (verdict.kind == "partial" and verdict.points == verdict.max_points)
