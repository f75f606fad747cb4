"""Grades one notebook: student cells in a sandboxed kernel, test cells here. Needs no database and no shared folder."""

import copy
import itertools
import json
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode, from_dict

from nbjudge._analysis.answering_classes import trusted_comparisons
from nbjudge._analysis.instructor import Instructor, grade_id, is_test, only_tests
from nbjudge._execution.excused import excused
from nbjudge._execution.in_student_kernel import judge_in_student_kernel
from nbjudge._execution.namespace import CellNamespace
from nbjudge._execution.session import StudentSession
from nbjudge._execution.solution_values import known_values, solution_values
from nbjudge._execution.test_cell import judge
from nbjudge._execution.transcript import Conversation, Differs, Kernels
from nbjudge._execution.verdicts import Verdict, outputs_for, writable
from nbjudge._proxies.doubtful_values import Doubt
from nbjudge._sandbox.starting import KernelStarter
from nbjudge._wire.limits import Limits


@dataclass(frozen=True)
class Execution:
    """An executed notebook, one verdict for each test cell of the source in the source's order, and how long it took.

    `hindered`: time ran out for one of its cells or tests because the machine did something else. That costs nobody a point: it is to
    be executed again, with nothing beside it. `conversation`: what was said to the kernel and by it, where that can be kept.
    """

    notebook: NotebookNode
    verdicts: list[Verdict]
    seconds: float = 0.0
    hindered: bool = False
    conversation: Conversation | None = None
    met: frozenset[Doubt] = frozenset()  # see `nbjudge._proxies.doubtful_values`


def execute(
    notebook: NotebookNode,
    source: Instructor | NotebookNode,
    warm: KernelStarter,
    limits: Limits = Limits(),
    files: Path | Sequence[Path] | None = None,
    again: bool = True,
    excuse: bool = True,
    before: Conversation | None = None,
) -> Execution:
    """Run `notebook` and judge it by the test cells of `source`.

    `source` is the instructor's side; or a notebook, whose test cells alone count: then every name that no test cell makes is
    the student's. Neither argument is changed. A cell that the instructor tagged `skip-execution` is not run, unless the student changed
    it. Only cells whose grade_id is a test cell of `source` are run as tests, with the text and points that stand there; whatever else
    the submission holds runs in the sandbox. They are judged in the order of `source`, whatever the submission's: what set-up cells
    make for one of them is not there for one above. A test cell whose turn has not come waits for it; one that the submission lacks is
    judged before the next one that it has, and added at its end. `files` is a folder that the student's cells find as their working
    folder, or several, of which a later one's files replace those of an earlier one. With `again`, what was hindered is done again,
    once, and the second time counts; without, the caller does that when it is quiet. With `excuse`, a test cell that the instructor's
    own solution does not pass here is "unjudged" for whoever loses points there, unless `notebook` is the instructor's own. `before` is the
    conversation of an earlier execution of the same notebook with the same files and limits: as far as it says all, no cell is run.
    Raises `OwnFailure` when the grader itself cannot work; whatever the student wrote ends in verdicts.
    """
    instructor = source if isinstance(source, Instructor) else only_tests(source)
    folders = [folder.absolute() for folder in ([files] if isinstance(files, Path) else files or ())]
    is_own = notebook is instructor.notebook
    solution = _Solution(instructor, warm, limits, again)

    def run(given: frozenset[Doubt] | None, before: Conversation | None) -> Execution:
        done = _replayed(notebook, instructor, warm, limits, before, given) or _once(notebook, instructor, Kernels(warm), limits, folders, given)
        return done if not done.hindered or not again else _once(notebook, instructor, Kernels(warm), limits, folders, given)

    given = None if is_own else known_values(instructor, limits)
    execution = run(given, before)
    if given is not None and execution.met and not execution.hindered:  # values that are accepted where the solution gives such, too
        also = solution_values(instructor, limits, solution.run)
        if solution.hindered and not again:
            return replace(execution, hindered=True)
        if execution.met & also - given:
            execution = run(also, execution.conversation)
    if execution.hindered and not again:
        return execution  # nothing of it counts
    return execution if not excuse or is_own else _without_blame(execution, instructor, limits, solution)


def _replayed(
    notebook: NotebookNode,
    instructor: Instructor,
    warm: KernelStarter,
    limits: Limits,
    before: Conversation | None,
    given: frozenset[Doubt] | None,
) -> Execution | None:
    """What comes of it without a kernel, if that can be told."""
    if before is None:
        return None
    try:
        execution = _once(notebook, instructor, Kernels(warm, before), limits, [], given)
    except Differs:
        return None
    return None if execution.hindered else execution


class _Solution:
    """The instructor's notebook, executed as if a student had handed it in. `hindered`: by the machine, so that nothing is known yet; with
    `again`, the second time counts."""

    def __init__(self, instructor: Instructor, warm: KernelStarter, limits: Limits, again: bool):
        self._instructor, self._warm, self._limits, self.again, self.hindered = instructor, warm, limits, again, False

    def run(self) -> Execution:
        """Once more."""
        done = self._once()
        if done.hindered and self.again:
            done = self._once()
        self.hindered = self.hindered or done.hindered
        return done

    def _once(self) -> Execution:
        folders = [folder.absolute() for folder in self._instructor.beside_solution]
        return _once(self._instructor.notebook, self._instructor, Kernels(self._warm), self._limits, folders, None)


def _without_blame(execution: Execution, instructor: Instructor, limits: Limits, solution: _Solution) -> Execution:
    """Nobody loses points over a test cell that the instructor's own solution does not pass here. Where the machine hindered the solution,
    nothing is known yet: see `execute` for what `again` does then."""
    verdicts = excused(execution.verdicts, instructor, limits, solution.run)
    changed = {new.grade_id: new for new, old in zip(verdicts, execution.verdicts) if new is not old}
    for cell in execution.notebook.cells:
        if is_test(cell) and (verdict := changed.get(str(grade_id(cell)))):
            cell.outputs = outputs_for(verdict)
    return replace(execution, verdicts=verdicts, hindered=execution.hindered or (solution.hindered and not solution.again))


def _once(
    notebook: NotebookNode, instructor: Instructor, kernels: Kernels, limits: Limits, folders: list[Path], given: frozenset[Doubt] | None
) -> Execution:
    tests, skipped = instructor.tests, instructor.skipped
    result, number = copy.deepcopy(notebook), 0
    verdicts: dict[str, Verdict] = {}
    present = {grade_id(cell) for cell in result.cells if cell.cell_type == "code"}
    reached: dict[str, NotebookNode] = {}
    began = time.monotonic()
    trusted = trusted_comparisons(cell.source for cell in instructor.notebook.cells if cell.cell_type == "code" and not is_test(cell))
    with StudentSession(kernels, limits, folders, trusted, given) as session, CellNamespace(instructor, session) as world:
        kernels.seed()
        for cell in list(result.cells):
            if cell.cell_type == "code":
                number += 1
                cell.execution_count = number
            name = grade_id(cell)
            if cell.cell_type == "code" and name and name in tests and name not in reached:
                reached[name] = cell
                for due in _due(tests, reached, verdicts, present):
                    verdicts[due] = _judge(tests[due], world, reached.get(due) or _added(result, tests[due]))
                continue
            if name in tests or _claims_points_for_nothing(cell):
                del cell.metadata["nbgrader"]
            if cell.cell_type == "code" and cell.source.strip() in skipped:
                cell.outputs, cell.execution_count = [], None  # a page tells by that that nobody ran it
            elif cell.cell_type == "code":
                cell.outputs = session.run_cell(cell.source)
        for name in [name for name in tests if name not in verdicts]:
            verdicts[name] = _judge(tests[name], world, _added(result, tests[name]))
    found = [verdicts[name] for name in tests]
    return Execution(_writable(result), found, time.monotonic() - began, session.hindered, kernels.whole, frozenset(session.calls.doubts.met))


def _writable(notebook: NotebookNode) -> NotebookNode:
    """The notebook, with what is no character in its texts replaced: a file could not hold it."""
    text = json.dumps(notebook, ensure_ascii=False)
    return notebook if (changed := writable(text)) == text else from_dict(json.loads(changed))


def _due(tests: Iterable[str], reached: Container[str], verdicts: Container[str], present: Container[str | None]) -> Iterator[str]:
    """The tests whose turn it is: as far as they have been reached, and those before that the submission lacks."""
    left = [name for name in tests if name not in verdicts]
    last = max(place for place, name in enumerate(left) if name in reached)
    yield from itertools.takewhile(lambda name: name in reached or name not in present, left[: last + 1])


def _added(result: NotebookNode, test: NotebookNode) -> NotebookNode:
    """A test cell at the end of a notebook that lacks it."""
    result.cells.append(copy.deepcopy(test))
    return result.cells[-1]


def _judge(trusted: NotebookNode, world: CellNamespace, cell: NotebookNode) -> Verdict:
    """Run the instructor's test cell and write the result into `cell` of the submission."""
    name = str(grade_id(trusted))
    judged = judge_in_student_kernel if name in world.instructor.beside_students else judge
    points = float(trusted.metadata["nbgrader"]["points"])
    verdict = judged(name, trusted.source, points, world)
    if verdict.has_lost and world.session.judges_again:
        verdict = judged(name, trusted.source, points, world)
    world.session.end_test()
    cell.source, cell.metadata["nbgrader"] = trusted.source, copy.deepcopy(trusted.metadata["nbgrader"])
    cell.outputs = outputs_for(verdict)
    return verdict


def _claims_points_for_nothing(cell: NotebookNode) -> bool:
    """Whether nbgrader would look for points of a test that the instructor did not write."""
    about = cell.metadata.get("nbgrader")
    if about is None:
        return False
    return not isinstance(about, dict) or not grade_id(cell) or is_test(cell)
