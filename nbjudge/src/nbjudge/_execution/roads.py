"""The kernels in which one submission is judged: one for each of the two roads that its tests take."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from nbformat import NotebookNode

from nbjudge._analysis.answering_classes import answering_texts, trusted_comparisons
from nbjudge._analysis.instructor import Instructor, grade_id
from nbjudge._execution.namespace import CellNamespace
from nbjudge._execution.second_road import SecondRoad
from nbjudge._execution.session import StudentSession
from nbjudge._execution.test_cell import judge
from nbjudge._execution.transcript import Conversation, Kernels
from nbjudge._execution.verdicts import Verdict
from nbjudge._proxies.doubtful_values import Doubt
from nbjudge._wire.limits import Limits


class Roads:
    """Runs each cell in each kernel, and each test on its road. Use as a context manager.

    The first road is `nbjudge._execution.test_cell`, over the wire. On the second one, of `nbjudge._execution.second_road`, all tests run, because
    each may use what an earlier one has made, and those that the instructor has named are judged. A kernel that no test needs is not started.
    """

    def __init__(self, instructor: Instructor, kernels: Kernels, limits: Limits, folders: list[Path], given: frozenset[Doubt] | None):
        tests = frozenset(instructor.tests)
        self._named = tests & instructor.beside_students
        self._instructor, self._kernels, self._folders, self._given = instructor, kernels, folders, given
        both = bool(self._named) and self._named != tests
        # Both kernels wait for each other, and a notebook has its time in each.
        self._limits = replace(limits, submission_seconds=2 * limits.submission_seconds) if both else limits
        self._sessions: list[StudentSession] = []
        self._world: CellNamespace | None = None
        self._second: SecondRoad | None = None

    def __enter__(self) -> Roads:
        instructor = self._instructor
        trusted = trusted_comparisons(answering_texts(instructor))
        with contextlib.ExitStack() as stack:
            if not self._named or len(self._named) < len(instructor.tests):
                session = stack.enter_context(StudentSession(self._kernels, self._limits, self._folders, trusted, self._given))
                self._world = stack.enter_context(CellNamespace(instructor, session))
                self._sessions.append(session)
            if self._named:
                session = StudentSession(self._kernels.others(), self._limits, self._folders, trusted)
                other = stack.enter_context(CellNamespace(replace(instructor, beside_students=frozenset()), session))
                self._second = SecondRoad(session, other, trusted)
                self._sessions.append(stack.enter_context(session))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *about: object) -> None:
        self._stack.close()

    def run_cell(self, source: str) -> list[NotebookNode]:
        """Run one student cell; what it shows, on the first road if there is one."""
        first, *others = self._sessions
        outputs = first.run_cell(source)
        for session in others:
            session.run_cell(source)
        return outputs

    def judge(self, test: NotebookNode) -> Verdict:
        """The verdict of the instructor's test cell."""
        name, points = str(grade_id(test)), float(test.metadata["nbgrader"]["points"])
        found: list[Verdict] = []
        if self._world is not None and name not in self._named:
            found.append(_judged(self._world.session, partial(judge, name, test.source, points, self._world)))
        if self._second is not None:
            found.append(_judged(self._sessions[-1], partial(self._second.judge, name, test.source, points)))
        return found[0]

    @property
    def hindered(self) -> bool:
        """Whether time ran out somewhere because the machine did something else."""
        return any(session.hindered for session in self._sessions)

    @property
    def conversation(self) -> Conversation | None:
        """What was said on the first road; what is said on the second one is said again each time."""
        return self._kernels.whole if self._world is not None else None

    @property
    def met(self) -> frozenset[Doubt]:
        """See `nbjudge._proxies.doubtful_values`."""
        return frozenset(self._world.session.calls.doubts.met) if self._world is not None else frozenset()


def _judged(session: StudentSession, judge: Callable[[], Verdict]) -> Verdict:
    """A verdict; where it has lost points that the session lets win back, that of a second time."""
    verdict = judge()
    if verdict.has_lost and session.judges_again:
        verdict = judge()
    session.end_test()
    return verdict
