"""A loop that never ends, where its text shows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from attnlab.check.places import Place


def endless(place: Place) -> str:
    """What is sure about a `while` around a line that never ends: its condition compares names that no line of it changes; "" otherwise."""
    loops = [node for node in ast.walk(place.whole) if isinstance(node, ast.While) and node.lineno <= place.line <= (node.end_lineno or 0)
             ] if place.whole else []
    for loop in sorted(loops, key=lambda node: -node.lineno)[:1]:
        names = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name)}
        changed = {name for statement in loop.body for node in ast.walk(statement) for name in _bound_by(node)}
        simple = not any(isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) for node in ast.walk(loop.test))
        leaves = any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in ast.walk(loop))
        held = all(isinstance(place.names.get(name), (int, float)) for name in names)
        if names and simple and held and not leaves and not names & changed:
            told_names = " or ".join(f"`{name}`" for name in sorted(names))
            return f"no line in the loop `while {ast.unparse(loop.test)}` changes {told_names}, so it never ends"
    return ""


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
