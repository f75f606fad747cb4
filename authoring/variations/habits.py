"""One slip at a time: names that are overwritten while they are needed, loops that end early, and results without any axis."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from authoring.variations.claims import LOOP, REBINDS
from authoring.variations.edits import AXIS
from authoring.variations.steps import BY_HAND, Changed, Function, blocks_of, replaced
from authoring.variations.wording import say
from authoring.variations.words import named


def habits(function: Function, parameters: set[str]) -> Iterator[Changed]:
    """Every way in which a habit changes what later steps see."""
    yield from _without_axes(function)
    for block in blocks_of(function):
        for place, statement in enumerate(block):
            yield from _overwritten(function, block, place, parameters)
            yield from _ended(function, block, place, statement)


def _overwritten(function: Function, block: list[ast.stmt], place: int, parameters: set[str]) -> Iterator[Changed]:
    """A step's result is stored under a name that later steps need for something else."""
    match block[place]:
        case ast.Assign(targets=[ast.Name(id=name)]):
            made = _stored(block[:place]) | {one for one in parameters if one != "self"}
            for other in sorted(made - {name}):
                if not any(_reads(later, other) for later in block[place + 1 :]):
                    continue
                what, lost = named(ast.Name(name), parameters), named(ast.Name(other), parameters)
                if what and lost:
                    line = ast.parse(f"{other} = {name}").body
                    words = f"{{}} {lost.are} overwritten with {{}} before a later step needs {'them' if lost.is_plural else 'it'}"
                    own = "give each step's result its own name; an in-place operation such as `*=` changes the array under all its names"
                    said = say("name.overwritten", words, lost, what, next=own, claims=REBINDS)
                    yield replaced(function, block, place, [block[place], *line]), said


def _stored(statements: list[ast.stmt]) -> set[str]:
    return {node.id for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _reads(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) for node in ast.walk(statement))


def _ended(function: Function, block: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Changed]:
    """`break` where only one round is to be skipped."""
    if not isinstance(statement, ast.If) or statement.orelse or not _in_a_loop(function, statement):
        return
    leave = ast.If(ast.UnaryOp(ast.Not(), statement.test), [ast.Break()], [])
    words = "a loop ends at the first entry that should be skipped, as with `break` instead of `continue`"
    yield replaced(function, block, place, [leave, *statement.body]), say("loop.ended", words, next=BY_HAND, claims=LOOP)


def _in_a_loop(function: Function, statement: ast.stmt) -> bool:
    return any(statement in loop.body for loop in ast.walk(function) if isinstance(loop, (ast.For, ast.While)))


def _without_axes(function: Function) -> Iterator[Changed]:
    """No sum, largest or mean has an axis: each is taken of everything."""
    other = copy.deepcopy(function)
    calls = [node for node in ast.walk(other) if isinstance(node, ast.Call) and any(keyword.arg in ("axis", "dim") for keyword in node.keywords)]
    if len(calls) < 2:
        return
    for call in calls:
        call.keywords = [keyword for keyword in call.keywords if keyword.arg not in ("axis", "dim", "keepdims", "keepdim")]
    yield other, say("axis.missing_everywhere", "no step has an axis, so each takes all entries at once", next=AXIS)
