"""A name that does not exist, in a line that calls a check or draws, or since the cell that was to define it stopped: a message, no traceback.

Python looks for `softmax` before `check.softmax(softmax)` begins, so no check can say that its cell was not run or that the function is
called something else. IPython lets a handler look at the error; every other NameError is shown as always.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import linecache
from collections.abc import Sequence
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from attnlab import history, reference
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis
from attnlab.reference import Graded

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

OURS = ("check", "figures")
AT_MOST = 3  # names to offer
AGAIN = "then this cell again"


def explained(error: NameError, trace: TracebackType, shell: InteractiveShell) -> CheckFailed | None:
    """What to say when the cell itself, not a function that it calls, has asked for a missing name in a line of ours, or
    where the cell that was to define it has stopped; None elsewhere."""
    while trace.tb_next:
        trace = trace.tb_next
    frame = trace.tb_frame
    if frame.f_code.co_name != "<module>" or frame.f_globals is not shell.user_ns or not error.name:
        return None
    source = "".join(linecache.getlines(frame.f_code.co_filename))
    if chosen := _chosen_without_quotes(source, trace.tb_lineno, error.name):
        return chosen
    if not _is_ours(source, trace.tb_lineno) and not history.failed_to_define(error.name):
        return None
    names = {
        name: value
        for name, value in shell.user_ns.items()
        if name not in shell.user_ns_hidden and not name.startswith("_") and not isinstance(value, ModuleType) and not hasattr(builtins, name)
    }
    return missing(error.name, names, [str(cell) for cell in shell.user_ns.get("In", [])], _choices(source, trace.tb_lineno))


def missing(name: str, names: dict[str, Any], cells: Sequence[str] = (), choices: tuple[Any, ...] = ()) -> CheckFailed:
    """What to say when a check is given a name that does not exist.

    Args:
        name: what is missing.
        names: what the session holds.
        cells: the texts of the cells that were run, the latest last.
        choices: of which the name should be one, where it is a prediction.
    """
    return CheckFailed(f"{name}: no such name in this session", history.failed_to_define(name, choices) or _diagnose(name, names, cells))


def _is_ours(source: str, line: int) -> bool:
    """Whether the statement at this line of a cell calls something of `check` or `figures`."""
    return any(_called(node) for node in _nodes_at(source, line))


def _choices(source: str, line: int) -> tuple[Any, ...]:
    """What can be chosen, where the statement at this line of a cell notes an answer."""
    for node in _nodes_at(source, line):
        if isinstance(node, ast.Call) and _called(node) == "choice":
            return tuple(one.value for one in node.args[2:] if isinstance(one, ast.Constant))
    return ()


def _chosen_without_quotes(source: str, line: int, word: str) -> CheckFailed | None:
    """What to say where a prediction or an answer is to be a word that has no quotes, so that its own cell stops."""
    for node in _nodes_at(source, line):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == word and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if any(asked.kind != "exercise" for asked in reference.asking_for(name, history.lesson())):
                observed = f"`{name} = {word}`: there is nothing called `{word}` in this session"
                return CheckFailed(
                    f"{name}: not chosen yet", Diagnosis(observed, "one of the choices, as the question has them", history.unquoted(word))
                )
    return None


def _called(node: ast.AST) -> str:
    """What of `check` or `figures` a syntax tree calls; "" where it is no such call."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=called)) if module in OURS:
            return called
    return ""


def _nodes_at(source: str, line: int) -> list[ast.AST]:
    """The syntax tree of the innermost statement at a line of a cell, node by node."""
    try:
        statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    except (SyntaxError, ValueError):
        return []
    here = [node for node in statements if node.lineno <= line <= (node.end_lineno or node.lineno)]
    if not here:
        return []
    return list(ast.walk(min(here, key=lambda node: ((node.end_lineno or node.lineno) - node.lineno, -node.col_offset))))


def _diagnose(name: str, names: dict[str, Any], cells: Sequence[str]) -> Diagnosis:
    observed = f"there is no `{name}` in this session, so nothing was looked at"
    if name in OURS:
        return Diagnosis(
            observed,
            f"the part of the course that `from attnlab import {name}` imports",
            Cause(
                "undefined.imports_not_run",
                "the cell that imports it has not run since the kernel started",
                f"run `from attnlab import {name}`, {AGAIN}",
            ),
        )
    lesson = history.lesson()
    asked = reference.asking_for(name, lesson)
    if not asked:
        return Diagnosis(
            observed,
            f"a value called `{name}`",
            Cause(
                "undefined.cell_not_run",
                f"the cell that defines it has not run since the kernel started, or it stopped with an error{_offer(_close(name, names))}",
                f"*Run › Run All Above Selected Cell*, {AGAIN}",
            ),
        )
    if asked[0].kind != "exercise":
        values = {other: value for other, value in names.items() if not callable(value)}
        return Diagnosis(
            observed,
            f"your {'prediction' if asked[0].kind == 'prediction' else 'answer'}, under the name `{name}`",
            Cause(
                "undefined.choice_not_run",
                f"the cell where you choose has not run since the kernel started, or it uses another name{_offer(_close(name, values))}",
                f"run that cell with `{name} = ...` in it, {AGAIN}",
            ),
        )
    return Diagnosis(
        observed,
        f"your answer to {asked[0].title.split(' · ')[0]}, under the name `{name}`" if lesson else f"a function or class called `{name}`",
        Cause(
            "undefined.exercise_not_run",
            "the cell that defines it has not run since the kernel started, stopped with an error, or uses another name"
            f"{_offer(_renamed(asked[0], names)) or _taken(asked[0], cells)}",
            f"run that cell with the name `{name}` in it, {AGAIN}",
        ),
    )


def _offer(others: list[str]) -> str:
    """The names that may be meant. Whether one is, only the learner knows."""
    return f". Did you mean {' or '.join(f'`{other}`' for other in others)}?" if others else ""


def _close(name: str, names: dict[str, Any]) -> list[str]:
    """The names that read like this one, apart from those that something else asks for."""
    folded = {other.lower(): other for other in names if not reference.asking_for(other)}
    return [folded[close] for close in difflib.get_close_matches(name.lower(), folded, AT_MOST, cutoff=0.75)]


def _renamed(exercise: Graded, names: dict[str, Any]) -> list[str]:
    """Functions and classes of the notebook that read like the exercise's, or have its parameters."""
    made = {name: value for name, value in names.items() if callable(value) and getattr(value, "__module__", None) == "__main__"}
    alike = [name for name, value in made.items() if not reference.asking_for(name) and _parameters(value) == exercise.parameters]
    return list(dict.fromkeys([*_close(exercise.name, made), *alike]))[:AT_MOST]


def _taken(exercise: Graded, cells: Sequence[str]) -> str:
    """The name of another exercise under which the last cell that defines anything makes something with this one's arguments."""
    for cell in reversed(cells):
        defined = [node for node in _statements(cell) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        if defined:
            alike = [node.name for node in defined if _arguments(node) == exercise.parameters and node.name != exercise.name]
            return f". In the last cell with a definition, `{alike[0]}` has the same arguments: should it have this name?" if alike else ""
    return ""


def _statements(cell: str) -> list[ast.stmt]:
    try:
        return ast.parse(cell).body
    except (SyntaxError, ValueError):
        return []


def _arguments(made: ast.FunctionDef | ast.ClassDef) -> tuple[str, ...]:
    if isinstance(made, ast.FunctionDef):
        return tuple(argument.arg for argument in made.args.args)
    makers = [node for node in made.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    return tuple(argument.arg for argument in makers[0].args.args[1:]) if makers else ()


def _parameters(made: Any) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(made).parameters)
    except (TypeError, ValueError):
        return ()
