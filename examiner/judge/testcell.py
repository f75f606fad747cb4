"""Runs a test cell in the examiner's own process, where nothing of the student's runs.

A name that the cell does not define itself is the student's, and is asked for once, before the cell starts.
"""

import ast
import builtins
import contextlib
import importlib
import io
import numbers
import signal
import symtable
import threading
import time
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from examiner.judge.markers import Markers
from examiner.judge.proxies import StudentError
from examiner.judge.session import StudentSession
from examiner.judge.verdicts import Verdict
from examiner.wire.errors import (
    ExaminerError,
    KernelTimeout,
    Refused,
    TestStopped,
    WorkFault,
)

NO_MESSAGE = "A check of this test does not hold. Compare your result with the contract of the exercise, axis by axis."
FORBIDDEN = "This test cell cannot run: {error}. Tell your instructor; it is not your fault."
MOST_PRINTED = 20_000
ALARM_DELAY = 15.0  # longer than it takes to end a kernel and start another


def judge(grade_id: str, source: str, max_points: float, session: StudentSession, markers: Markers = Markers()) -> Verdict:
    """Run the test cell `source`. No finished test, no points; every way to stop early is a verdict with a sentence.

    Raises:
        OwnFailure: no kernel could be started, which is no verdict on anybody.
    """
    started, printed, name = time.monotonic(), io.StringIO(), f"<test {grade_id}>"

    def verdict(kind: str, points: float = 0.0, message: str = "") -> Verdict:
        if session.failure:  # our own fault, and nobody's points
            raise session.failure
        seconds = time.monotonic() - started
        return Verdict(grade_id, points, max_points, kind, message, printed.getvalue()[:MOST_PRINTED], round(seconds, 3))

    try:
        value = _run(source, name, session, printed)
    except SyntaxError as error:
        return verdict("error", message=FORBIDDEN.format(error=f"line {error.lineno}: {error.msg}"))
    except TestStopped as stopped:
        return verdict("timeout" if isinstance(stopped, KernelTimeout) else "ended", message=str(stopped))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if session.stopped:
            return verdict("timeout" if isinstance(session.stopped, KernelTimeout) else "ended", message=str(session.stopped))
        return verdict("failed", message=_explain(error, source, name, markers))
    if session.stopped:
        return verdict("ended", message=str(session.stopped))
    if value is None:
        return verdict("passed", max_points)
    if not 0 <= value <= max_points:
        return verdict("error", message=FORBIDDEN.format(error=f"it gives {value:g} of {max_points:g} points"))
    return verdict("partial", float(value))


def free_names(source: str) -> list[str]:
    """Names that `source` uses and does not define, in no particular order but always the same."""
    table = symtable.symtable(source, "<test>", "exec")
    own = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    own |= {child.get_name() for child in table.get_children()}
    used: set[str] = set()
    waiting = [table]
    while waiting:
        scope = waiting.pop()
        waiting += scope.get_children()
        for symbol in scope.get_symbols():
            top = scope is table
            if symbol.is_referenced() and (top or symbol.is_global()):
                used.add(symbol.get_name())
            if not top and symbol.is_declared_global() and symbol.is_assigned():
                own.add(symbol.get_name())
    return sorted(name for name in used - own if not hasattr(builtins, name))


def _run(source: str, name: str, session: StudentSession, printed: io.StringIO) -> float | None:
    """Execute the cell; the number that its last line gives, as nbgrader's partial credit, or None."""
    code = _compiled(source, name)
    for imported in code.imports:  # before the clock starts: the first import of a large library takes seconds
        with contextlib.suppress(ImportError):  # the cell itself says so better
            importlib.import_module(imported)
    session.begin_test()
    module = types.ModuleType("__main__")
    module.__dict__.update(session.names(list(code.wanted)))
    if missing := [word for word in code.wanted if word not in module.__dict__]:
        words = ", ".join(f"`{word}`" for word in missing)
        raise WorkFault(f"The notebook defines no {words}. Run the cell that should define it, top to bottom, and look for an "
                        "error in it or in a cell above.")  # fmt: skip
    # Warnings and prints of a test are the author's own; a warning never changes a score.
    with (
        _alarm(session),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        exec(code.body, module.__dict__)
        value = eval(code.last, module.__dict__) if code.last else None
    is_points = isinstance(value, numbers.Real) and type(value) is not bool
    return float(value) if is_points else None


@contextlib.contextmanager
def _alarm(session: StudentSession) -> Iterator[None]:
    """Stop a test cell that itself computes for too long, say on a huge number that a student's function returned."""

    def ring(*_: object) -> None:
        if (left := session.test_seconds_left) > 0:  # this process had to wait for a processor
            signal.setitimer(signal.ITIMER_REAL, left + ALARM_DELAY)
            return
        session.stop(KernelTimeout("The test did not come to an end with what your code returned. Look at sizes and numbers."))
        raise session.stopped

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    # Later than the calls' own limit, which knows better what happened.
    signal.setitimer(signal.ITIMER_REAL, max(0.0, session.test_seconds_left) + ALARM_DELAY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class _Code:
    """A test cell ready to run: its last line apart when that is an expression, what it imports, and what it asks for."""

    body: types.CodeType
    last: types.CodeType | None
    imports: tuple[str, ...]
    wanted: tuple[str, ...]


@lru_cache(maxsize=1024)
def _compiled(source: str, name: str) -> _Code:
    """Compile a test cell, once for all submissions. It is never optimised: asserts stay. Raises `SyntaxError`."""
    tree = ast.parse(source, name)
    imports, last = tuple(_imports(tree)), None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), name, "eval", dont_inherit=True, optimize=0)
    return _Code(compile(tree, name, "exec", dont_inherit=True, optimize=0), last, imports, tuple(free_names(source)))


def _imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a cell imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


def _explain(error: BaseException, source: str, name: str, markers: Markers) -> str:
    """The sentence that a student reads: never a line of the test, never the data of a hidden one."""
    if isinstance(error, StudentError):
        return _explain_own_error(error, _is_hidden(error, source, name, markers))
    if isinstance(error, Refused):
        return f"This value cannot be checked: {error}."
    if isinstance(error, AssertionError):
        return str(error).strip() or NO_MESSAGE
    if isinstance(error, (ExaminerError, ImportError)):
        return FORBIDDEN.format(error=error)
    return f"{type(error).__name__}: {error}".strip(": ")


def _explain_own_error(error: StudentError, hidden: bool) -> str:
    where = f" in line {error.line} of the cell that defines it" if error.line else ""
    kind = type(error).__name__
    if hidden and kind != "NotImplementedError":
        # The message may quote the data that a hidden test called with.
        return f"Your code stops with {kind if kind != 'StudentError' else 'an error'}{where}, on data of a hidden test. " \
               "Try it on inputs of other sizes and values."  # fmt: skip
    said = str(error) if kind == "StudentError" else f"{kind}: {error}"
    return f"Your code stops{where}: {said}"


def _is_hidden(error: BaseException, source: str, name: str, markers: Markers) -> bool:
    """Whether the last line of the test cell that ran lies within its hidden tests."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            line = trace.tb_lineno
            break
        trace = trace.tb_next
    return line in markers.hidden_lines(source)
