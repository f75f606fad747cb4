"""Grades one notebook: student cells in a sandboxed kernel, test cells here. Needs no database and no shared folder."""

import copy
import itertools
import json
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode, from_dict

from nbjudge._analysis.instructor import Instructor, grade_id, is_test, only_tests
from nbjudge._analysis.libraries import libraries_of
from nbjudge._execution.changed_cells import changed_names, compared
from nbjudge._execution.excused import excused, is_as_given, unpaid, with_nothing_done
from nbjudge._execution.follow_through import SecondRun
from nbjudge._execution.roads import Roads
from nbjudge._execution.solution_results import Remembered
from nbjudge._execution.solution_values import known_values, solution_values
from nbjudge._execution.transcript import Conversation, Differs, Kernels
from nbjudge._execution.verdicts import Verdict, outputs_for, writable
from nbjudge._proxies.doubtful_values import Doubt
from nbjudge._sandbox.starting import KernelStarter
from nbjudge._wire.errors import TestStopped
from nbjudge._wire.limits import Limits

CUT_SHORT = "follow-through did not judge everything once more: {why}. The points of the first run stand there"


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
    cut_short: str = ""


def execute(
    notebook: NotebookNode,
    source: Instructor | NotebookNode,
    warm: KernelStarter,
    limits: Limits = Limits(),
    files: Path | Sequence[Path] | None = None,
    again: bool = True,
    excuse: bool = True,
    before: Conversation | None = None,
    remembered: Remembered | None = None,
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
    own solution does not pass here is "unjudged" for whoever loses points there, a cell that cannot judge is "failed" where all code is as it was
    handed out, and `follow_through` of `source` holds, unless `notebook` is the instructor's own. `before` is the conversation of an earlier
    execution of the same notebook with the same files and limits: as far as it says all, no cell is run. `remembered` is what other processes know
    of the solution. Raises `OwnFailure` when the grader itself cannot work; whatever the student wrote ends in verdicts.
    """
    instructor = source if isinstance(source, Instructor) else only_tests(source)
    folders = [folder.absolute() for folder in ([files] if isinstance(files, Path) else files or ())]
    submission = _Submission(notebook, instructor, warm, limits, folders, again, remembered)
    execution = submission.executed(before)
    if (execution.hindered and not again) or not excuse or submission.is_own:
        return execution  # of what was hindered nothing counts
    execution = submission.with_own_cells(execution)
    if execution.hindered and not again:
        return execution
    execution = submission.without_blame(execution)
    return submission.followed_through(execution) if instructor.follow_through and instructor.complete else execution


def learn(instructor: Instructor, warm: KernelStarter, limits: Limits, remembered: Remembered | None) -> Execution:
    """Execute the instructor's own solution, unless all is known that `execute` may ask about it: no submission has to wait for that then."""
    solution = _Solution(instructor, warm, limits, again=False)
    ready: list[Execution] = []

    def run() -> Execution:
        return ready.pop() if ready else solution.run()

    def first() -> Execution:
        ready.append(solution.run())
        return ready[0]

    solution_values(instructor, limits, remembered, first)
    if instructor.complete:
        unpaid(instructor, limits, remembered, run)
    return Execution(NotebookNode(cells=[]), [])


class _Submission:
    """One submission on its way through the kernels; see `execute` for the arguments."""

    def __init__(
        self,
        notebook: NotebookNode,
        instructor: Instructor,
        warm: KernelStarter,
        limits: Limits,
        folders: list[Path],
        again: bool,
        remembered: Remembered | None,
    ):
        self._notebook, self._instructor, self._warm, self._limits, self._folders, self._again = notebook, instructor, warm, limits, folders, again
        self._remembered = remembered
        self.is_own = notebook is instructor.notebook
        self.solution = _Solution(instructor, warm, limits, again)

    def executed(self, before: Conversation | None) -> Execution:
        """The submission as it was handed in; as far as `before` says all, no kernel is started."""
        return self._accepted(lambda given, said: self._replayed(said, given) or self._once(given), before)

    def without_blame(self, execution: Execution) -> Execution:
        """Nobody loses points over a test cell that cannot judge, or that the instructor's own solution does not pass here, unless nothing was done.
        Where the machine hindered the solution, nothing is known yet: see `execute` for what `again` does then."""
        if not any(verdict.has_lost or verdict.kind == "unjudged" for verdict in execution.verdicts):
            return execution
        if is_as_given(self._notebook, self._instructor, self._folders):
            verdicts = with_nothing_done(execution.verdicts)
        else:
            verdicts = excused(execution.verdicts, self._instructor, self._limits, self._remembered, self.solution.run)
        _write(execution.notebook, execution.verdicts, verdicts)
        return replace(execution, verdicts=verdicts, hindered=execution.hindered or (self.solution.hindered and not self._again))

    def with_own_cells(self, first: Execution) -> Execution:
        """With what depends on the student's changes of cells that are no solutions as "unjudged": see `nbjudge._execution.changed_cells`."""
        changed = changed_names(self._notebook, self._instructor)
        if not changed:
            return first
        own = replace(self._instructor, students_names=frozenset().union(*changed.values()))
        about = _Submission(self._notebook, own, self._warm, self._limits, self._folders, self._again, self._remembered)
        second = about._accepted(lambda given, _: about._once(given), None)
        verdicts = compared(first.verdicts, second.verdicts, changed)
        _write(first.notebook, first.verdicts, verdicts)
        return replace(first, verdicts=verdicts, seconds=first.seconds + second.seconds, hindered=first.hindered or second.hindered)

    def followed_through(self, first: Execution) -> Execution:
        """With the points that the second run gives; see `nbjudge._execution.follow_through`. Without a second run that came to its end, as it is."""
        second = SecondRun(self._notebook, self._instructor, first.verdicts)
        if second.is_over:
            return first
        left = replace(self._limits, submission_seconds=self._limits.submission_seconds - first.seconds)
        if left.submission_seconds <= 0:
            return replace(first, cut_short=CUT_SHORT.format(why="the first run took all of the notebook's time"))
        try:
            execution = self._accepted(lambda given, _: self._once(given, left, second), None)
        except (
            Exception,
            TestStopped,
        ):  # nobody loses what the first run gave; what was raised may quote the student's kernel, which has the solution
            return replace(first, cut_short=CUT_SHORT.format(why="the grader failed on it"))
        if execution.hindered and not self._again:
            return replace(first, hindered=True)
        verdicts = second.verdicts()
        _write(first.notebook, first.verdicts, verdicts)
        lost = second.lost_by_time()
        why = CUT_SHORT.format(why=f"time was up, or the student's program ended, for {', '.join(f'`{name}`' for name in lost)}") if lost else ""
        return replace(
            first, verdicts=verdicts, seconds=first.seconds + execution.seconds, hindered=first.hindered or execution.hindered, cut_short=why
        )

    def _accepted(self, run: Callable[[frozenset[Doubt] | None, Conversation | None], Execution], before: Conversation | None) -> Execution:
        """Run it, and again where values have to be accepted because the solution gives such, too."""
        given = None if self.is_own else known_values(self._instructor, self._limits, self._remembered)
        execution = run(given, before)
        if given is not None and execution.met and not execution.hindered:
            also = solution_values(self._instructor, self._limits, self._remembered, self.solution.run)
            if self.solution.hindered and not self._again:
                return replace(execution, hindered=True)
            if execution.met & also - given:
                execution = run(also, execution.conversation)
        return execution

    def _once(self, given: frozenset[Doubt] | None, limits: Limits | None = None, second: SecondRun | None = None) -> Execution:
        """In a kernel; where `again` says so, twice if need be."""
        about = self._notebook, self._instructor
        done = _once(*about, self._kernels(), limits or self._limits, self._folders, given, second)
        if done.hindered and self._again:
            done = _once(*about, self._kernels(), limits or self._limits, self._folders, given, second)
        return done

    def _kernels(self, before: Conversation | None = None) -> Kernels:
        return Kernels(self._warm, before, libraries_of(self._instructor))

    def _replayed(self, before: Conversation | None, given: frozenset[Doubt] | None) -> Execution | None:
        """What comes of it without a kernel, if that can be told."""
        if before is None:
            return None
        try:
            execution = _once(self._notebook, self._instructor, self._kernels(before), self._limits, [], given)
        except Differs:
            return None
        return None if execution.hindered else execution


class _Solution:
    """The instructor's notebook, executed as if a student had handed it in. `hindered`: by the machine, so that nothing is known yet; with
    `again`, the second time counts."""

    def __init__(self, instructor: Instructor, warm: KernelStarter, limits: Limits, again: bool):
        self._instructor, self._warm, self._limits, self._again, self.hindered = instructor, warm, limits, again, False

    def run(self) -> Execution:
        """Once more."""
        done = self._once()
        if done.hindered and self._again:
            done = self._once()
        self.hindered = self.hindered or done.hindered
        return done

    def _once(self) -> Execution:
        folders = [folder.absolute() for folder in self._instructor.beside_solution]
        return _once(
            self._instructor.notebook, self._instructor, Kernels(self._warm, libraries=libraries_of(self._instructor)), self._limits, folders, None
        )


def _write(notebook: NotebookNode, before: list[Verdict], now: list[Verdict]) -> None:
    """Let the test cells show the verdicts that are other ones now."""
    changed = {new.grade_id: new for new, old in zip(now, before) if new is not old}
    for cell in notebook.cells:
        if is_test(cell) and (verdict := changed.get(str(grade_id(cell)))):
            cell.outputs = outputs_for(verdict)


def _once(
    notebook: NotebookNode,
    instructor: Instructor,
    kernels: Kernels,
    limits: Limits,
    folders: list[Path],
    given: frozenset[Doubt] | None,
    second: SecondRun | None = None,
) -> Execution:
    tests, skipped = instructor.tests, instructor.skipped
    result, number = copy.deepcopy(notebook), 0
    verdicts: dict[str, Verdict] = {}
    present = {grade_id(cell) for cell in result.cells if cell.cell_type == "code"}
    reached: dict[str, NotebookNode] = {}
    began = time.monotonic()
    if second is not None:
        second.begin()

    def judged(name: str, cell: NotebookNode) -> None:
        verdicts[name] = roads.judge(tests[name])
        _show(verdicts[name], tests[name], cell)
        for source in second.after(verdicts[name]) if second is not None else ():
            roads.run_cell(source)

    with Roads(instructor, kernels, limits, folders, given) as roads:
        kernels.seed()
        for cell in list(result.cells):
            if second is not None and second.is_over:
                break
            if cell.cell_type == "code":
                number += 1
                cell.execution_count = number
            name = grade_id(cell)
            if cell.cell_type == "code" and name and name in tests and name not in reached:
                reached[name] = cell
                for due in _due(tests, reached, verdicts, present):
                    judged(due, reached.get(due) or _added(result, tests[due]))
                continue
            if name in tests or _claims_points_for_nothing(cell):
                del cell.metadata["nbgrader"]
            if cell.cell_type == "code" and cell.source.strip() in skipped:
                cell.outputs, cell.execution_count = [], None  # a page tells by that that nobody ran it
            elif cell.cell_type == "code":
                cell.outputs = roads.run_cell(cell.source)
        for name in [name for name in tests if name not in verdicts]:
            if second is None or not second.is_over:
                judged(name, _added(result, tests[name]))
    found = [verdicts[name] for name in tests if name in verdicts]
    return Execution(_writable(result), found, time.monotonic() - began, roads.hindered, roads.conversation, roads.met)


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


def _show(verdict: Verdict, trusted: NotebookNode, cell: NotebookNode) -> None:
    """Write the result of the instructor's test cell into `cell` of the submission."""
    cell.source, cell.metadata["nbgrader"] = trusted.source, copy.deepcopy(trusted.metadata["nbgrader"])
    cell.outputs = outputs_for(verdict)


def _claims_points_for_nothing(cell: NotebookNode) -> bool:
    """Whether nbgrader would look for points of a test that the instructor did not write."""
    about = cell.metadata.get("nbgrader")
    if about is None:
        return False
    return not isinstance(about, dict) or not grade_id(cell) or is_test(cell)
