"""What an answer keeps from call to call, so that what comes out hangs on what it was asked before."""

from __future__ import annotations

import ast
import contextlib
import copy
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from attnlab.check.diagnosis import Cause
from attnlab.check.places import tree_of
from attnlab.check.sizes import codes_of, globals_of

EMPTY = {"list": list, "dict": dict, "set": set}
LONGEST = 40  # characters of a value


@dataclass
class Kept:
    """Something that was made once, and has another value by now."""

    text: str  # as it is written
    where: str
    value: Any
    first: Any
    put: Callable[[Any], None]


def explain_memory(answer: Any, ask: Callable[[], Any], differs: Callable[[Any], bool]) -> Cause | None:
    """What an earlier call left behind, when the same call without it gives another result.

    Args:
        answer: the learner's function or class.
        ask: makes the call.
        differs: whether a result is another one than before.
    """
    kept = list(_kept(answer))
    if not kept:
        return None
    with _as_at_first(kept):
        try:
            again = ask()
        except Exception:  # an exception is told as it was
            return None
    if not differs(again):
        return None
    one = kept[0]
    value = repr(one.value)
    now = f", and is `{value}` by now" if len(value) <= LONGEST else ""
    return (f"`{one.text}`{one.where} is made once, and keeps from call to call what is put into it{now}; without what earlier calls left there, "
            "something else comes out of this call", "make it inside of the function, so that every call begins with a new one")


@contextlib.contextmanager
def _as_at_first(kept: list[Kept]) -> Iterator[None]:
    for one in kept:
        one.put(copy.deepcopy(one.first))
    try:
        yield
    finally:
        for one in kept:
            one.put(one.value)


def _kept(answer: Any) -> Iterator[Kept]:
    functions = [value for value in vars(answer).values() if isinstance(value, types.FunctionType)] if isinstance(answer, type) else [answer]
    for function in functions:
        if isinstance(function, types.FunctionType):
            yield from _defaults(function)
    yield from _variables(answer)


def _defaults(function: types.FunctionType) -> Iterator[Kept]:
    """Defaults of arguments: Python makes them once, with the `def` line."""
    tree = next((node for node in ast.walk(tree_of(function.__code__.co_filename)) if isinstance(node, ast.FunctionDef)
                 and node.name == function.__name__ and node.lineno <= function.__code__.co_firstlineno <= node.body[0].lineno), None)
    names = [argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args)] if tree else []
    values = function.__defaults__ or ()
    for place, (name, node) in enumerate(zip(names[len(names) - len(values):], tree.args.defaults if tree else ())):
        def put(value: Any, place: int = place) -> None:
            held = list(function.__defaults__ or ())
            function.__defaults__ = (*held[:place], value, *held[place + 1:])
        yield from _changed(f"{name}={ast.unparse(node)}", f" in line {node.lineno}, a default,", node, values[place], put)


def _variables(answer: Any) -> Iterator[Kept]:
    """Variables that the answer's own cell makes beside it, or in the body of its class."""
    code = next(codes_of(answer), None)
    read = {name for one in codes_of(answer) for name in one.co_names}
    body = getattr(tree_of(code.co_filename), "body", []) if code else []
    name_of_class = answer.__name__ if isinstance(answer, type) else ""
    inside = [one for node in body if isinstance(node, ast.ClassDef) and node.name == name_of_class for one in node.body]
    for statements, held, put in ((body, globals_of(answer), globals_of(answer).__setitem__),
                                  (inside, vars(answer) if inside else {}, lambda name, value: setattr(answer, name, value))):
        for statement in statements:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=node) if name in read and name in held:
                    yield from _changed(f"{name} = {ast.unparse(node)}", f" in line {statement.lineno}", node, held[name],
                                        lambda value, name=name, put=put: put(name, value))


def _changed(text: str, where: str, node: ast.expr, value: Any, put: Callable[[Any], None]) -> Iterator[Kept]:
    try:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EMPTY and not node.args:
            first = EMPTY[node.func.id]()
        else:
            first = ast.literal_eval(node)
        if type(first) is not type(value) or first != value:
            yield Kept(text, where, value, first, put)
    except (ValueError, TypeError):  # no literal: its first value is not known
        return
