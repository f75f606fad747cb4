"""Where a name in a learner's function gets its value: the one loop or assignment that gives it one."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

from attnlab.check.places import Place, parsed

LONGEST = 70
Binder = ast.For | ast.comprehension | ast.Assign


def origin(place: Place, name: str) -> Binder | None:
    """The loop, comprehension or assignment that gives a name its value; None when there are several, or another kind of line does."""
    function = function_at(place)
    if function is None or name in {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}:
        return None
    found = [node for node in ast.walk(function) if name in bound_by(node)]
    return found[0] if len(found) == 1 and isinstance(found[0], (ast.For, ast.comprehension, ast.Assign)) else None


def told(binder: Binder | None) -> str:
    """How such a line begins, for a message: "`for j in range(k)`"; "" when it is too long."""
    match binder:
        case ast.For(target=target, iter=values) | ast.comprehension(target=target, iter=values):
            text = f"for {ast.unparse(target).strip('()')} in {ast.unparse(values)}"
        case ast.Assign():
            text = ast.unparse(binder)
        case _:
            return ""
    return f"`{text}`" if len(text) <= LONGEST else ""


def function_at(place: Place) -> ast.FunctionDef | None:
    """The innermost function that a line of the learner's stands in."""
    try:
        tree = ast.parse("".join(linecache.getlines(place.file)))
    except SyntaxError:
        return None
    around = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.lineno <= place.line <= (node.end_lineno or 0)]
    return max(around, key=lambda node: node.lineno, default=None)


def endless(place: Place) -> str:
    """What is sure about a `while` around a line that never ends: its condition compares names that no line of it changes; "" otherwise."""
    function = function_at(place)
    loops = [node for node in ast.walk(function) if isinstance(node, ast.While) and node.lineno <= place.line <= (node.end_lineno or 0)] \
        if function else []
    for loop in sorted(loops, key=lambda node: -node.lineno)[:1]:
        names = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name)}
        changed = {name for statement in loop.body for node in ast.walk(statement) for name in bound_by(node)}
        simple = not any(isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) for node in ast.walk(loop.test))
        leaves = any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in ast.walk(loop))
        held = all(isinstance(place.names.get(name), (int, float)) for name in names)
        if names and simple and held and not leaves and not names & changed:
            told_names = " or ".join(f"`{name}`" for name in sorted(names))
            return f"no line in the loop `while {ast.unparse(loop.test)}` changes {told_names}, so it never ends"
    return ""


def bound_by(node: ast.AST) -> set[str]:
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


def subscripts(place: Place) -> Iterator[tuple[str, ast.expr]]:
    """Each name with square brackets behind it in a line, and what stands in them."""
    for node in ast.walk(parsed(place.text)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            yield node.value.id, node.slice


def comes_from(place: Place, name: str, before: str = ": it comes from ") -> str:
    """Where a name got its value, for the middle of a sentence; "" where that is not sure."""
    text = told(origin(place, name)) if name.isidentifier() else ""
    return f"{before}{text}" if text else ""
