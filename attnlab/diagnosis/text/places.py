"""Where in a learner's code something happened, what stood there, and what the names in it held at that moment."""

from __future__ import annotations

import ast
import linecache
import sysconfig
import traceback
import types
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import numpy as np

OWN_FOLDER = str(Path(__file__).parents[2])
LIBRARIES = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
MOST_TOLD = 4
MOST_LINES = 4
LONGEST = 60  # characters of a value


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
    while frame is not None and not _is_theirs(frame):
        frame = frame.f_back
    return _place(frame, traceback.FrameSummary(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)) if frame else None


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
    """The part of the line that was at work, when Python knows it and it stands on one line."""
    if summary.colno is None or summary.end_colno is None or summary.lineno is None or summary.end_lineno is None:
        return ""
    lines = [linecache.getline(summary.filename, number).encode() for number in range(summary.lineno, summary.end_lineno + 1)]
    rest = lines[-1][summary.end_colno :].lstrip()
    if rest[:1] == b"=" and rest[:2] != b"==":  # the left side of an assignment: what comes in does not fit
        return ""
    lines[-1] = lines[-1][: summary.end_colno]
    lines[0] = lines[0][summary.colno :]
    return " ".join(line.decode(errors="replace").strip() for line in lines) if len(lines) <= MOST_LINES else ""


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
        text = repr(value)
        return f"{name} is {text}" if len(text) <= LONGEST else f"{name} is a {type(value).__name__} of {len(value)}"
    if isinstance(value, types.FunctionType):
        return f"{name} is a function"
    return ""
