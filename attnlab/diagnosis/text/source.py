"""An answer's own text: where an exception was raised and what the names held, code and names of a function, what does not follow its arguments."""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import re
import sysconfig
import textwrap
import traceback
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.metadata import packages_distributions
from pathlib import Path
from reprlib import Repr
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause
from attnlab.reference import Case

OWN_FOLDER = str(Path(__file__).parents[2])
LIBRARIES = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
MOST_TOLD = 3
MOST_LINES = 4
LONGEST = 60  # characters of a value
_short = Repr()  # what an endless loop has filled or nested takes minutes to write down whole
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = _short.maxstring = _short.maxlong = _short.maxother = LONGEST
_short.maxlevel = 3
_short.fillvalue = "\0"  # stands in no text of a value


@dataclass
class Place:
    """A line of the learner's, with the part of it that was at work.

    Attributes:
        line: its number in the cell.
        text: that part, or the whole line where it is not known.
        function: the name of the function that it stands in.
        held: what the names in `text` held: variables, and attributes such as `self.heads` and `x.T`.
        outside: those names that are variables of the notebook, and data: neither arguments nor made in the function.
        frame: where the names are.
        file: of which the line is one.
    """

    line: int
    text: str
    function: str
    held: dict[str, Any] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)
    frame: types.FrameType | None = None
    file: str = ""

    @cached_property
    def names(self) -> dict[str, Any]:
        """All names that can be read there."""
        return {**self.frame.f_globals, **self.frame.f_locals} if self.frame else {}

    @cached_property
    def node(self) -> ast.AST | None:
        """`text` as a syntax tree: an expression, or a statement."""
        body = getattr(_parsed(self.text), "body", None) or [None]
        return body[0].value if isinstance(body[0], ast.Expr) else body[0]

    @cached_property
    def whole(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The syntax tree of the function, around comprehensions and lambdas; None where the file's text is not to be had."""
        around = [
            node
            for node in ast.walk(tree_of(self.file))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= self.line <= (node.end_lineno or 0)
        ]
        return max(around, key=lambda node: node.lineno) if around else None

    def made(self, name: str, if_added_to: bool = False) -> ast.Assign | None:
        """The last line of the function above this one that gives a name its value; None where that is not so simple.

        Args:
            name: the name.
            if_added_to: whether it is simple still where lines add to it in place.
        """
        nodes = list(ast.walk(self.whole)) if self.whole else []
        added = {id(node.target) for node in nodes if isinstance(node, ast.AugAssign)} if if_added_to else set()
        stores = [
            node for node in nodes if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) and id(node) not in added
        ]
        lines = [
            node
            for node in nodes
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name
        ]
        return lines[0] if len(stores) == 1 == len(lines) and lines[0].lineno < self.line else None

    def loop_of(self, names: Collection[str]) -> ast.For | ast.comprehension | None:
        """The loop of the function that gives one of these names its values."""
        for node in ast.walk(self.whole) if self.whole else ():
            if isinstance(node, (ast.For, ast.comprehension)) and any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node.target)):
                return node
        return None

    def __str__(self) -> str:
        return f"in line {self.line}: `{self.text}`" if self.text else f"in line {self.line}"

    @property
    def told(self) -> str:
        """What the names held, for a message: "x has shape (2, 3), i is 3"; empty where nothing is worth telling."""
        return ", ".join([text for name, value in self.held.items() if (text := _told(name, value))][:MOST_TOLD])


def tree_of(file: str) -> ast.Module:
    """The syntax tree of a file or cell, to be read only; empty where it cannot be read."""
    return _tree("".join(linecache.getlines(file)))


@lru_cache(maxsize=32)
def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def places_of(error: BaseException) -> list[Place]:
    """The learner's own lines on the way to an exception, the outermost first."""
    steps = zip(traceback.walk_tb(error.__traceback__), traceback.extract_tb(error.__traceback__), strict=True)
    return [_place(frame, summary) for (frame, _), summary in steps if _is_theirs(frame)]


def place_now(frame: types.FrameType | None) -> Place | None:
    """Where the learner's code is at work, from a frame that it called."""
    return next(map(place_of, learners_frames(frame)), None)


def learners_frames(frame: types.FrameType | None, outside: types.FrameType | None = None) -> Iterator[types.FrameType]:
    """The learner's own frames, from one that runs out to another one, the innermost first."""
    while frame is not None:
        if _is_theirs(frame):
            yield frame
        frame = None if frame is outside else frame.f_back


def place_of(frame: types.FrameType) -> Place:
    """Where a frame is at work."""
    return _place(frame, traceback.FrameSummary(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))


def is_learners(file: str) -> bool:
    """Whether a file is the learner's: no library's, and none of these checks."""
    return not (file.startswith((OWN_FOLDER, *LIBRARIES, "<frozen")) or "site-packages" in file or file.endswith((".pyx", ".pxd", ".pxi")))


def _is_theirs(frame: types.FrameType) -> bool:
    """Whether a frame is of the learner's code, and not of a package that is installed, wherever it lies: a grader's, for example."""
    return is_learners(frame.f_code.co_filename) and str(frame.f_globals.get("__name__", "")).partition(".")[0] not in _installed()


@lru_cache(maxsize=1)
def _installed() -> frozenset[str]:
    return frozenset(packages_distributions())


def line_of(file: str, number: int) -> str:
    """The text of a line, without what stands around it."""
    return linecache.getline(file, number).strip()


def is_array(value: Any) -> bool:
    """Whether a value is an array or a tensor."""
    return hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, (type, types.ModuleType))


def is_data(value: Any) -> bool:
    """Whether a value is data and not a function, class or module."""
    return is_array(value) or (isinstance(value, (int, float, list, tuple, dict, set)) and not isinstance(value, bool))


def _place(frame: types.FrameType, summary: traceback.FrameSummary) -> Place:
    number = summary.lineno or 0
    part = _part(summary)
    text = line_of(summary.filename, number) if not part or part.isidentifier() else part
    place = Place(number, text, summary.name, frame=frame, file=summary.filename)
    for node in ast.walk(_parsed(text)):
        if isinstance(node, (ast.Name, ast.Attribute)):
            _note(place, node, frame)
    return place


def _part(summary: traceback.FrameSummary) -> str:
    """The part of the line that was at work, when Python knows it and it is not long; of a condition or a loop its head, without comments."""
    if summary.colno is None or summary.end_colno is None or summary.lineno is None or summary.end_lineno is None:
        return ""
    lines = [linecache.getline(summary.filename, number).encode() for number in range(summary.lineno, summary.end_lineno + 1)]
    rest = lines[-1][summary.end_colno :].lstrip()
    if rest[:1] == b"=" and rest[:2] != b"==":  # the left side of an assignment: what comes in does not fit
        return ""
    lines[-1] = lines[-1][: summary.end_colno]
    lines[0] = lines[0][summary.colno :]
    texts = [line.decode(errors="replace").strip() for line in lines]
    if texts[0].startswith(("if ", "while ", "for ", "with ")):
        texts = texts[:1]
    if len(lines) > 1:
        texts = [re.sub(r"\s+#[^'\"]*$", "", text) for text in texts]
    return " ".join(texts) if len(texts) <= MOST_LINES else ""


def _parsed(text: str) -> ast.AST:
    for form in (text, f"{text}\n    pass", text.removeprefix("el") + "\n    pass"):  # `for …:` and `if …:` want a body
        try:
            return ast.parse(form)
        except SyntaxError:
            continue
    return ast.Module([], [])


def _note(place: Place, node: ast.Name | ast.Attribute, frame: types.FrameType) -> None:
    """Keep what a name held, or what an attribute of `self` or a transpose is."""
    if isinstance(node, ast.Name):
        if node.id in frame.f_locals:
            place.held[node.id] = frame.f_locals[node.id]
            if frame.f_locals is frame.f_globals:
                return
        elif node.id in frame.f_globals and node.id not in frame.f_code.co_varnames:
            value = frame.f_globals[node.id]
            place.held[node.id] = value
            if is_data(value):
                place.outside.add(node.id)
        return
    if not isinstance(node.value, ast.Name) or node.value.id not in frame.f_locals:
        return
    owner = frame.f_locals[node.value.id]
    if node.value.id == "self" or (node.attr in ("T", "mT") and is_array(owner)):
        try:
            place.held[f"{node.value.id}.{node.attr}"] = getattr(owner, node.attr)
        except Exception:  # an attribute that is not there is told by the exception itself
            return


def _told(name: str, value: Any) -> str:
    if isinstance(value, np.generic) or value is None or isinstance(value, (bool, int, float)):
        return f"{name} is {value}"
    if is_array(value):
        return f"{name} has shape {tuple(value.shape)}"
    if isinstance(value, (str, list, tuple)):
        text = _short.repr(value)
        is_whole = len(text) <= LONGEST and _short.fillvalue not in text
        return f"{name} is {text}" if is_whole else f"{name} is a {type(value).__name__} of length {len(value)}"
    if isinstance(value, types.FunctionType):
        return f"{name} is a function"
    return ""


COUNTING = {"range", "arange", "zeros", "ones", "empty", "full", "eye", "reshape", "view", "expand", "tril", "triu", "linspace"}


def listed(names: Iterable[str]) -> str:
    """Names as a message has them: `a`, `b`."""
    return ", ".join(f"`{name}`" for name in names)


def explain_fixed(answer: Any, shown: Case, other: Case, uses: Iterable[str] = ()) -> Cause | None:
    """What in an answer that fits the shown case cannot fit another one: a variable of the notebook, or a length written as a number.

    Args:
        answer: the learner's function or class.
        shown, other: the two cases.
        uses: variables of the notebook that the card tells to use.
    """
    if names := sorted({*_data_of_the_notebook(answer)} - {*uses}):
        told = listed(names)
        return Cause(
            "source.reads_notebook_variable",
            f"your code uses {told}: no argument, but a variable of the notebook, the same for every input",
            "in the function, use only its arguments and what you compute from them",
        )
    lengths = _lengths_that_differ(shown, other)
    for number, text, line in _counting_numbers(answer):
        if number in lengths:
            return Cause(
                "source.hard_coded_length",
                f"your code has the number {number}, in `{text}`, line {line} of the function; in the example, an axis has "
                "that length, here none has",
                "read every length from the argument, for example `T, k = x.shape`",
            )
    return None


def _lengths_that_differ(shown: Case, other: Case) -> set[int]:
    """The lengths of those axes of the shown input that have another length in the other one."""
    return {
        length
        for one, two in zip(shown.arguments, other.arguments)
        if is_array(one) and is_array(two)
        for length, there in zip(one.shape, two.shape)
        if length != there
    }


def codes_of(answer: Any) -> Iterator[types.CodeType]:
    """The compiled code of a function, or of the methods of a class, with what is defined inside; none of what only stands for a function."""
    waiting = [code for function in functions_of(answer) if isinstance(code := getattr(function, "__code__", None), types.CodeType)]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def cell_of(answer: Any) -> ast.Module:
    """The syntax tree of the cell that an answer stands in, to be read only; empty where the text is not to be had, as in a grader."""
    code = next(codes_of(answer), None)
    return tree_of(code.co_filename) if code else ast.Module([], [])


def globals_of(answer: Any) -> dict[str, Any]:
    """What the names outside of an answer stand for; nothing where that cannot be seen, as in a grader that holds what stands for the answer."""
    return next((held for function in functions_of(answer) if isinstance(held := getattr(function, "__globals__", None), dict)), {})


def functions_of(answer: Any) -> list[Any]:
    """A function itself; of a class, its methods; none of what only stands for either, and would be asked for each of them."""
    if grading.has_no_code(answer):
        return []
    return [value for value in vars(answer).values() if isinstance(value, types.FunctionType)] if isinstance(answer, type) else [answer]


def names_outside(answer: Any) -> Iterator[str]:
    """The names that an answer reads from the notebook, functions and modules among them."""
    for code in codes_of(answer):
        yield from (step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"))


def _data_of_the_notebook(answer: Any) -> Iterator[str]:
    held = globals_of(answer)
    own = _made_beside(answer)
    yield from (name for name in names_outside(answer) if name in held and is_data(held[name]) and name not in own)


def _made_beside(answer: Any) -> set[str]:
    """The names that the answer's own cell defines, such as a constant of the learner's."""
    return {
        node.id
        for statement in cell_of(answer).body
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef))
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def source_of(answer: Any) -> ast.AST | None:
    """The syntax tree of an answer, or None where its text is not to be had, as in a grader."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except Exception:  # what only stands for a function refuses in its own way
        return None


def _counting_numbers(answer: Any) -> Iterator[tuple[int, str, int]]:
    """Whole numbers above 1 that count something: in `range(3)`, in `np.zeros((3, 4))`."""
    tree = source_of(answer)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            arguments = node.args[:2] if name in ("range", "arange") else node.args  # the third one is a step
            for number in (number for argument in arguments if name in COUNTING for number in _lengths_in(argument)):
                if number > 1:
                    yield number, ast.unparse(node), node.lineno


def _lengths_in(argument: ast.expr) -> Iterator[int]:
    """The whole numbers that stand for a length themselves; none of what picks out, divides or multiplies one."""
    parts: list[ast.expr] = []
    match argument:
        case ast.Constant(value=int() as number):
            yield number
        case ast.Tuple() | ast.List():
            parts = argument.elts
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            parts = [argument.left, argument.right]
    for part in parts:
        yield from _lengths_in(part)


def mend_first(helper: str) -> Cause:
    """What to say where another exercise's function is the cause."""
    return Cause(
        "source.helper_fails_check",
        f"your `{helper}`, which is called here, does not pass its own check",
        f"fix `{helper}` first, run its cell, then this one",
    )


def broken_helper(answer: Any, seen: set[str], passes: Callable[[str, Any], bool]) -> str:
    """The name of another exercise's function that an answer calls, itself or through one, and that does not pass its own check; "" if none.

    Args:
        answer: the learner's function or class.
        seen: exercises that are not looked at any more.
        passes: whether a function passes the check of an exercise.
    """
    held, own = globals_of(answer), {code.co_filename for code in codes_of(answer)}
    lessons = [lesson for lesson in reference.lessons() if reference.asking_for(getattr(answer, "__name__", ""), lesson)]
    for name in dict.fromkeys(names_outside(answer)):
        if own & {code.co_filename for code in codes_of(held.get(name))} and not any(reference.asking_for(name, lesson) for lesson in lessons):
            continue  # the learner's own, and by chance called as another lesson's exercise
        is_ours = str(getattr(held.get(name), "__module__", "")).startswith("attnlab")  # what stands in for an answer of an earlier lesson
        if name in seen or not callable(held.get(name)) or is_ours or not reference.asking_for(name):
            continue
        seen.add(name)
        if not passes(name, held[name]):
            return broken_helper(held[name], seen, passes) or name
    return ""
