"""How a wrong result is related to the expected one and to what went in, by its numbers, also where the shape is wrong."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.relations import arguments as related_arguments
from attnlab.diagnosis.relations import numbers as related_numbers
from attnlab.diagnosis.relations import shapes as related_shapes
from attnlab.diagnosis.relations.factors import explain_factor
from attnlab.diagnosis.relations.patterns import Example, find
from attnlab.diagnosis.relations.powers import POWER_TEXTS, to_a_power
from attnlab.diagnosis.text.sizes import source_of


def relation(examples: list[Example], right: list[Example], answer: Any = None) -> Cause | None:
    """What is established for all examples that are wrong.

    Args:
        examples: the wrong results that are finite.
        right: the right ones.
        answer: its text, where it can be seen, may say more.
    """
    zero = all(not example.got.any() and example.got.shape == example.wanted.shape for example in examples)
    if zero and any(example.got.size > 1 for example in examples):
        cut = all((np.trunc(example.wanted) == 0).all() for example in examples) and _whole_division(answer)
        return (
            (f"every entry is zero: {cut} cuts off all decimals", "`/` divides and keeps the decimals")
            if cut
            else ("every entry is zero", "print every intermediate array: where do the zeros begin?")
        )
    if cut := _cut_off(examples):
        return cut
    if digits := _decimals(examples):
        return f"the numbers are rounded to {digits - 1} decimals", "leave rounding to the printout; return full precision"
    found = find(related_shapes.with_another_shape(examples), related_shapes.TEXTS, examples)
    if not found and (cause := explain_factor(examples, right)):
        if all(example.wanted.ndim == 0 for example in examples):
            return cause[0].replace("every entry", "the result"), cause[1]
        return (
            ("every entry has the opposite sign", "look for a minus too many or too few, or a difference the wrong way round")
            if cause[0].startswith("every entry is -1 times")
            else cause
        )
    found = (
        found
        or find(to_a_power(examples), POWER_TEXTS, examples)
        or find(related_arguments.to_arguments(examples), related_arguments.TEXTS, examples)
        or find(related_numbers.with_other_numbers(examples), related_numbers.TEXTS, examples)
    )
    if not found:
        return None
    return found[1]


def _cut_off(examples: list[Example]) -> Cause | None:
    """Results without their decimals."""
    if any(one.got.shape != one.wanted.shape or not np.array_equal(one.got, np.trunc(one.wanted)) for one in examples):
        return None
    shows = any(np.trunc(one.wanted)[one.wanted != one.got].any() or len(np.unique(one.got)) > 2 for one in examples)  # else it is zeros
    if not shows:
        return None
    return "every number has lost its decimals", "look for `int(...)`, `//`, `trunc`, `dtype=int` and arrays of whole numbers on the way"


def _decimals(examples: list[Example]) -> int:
    """1 more than the number of decimals that all results are rounded to; 0 where they are not."""
    return next(
        (
            digits + 1
            for digits in range(8)
            if (told := [_is_rounded(example, digits) for example in examples]) and False not in told and True in told
        ),
        0,
    )


def _is_rounded(example: Example, digits: int) -> bool | None:
    """Whether the expected numbers were rounded; None where fewer than three of them change, so that it may be chance."""
    if example.got.shape != example.wanted.shape or not np.allclose(example.got, np.round(example.wanted, digits), rtol=2e-7, atol=1e-9):
        return False
    changed = np.abs(example.wanted - np.round(example.wanted, digits)) > 1e-7
    return True if len(np.unique(np.round(example.wanted[changed], 9))) > 2 else None


def _whole_division(answer: Any) -> str:
    """Where an answer has `//`; "" where it has none."""
    tree = source_of(answer)
    return next(
        (
            f"the `//` in line {node.lineno} of the function"
            for node in (ast.walk(tree) if tree else ())
            if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.FloorDiv)
        ),
        "",
    )
