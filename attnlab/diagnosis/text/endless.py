"""A loop that never ends, where its text shows it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from attnlab.diagnosis.text.source import Place, is_array, line_of


@dataclass(frozen=True)
class Loop:
    """A loop by its first line."""

    line: int
    text: str


def loop_around(place: Place) -> Loop | None:
    """The innermost `while` around a line, or else the innermost `for`; None where no loop of its function is around it."""
    around = [
        node
        for node in (ast.walk(place.whole) if place.whole else ())
        if isinstance(node, (ast.While, ast.For)) and node.lineno <= place.line <= (node.end_lineno or 0)
    ]
    chosen = max(around, key=lambda node: (isinstance(node, ast.While), node.lineno), default=None)
    return Loop(chosen.lineno, line_of(place.file, chosen.lineno)) if chosen else None


def endless(place: Place) -> str:
    """What is sure about a `while` around a line that never ends: its condition compares names that no line of it changes; "" otherwise."""
    loops = (
        [node for node in ast.walk(place.whole) if isinstance(node, ast.While) and node.lineno <= place.line <= (node.end_lineno or 0)]
        if place.whole
        else []
    )
    for loop in sorted(loops, key=lambda node: -node.lineno)[:1]:
        lengths = _Lengths()
        test = lengths.visit(copy.deepcopy(loop.test))
        names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
        changed = {name for statement in loop.body for node in ast.walk(statement) for name in _bound_by(node)}
        simple = not any(isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) for node in ast.walk(test))
        leaves = any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in ast.walk(loop))
        held = all(isinstance(place.names.get(name), (int, float)) for name in names) and all(
            is_array(value) or isinstance(value, (tuple, str)) for value in map(place.names.get, lengths.of)
        )
        if (names or lengths.of) and simple and held and not leaves and not (names | lengths.of) & changed:
            told_names = " or ".join(f"`{name}`" for name in sorted(names or lengths.of))
            return f"no line in the loop `while {ast.unparse(loop.test)}` changes {told_names}, so the loop never ends"
    return ""


class _Lengths(ast.NodeTransformer):
    """Puts a number in the place of `len(x)` and `x.shape[0]`, and keeps their names; lists are none of those, since they grow."""

    def __init__(self) -> None:
        self.of: set[str] = set()

    def visit(self, node: ast.AST) -> ast.AST:
        """One node, as `ast.NodeTransformer` has it."""
        match node:
            case (
                ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])
                | ast.Subscript(
                    value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant() | ast.UnaryOp(operand=ast.Constant())
                )
            ):
                self.of.add(name)
                return ast.Constant(0)
        return self.generic_visit(node)


def _bound_by(node: ast.AST) -> set[str]:
    """The names that a statement or expression gives a value."""
    match node:
        case ast.For(target=target) | ast.comprehension(target=target) | ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return set(_names(target))
        case ast.NamedExpr(target=target):
            return set(_names(target))
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _names(target)}
        case ast.withitem(optional_vars=ast.expr() as target):
            return set(_names(target))
    return set()


def _names(target: ast.expr) -> Iterator[str]:
    """The names that a target gives a value; those of `rows[i]` are only read."""
    yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
