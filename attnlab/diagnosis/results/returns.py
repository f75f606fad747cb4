"""A result of None: what the answer's own text says about its `return`."""

from __future__ import annotations

import ast
from typing import Any

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.text.sizes import source_of

CHANGES_ITS_OBJECT = {"append", "extend", "insert", "sort", "reverse", "fill", "shuffle", "update", "fill_diagonal", "copyto", "put", "place"}


def explain_none(answer: Any, parts: tuple[str, ...] = ()) -> Diagnosis:
    """What is wrong with an answer that returns None; `parts` are the names of what it should return."""
    return Diagnosis("your function returns None", "it returns the result", _why(_body(source_of(answer)), ", ".join(parts) or "..."))


def _body(tree: ast.AST | None) -> ast.FunctionDef | None:
    """The function, or the last method called `forward`."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] if tree else []
    return next((node for node in functions if node.name == "forward"), functions[0] if functions else None)


def _why(function: ast.FunctionDef | None, result: str) -> Cause:
    end = f"end the function with `return {result}`"
    if function is None:
        return Cause("returns.return_value_reached", "no `return` with a value was reached", end)
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    for node in returns:
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute) and node.value.func.attr in CHANGES_ITS_OBJECT:
            return Cause(
                "returns.changes_object_gives_none",
                f"`{ast.unparse(node.value)}` changes its object and gives None",
                "do that in a line of its own, and return the object below it",
            )
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id == "print":
            return Cause("returns.print_shows_value_gives", "`print(...)` shows a value and gives None", "return the value itself")
    if any(node.value is None for node in returns):
        return Cause("returns.return_without_value_reached", "a `return` without a value was reached", "write the result behind it")
    if returns:
        return Cause(
            "returns.return_stands_function_call",
            "a `return` stands in the function: this call did not reach it, or what stands behind it gives None",
            "print what stands behind it; look at its indentation, and at the branches before it",
        )
    if any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print" for node in ast.walk(function)):
        return Cause(
            "returns.return_function_prints_result",
            "there is no `return`: the function prints its result",
            f"write `return {result}` in place of `print(...)`",
        )
    return Cause("returns.return", "there is no `return`", end)
