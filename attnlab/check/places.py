"""Where in a learner's code something happened, what stood there, and what the names in it held at that moment."""

from __future__ import annotations

import ast
import linecache
import sysconfig
import traceback
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

OWN_FOLDER = str(Path(__file__).parent)
LIBRARIES = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
MOST_TOLD = 4
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
        names: all that the function held.
        file: where its text is found.
    """

    line: int
    text: str
    function: str
    held: dict[str, Any] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)
    names: dict[str, Any] = field(default_factory=dict)
    file: str = ""

    def __str__(self) -> str:
        return f"in line {self.line}: `{self.text}`" if self.text else f"in line {self.line}"

    @property
    def told(self) -> str:
        """What the names held, for a message: "x has shape (2, 3), i is 3"; empty where nothing is worth telling."""
        return ", ".join([text for name, value in self.held.items() if (text := _told(name, value))][:MOST_TOLD])


def places_of(error: BaseException) -> list[Place]:
    """The learner's own lines on the way to an exception, the outermost first."""
    steps = zip(traceback.walk_tb(error.__traceback__), traceback.extract_tb(error.__traceback__), strict=True)
    return [_place(frame, summary) for (frame, _), summary in steps if is_learners(summary.filename)]


def place_now(frame: types.FrameType | None) -> Place | None:
    """Where the learner's code is at work, from a frame that it called."""
    while frame is not None and not is_learners(frame.f_code.co_filename):
        frame = frame.f_back
    return _place(frame, traceback.FrameSummary(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)) if frame else None


def is_learners(file: str) -> bool:
    """Whether a file is the learner's: no library's, and none of these checks."""
    return not (file.startswith((OWN_FOLDER, *LIBRARIES, "<frozen")) or "site-packages" in file)


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
    place = Place(number, text, summary.name, names=dict(frame.f_locals), file=summary.filename)
    for node in ast.walk(parsed(text)):
        if isinstance(node, (ast.Name, ast.Attribute)):
            _note(place, node, frame)
    return place


def _part(summary: traceback.FrameSummary) -> str:
    """The part of the line that was at work, when Python knows it and it stands on one line."""
    if summary.colno is None or summary.end_colno is None or summary.lineno != summary.end_lineno or summary.lineno is None:
        return ""
    line = linecache.getline(summary.filename, summary.lineno).encode()
    if line[summary.end_colno:].lstrip()[:1] == b"=":  # the left side of an assignment: what comes in does not fit
        return ""
    return line[summary.colno:summary.end_colno].decode(errors="replace")


def parsed(text: str) -> ast.AST:
    """The syntax tree of a line or a part of one; an empty one where it is neither."""
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
