"""Runs a test cell in the grader's own process, where nothing of the student's runs.

Whose a name is that the cell does not define itself, `nbjudge._analysis.plans` has found out; what is the student's is asked for
once, before the cell starts.
"""

import ast
import contextlib
import importlib
import io
import numbers
import sys
import time
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nbjudge._analysis.instructor import Markers, role_of
from nbjudge._analysis.ownership import TestPlan
from nbjudge._analysis.plans import of_students
from nbjudge._analysis.statements import imports_of, parse
from nbjudge._common.signals import alarm
from nbjudge._execution.guard import guarded, texts_of
from nbjudge._execution.namespace import CellNamespace
from nbjudge._execution.session import StudentSession
from nbjudge._execution.verdicts import MOST_SAID, Clue, FailureCause, Verdict, credit, described, writable
from nbjudge._execution.visible_checks import frames_of, texts_for, with_place, without_message
from nbjudge._proxies.base import handle_of
from nbjudge._proxies.call_context import listening_places
from nbjudge._proxies.factories import StudentError
from nbjudge._proxies.files import NOT_BROUGHT, NOT_TAKEN
from nbjudge._wire.errors import (
    GraderError,
    KernelTimeout,
    Refused,
    TestStopped,
    Unjudgeable,
    WorkFault,
)

HIDDEN = "A check of a hidden test does not hold{kind}. Try your work on inputs of other sizes and values."
UNDEFINED = "The notebook defines no `{name}`. Run the cell that should define it, top to bottom, and look for an error in it or in a cell above."
EARLIER = "`{name}` depends on an earlier test, which stopped, or got something else from your work. Mend what that test is about first."
CANNOT = "This value cannot be checked: {why}."
MOST_PRINTED = 20_000
LONGEST_ID = 200  # letters, of a cause
ALARM_DELAY = 15.0  # after the calls' own limit, which knows better what happened: longer than it takes to end a kernel and start another


def judge(grade_id: str, source: str, max_points: float, world: CellNamespace) -> Verdict:
    """Run the test cell `source`. No finished test, no points; every way to stop early is a verdict with a sentence.

    A cell that cannot be judged whatever the student wrote is a verdict of the kind "unjudged".

    Raises:
        OwnFailure: no kernel could be started, which is no verdict on anybody.
    """
    started, printed, name = time.monotonic(), io.StringIO(), f"<test {grade_id}>"
    session, plan = world.session, world.plan.tests[grade_id]
    session.calls.doubts.test = grade_id

    def verdict(kind: str, points: float = 0.0, message: str = "", clue: Clue = Clue()) -> Verdict:
        if session.failure:  # our own fault, and nobody's points
            raise session.failure
        seconds = time.monotonic() - started
        return Verdict(grade_id, points, max_points, kind, message, printed.getvalue()[:MOST_PRINTED], round(seconds, 3), clue=clue)

    try:
        value, cause = _run(source, name, world, plan, printed)
    except TestStopped as stopped:
        if session.calls.traffic.not_judged:
            return verdict("unjudged", message=session.calls.traffic.not_judged)
        return verdict("timeout" if isinstance(stopped, KernelTimeout) else "ended", message=str(stopped), clue=Clue("limit"))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if session.calls.traffic.not_judged:
            return verdict("unjudged", message=session.calls.traffic.not_judged)
        if session.stopped:
            return verdict("timeout" if isinstance(session.stopped, KernelTimeout) else "ended", message=str(session.stopped), clue=Clue("limit"))
        if reason := _authors_matter(error, world, plan, name):
            return verdict("unjudged", message=reason)
        message = _explain(error, source, name, world, plan)
        clue = _clue(error, message, source, name, world)
        return verdict("failed", message="\n\n".join([message, *session.calls.traffic.overrides]), clue=clue)
    finally:
        world.end_test()
    if session.calls.traffic.not_judged:
        return verdict("unjudged", message=session.calls.traffic.not_judged)
    if session.stopped:
        return verdict("ended", message=str(session.stopped), clue=Clue("limit"))
    kind, points, message = credit(value, max_points)
    if points < max_points:
        printed.write("".join(f"\n{sentence}\n" for sentence in session.calls.traffic.overrides))
    clue = Clue("author" if cause or printed.getvalue().strip() else "", returned=_returned(world) if points < max_points else "", cause=cause)
    return verdict(kind, points, message, clue)


def _run(source: str, name: str, world: CellNamespace, plan: TestPlan, printed: io.StringIO) -> tuple[float | None, FailureCause | None]:
    """Execute the cell; the number that its last line gives, as nbgrader's partial credit, or None; and the cause that this number states."""
    if plan.why_not:
        raise Unjudgeable(plan.why_not)
    session, code = world.session, _compiled(source, name)
    with world.entered():
        for imported in code.imports:  # before the clock starts: the first import of a large library takes seconds
            with contextlib.suppress(Exception):  # the cell itself says so better
                importlib.import_module(imported)
    world.prepare(plan)
    session.begin_test()
    with alarm(max(0.0, session.test_seconds_left) + ALARM_DELAY, lambda: _more_time(session)):
        world.fetch(plan)
    # Warnings and prints of a test are the author's own; a warning never changes a score.
    with (
        alarm(max(0.0, session.test_seconds_left) + ALARM_DELAY, lambda: _more_time(session)),
        guarded(session.keep_out, lambda: texts_of(_given(world)), lambda: session.calls.exchange.has_students),
        world.entered(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        session.calls.traffic.own = listening_places()
        with session.calls.exchange.entered(), of_students(session.calls) if plan.figures else contextlib.nullcontext():
            exec(code.body, world.names)
            value = eval(code.last, world.names) if code.last else None
    return (None, None) if type(value) is bool or not isinstance(value, numbers.Real) else (float(value), _cause(value))


def _given(world: CellNamespace) -> Iterator[str]:
    """The instructor's cells that no student's work stands in the place of."""
    return (cell.source for cell in world.instructor.notebook.cells if cell.cell_type == "code" and role_of(cell) != "solution")


def _more_time(session: StudentSession) -> float:
    """Stop a test cell that itself computes for too long, say on a huge number that a student's function returned."""
    if (left := session.test_seconds_left) > 0:  # this process had to wait for a processor
        return left + ALARM_DELAY
    raise session.stop(KernelTimeout("The test did not come to an end with what your code returned. Look at sizes and numbers."))


@dataclass(frozen=True)
class _Code:
    """A test cell ready to run: its last line apart when that is an expression, and what it imports."""

    body: types.CodeType
    last: types.CodeType | None
    imports: tuple[str, ...]


@lru_cache(maxsize=1024)
def _compiled(source: str, name: str) -> _Code:
    """Compile a test cell, once for all submissions. It is never optimised: asserts stay. Raises `SyntaxError`."""
    tree = parse(source, name)
    imports = tuple(imports_of(tree))
    return _Code(*compiled(tree, source, name), imports)


def compiled(tree: ast.Module, source: str, name: str) -> tuple[types.CodeType, types.CodeType | None]:
    """The code of a test cell, and of its last line apart when that is an expression, which is taken out of `tree`."""
    last = None
    if tree.body and isinstance(line := tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        del tree.body[-1]
        last = compile(ast.Expression(line.value), name, "eval", dont_inherit=True, optimize=0)
    return compile(tree, name, "exec", dont_inherit=True, optimize=0), last


def _authors_matter(error: BaseException, world: CellNamespace, plan: TestPlan, name: str) -> str:
    """What the author of the test cell has to mend, when no student's work could have gone better; else ""."""
    if world.session.calls.traffic.unsendable is not None:
        return f"{world.session.calls.traffic.unsendable}"
    if isinstance(error, StudentError):
        return ""
    if isinstance(error, NameError) and error.name in world.broken:
        return f"`{error.name}` could not be made: {world.broken[error.name]}"
    if isinstance(error, NameError) and error.name in plan.nobodys:
        return f"no cell of the instructor's notebook makes `{error.name}`"
    if isinstance(error, FileNotFoundError) and _names_kind(str(error.filename), world):
        return NOT_BROUGHT.format(name=error.filename)
    if world.session.calls.traffic.not_kept and not isinstance(error, GraderError):
        return world.session.calls.traffic.not_kept
    if isinstance(error, (Unjudgeable, ImportError)) or (isinstance(error, SyntaxError) and error.filename == name):
        return str(error)
    return ""


def _names_kind(file: str, world: CellNamespace) -> bool:
    """Whether a file is of a kind that is not brought, and the instructor's cells name such a file: a student's may give any path."""
    endings = [ending for ending in NOT_TAKEN if file.lower().endswith(ending)]
    return any(f"{ending}{quote}" in cell.source.lower() for ending in endings for quote in "'\"" for cell in world.instructor.notebook.cells)


def _explain(error: BaseException, source: str, name: str, world: CellNamespace, plan: TestPlan) -> str:
    """The sentence that a student reads: never a line or the data of a hidden test."""
    if isinstance(error, StudentError):
        kind = "" if type(error).__name__ == "StudentError" else type(error).__name__
        return explain_own_error(kind, str(error), error.line, _is_hidden(error, source, name, world.instructor.markers))
    if isinstance(error, Refused):
        return CANNOT.format(why=error)
    if not isinstance(error, GraderError) and _is_librarys(error) and _is_hidden(error, source, name, world.instructor.markers):
        return HIDDEN.format(kind="" if isinstance(error, AssertionError) else f" ({type(error).__name__})")
    if isinstance(error, AssertionError):
        return str(error).strip() or without_message(frames_of(error.__traceback__), texts_for(world.instructor))
    if isinstance(error, NameError) and error.name in {*plan.wanted, *plan.perhaps, *plan.imports}:
        return UNDEFINED.format(name=error.name)
    if isinstance(error, NameError) and (error.name in world.after_tests or (error.name in plan.owners and plan.owners[error.name].who == "test")):
        return EARLIER.format(name=error.name)
    kind = type(error).__name__
    return with_place(f"{kind}: {error}".strip(": "), kind, frames_of(error.__traceback__), texts_for(world.instructor))


def _clue(error: BaseException, message: str, source: str, name: str, world: CellNamespace) -> Clue:
    """What a report can tell of a test that stopped with `error`."""
    cause = None
    if isinstance(error, StudentError):
        by = "error"
    elif (cause := _cause(error) or (_cause(error.args[0]) if type(error) is AssertionError and error.args else None)) is not None:
        by = "author"
    elif isinstance(error, (NameError, WorkFault)):
        by = "nbjudge"
    else:
        by = "author" if isinstance(error, AssertionError) and message == str(error).strip() else ""
    raised = type(error).__name__ if by == "error" else ""
    if raised == "StudentError":  # an exception class of the student's own, whose name is in the message
        raised = str(error).partition(":")[0]
    hidden = _is_hidden(error, source, name, world.instructor.markers)
    return Clue(by, hidden, _line(error, name), raised, getattr(error, "line", None) or 0 if by == "error" else 0, _returned(world), cause)


def _cause(thing: object) -> FailureCause | None:
    """The cause that an exception, a text behind an `assert` or a number of points states; None where it states none, or none that can be read.

    Nothing of a student's is asked: what stands for it has a handle.
    """
    if thing is None or handle_of(thing) is not None:
        return None
    try:
        cause = getattr(thing, "cause", None)
        if cause is None or handle_of(cause) is not None:
            return None
        id, words, next_step, is_established = cause.id, cause.words, cause.next, cause.is_established
    except (Exception, TestStopped):  # an attribute of a test's own may do anything
        return None
    if (
        any(type(text) is not str for text in (id, words, next_step))
        or type(is_established) is not bool
        or not (id.strip() and words.strip())
        or len(id) > LONGEST_ID
    ):
        return None
    return FailureCause(writable(id), writable(words[:MOST_SAID]), writable(next_step[:MOST_SAID]), is_established)


def _returned(world: CellNamespace) -> str:
    return "" if (last := world.session.calls.traffic.returned) is None else f"{last[0]} gave {described(last[1])}"


def explain_own_error(kind: str, said: str, line: int | None, hidden: bool) -> str:
    """The sentence for an error in the student's own code.

    Args:
        kind: the name of its class; "" where that is in the message `said`.
        line: of the cell that defines the code, if it is known.
        hidden: whether a hidden test called. The message may quote the data that it called with.
    """
    where = f" in line {line} of the cell that defines it" if line else ""
    if hidden and kind != "NotImplementedError":
        return f"Your code stops with {kind or 'an error'}{where}, on data of a hidden test. Try it on inputs of other sizes and values."
    return f"Your code stops{where}: {f'{kind}: ' if kind else ''}{said}"


def _is_librarys(error: BaseException) -> bool:
    """Whether a library raised it, whose message tells what was compared: `np.testing.assert_allclose` shows all that is expected."""
    trace, file = error.__traceback__, ""
    while trace is not None:
        file, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
    return file.startswith((sys.prefix, sys.base_prefix))


def _is_hidden(error: BaseException, source: str, name: str, markers: Markers) -> bool:
    """Whether the last line of the test cell that ran lies within its hidden tests."""
    return _line(error, name) in markers.hidden_lines(source)


def _line(error: BaseException, name: str) -> int:
    """The last line of the test cell itself that ran, from 1; 0 where none did."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0
