"""A `while` that cannot end: nothing in it changes what its condition looks at."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import FrameType
from typing import Any

from attnlab.check.places import is_array, is_learners

FIXED = (int, float, str, bool, tuple)


def endless_loop(frame: FrameType | None) -> str:
    """The condition of a loop that is at work and that nothing in it can end; "" where that is not sure."""
    while frame is not None:
        if is_learners(frame.f_code.co_filename):
            try:
                tree = ast.parse(textwrap.dedent(inspect.getsource(frame.f_code)))
            except (OSError, TypeError, SyntaxError):
                return ""
            line = frame.f_lineno - frame.f_code.co_firstlineno + 1
            for loop in ast.walk(tree):
                if isinstance(loop, ast.While) and loop.lineno <= line <= (loop.end_lineno or 0) and _is_endless(loop, frame.f_locals):
                    return ast.unparse(loop.test)
        frame = frame.f_back
    return ""


def _is_endless(loop: ast.While, held: dict[str, Any]) -> bool:
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in inside):
        return False
    functions = {id(node.func) for node in ast.walk(loop.test) if isinstance(node, ast.Call)}
    looked_at = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name) and id(node) not in functions}
    called = {node.func.id for node in ast.walk(loop.test) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    if not looked_at or called - {"len", "abs", "min", "max"} or not looked_at <= held.keys():
        return False
    return not any(_may_change(name, held[name], inside) for name in looked_at)


def _may_change(name: str, value: Any, inside: list[ast.AST]) -> bool:
    for node in inside:
        match node:
            case ast.Name(id=other, ctx=ast.Store() | ast.Del()) if other == name:
                return True
            case ast.Global() | ast.Nonlocal() | ast.FunctionDef():
                return True
    if isinstance(value, FIXED):
        return False
    if not is_array(value):  # a list may be changed by whoever gets it
        return any(isinstance(node, ast.Name) and node.id == name for node in inside)
    return any(isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.value, ast.Name) and node.value.id == name
               and not isinstance(node.ctx, ast.Load) for node in inside) or any(
        isinstance(node, ast.Call) and any(isinstance(one, ast.Name) and one.id == name for one in [*node.args, *(k.value for k in node.keywords)])
        for node in inside)
