"""Grades one notebook: student cells in a sandboxed kernel, test cells here. Needs no database and no shared folder."""

import copy
import time
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from examiner.judge.markers import Markers
from examiner.judge.objects import trusted_comparisons
from examiner.judge.session import StudentSession
from examiner.judge.testcell import judge
from examiner.judge.verdicts import Verdict, outputs_for
from examiner.kernels.starting import KernelStarter
from examiner.wire.limits import Limits


@dataclass(frozen=True)
class Execution:
    """An executed notebook, one verdict for each test cell of the source in the source's order, and how long it took.

    `hindered`: time ran out for one of its cells or tests because the machine did something else. That costs nobody a point: it is to
    be executed again, with nothing beside it.
    """

    notebook: NotebookNode
    verdicts: list[Verdict]
    seconds: float = 0.0
    hindered: bool = False


def execute(
    notebook: NotebookNode,
    source: NotebookNode,
    warm: KernelStarter,
    limits: Limits = Limits(),
    files: Path | None = None,
    markers: Markers = Markers(),
    again: bool = True,
) -> Execution:
    """Run `notebook` and judge it by the test cells of `source`, the instructor's notebook.

    Neither argument is changed. Only cells whose grade_id is a test cell of `source` are run as tests, with the text and
    points that stand there; whatever else the submission holds runs in the sandbox. Test cells that the submission lacks
    are added at its end. `files` is a folder that the cells find as their working folder. `markers` are those of hidden tests.
    With `again`, what was hindered is done again, once, and the second time counts; without, the caller does that when it is quiet.
    Raises `OwnFailure` when the examiner itself cannot work; whatever the student wrote ends in verdicts.
    """
    execution = _once(notebook, source, warm, limits, files, markers)
    return _once(notebook, source, warm, limits, files, markers) if again and execution.hindered else execution


def _once(
    notebook: NotebookNode, source: NotebookNode, warm: KernelStarter, limits: Limits, files: Path | None, markers: Markers
) -> Execution:
    tests = {grade_id(cell): cell for cell in source.cells if is_test(cell)}
    result, verdicts, number = copy.deepcopy(notebook), {}, 0
    began = time.monotonic()
    trusted = trusted_comparisons(cell.source for cell in source.cells if cell.cell_type == "code" and not is_test(cell))
    with StudentSession(warm, limits, files, trusted) as session:
        for cell in result.cells:
            if cell.cell_type == "code":
                number += 1
                cell.execution_count = number
            name = grade_id(cell)
            if cell.cell_type == "code" and name in tests and name not in verdicts:
                verdicts[name] = _judge(tests[name], session, cell, markers)
                continue
            if name in tests or _claims_points_for_nothing(cell):
                del cell.metadata["nbgrader"]
            if cell.cell_type == "code":
                cell.outputs = session.run_cell(cell.source)
        for name in [name for name in tests if name not in verdicts]:
            result.cells.append(copy.deepcopy(tests[name]))
            verdicts[name] = _judge(tests[name], session, result.cells[-1], markers)
    return Execution(result, [verdicts[name] for name in tests], time.monotonic() - began, session.hindered)


def is_test(cell: NotebookNode) -> bool:
    """Whether nbgrader would grade this cell by running it."""
    about = cell.metadata.get("nbgrader")
    if not isinstance(about, dict):
        return False
    return cell.cell_type == "code" and bool(about.get("grade")) and not about.get("solution") and bool(about.get("grade_id"))


def grade_id(cell: NotebookNode) -> str | None:
    """The cell's nbgrader name, if it has one."""
    about = cell.metadata.get("nbgrader")
    return about.get("grade_id") if isinstance(about, dict) else None


def _judge(trusted: NotebookNode, session: StudentSession, cell: NotebookNode, markers: Markers) -> Verdict:
    """Run the instructor's test cell and write the result into `cell` of the submission."""
    verdict = judge(grade_id(trusted), trusted.source, float(trusted.metadata["nbgrader"]["points"]), session, markers)
    cell.source, cell.metadata["nbgrader"] = trusted.source, copy.deepcopy(trusted.metadata["nbgrader"])
    cell.outputs = outputs_for(verdict)
    return verdict


def _claims_points_for_nothing(cell: NotebookNode) -> bool:
    """Whether nbgrader would look for points of a test that the instructor did not write."""
    about = cell.metadata.get("nbgrader")
    if about is None:
        return False
    return not isinstance(about, dict) or not about.get("grade_id") or is_test(cell)
