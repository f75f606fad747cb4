"""Which line of an answer writes into an argument or over a part of its result: the call is made once more, and every line is looked at."""

from __future__ import annotations

import ast
import copy
import itertools
import sys
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy, deep_copy
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence, parts_of, right_parts
from attnlab.diagnosis.results.form import is_same, same_value
from attnlab.diagnosis.text.expressions import called
from attnlab.diagnosis.text.source import Place, is_learners, learners_frames, line_of, tree_of
from attnlab.reference import Case

MOST_LINES = 3000  # after which the arrays are looked at


@dataclass
class _Write:
    """The line after which an argument was another one, the argument, and what the names of the function held then."""

    frame: FrameType
    line: int
    argument: Any
    held: dict[str, Any]


def explain_write(evidence: Evidence, case: Case, is_read_later: bool = False) -> Cause | None:
    """The line that writes into an argument; None where the answer does not run here, or no line of it can be made out.

    Args:
        evidence: what the answer gives.
        case: the input.
        is_read_later: whether later lines get other numbers by that.
    """
    found = _find(evidence, case)
    if not found:
        return None
    file = found.frame.f_code.co_filename
    statement = _statement(file, found.line)
    if statement is None:
        return None
    written, name = _written_name(statement), _parameter(found)
    owner = f" `{name}`" if name else ", in one of its dictionaries" if isinstance(found.argument, dict) else ""
    words = f"`{line_of(file, found.line)}` in line {found.line} is an in-place operation on the argument{owner}"
    is_alias = name and written != name and is_part(found.held.get(written), found.argument)
    whole = Place(found.line, "", "", file=file).whole
    made = _made(whole, written, found.line) if is_alias else None
    if made:
        words += f": `{ast.unparse(made)}` in line {made.lineno} makes no copy"
    copied = "`.clone()`" if hasattr(found.held[written] if is_alias else found.argument, "detach") else "`.copy()`"
    match statement:
        case ast.AugAssign(target=ast.Name(id=target), op=op, value=value) if not made:
            new = ast.unparse(ast.BinOp(ast.Name(target), op, value))
            step = f"collect new ones: `results.append({new})`" if _is_of_loop(file, statement) else f"`{target} = {new}` makes a new one"
            again = [other.lineno for other in ast.walk(whole) if isinstance(other, ast.AugAssign) and ast.unparse(other.target) == target]
            step += "".join(f"; the same in line {line}" for line in again if line > found.line and len(again) == 2)
        case _ if made:
            is_whole = isinstance(made.value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
            step = f"make a copy there, with {copied} behind {'it' if is_whole else 'all of it, in brackets'}"
        case _ if taken := _taken_out_of(statement):
            step = f"`{taken}[...]` reads what stands there and leaves it; or copy it once, before anything is taken out"
        case _:
            step = f"write into a copy: {copied}" + ("; what you still need as it was, read from the argument" if is_read_later else "")
    return Cause("writes.into_argument", words, step)


def explain_written_over(evidence: Evidence, case: Case) -> Cause | None:
    """The line that writes into a part of the result once it is right; else two parts that are one array. None where there is neither."""
    right = [] if case.shape else right_parts(evidence.result(case), case)
    wrong = next((place for place, is_right in enumerate(right) if not is_right), None)
    if wrong is None or not hasattr(case.expected[wrong], "shape"):
        return None
    again, over = _watched(evidence, case, wrong)
    if again is None:
        return None
    mine = parts_of(again)[wrong]
    twins = [place for place, other in enumerate(parts_of(again)) if place != wrong and _is_one(other, mine)]
    differ = [place for place in twins if not same_value(case.expected[place], case.expected[wrong], replace(case, expected=case.expected[wrong]))]
    name, copied = f"`{case.parts[wrong]}`", "`.clone()`" if hasattr(mine, "detach") else "`.copy()`"
    one = f"{name} and `{case.parts[differ[0]]}` are one array in memory" if differ else ""
    written = next(((frame, line) for array, frame, line in reversed(over) if is_part(array, mine)), None)
    if written:
        frame, line = written
        told = f"line {line}, `{line_of(frame.f_code.co_filename, line)}`, wrote into {'it again' if one else 'it'}"
        words = f"{one}: it held the right {name} until {told}" if one else f"{name} was right until {told}"
        return Cause("writes.part_written_over", words, f"write into a new array there, or keep a copy before: {copied}")
    if not one:
        return None
    return Cause("writes.parts_are_one_array", one, "which line makes each of them? Two names, or two places behind `return`, stand for one array")


def _is_one(one: Any, other: Any) -> bool:
    """Whether two arrays are the same place in memory."""
    if one is other or not (hasattr(one, "shape") and hasattr(other, "shape")):
        return one is other and hasattr(one, "shape")
    places = [as_numpy(array).__array_interface__ for array in (one, other)]
    return all(places[0][key] == places[1][key] for key in ("data", "shape", "strides", "typestr"))


def _watched(evidence: Evidence, case: Case, place: int) -> tuple[Any, list[tuple[Any, FrameType, int]]]:
    """The result of one more call, and the arrays that held an expected part until a line wrote into them: the array, the frame, the line."""
    wanted = case.expected[place]
    one = replace(case, expected=wanted)
    right: dict[int, Any] = {}
    over: list[tuple[Any, FrameType, int]] = []
    last: list[tuple[FrameType, int]] = []
    lines = itertools.count()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not is_learners(frame.f_code.co_filename) or next(lines) > MOST_LINES:
            return None
        for key, array in list(right.items()) if last else ():
            if not same_value(array, wanted, one):
                over.append((right.pop(key), *last[-1]))
        for value in list(frame.f_locals.values()):
            if getattr(value, "shape", None) == wanted.shape and same_value(value, wanted, one):
                right[id(value)] = value
        caller = next(learners_frames(frame.f_back), None) if event == "return" else frame
        if event in ("line", "return") and caller:
            last[:] = [(caller, caller.f_lineno)]
        return trace

    return _traced(evidence, case, trace), over


def _traced(evidence: Evidence, case: Case, trace: Any) -> Any:
    """The result of one more call, which is traced; None where it raises."""
    traced = sys.gettrace()
    if not grading.has_no_code(evidence.answer):
        sys.settrace(trace)
    try:
        return evidence.ask(case)
    except Exception:  # what it raises is told elsewhere
        return None
    finally:
        sys.settrace(traced)


def _find(evidence: Evidence, case: Case) -> _Write | None:
    if grading.has_no_code(evidence.answer):
        return None
    given = deep_copy(case.arguments)
    before = [(argument, copy.deepcopy(argument)) for argument in _leaves(given)]
    if not all(is_same(kept, argument) for argument, kept in before):  # what is not even the same as its copy
        return None
    found: list[_Write] = []
    last: list[tuple[FrameType, int]] = []

    def look() -> None:
        changed = next((argument for argument, kept in before if not is_same(kept, argument)), None) if last else None
        if changed is not None:
            frame, line = last[-1]
            found.append(_Write(frame, line, changed, dict(frame.f_locals)))

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if found or not is_learners(frame.f_code.co_filename):
            return None
        if last:
            look()
        caller = next(learners_frames(frame.f_back), None) if event == "return" else frame  # where the line goes on that called this function
        if event in ("line", "return") and caller and not found:
            last[:] = [(caller, caller.f_lineno)]
        return trace

    traced = sys.gettrace()
    sys.settrace(trace)
    try:
        evidence.ask_with(*given)
    except Exception:  # what it raises is told elsewhere
        return None
    finally:
        sys.settrace(traced)
    if not found:  # it was the last line
        look()
    return found[0] if found else None


def is_part(held: Any, argument: Any) -> bool:
    """Whether a name holds an argument, or an array that has its memory."""
    if held is argument:
        return True
    if not (hasattr(held, "shape") and hasattr(argument, "shape")):
        return False
    if hasattr(held, "untyped_storage") and hasattr(argument, "untyped_storage"):
        return held.untyped_storage().data_ptr() == argument.untyped_storage().data_ptr()
    return np.shares_memory(as_numpy(held), as_numpy(argument))


def _leaves(value: Any) -> list[Any]:
    """Arrays, lists and dicts in what goes in, those inside of others first."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [leaf for one in inside for leaf in _leaves(one)] + ([value] if hasattr(value, "shape") or isinstance(value, (list, dict)) else [])


def _statement(file: str, line: int) -> ast.stmt | None:
    """The smallest statement at a line."""
    around = [node for node in ast.walk(tree_of(file)) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)]
    return min(around, key=lambda node: (node.end_lineno or 0) - node.lineno) if around else None


def _is_of_loop(file: str, statement: ast.AugAssign) -> bool:
    """Whether a name that is added to is that of a loop: given another value, it leaves what the loop goes through as it is."""
    name = ast.unparse(statement.target)
    loops = [node for node in ast.walk(tree_of(file)) if isinstance(node, ast.For) and statement in ast.walk(node)]
    return any(isinstance(part, ast.Name) and part.id == name for loop in loops for part in ast.walk(loop.target))


def _written_name(statement: ast.stmt) -> str:
    """The name of what a statement writes into: `e` of `e -= 1`, `e[0] = 1`, `e.sub_(1)` and `np.exp(e, out=e)`."""
    match statement:
        case ast.AugAssign(target=node) | ast.Assign(targets=[node]) if not isinstance(node, ast.Name) or isinstance(statement, ast.AugAssign):
            pass
        case ast.Expr(value=node) | ast.Assign(value=node) | ast.Return(value=ast.expr() as node):
            out = next((named.value for part in ast.walk(node) if isinstance(part, ast.Call) for named in part.keywords if named.arg == "out"), None)
            node = out or node
        case _:
            return ""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _taken_out_of(statement: ast.stmt) -> str:
    """The list or dictionary that a statement takes something out of: `head` of `head.pop("w")`; "" where it takes nothing."""
    taking = (
        node.func.value
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and called(node) == "pop"
    )
    return next(map(ast.unparse, taking), "")


def _parameter(found: _Write) -> str:
    """What the answer calls the argument; "" where that cannot be told."""
    frame: FrameType | None = found.frame
    told = ""
    while frame is not None:
        code = frame.f_code
        if is_learners(code.co_filename):
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            told = next((name for name in names if frame.f_locals.get(name) is found.argument), told)
        frame = frame.f_back
    return told


def _made(function: ast.AST | None, name: str, line: int) -> ast.Assign | None:
    """The last line above this one that gives a name its value."""
    lines = [
        node
        for node in (ast.walk(function) if function else ())
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name] and node.lineno < line
    ]
    return max(lines, key=lambda node: node.lineno, default=None)
