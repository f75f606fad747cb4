"""How a wrong result is related to the expected one and to what went in, by its numbers, also where the shape is wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy, is_number
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence, parts_of
from attnlab.diagnosis.relations import arguments as related_arguments
from attnlab.diagnosis.relations import numbers as related_numbers
from attnlab.diagnosis.relations import shapes as related_shapes
from attnlab.diagnosis.relations.factors import explain_factor
from attnlab.diagnosis.relations.inputs import measures
from attnlab.diagnosis.relations.patterns import RESULT, Example, find
from attnlab.diagnosis.relations.powers import POWER_TEXTS, to_a_power
from attnlab.diagnosis.results.compare import close, tolerance_of
from attnlab.diagnosis.text.sizes import source_of
from attnlab.reference import Case


def explain_relation(evidence: Evidence, case: Case) -> Cause | None:
    """How the first part that is wrong is related to the expected one, when that holds for all inputs with a wrong result."""
    for place in range(len(parts_of(case.expected))):
        pairs = [
            (wrong, example)
            for one in [case, *(other for other in evidence.beside(case) if other is not case)]
            for wrong, example in _examples(evidence, one, place)
        ]
        if not pairs or not pairs[0][0]:
            continue
        examples = [example for wrong, example in pairs if wrong and np.isfinite(example.got).all()]
        if not examples or examples[0] is not pairs[0][1]:
            return None
        right = [example for wrong, example in pairs if not wrong]
        return relation(examples, right, evidence.answer, "this part" if isinstance(case.expected, tuple) else RESULT)
    return None


def _examples(evidence: Evidence, case: Case, place: int) -> Iterator[tuple[bool, Example]]:
    """A part of the result for a case, and whether it is wrong; nothing where it is no array."""
    results, expected = parts_of(evidence.result(case)), parts_of(case.expected)
    if len(results) != len(expected) or not all(hasattr(value, "shape") or is_number(value) for value in (results[place], expected[place])):
        return
    try:
        got, wanted = (as_numpy(values[place]).astype(float) for values in (results, expected))
    except (TypeError, ValueError):  # an array of objects
        return
    tolerance = tolerance_of(results[place], replace(case, expected=expected[place]))
    narrow = min(max(tolerance, 1e-5), 1e-4)  # a wide one would find relations by chance
    arrays, sizes = measures(evidence.name, case, evidence.exercise.call)
    others = {
        name: as_numpy(value).astype(float)
        for name, value in zip(case.parts, expected)
        if value is not expected[place] and isinstance(case.expected, tuple)
    }
    yield not close(got, wanted, tolerance), Example(got, wanted, narrow, arrays, sizes, others)


def relation(examples: list[Example], right: list[Example], answer: Any = None, result: str = RESULT) -> Cause | None:
    """What is established for all examples that are wrong.

    Args:
        examples: the wrong results that are finite.
        right: the right ones.
        answer: its text, where it can be seen, may say more.
        result: what to call the results.
    """
    zero = all(not example.got.any() and example.got.shape == example.wanted.shape for example in examples)
    if zero and any(example.got.size > 1 for example in examples):
        cut = all((np.trunc(example.wanted) == 0).all() for example in examples) and _whole_division(answer)
        return (
            Cause("relations.entry_zero_cuts_off", f"every entry is zero: {cut} cuts off all decimals", "`/` divides and keeps the decimals")
            if cut
            else Cause("relations.entry_zero", "every entry is zero", "print every intermediate array: where do the zeros begin?")
        )
    if cut := _cut_off(examples):
        return cut
    if digits := _decimals(examples):
        return Cause(
            "relations.numbers_rounded_decimals",
            f"the numbers are rounded to {digits - 1} decimals",
            "leave rounding to the printout; return full precision",
        )
    return (
        find(related_shapes.with_another_shape(examples), related_shapes.TEXTS, examples, result)
        or explain_factor(examples, right, result)
        or find(to_a_power(examples), POWER_TEXTS, examples, result)
        or find(related_arguments.to_arguments(examples), related_arguments.TEXTS, examples, result)
        or find(related_numbers.with_other_numbers(examples), related_numbers.TEXTS, examples, result)
    )


def _cut_off(examples: list[Example]) -> Cause | None:
    """Results without their decimals."""
    if any(one.got.shape != one.wanted.shape or not np.array_equal(one.got, np.trunc(one.wanted)) for one in examples):
        return None
    shows = any(np.trunc(one.wanted)[one.wanted != one.got].any() or len(np.unique(one.got)) > 2 for one in examples)  # else it is zeros
    if not shows:
        return None
    return Cause(
        "relations.number_lost_decimals",
        "every number has lost its decimals",
        "look for `int(...)`, `//`, `trunc`, `dtype=int` and arrays of whole numbers on the way",
    )


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
