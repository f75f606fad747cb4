"""What stands in an answer's own text and certainly does something else than it seems to: told where a wrong result has no other known cause.

Each function of `loops.py`, `expressions.py`, `methods.py`, `traps.py` and `flow.py` looks at one function's syntax tree and yields what it
finds as a `Fact`, which says what stands there and what it does. One that may also stand in a right answer is no cause: the message says that it
does not know, and where to look first.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator
from typing import Any

from attnlab import reference
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.expressions import EXPRESSIONS, Fact, generators
from attnlab.diagnosis.text.flow import FLOW, tuples
from attnlab.diagnosis.text.loops import LOOPS, ranges, returns
from attnlab.diagnosis.text.methods import METHODS, thrown_away
from attnlab.diagnosis.text.places import tree_of
from attnlab.diagnosis.text.sizes import codes_of, globals_of, names_outside
from attnlab.diagnosis.text.traps import TRAPS

Function = ast.FunctionDef | ast.AsyncFunctionDef
Finder = Callable[[Function], Iterator[Fact]]


def explain_text(answer: Any, is_finished: bool = True) -> Cause | None:
    """The most telling of what stands in an answer's text; None where nothing does, or where the text is not to be had.

    Args:
        answer: the learner's function or class.
        is_finished: whether all of it is written; else what is made and not used says nothing.
    """
    if cause := explain_order(answer):
        return cause
    found = sorted(facts_of(answer, is_finished), key=lambda fact: not fact.is_certain)  # in the order of the finders
    if not found:
        return None
    return found[0].as_cause()


def facts_of(answer: Any, is_finished: bool = True) -> list[Fact]:
    """All that is found in the text of a function, or of a class's methods, and of functions of the same cell that they call."""
    functions = list(_functions(answer))
    finders: list[Finder] = [*LOOPS, *EXPRESSIONS, *METHODS, *TRAPS, *FLOW, ranges]
    return [*(_idle_layers(answer) if is_finished else ()), *(fact for find in finders for function in functions for fact in find(function))]


def certain_in(function: Function | None) -> Cause | None:
    """What stands in a function in which an exception was raised, and certainly does something else than it seems to."""
    for find in (tuples, returns, thrown_away, generators):
        for fact in find(function) if function else ():
            if fact.is_certain:
                return fact.as_cause()
    return None


def explain_order(answer: Any) -> Cause | None:
    """Parameters that have the card's names in another order."""
    own = parameters_of(answer)
    asked = [item.parameters for item in reference.asking_for(getattr(answer, "__name__", "")) if item.parameters]
    if not own or own in asked or not any(sorted(own) == sorted(order) for order in asked):
        return None
    return Cause(
        "facts.card_hands_over_order",
        f"the card hands over {_list(asked[0])}, in this order, and your `def` takes {_list(own)}: each gets what another one is meant to be",
        "write the parameters in the order of the card",
    )


def parameters_of(answer: Any) -> tuple[str, ...]:
    """The names that an answer takes, apart from `self`; () where that cannot be seen."""
    function = vars(answer).get("__init__") if isinstance(answer, type) else answer
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        return ()
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return names[1:] if isinstance(answer, type) else names


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _idle_layers(answer: Any) -> Iterator[Fact]:
    """Layers that a class's constructor makes and none of its methods uses."""
    functions = list(_functions(answer)) if isinstance(answer, type) else []
    parts = [part for function in functions for part in ast.walk(function)]
    used = {part.attr for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load)}
    if any(isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("getattr", "vars") for part in parts):
        return
    for node in parts:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Attribute)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func).rpartition(".")[2][:1].isupper()
            and node.targets[0].attr not in used
        ):
            name = f"self.{node.targets[0].attr}"
            yield Fact(
                "facts.layer_made_line_uses", node.lineno, f"the layer `{name}` is made, and no line uses it", f"which line should call `{name}`?"
            )


def _functions(answer: Any) -> Iterator[Function]:
    """The syntax trees of an answer's functions, the answer's own first."""
    codes = list(codes_of(answer))
    if not codes:
        return
    file, held = codes[0].co_filename, globals_of(answer)
    helpers = [held.get(name) for name in dict.fromkeys(names_outside(answer))]
    codes += [one.__code__ for one in helpers if isinstance(one, types.FunctionType) and one.__code__.co_filename == file]
    starts = [code.co_firstlineno for code in codes]
    nodes = [node for node in ast.walk(tree_of(file)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for start in dict.fromkeys(starts):
        yield from (node for node in nodes if min([node.lineno, *(mark.lineno for mark in node.decorator_list)]) == start)
