"""What an answer's own text says of the order of its operations, where that can hardly be meant."""

from __future__ import annotations

import ast
from typing import Any

from attnlab.check.diagnosis import Cause
from attnlab.check.sizes import source_of


def odd_order(answer: Any, said: str = "") -> Cause | None:
    """An expression that Python reads in another order than it looks: `i + 1 % n`, `x ** 1 / 2`.

    Args:
        answer: the learner's function or class.
        said: what is known about an exception; the expression has to stand in it. "" when there was none.
    """
    tree = source_of(answer)
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=ast.BinOp(left=ast.Constant(value=int()), op=ast.Mod()) as rest):
                plus = "+" if isinstance(sign, ast.Add) else "-"
                read = f"{ast.unparse(left)} {plus} ({ast.unparse(rest)})"
                why = f"`%` comes before `{plus}`"
            case ast.BinOp(left=ast.BinOp(op=ast.Pow(), right=ast.Constant(value=1)) as power, op=ast.Div(), right=divisor):
                read, why = f"({ast.unparse(power)}) / {ast.unparse(divisor)}", "`**` comes before `/`"
            case _:
                continue
        if ast.unparse(node) in said or not said:
            return (f"Python reads `{ast.unparse(node)}`, line {node.lineno} of the function, as `{read}`: {why}",
                    "put parentheses around what belongs together")
    return None


def comma_at_the_end(answer: Any) -> str:
    """Where a comma at the end of an assignment makes a tuple of one; "" where none does."""
    tree = source_of(answer)
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Assign(value=ast.Tuple(elts=[one])) | ast.Return(value=ast.Tuple(elts=[one])):
                return f"the comma behind `{ast.unparse(one)}`, line {node.lineno} of the function, makes a tuple of one"
    return ""
