"""Where the time of a submission goes, part by part: the grader's own functions, timed from outside while a class is graded in this process.

Everything runs one after the other here: what prepares, records and shows, and what workers do. The student's code runs in a kernel as ever. Who
enters a part stops the clock of the one around it, so the parts are the whole, but for what no part explains.

What the kernel computes is told by the system's clock of its process. Which of that is the student's own, when a question is answered, a few lines
tell that this puts into the kernel, whose word no points depend on. Timing costs 6 µs for each question and each call back. The last milliseconds of
a kernel's process, when it is taken down, nobody sees.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import gc
import itertools
import pickle
import resource
import threading
import time
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

from nbjudge._analysis.instructor import Markers
from nbjudge._analysis.statements import parse
from nbjudge._course import grading, result_cache
from nbjudge._course.course import Course
from nbjudge._course.outcomes import Status, Work
from nbjudge._course.process_pool import Job
from nbjudge._execution import execute, session, test_cell, transcript
from nbjudge._proxies import call_context, remote_calls
from nbjudge._sandbox import channel, running
from nbjudge._sandbox.accounts import Protection
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.errors import GraderError, TestStopped
from nbjudge._wire.limits import Limits
from nbjudge.testing.processes import descendants, parent

REST, ASKING, MEASURING, KERNEL, CELLS, FUNCTIONS, ANSWERING = "rest", "asking", "measuring", "kernel", "cells", "functions", "answering"
TESTS, HIDDEN, AROUND, PIPES, GARBAGE = "tests", "hidden tests", "around tests", "between processes", "garbage"
# Every function, and the part that it is.
PLACES: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("preparation", grading, ("prepare",)),
    ("keeping", result_cache.CachedExecutor, ("_names",)),
    ("keeping", result_cache._Keep, ("__call__",)),
    ("record", grading, ("_record",)),
    ("pages", grading, ("show", "write_receipt")),
    (KERNEL, running.RunningKernel, ("close",)),
    (CELLS, channel.Channel, ("run",)),
    (ASKING, remote_calls.RemoteCalls, tuple(name for name, one in vars(remote_calls.RemoteCalls).items() if callable(one) and name[0] != "_")),
)
IN_KERNEL = """
def _begin():
    import time
    from nbjudge._student import agent
    call, callback, looks = agent._call, agent._callback, agent.without_an_error
    agent._spent, last, inside = 0.0, time.process_time(), False

    def turn(to):
        nonlocal last, inside
        before, now = inside, time.process_time()
        agent._spent += (now - last) * inside
        last, inside = now, to
        return before

    def timed(function, to):
        def run(*arguments, **keywords):
            before = turn(to)
            try:
                return function(*arguments, **keywords)
            finally:
                turn(before)
        run.function = function
        return run

    agent._call = lambda function, *about: call(timed(function, True), *about)
    agent._callback = lambda *about: timed(callback(*about), False)
    agent.without_an_error = lambda function: looks(function.function)
_begin()
del _begin
"""
TOLD_BY_KERNEL = "print(__import__('nbjudge._student.agent', fromlist=['agent'])._spent)"
RUN, PATIENCE = channel.Channel.run, 10.0  # seconds, for these few lines
LAST = len(gc.get_threshold()) - 1  # generation of objects
CPUCLOCK_SCHED = 2  # of the kind of clock that Linux has of every process, see clock_getcpuclockid(3)


@dataclass
class Spent:
    """Seconds: of this process's processor time, of the student's kernel's and what watches it, and by the clock."""

    own: float = 0.0
    kernel: float = 0.0
    clock: float = 0.0

    @property
    def processor(self) -> float:
        """Of all processes."""
        return self.own + self.kernel


@dataclass
class Parts:
    """What one submission took.

    Attributes:
        whole: measured by itself, and not the sum of the parts; the difference is in the part `REST`.
        questions: how many went over the wire to the student's kernel, by the part that asked.
        sent, received: bytes, there and back.
        called_back: how often the student's code called a function of a test's.
        kernels: how many were started.
    """

    parts: defaultdict[str, Spent] = field(default_factory=lambda: defaultdict(Spent))
    whole: Spent = field(default_factory=Spent)
    questions: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    received: int = 0
    called_back: int = 0
    kernels: int = 0

    def settle(self) -> None:
        """What the kernel computed while no cell ran is answers; what is missing in the whole is the rest."""
        measuring = self.parts.pop(MEASURING, Spent())
        functions, answers = self.parts[FUNCTIONS], self.parts[ANSWERING]
        for part, spent in self.parts.items():
            if part not in (KERNEL, CELLS, FUNCTIONS, ANSWERING):
                answers.kernel, spent.kernel = answers.kernel + spent.kernel, 0.0
        answers.kernel -= functions.kernel
        for name in ("own", "kernel", "clock"):
            whole = getattr(self.whole, name) - getattr(measuring, name)
            setattr(self.whole, name, whole)
            missing = whole - sum(getattr(spent, name) for spent in self.parts.values())
            setattr(self.parts[REST], name, getattr(self.parts[REST], name) + missing)


def graded_in_parts(course: Course, others: Iterable[tuple[str, Any, tuple[str, ...]]] = ()) -> Iterator[tuple[str, str, Parts]]:
    """Grade a class here; yield student, assignment and what it took, in the order in which they are graded.

    Args:
        others: more functions to time, as in `PLACES`: what a course's tests call.
    """
    engine = _Here(clock := _Clock())
    with contextlib.ExitStack() as patches:
        for part, owner, names in (*PLACES, *others):
            for name in names:
                patches.enter_context(mock.patch.object(owner, name, clock.timed(getattr(owner, name), part)))
        for owner, name, own in (
            (grading, "TaskPool", {Work: _TasksHere}),
            (transcript.Kernels, "connect", clock.connecting(transcript.Kernels.connect)),
            (session.StudentSession, "_drop", clock.dropping(session.StudentSession._drop)),
            (channel.Channel, "ask", clock.counting(channel.Channel.ask)),
            (call_context.CallContext, "answer", clock.answering(call_context.CallContext.answer)),
            (test_cell, "_compiled", clock.compiling(test_cell._compiled)),
            (test_cell, "exec", clock.executing),
            (test_cell, "eval", clock.executing),
        ):
            patches.enter_context(mock.patch.object(owner, name, own, create=True))
        patches.callback(gc.callbacks.remove, clock.collecting)
        gc.callbacks.append(clock.collecting)
        for outcome in grading.grade_class(course, engine=engine):
            if outcome.status is not Status.GRADED:
                raise GraderError(f"{outcome}")
            yield outcome.student, outcome.assignment, clock.taken()
            clock.forget()


class _TasksHere:
    """In the place of the processes that prepare and show."""

    def __init__(self, root: Path):
        self._course, self._done = Course(root), list[tuple[Any, Any]]()

    def __enter__(self) -> _TasksHere:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was started."""

    def map(self, task: Callable[..., Any], items: Iterable[tuple[Any, ...]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
        return ((item, task(self._course, *item)) for item in items)

    def begin(self, key: Any, task: Callable[..., Any], *item: Any) -> None:
        self._done.append((key, task(self._course, *item)))

    def done(self, everything: bool = False) -> Iterator[tuple[Any, Any]]:
        while self._done:
            yield self._done.pop(0)


class _Here:
    """An engine that executes in this process what a worker would, and packs and unpacks what goes there and back."""

    def __init__(self, clock: _Clock):
        self._clock = clock

    def open(self, limits: Limits, packages: tuple[str, ...], sandboxed: Protection) -> _Here:
        self._limits, self._warm = limits, WarmKernels(packages, sandboxed)
        return self

    def prepare(self) -> None:
        self._warm.wait_until_warm()
        gc.freeze()  # as workers do
        self._clock.begin(self._warm)

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        self._warm.close()

    def run(self, jobs: Iterable[Job[Any]]) -> Iterator[tuple[Any, Any]]:
        there_and_back = self._clock.timed(lambda thing: pickle.loads(pickle.dumps(thing)), PIPES)
        executed = self._clock.timed(execute.execute, AROUND)
        for job in jobs:
            own = there_and_back(replace(job, key=None))
            execution = executed(own.notebook, own.source, self._warm, self._limits, own.files, again=False, before=own.before)
            if execution.hindered:
                raise GraderError("the machine was too busy: measure again")
            yield job.key, there_and_back(execution if own.keep is None else own.keep(execution))


class _Clock:
    """Knows which part this process is in, and what all of them took since the last submission was taken."""

    def __init__(self) -> None:
        self._thread, self._stack = threading.get_ident(), [REST]
        self._warm: list[str] = []  # the processes that kernels are forked from
        self._kernel, self._ran = "", 0.0  # the kernel that there is now, and what it had computed at the last turn
        self._pieces: dict[types.CodeType, list[tuple[str, types.CodeType]]] = {}  # of each test cell that was compiled
        self._own = self._clock = self._forked = 0.0  # at the last turn; and what the processes of `_warm` had computed when this submission began
        self._collecting = contextlib.ExitStack()
        self.forget()

    def begin(self, warm: WarmKernels) -> None:
        """What kernels are forked from is there, and no kernel."""
        self._warm = [str(warm.process), *descendants(warm.process)]
        self.forget()

    def taken(self) -> Parts:
        """What was spent since the last time."""
        self._turn()
        found, warm = self._found, sum(map(_computed, self._warm)) - self._forked
        found.parts[KERNEL].kernel += warm
        found.whole.kernel += warm
        found.whole.own, found.whole.clock = self._own + _children() - self._began[0], self._clock - self._began[1]
        found.settle()
        return found

    def timed(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        """`function`, whose time is the part's."""

        @functools.wraps(function)
        def timed(*arguments: Any, **keywords: Any) -> Any:
            with self._part(part):
                return function(*arguments, **keywords)

        return timed

    def connecting(self, connect: Callable[..., channel.Channel]) -> Callable[..., channel.Channel]:
        """`Kernels.connect`, which also begins to time what the student's functions take."""

        def connected(*about: Any) -> channel.Channel:
            with self._part(KERNEL):
                found = connect(*about)
                if isinstance(found, transcript.Replay):
                    return found
                self._kernel, self._ran = found.kernel.process or "", 0.0
                self._found.kernels += 1
            with self._part(MEASURING):
                if said := RUN(found, IN_KERNEL, PATIENCE):
                    raise GraderError(f"the kernel cannot be timed: {said}")
            return found

        return connected

    def dropping(self, drop: Callable[[session.StudentSession], None]) -> Callable[[session.StudentSession], None]:
        """`StudentSession._drop`, which first asks what the student's functions took. A kernel that is gone does not tell."""

        def dropped(one: session.StudentSession) -> None:
            if one._channel is not None and self._kernel:
                with self._part(MEASURING), contextlib.suppress(TestStopped):
                    self._found.parts[FUNCTIONS].kernel += float(RUN(one._channel, TOLD_BY_KERNEL, PATIENCE)[0].text)
            with self._part(KERNEL):
                self._turn()
                supervisor = _computed(parent(self._kernel))
                self._found.parts[KERNEL].kernel += supervisor
                self._found.whole.kernel += self._ran + supervisor
                self._kernel, self._ran = "", 0.0
                drop(one)

        return dropped

    def counting(self, ask: Callable[..., list[bytes]]) -> Callable[..., list[bytes]]:
        """`Channel.ask`, which counts."""

        def asked(one: channel.Channel, buffers: list[bytes], *about: Any) -> list[bytes]:
            self._found.questions[self._asker] += 1
            self._found.sent += sum(map(len, buffers))
            reply = ask(one, buffers, *about)
            self._found.received += sum(map(len, reply))
            return reply

        return asked

    def answering(self, answer: Callable[..., Any]) -> Callable[..., Any]:
        """`CallContext.answer`: the time is that of who asked the question during which a function of the test's is called."""

        def answered(*about: Any) -> Any:
            self._found.called_back += 1
            with self._part(self._asker):
                return answer(*about)

        return answered

    def compiling(self, compiled: Callable[[str, str], Any]) -> Callable[[str, str], Any]:
        """`_compiled` of test cells, which remembers which of a cell's lines are hidden."""

        def split(source: str, name: str) -> Any:
            code = compiled(source, name)
            if code.body not in self._pieces:
                hidden = Markers().hidden_lines(source)
                *statements, last = [(HIDDEN if one.lineno in hidden else TESTS, one) for one in parse(source, name).body]
                if code.last is None:
                    statements.append(last)
                else:
                    self._pieces[code.last] = [(last[0], code.last)]
                groups = itertools.groupby(statements, lambda one: one[0])
                self._pieces[code.body] = [(part, _compiled([one for _, one in group], name)) for part, group in groups]
            return code

        return split

    def executing(self, code: types.CodeType, names: dict[str, Any]) -> Any:
        """`exec` and `eval` of a test cell."""
        value = None
        for part, piece in self._pieces[code]:
            with self._part(part):
                value = builtins.eval(piece, names)
        return value

    def collecting(self, phase: str, about: dict[str, int]) -> None:
        """Told by Python when it begins and ends to look for garbage; a look at everything takes long, and belongs to no part."""
        if about["generation"] == LAST and phase == "start":
            self._collecting.enter_context(self._part(GARBAGE))
        else:
            self._collecting.close()

    @property
    def _asker(self) -> str:
        return next(part for part in reversed(self._stack) if part != ASKING)

    @contextlib.contextmanager
    def _part(self, part: str) -> Iterator[None]:
        if threading.get_ident() != self._thread:
            yield
            return
        self._turn()
        self._stack.append(part)
        try:
            yield
        finally:
            self._turn()
            self._stack.pop()

    def _turn(self) -> None:
        """What was spent since the last turn is the present part's."""
        own, clock, ran = time.process_time(), time.perf_counter(), max(self._ran, _computed(self._kernel))
        spent = self._found.parts[self._stack[-1]]
        spent.own, spent.kernel, spent.clock = spent.own + own - self._own, spent.kernel + ran - self._ran, spent.clock + clock - self._clock
        self._own, self._clock, self._ran = own, clock, ran

    def forget(self) -> None:
        """Begin with the next submission."""
        self._found = Parts()
        self._own, self._clock = time.process_time(), time.perf_counter()
        self._began = self._own + _children(), self._clock
        self._forked = sum(map(_computed, self._warm))


def _computed(process: str) -> float:
    """Seconds that a process has computed, with all its threads; 0 where it is gone."""
    try:
        return time.clock_gettime(~int(process) << 3 | CPUCLOCK_SCHED) if process else 0.0
    except OSError:
        return 0.0


def _children() -> float:
    """What programs have computed that were started here and have ended."""
    about = resource.getrusage(resource.RUSAGE_CHILDREN)
    return about.ru_utime + about.ru_stime


def _compiled(statements: list[ast.stmt], name: str) -> types.CodeType:
    return compile(ast.Module(statements, []), name, "exec", dont_inherit=True, optimize=0)
