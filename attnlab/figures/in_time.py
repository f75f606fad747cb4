"""Cells that draw what a learner's function gives: the time that they may take."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from typing import TYPE_CHECKING

from attnlab import history, reference
from attnlab.diagnosis.limits import limited

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult


def limit_cells_that_draw() -> None:
    """From now on, stop a cell that takes too long when it hands a picture what an answer gives: `figures.weights_heatmap(attention_weights(x))`.

    Python calls the answer before the picture begins, so no picture can. Outside of IPython, nothing happens.
    """
    shell = history.running_shell()
    if shell is None:
        return
    running = ExitStack()

    def begin(info: ExecutionInfo) -> None:
        if _draws_answers(str(info.raw_cell)):
            running.enter_context(limited(whole_cell=True))

    def end(_: ExecutionResult) -> None:
        running.close()

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", end)


def _draws_answers(cell: str) -> bool:
    """Whether a cell does nothing but draw, and hands a picture what a function of the learner's gives."""
    try:
        statements = ast.parse(cell).body
    except (SyntaxError, ValueError):
        return False
    if any(not isinstance(statement, (ast.Expr, ast.Assign)) for statement in statements):
        return False  # it defines, imports or repeats something: more than a picture
    nodes = [node for statement in statements for node in ast.walk(statement)]
    drawn = [node for node in nodes if isinstance(node, ast.Call) and _is_figure(node.func)]
    if any(isinstance(call.func, ast.Attribute) and call.func.attr == "compare" for call in drawn):
        return False  # that has the limit itself
    names = {node.id for call in drawn for node in ast.walk(call) if isinstance(node, ast.Name)}
    return any(asked.kind == "exercise" for name in names for asked in reference.asking_for(name))


def _is_figure(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "figures"
