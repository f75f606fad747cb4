"""Another exercise's function that raises because of what it was given: which argument, and what its card takes."""

from __future__ import annotations

import dis
import inspect
import itertools
import types
from collections.abc import Mapping
from typing import Any

from attnlab import reference
from attnlab.arrays import kind_of
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.exceptions.values import shape_of
from attnlab.diagnosis.results.form import KINDS, type_in_words
from attnlab.diagnosis.text.source import Place, is_array

JUMPS = {*dis.hasjrel, *dis.hasjabs}
AXES = {0: "a single number", 1: "one row (one axis)", 2: "a matrix (two axes)", 3: "three axes", 4: "four axes"}

DRIVEN = {  # whose checks do more with an input than pass it on, so that it says nothing about arguments
    *("next_letter_projections", "is_permutation_equivariant", "is_permutation_invariant"),
    *("train_model", "learn_to_rearrange", "generate"),
}


def explain_border(places: list[Place], exercise: str = "") -> Cause | None:
    """What is wrong with the call of another exercise's function, when the exception comes out of that function.

    Args:
        places: the learner's lines on the way to the exception, the outermost first.
        exercise: the function that was checked, which is no other one.
    """
    for outer, inner in itertools.pairwise(places):
        if inner.function in {outer.function, exercise, *DRIVEN} or not reference.asking_for(inner.function):
            continue
        for number, (name, value) in enumerate(_given(inner)):
            if told := _unlike(inner.function, number, name, value):
                return Cause(
                    "borders.wrong_argument",
                    f"`{inner.function}` was called in line {outer.line} with {told}",
                    f"look at {f'the call `{outer.text}`' if outer.text else 'that call'}: what should its arguments be?",
                )
    return None


def _given(place: Place) -> list[tuple[str, Any]]:
    """The arguments that a function was given, by name; only those that it has not assigned since."""
    frame = place.frame
    if frame is None:
        return []
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount]
    steps = list(dis.get_instructions(code))
    loops = any(step.opcode in JUMPS and step.argval < step.offset for step in steps)  # what comes later may have run before
    run = [step for step in steps if loops or step.offset <= frame.f_lasti]
    changed = {step.argval for step in run if step.opname in ("STORE_FAST", "STORE_DEREF")}
    return [(name, frame.f_locals[name]) if name in frame.f_locals and name not in changed else (name, inspect.Parameter.empty) for name in names]


def _unlike(function: str, number: int, name: str, value: Any) -> str:
    """How an argument differs from everything that the function's own check gives it; "" where it does not, or where that is not known."""
    if value is inspect.Parameter.empty:
        return ""
    cases = reference.cases(function)
    usual = [case.arguments[number] for case in cases if number < len(case.arguments)]
    if value is None and len(usual) < len(cases):  # it may be left out
        return ""
    if usual and all(isinstance(one, dict) for one in usual) and not isinstance(value, Mapping):
        return f"{type_in_words(value)} as `{name}`, but it is written for a dictionary"
    arrays = [one for one in usual if is_array(one)]
    if not usual or not arrays or len(arrays) < len(usual):
        return ""
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)):
        called = f"the function `{getattr(value, '__name__', '')}` itself"
        return f"{called} as `{name}`, but it takes {KINDS[kind_of(arrays[0])]}: the round brackets after the function's name are missing"
    wanted = {kind_of(one) for one in arrays}
    if kind_of(value) not in wanted:
        return f"{type_in_words(value)} as `{name}`, but it is written for {' or '.join(KINDS[kind] for kind in sorted(wanted))}"
    axes = {len(one.shape) for one in arrays}
    if len(value.shape) not in axes:
        takes = " or ".join(AXES.get(count, f"{count} axes") for count in sorted(axes))
        return f"an array of shape {shape_of(value)} as `{name}`, but its card gives it {takes}"
    return ""
