"""One slip at a time: whole steps of a right answer that are left out, come too early or work on something else."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import TypeVar

from authoring.variations.claims import LOOP
from authoring.variations.details import argument_instead
from authoring.variations.edits import AXIS, KEEP, SHAPES, WORD_BY_WORD
from authoring.variations.wording import Wording, say
from authoring.variations.words import axis, code, parameter, step

Function = ast.FunctionDef
Node = TypeVar("Node", bound=ast.AST)
Changed = tuple[Function, Wording]  # the function with the slip in it, and what that is said to be
BY_HAND = "go through the first two rounds of the loop by hand, and write down what each name holds after each round"

ADDS = "`total += part` adds, `total = part` replaces"


def changed_steps(function: Function, parameters: set[str]) -> Iterator[Changed]:
    """Every way in which a whole step of a function goes wrong."""
    yield from _parameters(function)
    yield from _too_early(function)
    yield from _axes(function)
    for block in blocks_of(function):
        for place, statement in enumerate(block):
            yield from _in_loops(function, block, place, statement)
            yield from _conditions(function, block, place, statement)


def _parameters(function: Function) -> Iterator[Changed]:
    names = [argument.arg for argument in function.args.args if argument.arg != "self"]
    if function.name == "__init__":
        return
    for place, one in enumerate(names):
        for how in ("T", "mT"):
            yield _beginning(function, f"{one} = {one}.{how}"), say("argument.transposed", "{} is transposed", code(one), next=SHAPES)
        for last in names[place + 2 :]:
            for middle in names[place + 1 : names.index(last)]:
                for order in ((middle, last, one), (last, one, middle)):
                    words = "{}, {} and {} are in a different order"
                    said = say("arguments.other_order", words, code(one), code(middle), code(last), next=WORD_BY_WORD)
                    yield _beginning(function, f"{one}, {middle}, {last} = {', '.join(order)}"), said
        for other in names[place + 1 :]:
            exchanged = say("arguments.exchanged", "{} and {} are swapped", code(one), code(other), next=WORD_BY_WORD)
            yield _beginning(function, f"{one}, {other} = {other}, {one}"), exchanged
            for kept, lost in ((one, other), (other, one)):
                yield _beginning(function, f"{lost} = {kept}"), argument_instead(parameter(kept), parameter(lost))


def _beginning(function: Function, line: str) -> Function:
    return _with_body(function, [*ast.parse(line).body, *function.body])


def _with_body(function: Function, body: list[ast.stmt]) -> Function:
    other = copy.copy(function)
    other.body = body
    return other


def _axes(function: Function) -> Iterator[Changed]:
    """All axes are others at once, or none is kept."""
    keywords = [keyword for node in ast.walk(function) if isinstance(node, ast.Call) for keyword in node.keywords]
    axes = [keyword for keyword in keywords if keyword.arg in ("axis", "dim")]
    for number in (0, 1, -1, 2) if len(axes) > 1 else ():
        before = [keyword.value for keyword in axes]
        for keyword in axes:
            keyword.value = ast.Constant(number)
        words = "everything runs along {}, not along the card's axis"
        yield copy.deepcopy(function), say("axis.other_everywhere", words, axis(number), next=AXIS)
        for keyword, value in zip(axes, before):
            keyword.value = value
    kept = [keyword for keyword in keywords if keyword.arg in ("keepdims", "keepdim")]
    if len(kept) > 1:
        for keyword in kept:
            keyword.value = ast.Constant(False)
        words = "`keepdims=True` is missing everywhere, so results are broadcast along the wrong axis"
        yield copy.deepcopy(function), say("axis.kept_nowhere", words, next=KEEP)
        for keyword in kept:
            keyword.value = ast.Constant(True)


def _too_early(function: Function) -> Iterator[Changed]:
    """An intermediate result is returned."""
    last = function.body[-1]
    if not isinstance(last, ast.Return):
        return
    for place, statement in enumerate(function.body[:-1]):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]):
                what = step(name)
                words = "an earlier step is returned: {}" if what else "an intermediate result is returned"
                body = [*function.body[: place + 1], ast.Return(ast.Name(name, ast.Load()))]
                said = say("result.too_early", f"{words}, without the later steps of *Pseudocode*", what)
                yield _with_body(function, body), said


def blocks_of(function: Function) -> Iterator[list[ast.stmt]]:
    """Every list of statements in a function."""
    for node in ast.walk(function):
        for field in ("body", "orelse"):
            if isinstance(block := getattr(node, field, None), list) and block and isinstance(block[0], ast.stmt):
                yield block


def _in_loops(function: Function, block: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Changed]:
    match statement:
        case ast.AugAssign(target=target, op=ast.Add(), value=value):
            for operator, said in (
                (ast.Mult(), say("loop.product", "a product is built up instead of a sum", next=BY_HAND)),
                (
                    ast.Sub(),
                    say("loop.subtracted", "something is subtracted in each round instead of added", next=BY_HAND, claims=LOOP),
                ),
            ):
                yield replaced(function, block, place, [ast.AugAssign(target, operator, value)]), said
            stored = copy.copy(target)
            yield (
                replaced(function, block, place, [ast.Assign([stored], value)]),
                say(
                    "loop.written_over",
                    "each round of a loop overwrites the one before instead of adding to it",
                    next=ADDS,
                    claims=LOOP,
                ),
            )
        case ast.For(body=body):
            before = block[:place]  # a `return` that stands in the loop is seen by its line: `attnlab/diagnosis/relations/relations.py`
            if before and isinstance(before[-1], ast.Assign):
                inside = copy.copy(statement)
                inside.body = [before[-1], *body]
                yield (
                    replaced(function, block, place - 1, [before[-1], inside], 2),
                    say(
                        "loop.begins_anew",
                        "what a loop builds up is reset in every round",
                        next="make the empty result once, before the loop",
                        claims=LOOP,
                    ),
                )
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            yield (
                replaced(function, block, place, [ast.AugAssign(target, ast.Add(), value)]),
                say("entry.added", "something is added to an entry instead of replacing it", next=ADDS),
            )


def _conditions(function: Function, block: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Changed]:
    if not isinstance(statement, ast.If) or any(isinstance(node, (ast.Raise, ast.Return)) for node in ast.walk(statement)):
        return
    condition = ast.unparse(statement.test)
    what = code(f"if {condition}") if len(condition) < 20 else "an `if`"
    yield replaced(function, block, place, statement.orelse or [ast.Pass()]), say("if.never", "the lines under {} never run", what)
    yield replaced(function, block, place, statement.body), say("if.always", "the lines under {} always run", what)
    turned = copy.copy(statement)
    turned.test = ast.UnaryOp(ast.Not(), statement.test)
    yield replaced(function, block, place, [turned]), say("if.turned_round", "{} is inverted", what)


def renamed(node: Node, old: str, new: str) -> Node:
    """A copy of a piece of code with another name in the place of one."""
    other = copy.deepcopy(node)
    for name in ast.walk(other):
        if isinstance(name, ast.Name) and name.id == old:
            name.id = new
    return other


def replaced(function: Function, block: list[ast.stmt], place: int, statements: list[ast.stmt], count: int = 1) -> Function:
    """A copy of a function in which `count` statements from a place on are others."""
    before = list(block)
    try:
        block[place : place + count] = statements
        return copy.deepcopy(function)
    finally:
        block[:] = before
