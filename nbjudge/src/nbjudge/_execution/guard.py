"""Keeps texts and bytes of a student's from being run as code while a test cell runs, by whatever library would do it for the test.

`typing.get_type_hints` evaluates annotations, `doctest` runs the examples of a docstring, `pickle.loads` calls what the bytes name, and a
test may call `eval` itself, or start a program. An audit hook of Python's sees each of these before it happens. What a library makes of
its own texts, such as `dataclasses` and `collections.namedtuple`, runs as ever.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

from nbjudge._execution import guarded_libraries
from nbjudge._execution.guarded_libraries import Careful, careful
from nbjudge._wire.errors import TestStopped

# Libraries that run texts which they are given, by the start of their modules' names.
EVALUATORS = (
    "typing",
    "inspect",
    "annotationlib",
    "doctest",
    "code",
    "codeop",
    "runpy",
    "pdb",
    "bdb",
    "sympy.parsing",
    "sympy.core.sympify",
    "numexpr",
    "IPython",
    "pydoc",
    "typing_extensions",
    "pandas.core.computation",
)
HARMLESS_TYPES = (ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load)
SUMS = (ast.Expression, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub, ast.UAdd, ast.Load)
LONGEST_TEXT = 1000
# What a pickle of plain values names; calling any of it makes a value and nothing else.
PICKLED = {
    "collections": {"OrderedDict", "Counter", "deque", "defaultdict"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "fractions": {"Fraction"},
    "builtins": {"set", "frozenset", "complex", "bytearray", "range", "slice"},
    "numpy": {"ndarray", "dtype"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
}
EVENTS = frozenset({"compile", "pickle.find_class", "marshal.loads", *guarded_libraries.STARTS, *guarded_libraries.CHANGES})
CELLS = ("<test ", "<cell ")  # how the instructor's texts are called as files
OWN = str(Path(__file__).resolve().parents[1])
TEXT = "The test would run a text of the student's work as code, with {what}, where the grader runs. Nothing of a student's runs there."
FILES = "it unpickles, and files that the student's code wrote are there: read text or JSON instead"
ELSEWHERE = "The test would change `{place}`, where the grader runs. A path that your function gives has to lead into the test's own folders."
SCRIPTS = "it starts a program, and files that the student's code wrote are there: name the cell in c.Execute.beside_students"
OBJECT = "The test would read a pickle that calls `{what}`, where the grader runs. Pickle plain values: numbers, text, lists, dicts, arrays."

_stop: Callable[[TestStopped, bool], None] | None = None  # while a test runs: notes why it cannot go on, and whether that is its author's
_literals: Callable[[], frozenset[str]] = frozenset
_has_files: Callable[[], bool] = bool
_inside = False  # the hook reads texts itself


@contextlib.contextmanager
def guarded(stop: Callable[[TestStopped, bool], None], literals: Callable[[], frozenset[str]], has_files: Callable[[], bool]) -> Iterator[None]:
    """Let nothing of a student's be run as code meanwhile.

    Args:
        stop: is told why the test cannot go on, which is raised, too; and whether the test's own text wanted that.
        literals: gives the texts that stand in the instructor's notebook, without space around them: these may run.
        has_files: whether files of the student's are there. A pickle may be one of them, or one of the test's own: who can tell.
    """
    global _stop, _literals, _has_files
    _installed()
    before = _stop, _literals, _has_files
    _stop, _literals, _has_files = stop, literals, has_files
    try:
        with careful():
            yield
    finally:
        _stop, _literals, _has_files = before


@lru_cache(maxsize=1)
def _installed() -> None:
    sys.addaudithook(_hook)


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _stop is None or _inside or event not in EVENTS:
        return
    caller = sys._getframe(1)
    if event in guarded_libraries.STARTS or event in guarded_libraries.CHANGES:
        _look_outside(event, arguments, guarded_libraries.wants(caller))
        return
    name, file = str(caller.f_globals.get("__name__")), caller.f_code.co_filename
    if file.startswith((OWN, "<frozen importlib")):
        return
    if event == "compile":
        _look_at(arguments[0], name, file)
    elif event == "marshal.loads":
        _refuse("marshal", True)
    elif arguments[1] in PICKLED.get(arguments[0], ()) and (arguments[0] != "numpy" or isinstance(caller.f_locals.get("self"), Careful)):
        return
    elif _has_files():
        _end(FILES, True)
    else:
        _end(OBJECT.format(what=f"{arguments[0]}.{arguments[1]}"[:200]), False)


def _look_at(source: Any, module: str, file: str) -> None:
    """Allow or refuse to compile `source` for a function of `module`, whose text is in `file`."""
    if module == "ast" or source is None:  # a tree is no code yet
        return
    is_tests = _is_tests(module, file)
    is_evaluator = any(module == one or module.startswith(f"{one}.") for one in EVALUATORS)
    if not (is_tests or is_evaluator) or _may_run(source, SUMS if is_tests else HARMLESS_TYPES):
        return
    _refuse("compile, eval or exec" if is_tests else module, is_tests)


def _is_tests(module: str, file: str) -> bool:
    """Whether a function is the instructor's, and not one of a library."""
    return file.startswith(CELLS) or module == "__main__" or not file.startswith(("<", sys.prefix, sys.base_prefix))


def _look_outside(event: str, arguments: tuple[Any, ...], caller: FrameType | None) -> None:
    """Allow or refuse to start a program, or to change a file."""
    if caller is None or caller.f_code.co_filename.startswith(OWN):
        return
    if not _is_tests(str(caller.f_globals.get("__name__")), caller.f_code.co_filename):
        return
    if event in guarded_libraries.CHANGES:
        if place := guarded_libraries.elsewhere(event, arguments, _is_authors):
            _end(ELSEWHERE.format(place=place[:200]), False)
    elif _has_files() and not guarded_libraries.is_python(event, arguments):
        _end(SCRIPTS, True)
    elif not guarded_libraries.is_own(event, arguments, _is_authors):
        _refuse("a program that it starts", True)


def _is_authors(text: str) -> bool:
    """Whether a text stands in the instructor's notebook."""
    return text.strip() in _literals()


def _may_run(source: Any, harmless: tuple[type, ...]) -> bool:
    """Whether a text is the instructor's own, or one that does nothing: a type's name, a sum."""
    global _inside
    if not isinstance(source, (str, bytes)):
        return False
    _inside = True
    try:
        text = (source.decode(errors="replace") if isinstance(source, bytes) else source).strip()
        if _is_authors(text):
            return True
        if len(text) > LONGEST_TEXT:
            return False
        parts = list(ast.walk(ast.parse(text, mode="eval")))
        return all(
            isinstance(part, harmless)
            and not (isinstance(part, ast.Attribute) and part.attr.startswith("__"))
            and not (isinstance(part, ast.Constant) and harmless is SUMS and type(part.value) not in (int, float))
            for part in parts
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    finally:
        _inside = False


def texts_of(sources: Iterable[str]) -> frozenset[str]:
    """All strings that stand in these cells, without space around them: a test may run them as code. Cells that are no Python give none."""
    return _texts(tuple(sources))


@lru_cache(maxsize=256)
def _texts(sources: tuple[str, ...]) -> frozenset[str]:
    """`texts_of`, once for all submissions of a notebook: a test may ask for each file that it opens."""
    found: set[str] = set()
    for source in sources:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            found |= {node.value.strip() for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(found)


def _refuse(what: str, is_authors: bool) -> None:
    _end(TEXT.format(what=what), is_authors)


def _end(sentence: str, is_authors: bool) -> None:
    stopped = TestStopped(sentence)
    if _stop is not None:
        _stop(stopped, is_authors)
    raise stopped
