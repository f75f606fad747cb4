"""What an answer keeps from call to call, so that what comes out hangs on what it was asked before."""

from __future__ import annotations

import ast
import copy
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.places import tree_of
from attnlab.diagnosis.text.sizes import cell_of, codes_of, globals_of

EMPTY = {"list": list, "dict": dict, "set": set}
LONGEST = 40  # characters of a value
FEW = 10  # its entries


@dataclass
class Kept:
    """Something that was made once, and has another value by now."""

    text: str  # as it is written
    where: str
    value: Any
    first: Any
    put: Callable[[Any], None]
    get: Callable[[], Any]


def explain_kept(answer: Any, ask: Callable[[], Any], same: Callable[[Any, Any], bool], before: Any) -> Cause | None:
    """What an earlier call left behind, when the same call without it gives another result, and the call itself leaves something.

    Args:
        answer: the learner's function or class.
        ask: makes the call.
        same: whether two results are one; False for what cannot be compared.
        before: the result of the call as it was.
    """
    kept = list(_kept(answer))
    if not kept:
        return None
    first, left = _ask_as_at_first(kept, ask)
    second, _ = _ask_as_at_first(kept, ask)
    if not left or not same(first, second) or same(first, before):  # another cell changes it; chance; no matter
        return None
    one = left[0]
    value = repr(one.value) if not hasattr(one.value, "__len__") or len(one.value) <= FEW else ""
    now = f", and is `{value}` by now" if 0 < len(value) <= LONGEST else ""
    return Cause(
        "kept.from_call_to_call",
        f"`{one.text}`{one.where} is made once, and keeps from call to call what is put into it{now}; without what earlier calls left there, "
        "something else comes out of this call",
        "make it inside of the function, so that every call begins with a new one",
    )


def _ask_as_at_first(kept: list[Kept], ask: Callable[[], Any]) -> tuple[Any, list[Kept]]:
    """The result of a call that finds everything as at first, None where it raises; and what the call has put into."""
    for one in kept:
        one.put(copy.deepcopy(one.first))
    try:
        result = ask()
        return result, [one for one in kept if _is_other(one.first, one.get())]
    except Exception:  # an exception is told as it was
        return None, []
    finally:
        for one in kept:
            one.put(one.value)


def _is_other(first: Any, value: Any) -> bool:
    try:
        return type(first) is not type(value) or bool(first != value)
    except Exception:  # arrays inside: they were not there at first
        return True


def _kept(answer: Any) -> Iterator[Kept]:
    functions = [value for value in vars(answer).values() if isinstance(value, types.FunctionType)] if isinstance(answer, type) else [answer]
    for function in functions:
        if isinstance(function, types.FunctionType):
            yield from _defaults(function)
    yield from _variables(answer)


def _defaults(function: types.FunctionType) -> Iterator[Kept]:
    """Defaults of arguments that have a place: Python makes them once, with the `def` line."""
    line = function.__code__.co_firstlineno
    tree = next(
        (
            node
            for node in ast.walk(tree_of(function.__code__.co_filename))
            if isinstance(node, ast.FunctionDef) and min(one.lineno for one in (node, *node.decorator_list)) <= line <= node.body[0].lineno
        ),
        None,
    )
    names = [argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args)] if tree else []
    values = function.__defaults__ or ()
    for place, (name, node) in enumerate(zip(names[len(names) - len(values) :], tree.args.defaults if tree else ())):

        def put(value: Any, place: int = place) -> None:
            held = list(function.__defaults__ or ())
            function.__defaults__ = (*held[:place], value, *held[place + 1 :])

        yield from _changed(
            f"{name}={ast.unparse(node)}", f" in line {node.lineno}, a default,", node, put, lambda place=place: (function.__defaults__ or ())[place]
        )


def _variables(answer: Any) -> Iterator[Kept]:
    """Variables that the answer's own cell makes beside it, or in the body of its class."""
    body = cell_of(answer).body
    read = {name for one in codes_of(answer) for name in one.co_names}
    name_of_class = answer.__name__ if isinstance(answer, type) else ""
    inside = [one for node in body if isinstance(node, ast.ClassDef) and node.name == name_of_class for one in node.body]
    held_by_class = vars(answer) if inside else {}
    for statements, held, put in (
        (body, globals_of(answer), globals_of(answer).__setitem__),
        (inside, held_by_class, lambda name, value: setattr(answer, name, value)),
    ):
        for statement in statements:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=node) if name in read and name in held:
                    yield from _changed(
                        f"{name} = {ast.unparse(node)}",
                        f" in line {statement.lineno}",
                        node,
                        lambda value, name=name, put=put: put(name, value),
                        lambda name=name, held=held: held[name],
                    )


def _changed(text: str, where: str, node: ast.expr, put: Callable[[Any], None], get: Callable[[], Any]) -> Iterator[Kept]:
    try:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EMPTY and not node.args:
            first = EMPTY[node.func.id]()
        else:
            first = ast.literal_eval(node)
    except (ValueError, TypeError):  # no literal: its first value is not known
        return
    if _is_other(first, get()):
        yield Kept(text, where, get(), first, put, get)
