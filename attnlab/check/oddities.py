"""What an answer's own text says that can hardly be meant: the order of its operations, a comma, a list that is made anew."""

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


def made_anew(answer: Any, said: str) -> Cause | None:
    """A list that is made in every round of a loop, filled there and read behind the loop; its name has to stand in what is known of an exception."""
    tree = source_of(answer)
    for block in (getattr(node, "body", []) for node in ast.walk(tree)) if tree else ():
        for place, loop in enumerate(block if isinstance(block, list) else []):
            if not isinstance(loop, (ast.For, ast.While)):
                continue
            behind = {node.id for statement in block[place + 1:] for node in ast.walk(statement) if isinstance(node, ast.Name)}
            for statement in loop.body:
                match statement:
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])) if name in behind and f"{name} is a list" in said:
                        return (f"`{name} = []`, line {statement.lineno} of the function, stands in the loop: every round begins with an empty list, "
                                "and the last round's alone is left", "make the empty list once, before the loop")
    return None
