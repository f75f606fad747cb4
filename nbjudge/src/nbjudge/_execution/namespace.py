"""The world in which the test cells of one notebook run: their own names, what the instructor gave, and the student's.

One namespace for all test cells, in order, as in a kernel. What a test stopped over stays as it was then.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

from nbjudge._analysis.instructor import Instructor
from nbjudge._analysis.ownership import Owner, Plan, Step, TestPlan
from nbjudge._analysis.plans import module_of, plan_for
from nbjudge._analysis.statements import patched
from nbjudge._common.signals import alarm
from nbjudge._execution.guarded_libraries import watched
from nbjudge._execution.session import StudentSession
from nbjudge._execution.workspace import ProcessState, Workspace
from nbjudge._proxies import generators
from nbjudge._proxies.copies import content_of
from nbjudge._proxies.doubtful_values import Withheld
from nbjudge._proxies.files import Exchange
from nbjudge._wire.codec import Encoder
from nbjudge._wire.copied_values import FIXED, comparable, put_back
from nbjudge._wire.errors import Refused, TestStopped, Unjudgeable, WorkFault
from nbjudge._wire.requests import Additions

SETUP_SECONDS = 20.0  # for one statement of a given cell
IMPORT_SECONDS = 200.0  # a large library, on a busy machine


class CellNamespace:
    """The names of one notebook's test cells, for one submission. Use as a context manager."""

    def __init__(self, instructor: Instructor, session: StudentSession):
        self.instructor, self.session = instructor, session
        self._module = types.ModuleType("__main__")
        self.names: dict[str, Any] = self._module.__dict__
        self.names["display"] = print
        self.broken: dict[str, str] = {}  # names that a given cell should have made, and why it did not
        self.after_tests: set[str] = set()  # those that it did not make as a test had stopped, or got something else, before
        self._imported: dict[str, Any] = {}  # what solution cells import, as the grader has it, where the student's notebook has not
        self._of_files: set[str] = set()  # those of them that are made of a file which the instructor did not give: the student's work is
        self._workspace = Workspace(instructor.folder)
        self._done = 0  # steps of the plan that have run
        self._sent: dict[str, Any] = {}  # what the student's kernel has of the names that the test mirrors
        self._lasting: dict[str, Any] = {}  # what the names held that a cell below reads, too, when the test began
        self._random: dict[str, bytes] = {}  # states of random generators that the student's kernel knows of
        self._astray: set[str] = set()  # generators that the student's functions have seeded themselves since the test did
        self._generation = -1

    def __enter__(self) -> CellNamespace:
        self._process = ProcessState()
        self._workspace.__enter__()
        self.session.calls.exchange = Exchange(self._workspace.folder)
        try:
            with self._workspace.entered(), _quiet():
                self.plan: Plan = plan_for(self.instructor)
        except BaseException:
            self._workspace.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, *about: Any) -> None:
        self.session.calls.exchange.close()
        self._workspace.__exit__(*about)
        self._process.put_back()
        for file in [file for file in linecache.cache if file.startswith("<student's code ")]:
            del linecache.cache[file]

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Work where the instructor's files are, as the program that the names are of."""
        with self._workspace.entered():
            before, sys.modules["__main__"] = sys.modules["__main__"], self._module
            try:
                with watched():
                    yield
            finally:
                sys.modules["__main__"] = before

    def prepare(self, plan: TestPlan) -> None:
        """Run what the instructor gave above a test cell, as far as the tests of the notebook need it, each once."""
        steps = self.plan.steps
        while self._done < len(steps) and steps[self._done].cell < plan.cell:
            step, self._done = steps[self._done], self._done + 1
            error = self._run(step)
            is_missing = isinstance(error, NameError) and error.name in self.plan.of_tests | self.after_tests
            waits = is_missing or (error is not None and step.is_of_students)
            for name in step.statement.binds:
                self.after_tests.discard(name)
                if waits:
                    self.after_tests.add(name)
                    self.names.pop(name, None)
                elif error is None or (name in self.names and step.statement.kind == "import"):
                    self.broken.pop(name, None)
                else:
                    self.broken[name] = f"{step.place}: {type(error).__name__}: {error}"
                    self.names.pop(name, None)
                    if isinstance(error, FileNotFoundError) or (isinstance(error, NameError) and error.name in self._of_files):
                        self._of_files.add(name)

    def _run(self, step: Step) -> BaseException | None:
        file = f"<{step.place}, step {step.number}>"
        text = ast.unparse(step.statement.node) + "\n"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)  # for whoever asks for a helper's source
        seconds = IMPORT_SECONDS if step.statement.kind == "import" else SETUP_SECONDS
        self._process.look()
        if step.statement.kind == "run":
            for module, name in patched(step.statement.node):
                self._process.note(module_of(module, self.plan.imports), name)
        try:
            with self.session.calls.exchange.without_students(), self.entered(), _quiet(), alarm(seconds, lambda: _too_slow(seconds)):
                exec(compile(text, file, "exec", dont_inherit=True, optimize=0), self.names)
        except (KeyboardInterrupt, TestStopped):
            raise
        except BaseException as error:
            return error
        return None

    def fetch(self, plan: TestPlan) -> None:
        """Take over from the student's kernel what a test cell uses of it. Raises `WorkFault` for what cannot travel."""
        broken = self._of_files & self.broken.keys()
        lost = [name for name, owner in plan.owners.items() if owner.who == "nbjudge" and owner.is_plain and name in broken]
        self._process.look()
        if plan.files:
            self.session.calls.exchange.begin()
        students = {*plan.wanted, *plan.perhaps, *(name for name in plan.mirrors if plan.owners.get(name, Owner("")).who == "student")}
        for name in students:
            self.names.pop(name, None)
        perhaps = [*plan.perhaps, *lost]
        traffic = self.session.calls.traffic
        traffic.generators, traffic.on_random = plan.seeds, self._take_random if plan.is_seeded else lambda *_: None
        found, refused = self.session.calls.names([*plan.wanted, *perhaps, *plan.imports])
        self._take_imports(plan, {*found, *refused})
        for name, reason in refused.items():
            if name in plan.wanted:
                raise WorkFault(reason)
        self.names.update({name: value for name, value in found.items() if name not in plan.imports})
        self._lasting = {name: _photograph(self.names[name]) for name in plan.lasting if name in found and name in self.names}
        self._begin_mirror(plan)

    def _take_imports(self, plan: TestPlan, there: set[str]) -> None:
        """What only the solution's cells import stays the grader's own, and is there for a test where the student's notebook has it, too."""
        for name in plan.imports:
            if name not in there:
                if name in self.names:
                    self._imported[name] = self.names.pop(name)
            elif name not in self.names and name in self._imported:
                self.names[name] = self._imported.pop(name)

    def _take_name(self, name: str, value: Any) -> None:
        """A value that the student's functions have changed."""
        if name in self.names and not put_back(self.names[name], value):
            self.names[name] = value
        if name in self._sent:
            self._sent[name] = _photograph(self.names[name])

    def _take_random(self, name: str, state: Any) -> None:
        """A generator that the student's functions have drawn from goes on from there."""
        if name in self._astray or not generators.go_on(name, state):
            self._astray.add(name)
        elif name in self._random:
            self._random[name] = comparable(generators.states()[name])

    def _begin_mirror(self, plan: TestPlan) -> None:
        traffic = self.session.calls.traffic
        for module, name in plan.patches:
            place = module if module in sys.modules else getattr(self.names.get(module), "__name__", module)
            self._process.note(place, name)
            if place not in ("__main__", "sys") and (place, name) != ("builtins", "input") and hasattr(sys.modules.get(place), name):
                traffic.patches[place, name] = (getattr(sys.modules[place], name),) * 2
        traffic.backward, traffic.on_random = plan.backward, self._take_random
        traffic.volatile, traffic.on_name = list(plan.volatile), self._take_name
        self.session.calls.traffic.mirror = None
        if not (plan.mirrors or plan.seeds):
            return
        self._random = _random_states() if plan.seeds else {}
        self._astray.clear()
        fresh = self._generation != self.session.generation
        self._generation = self.session.generation
        known = [name for name in plan.mirrors if name in self.names and (not fresh or name in {*plan.wanted, *plan.perhaps})]
        self._sent = {name: _photograph(self.names[name]) for name in known}
        self.session.calls.traffic.mirror = lambda encoder: self._changes(plan, encoder)

    def _changes(self, plan: TestPlan, encoder: Encoder) -> Additions:
        """What the student's kernel has to be told that the test has set, deleted or seeded since it was told last."""
        assign, delete = [], []
        for name in plan.mirrors:
            if name not in self.names:
                if name in self._sent:
                    delete.append(name)
                    del self._sent[name]
                continue
            value = self.names[name]
            if name in self._sent and _is_unchanged(self._sent[name], value):
                continue
            try:
                assign.append([name, encoder.encode(value)])
            except Refused as refusal:
                if name not in self.plan.called:
                    continue
                raise Unjudgeable(f"it sets `{name}`, which the student's functions read, to something that cannot be sent: {refusal}") from None
            self._sent[name] = _photograph(value)
        seeded = []
        if plan.seeds and (states := _random_states()) != self._random:
            seeded = [[name, encoder.encode(state)] for name, state in generators.states().items() if states[name] != self._random.get(name)]
            self._random = states
            self._astray.clear()
        changes: Additions = {"assign": assign} if assign else {}
        if delete:
            changes["delete"] = delete
        if seeded:
            changes["random"] = seeded
        return changes

    def end_test(self) -> None:
        """Tell the student's kernel what the test set last, and what it changed in place, as it would stay in a kernel."""
        traffic = self.session.calls.traffic
        mirror = traffic.mirror or (lambda encoder: Additions())
        traffic.mirror = lambda encoder: self._with_lasting(mirror(encoder), encoder)
        if self.session.stopped is None:
            with contextlib.suppress(Exception, TestStopped):  # the next test gets another kernel
                self.session.calls.send_changes()
        traffic.mirror = None

    def _with_lasting(self, changes: Additions, encoder: Encoder) -> Additions:
        """What the student's kernel is told, with the values that the test has changed in place and a cell below reads."""
        assign = list(changes.get("assign", []))
        for name, before in self._lasting.items():
            if name in self.names and self.names[name] is before[0] and not _is_unchanged(before, before[0]):
                with contextlib.suppress(Refused):
                    assign.append([name, encoder.encode(before[0])])
        return {**changes, "assign": assign} if assign else changes


def _random_states() -> dict[str, bytes]:
    return {name: comparable(state) for name, state in generators.states().items()}


def _photograph(value: Any) -> tuple[Any, list[bytes] | None]:
    """A value and what it holds now, where that may change in place and can be written down."""
    return value, None if type(value) is Withheld or isinstance(value, (*FIXED, types.FunctionType)) else content_of(value)


def _is_unchanged(before: tuple[Any, list[bytes] | None], value: Any) -> bool:
    return before[0] is value and before[1] == _photograph(value)[1]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _too_slow(seconds: float) -> Any:
    raise TimeoutError(f"it takes longer than {seconds:g} s")
