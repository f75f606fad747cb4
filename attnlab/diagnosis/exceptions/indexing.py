"""An index that does not fit: which one, where it comes from, and what was indexed."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.exceptions.values import known, shape_of
from attnlab.diagnosis.text.expressions import called, names_in, powers
from attnlab.diagnosis.text.source import Place, is_array

OUTSIDE = re.compile(r"index (-?\d+) is out of bounds for (?:axis|dimension) (\d+) with size (\d+)")
LOOK = "print the index and the shape: is it the number you mean, on the axis you mean?"


def explain_index(error: Exception, place: Place) -> Cause | None:
    """Why an index was refused; None where no more is known than the exception says."""
    node = _indexed(place)
    if node is None:
        return None
    if bound := next((fact for fact in powers(place.whole) if fact.is_certain and fact.line == place.line), None) if place.whole else None:
        return bound.as_cause()  # how Python reads the line
    owner = known(node.value, place.names)
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else list(node.slice.args) if called(node.slice) == "ix_" else [node.slice]
    if is_array(owner) and (match := OUTSIDE.search(str(error))):
        return _outside(place, node, owner, parts, *map(int, match.groups()))
    if isinstance(owner, (list, tuple, str)) and isinstance(index := known(node.slice, place.names), int) and "range" in str(error):
        return Cause(
            "indexing.list_index_out_of_range",
            f"`{ast.unparse(node.slice)}` is {index}, but `{ast.unparse(node.value)}` has {len(owner)} entries: the last one is "
            f"{len(owner) - 1}{origin_of(place, node.slice)}",
            LOOK,
        )
    if is_array(owner) and "too many indices" in str(error):
        return _too_many(place, node, owner)
    if is_array(owner) and not hasattr(owner, "detach") and not owner.shape:
        return Cause("indexing.number_indexed", f"`{ast.unparse(node.value)}` is one number and has no entries", _came_from(place, node.value))
    if is_array(owner) and ("valid indices" in str(error) or "of integer (or boolean) type" in str(error)):
        return _no_index(place, node, parts)
    return None


def explain_key(error: KeyError, place: Place) -> Cause | None:
    """Why a dictionary has no such key."""
    node = _indexed(place)
    held = known(node.value, place.names) if node else None
    if node is None or not isinstance(held, dict) or not error.args:
        return None
    key, keys = error.args[0], list(held)
    shown = ", ".join(map(repr, keys[:4])) + (" …" if len(keys) > 4 else "")
    kinds = {type(one) for one in keys}
    also = ""
    if keys and type(key) not in kinds:
        also = f"; its keys are of type {'/'.join(sorted(kind.__name__ for kind in kinds))}, but this key is of type {type(key).__name__}"
    elif isinstance(key, str) and len(key) == 1 and any(key in str(one) and len(str(one)) > 1 for one in keys):
        also = "; you look up a single letter, as a loop over a word gives it"
    return Cause(
        "indexing.missing_key",
        f"`{ast.unparse(node.value)}` has no key {key!r}: it has {shown}{also}{origin_of(place, node.slice)}",
        "print the keys and the key that you look up: where does it come from?",
    )


def _indexed(place: Place) -> ast.Subscript | None:
    """The part of a line that is an index: the line itself, the left side of an assignment, or the only one there."""
    node = place.node
    if isinstance(node, ast.Subscript):
        return node
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AugAssign) else None
    found = [part for part in ast.walk(node) if isinstance(part, ast.Subscript)] if node else []
    return target if isinstance(target, ast.Subscript) else found[0] if len(found) == 1 else None


def _outside(place: Place, node: ast.Subscript, owner: Any, parts: list[ast.expr], index: int, axis: int, size: int) -> Cause | None:
    at = parts[axis : axis + 1] if len(parts) == len(shape_of(owner)) else []
    guilty = next((part for part in (*at, *parts) if _holds(known(part, place.names), index)), None)
    if guilty is None or shape_of(owner)[axis : axis + 1] != (size,):
        return None
    text, name = ast.unparse(guilty), ast.unparse(node.value)
    value = known(guilty, place.names)
    holds = "the index is " + str(index) if text == str(index) else f"`{text}` is {index}" if np.ndim(value) == 0 else f"`{text}` holds {index}"
    others = [
        other
        for other, length in enumerate(shape_of(owner))
        if other != axis and np.ndim(value) and -length <= min(np.ravel(value)) and max(np.ravel(value)) < length
    ]
    fits = f"; axis {others[0]}, of length {shape_of(owner)[others[0]]}, has that index" if others else ""
    last = f"counted from 0, the last index is {size - 1}" if size else "it has no index"
    shape, length = shape_of(owner), _length_of_loop(place, guilty)
    made = place.made(name) if isinstance(node.value, ast.Name) else None
    counted = next((other for other, one in enumerate(shape) if one == length and other != axis), None) if length and length != size else None
    look = f"`{name}` is made in line {made.lineno}: `{ast.unparse(made)}`; is it as long as this index needs?" if made else LOOK
    if counted is not None:
        look = f"the loop has as many rounds as axis {counted} is long, and `{text}` counts along axis {axis}: count that one"
    words = f"{holds}, but axis {axis} of `{name}` has length {size}: {last}{fits}{origin_of(place, guilty)}"
    return Cause("indexing.axis_index_out_of_range", words, look)


def _holds(value: Any, index: int) -> bool:
    if isinstance(value, (bool, str, dict, slice)) or value is None:
        return False
    try:
        return bool((np.asarray(value) == index).any())
    except (TypeError, ValueError):
        return False


def _too_many(place: Place, node: ast.Subscript, owner: Any) -> Cause | None:
    value = known(node.slice, place.names)
    if not isinstance(node.slice, ast.Tuple) and isinstance(value, tuple):
        return Cause(
            "indexing.tuple_as_index",
            f"`{ast.unparse(node.slice)}` is a tuple: NumPy and torch read it as one index per axis; a list picks several rows",
            f"make it a list: `{ast.unparse(node.value)}[list({ast.unparse(node.slice)})]`",
        )
    return Cause(
        "indexing.too_many_indices",
        f"`{ast.unparse(node.value)}` has shape {shape_of(owner)}: it has fewer axes than `{ast.unparse(node)}` has indices",
        _came_from(place, node.value),
    )


def _no_index(place: Place, node: ast.Subscript, parts: list[ast.expr]) -> Cause | None:
    for part in parts:
        value, text = known(part, place.names), ast.unparse(part)
        what = ""
        if isinstance(value, str) or (isinstance(value, (list, tuple)) and value and all(isinstance(one, str) for one in value)):
            what = "a string"
        elif isinstance(value, (float, np.floating)):
            what = f"{value}, a number with decimals"
        elif is_array(value) and "float" in str(value.dtype):
            what = f"an array of numbers with decimals, of shape {shape_of(value)}"
        if what:
            return Cause(
                "indexing.index_not_integer",
                f"`{text}` is {what}, but the indices of an array are whole numbers{origin_of(place, part)}",
                "which whole number belongs to each string?"
                if what == "a string"
                else "which number do you mean? A loop over an array gives its rows, `range(len(...))` gives their numbers; `//` gives no decimals",
            )
    return None


def origin_of(place: Place, index: ast.expr) -> str:
    """The loop that an index counts in: "; `j` counts in `for j in range(k)`, line 5"."""
    names = names_in(index)
    if (loop := place.loop_of(names)) is None:
        return ""
    taken = min(names & names_in(loop.target, ast.expr_context))
    told = f"for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}"
    return f"; `{taken}` comes from `{told}`, line {loop.target.lineno}{_bound(place, loop)}{_grows(loop)}"


def _end_of(loop: ast.For | ast.comprehension) -> ast.expr | None:
    """What a loop over `range(...)` ends before."""
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[end] | [_, end]):
            return end
    return None


def _bound(place: Place, loop: ast.For | ast.comprehension) -> str:
    """The line that makes the name of a loop's bound: ", where `T = x.shape[1]`, line 3"."""
    end = _end_of(loop)
    made = place.made(end.id) if isinstance(end, ast.Name) else None
    return f", where `{ast.unparse(made)}`, line {made.lineno}" if made else ""


def _length_of_loop(place: Place, index: ast.expr) -> int | None:
    """How many rounds the loop has that an index counts; None where that cannot be told."""
    loop = place.loop_of([index.id]) if isinstance(index, ast.Name) else None
    end = _end_of(loop) if loop else None
    made = place.made(end.id) if isinstance(end, ast.Name) and end.id not in place.names else None  # not in a comprehension's frame
    value = known(made.value if made else end, place.names)
    return value if isinstance(value, int) else None


def _grows(loop: ast.For | ast.comprehension) -> str:
    """Whether a loop adds to the list that it goes through."""
    name = ast.unparse(loop.iter)
    adds = [
        node
        for statement in (loop.body if isinstance(loop, ast.For) else [])
        for node in ast.walk(statement)
        if isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "insert") and ast.unparse(node.value) == name
    ]
    return f", and the loop adds to `{name}` while it goes through it" if adds else ""


def _came_from(place: Place, owner: ast.expr) -> str:
    made = place.made(owner.id) if isinstance(owner, ast.Name) else None
    if made:
        return f"`{ast.unparse(owner)}` is made in line {made.lineno}: `{ast.unparse(made)}`; print it there"
    return "print its `.shape`; it has fewer axes than you expected"
