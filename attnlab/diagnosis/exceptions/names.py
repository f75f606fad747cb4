"""A name that a line of a learner's reads and that has no value there."""

from __future__ import annotations

import ast
import builtins
import difflib
import sys
import types
from typing import Any

from attnlab import reference
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.source import Place, listed

USUAL = {
    "F": "import torch.nn.functional as F",
    "nn": "import torch.nn as nn",
    "np": "import numpy as np",
    "numpy": "import numpy",
    "torch": "import torch",
    "plt": "import matplotlib.pyplot as plt",
    "rearrange": "from einops import rearrange",
    "pd": "import pandas as pd",
}
ONLY = "a function needs only its arguments, what it computes from them, other functions, and what its card names"


def explain_name(error: Any, places: list[Place]) -> Cause | None:
    """Why a name has no value.

    Args:
        error: the NameError.
        places: the learner's lines on the way to it, the innermost last.
    """
    if isinstance(error, UnboundLocalError):
        return _unbound(str(error).partition("'")[2].partition("'")[0], places[-1])
    name = error.name or ""
    return next(
        filter(
            None,
            (
                _text(name, places),
                _parameter(name, places[-1]),
                _of_self(name, places[-1]),
                _deeper(name, places[-1]),
                _callers(name, places),
                _imported(name),
                _exercise(name),
                _library(name, places[-1]),
            ),
        ),
        None,
    ) or _unknown(name, places[-1])


def _text(name: str, places: list[Place]) -> Cause | None:
    """A word without its quotes: it is compared with a text, or a text that is one of the arguments' values."""
    for node in ast.walk(places[-1].node or ast.Module([], [])):
        values = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if any(isinstance(value, ast.Name) and value.id == name for value in values) and any(
            isinstance(value, ast.Name) and isinstance(places[-1].names.get(value.id), str) for value in values
        ):
            return Cause(
                "names.text_without_quotes",
                f"`{name}` without quotes is a name, but the line compares it with a string",
                f'write `"{name}"` with quotes',
            )
    return None


def _parameter(name: str, place: Place) -> Cause | None:
    """A name of the card's that the function's own `def` calls something else."""
    own = _parameters(place)
    asked = [item.parameters for item in reference.asking_for(place.function)]
    if own and name not in own and any(name in parameters for parameters in asked):
        return Cause(
            "names.parameter_not_in_def",
            f"the card has an argument `{name}`, but your `def {place.function}` has {listed(own)}",
            "use the same name in the `def` and below it, best the one on the card",
        )
    alike = [other for other in own if other.lower() == name.lower()]
    if alike:
        return Cause(
            "names.parameter_wrong_case",
            f"the argument is called `{alike[0]}`: capital and small letters make different names",
            f"write `{alike[0]}`",
        )
    return None


def _of_self(name: str, place: Place) -> Cause | None:
    """An attribute or a method of the object, without `self`."""
    owner = place.names.get("self")
    if owner is None:
        return None
    kept = {key for kind in ("_parameters", "_buffers", "_modules") for key in vars(owner).get(kind) or {}} | {
        key for key in vars(owner) if not key.startswith("_")
    }
    if name in kept or name in vars(type(owner)):
        return Cause("names.self_missing", f"`{name}` alone is not known in a method; the object has `self.{name}`", f"write `self.{name}`")
    made = ast.walk(place.whole) if place.whole else ()
    if any(isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr == name for node in made):
        return Cause(
            "names.self_missing",
            f"this method assigns `self.{name}`; `{name}` alone is a different name",
            f"write `self.{name}`, or give `{name}` a value first",
        )
    if _argument_of_init(owner, name):
        return Cause(
            "names.init_argument_not_stored",
            f"`{name}` is an argument of `__init__` and exists only there; `{place.function}` has no `{name}`",
            f"store it in the constructor with `self.{name} = {name}`, and write `self.{name}` here",
        )
    return None


def _argument_of_init(owner: Any, name: str) -> bool:
    code = getattr(vars(type(owner)).get("__init__"), "__code__", None)
    return isinstance(code, types.CodeType) and name in code.co_varnames[: code.co_argcount]


def _deeper(name: str, place: Place) -> Cause | None:
    """A variable of a comprehension, outside of it."""
    code = place.frame.f_code if place.frame else None
    inside = [constant for constant in code.co_consts if isinstance(constant, types.CodeType) and constant.co_name.startswith("<")] if code else []
    if any(name in one.co_varnames for one in inside):
        return Cause(
            "names.comprehension_variable_outside",
            f"`{name}` is the variable of a comprehension and exists only inside its brackets",
            "use it inside, or write a loop",
        )
    return None


def _callers(name: str, places: list[Place]) -> Cause | None:
    """A variable of the function that calls this one."""
    here = places[-1]
    for place in reversed(places[:-1]):
        if place.frame and name in place.frame.f_locals and place.function not in (here.function, "<module>"):
            return Cause(
                "names.variable_of_caller",
                f"`{name}` is a variable of `{place.function}`, which calls `{here.function}`; a function does not see the variables of its caller",
                f"pass it: give `{here.function}` a parameter for it",
            )
    return None


def _imported(name: str) -> Cause | None:
    line = USUAL.get(name) or (f"import {name}" if name in sys.stdlib_module_names else "")
    return (
        Cause("names.missing_import", f"`{name}` is not imported in this notebook", f"start your cell with `{line}`, or work without it")
        if line
        else None
    )


def _exercise(name: str) -> Cause | None:
    if not reference.asking_for(name):
        return None
    return Cause(
        "names.other_exercise_not_run",
        f"`{name}` is another exercise of the course: its cell was not run in this session, or its function has a different name",
        f"run the cell that defines `{name}`, then this one",
    )


def _library(name: str, place: Place) -> Cause | None:
    """A function of NumPy, torch or `math`, called without the module's name."""
    calls = [
        node
        for node in ast.walk(place.node or ast.Module([], []))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]
    owners = [(word, place.names[word]) for word in ("np", "torch", "math", "nn") if isinstance(place.names.get(word), types.ModuleType)]
    has = [word for word, module in owners if callable(getattr(module, name, None))]
    if calls and has:
        told = " and ".join(f"`{word}.{name}`" for word in has)
        return Cause(
            "names.library_prefix_missing",
            f"`{name}` alone is not a function here; there is {told}",
            f"write {told.replace(' and ', ' or ')}, whichever fits your arrays",
        )
    return None


def _unknown(name: str, place: Place) -> Cause:
    near = (
        difflib.get_close_matches(name, {other for other in place.names if not other.startswith("__")} - {place.function}, n=1)
        if len(name) > 2
        else []
    )
    own = _parameters(place)
    takes = f"; `{place.whole.name}` has the arguments {listed(own)}" if own and place.whole else ""
    return Cause(
        "names.undefined_name",
        f"no line that ran defines `{name}`" + (f"; there is a `{near[0]}`" if near else takes),
        f"if a cell defines it, run that cell; else check the spelling; {ONLY}",
    )


def _parameters(place: Place) -> tuple[str, ...]:
    if place.whole is None:
        return ()
    arguments = place.whole.args
    return tuple(argument.arg for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if argument.arg != "self")


def _unbound(name: str, place: Place) -> Cause:
    """A name that the function assigns, read before it has a value."""
    rule = "a name that is assigned anywhere in a function belongs to the function"
    end = "give it a value before the line that reads it, or assign to a different name"
    stores = (
        [node for node in ast.walk(place.whole) if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)]
        if place.whole
        else []
    )
    lines = sorted({node.lineno for node in stores})
    value = place.frame.f_globals.get(name, getattr(builtins, name, None)) if place.frame else None
    if callable(value) and lines:
        return Cause(
            "names.function_shadowed_by_local",
            f"line {lines[0]} assigns `{name}`, so in the whole function `{name}` is a variable and not the function `{name}`",
            f"use a different name in line {lines[0]}",
        )
    added = [
        node
        for node in (ast.walk(place.whole) if place.whole else ())
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name
    ]
    if stores and len(added) == len(stores):
        return Cause(
            "names.changed_before_initialised",
            f"`{ast.unparse(added[0])}` adds to `{name}`, but no line before gives `{name}` a value: {rule}"
            if isinstance(added[0].op, ast.Add)
            else f"`{ast.unparse(added[0])}` changes `{name}`, but no line before gives `{name}` a value",
            f"give it a value above the loop, such as `{name} = 0` or zeros of the right shape",
        )
    if lines and lines[0] > place.line and not _in_a_loop(place):
        return Cause("names.read_before_assignment", f"`{name}` gets its value only further down, in line {lines[0]}: {rule}", end)
    branch = _branch(place, lines) if lines else ""
    if branch:
        return Cause("names.assigned_in_skipped_branch", f"`{name}` gets its value only in {branch}, which did not run", end)
    return Cause("names.not_assigned_yet", f"`{name}` gets its value only further down, or in a branch that did not run: {rule}", end)


def _in_a_loop(place: Place) -> bool:
    return any(
        isinstance(node, (ast.For, ast.While)) and node.lineno <= place.line <= (node.end_lineno or 0)
        for node in (ast.walk(place.whole) if place.whole else ())
    )


def _branch(place: Place, lines: list[int]) -> str:
    """The `if` or loop that holds all lines that give a name its value, and not the line that reads it."""
    for node in ast.walk(place.whole) if place.whole else ():
        if (
            isinstance(node, (ast.If, ast.For, ast.While))
            and all(node.lineno <= line <= (node.end_lineno or 0) for line in lines)
            and not node.lineno <= place.line <= (node.end_lineno or 0)
        ):
            kind = "`if`" if isinstance(node, ast.If) else "loop"
            head = ast.unparse(node.test) if isinstance(node, (ast.If, ast.While)) else f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
            return f"the {kind} of line {node.lineno}, `{head}`" if kind == "loop" else f"a branch of the `if` of line {node.lineno}, `{head}`"
    return ""
