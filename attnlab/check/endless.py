"""A `while` that cannot end: nothing in it changes what its condition looks at."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import FrameType
from typing import Any

from attnlab.check.places import is_learners

FIXED = (int, float, str, bool, tuple)


def endless_loop(frame: FrameType | None) -> str:
    """The condition of a loop that is at work and that nothing in it can end; "" where that is not sure."""
    while frame is not None:
        if is_learners(frame.f_code.co_filename):
            try:
                tree = ast.parse(textwrap.dedent(inspect.getsource(frame.f_code)))
            except (OSError, TypeError, SyntaxError):  # a cell whose text is gone
                tree = ast.Module([], [])
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
    """Whether a name may stand for something else after a round, or, unless it is a number or a text, hold something else."""
    if any(isinstance(node, (ast.Global, ast.Nonlocal, ast.FunctionDef)) or (isinstance(node, ast.Name) and node.id == name and not isinstance(
            node.ctx, ast.Load)) for node in inside):
        return True
    if isinstance(value, FIXED):
        return False
    read = sum(isinstance(node, ast.Name) and node.id == name for node in inside)
    only_read = sum(isinstance(part, ast.Name) and part.id == name for node in inside for part in _parts_only_read(node))
    return read > only_read


def _parts_only_read(node: ast.AST) -> list[ast.AST]:
    """The parts of an expression that it cannot change."""
    match node:
        case ast.Subscript(value=value, ctx=ast.Load()):
            return [value]
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Call(func=ast.Name(id="len" | "range" | "print"), args=args):
            return list(args)
    return []
