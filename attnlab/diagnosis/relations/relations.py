"""What all right results have in common, and how a wrong one is related to the expected one and to what went in, also where the shape is wrong.

A relation is told when it holds on every input that comes out wrong, by more numbers than chance explains.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy, is_number
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import NOT_KNOWN, Cause, Certainty, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence, parts_of
from attnlab.diagnosis.relations.families import (
    ARGUMENT_TEXTS,
    NUMBER_TEXTS,
    POWER_TEXTS,
    RESULT,
    Example,
    distinct,
    explain_factor,
    find,
    to_a_power,
    to_arguments,
    with_other_numbers,
)
from attnlab.diagnosis.relations.places import explain_places, explain_zeros
from attnlab.diagnosis.relations.shapes import SHAPE_TEXTS, with_another_shape
from attnlab.diagnosis.results.form import close, explain_type, tolerance_of
from attnlab.diagnosis.text.source import source_of
from attnlab.reference import Case

EXACT = 2**24  # up to here, float32 holds every whole number
ROUNDED = 5e-3  # row sums of rounded weights are off by less; the comparison with the reference explains those


def measures(exercise: str, case: Case, call: Callable[..., Any]) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """The arrays of a case by the names of their parameters, and its sizes by what to call them."""
    arrays: dict[str, np.ndarray] = {}
    sizes: dict[str, float] = {}
    for name, value in named(exercise, case, call):
        if type(value) in (int, float) and value > 0:
            sizes[f"`{name}`"] = value
        elif hasattr(value, "shape") and value.shape:
            arrays[name] = as_numpy(value).astype(float)
            sizes |= {f"the length of axis {axis} of `{name}`": length for axis, length in enumerate(value.shape)}
        elif isinstance(value, (list, tuple)):
            sizes[f"the length of `{name}`"] = len(value)
    return arrays, sizes


def named(exercise: str, case: Case, call: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """What a case gives to an answer, with the names of its parameters."""
    parameters = next((item.parameters for item in reference.asking_for(exercise) if item.parameters), ())
    if isinstance(call, calls.Module):
        settings, _, x = case.arguments
        yield from [*zip(parameters, settings), ("x", x)]
    else:
        yield from ((name, value) for name, value in zip(parameters, case.arguments) if name != "rng")


def explain_relation(evidence: Evidence, case: Case) -> Cause | None:
    """How the first part that is wrong is related to the expected one, when that holds for all inputs with a wrong result."""
    found = _wrong_part(evidence, case)
    return relation(*found[:2], evidence.answer, found[2]) if found else None


def explain_part_at_zero(evidence: Evidence, case: Case) -> Cause | None:
    """Which part of a matrix is zero and should not be, though that is not all."""
    found = _wrong_part(evidence, case)
    return explain_zeros(found[0], found[2]) if found else None


def explain_where(evidence: Evidence, case: Case) -> Cause | None:
    """Where the wrong numbers stand, when that is the same for all inputs with a wrong result."""
    found = _wrong_part(evidence, case)
    return explain_places(found[0]) if found else None


def _wrong_part(evidence: Evidence, case: Case) -> tuple[list[Example], list[Example], str] | None:
    """The first part that is wrong, for all inputs: where it is wrong, where it is right, and what to call it; None where one cannot say."""
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
        return examples, [example for wrong, example in pairs if not wrong], "this part" if isinstance(case.expected, tuple) else RESULT
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
    if zero and any(example.got.size > 1 and example.wanted.astype(bool).mean() > 0.5 for example in examples):
        cut = all((np.trunc(example.wanted) == 0).all() for example in examples) and _whole_division(answer)
        return (
            Cause("relation.zero_by_floor_division", f"every entry is zero: {cut} cuts off the decimals", "`/` divides and keeps the decimals")
            if cut
            else Cause("relation.all_zero", "every entry is zero", "print every intermediate array: where do the zeros start?")
        )
    if cut := _cut_off(examples):
        return cut
    if all(one.got.shape == one.wanted.shape and np.array_equal(one.got, one.wanted.astype(np.float16)) for one in examples):
        return Cause(
            "relation.half_precision",
            "the numbers are rounded to float16, which has three digits",
            "look for `float16` and `half` in your lines: which type do the numbers need?",
        )
    if digits := _decimals(examples):
        return Cause(
            "relation.rounded_decimals",
            f"the numbers are rounded to {digits - 1} decimals",
            "round only when you print; return the numbers with full precision",
        )
    return (
        find(with_another_shape(examples), SHAPE_TEXTS, examples, result)
        or explain_factor(examples, right, result)
        or find(to_a_power(examples), POWER_TEXTS, examples, result)
        or find(to_arguments(examples), ARGUMENT_TEXTS, examples, result)
        or find(with_other_numbers(examples), NUMBER_TEXTS, examples, result)
    )


def _cut_off(examples: list[Example]) -> Cause | None:
    """Results without their decimals."""
    if any(one.got.shape != one.wanted.shape or not np.array_equal(one.got, np.trunc(one.wanted)) for one in examples):
        return None
    shows = any(np.trunc(one.wanted)[one.wanted != one.got].any() or len(np.unique(one.got)) > 2 for one in examples)  # else it is zeros
    if not shows:
        return None
    return Cause(
        "relation.decimals_lost",
        "every number has lost its decimals",
        "look for `int(...)`, `//`, `trunc`, `dtype=int` and arrays of whole numbers in your lines",
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


def non_negative(weights: np.ndarray, evidence: Evidence) -> Diagnosis | None:
    """Weights are shares, so none is below zero."""
    if weights.min() >= 0:
        return None
    return Diagnosis(
        f"the smallest weight is {weights.min():.4f}",
        "no weight is below zero",
        Cause(
            "common.negative_weight",
            f"a softmax never gives that: exponentials are positive, and so is their sum; {NOT_KNOWN}",
            "is there an exponential, and does any line change the weights after it?",
            Certainty.HINT,
        ),
    )


def rows_sum_to_one(weights: np.ndarray, evidence: Evidence) -> Diagnosis | None:
    """Along the last axis (the keys) the weights sum to 1."""
    rows = weights.sum(axis=-1)
    if np.allclose(rows, 1, atol=ROUNDED):
        return None
    columns, whole = weights.sum(axis=-2), weights.sum()
    observed = f"rows of your weights sum to {_range(rows)}"
    if evidence.everywhere(lambda one: np.allclose(one.sum(axis=-2), 1, atol=1e-4)):
        return Diagnosis(
            f"{observed}, columns to 1.00",
            "every row sums to 1",
            Cause(
                "common.columns_sum_to_one",
                "the columns sum to 1 instead of the rows: you normalised over queries (the last division runs down the columns), "
                "or rows and columns are swapped",
                "each row is one query; which axis indexes the keys? Take the softmax along that axis",
            ),
        )
    differ = not np.allclose(rows, rows.flat[0], atol=1e-4)  # equal sums have one factor, such as 1 divided by their number
    if differ and evidence.everywhere(lambda one: np.isclose(one.sum(), 1, atol=1e-4)) and rows.max() < 1 - ROUNDED:
        return Diagnosis(
            f"{observed}; the whole matrix sums to 1.00",
            "every row sums to 1",
            Cause(
                "common.sum_over_all_entries",
                "the sum runs over all entries instead of along one axis",
                "give the sum its axis, and `keepdims=True` so that the division lines up",
            ),
        )
    if weights.ndim == 3 and evidence.everywhere(lambda one: np.allclose(one.sum(axis=0), 1, atol=1e-4)):
        return Diagnosis(
            f"{observed}; the same entry of all sequences sums to 1.00",
            "every row sums to 1",
            Cause(
                "common.softmax_over_batch",
                "the softmax runs over the batch: it mixes sequences that have nothing to do with each other",
                "use the last axis, `dim=-1`: it indexes the keys",
            ),
        )
    return Diagnosis(
        f"{observed}, columns to {_range(columns)}, the whole matrix to {whole:.2f}",
        "every row sums to 1",
        unknown(
            "common.rows_not_normalised",
            "print the exponentials, their sums and the weights: is each row divided by its own sum, and by nothing else?",
        ),
    )


def _range(sums: np.ndarray) -> str:
    low, high = float(sums.min()), float(sums.max())
    return f"{low:.2f}" if np.isclose(low, high, atol=5e-3) else f"{low:.2f} to {high:.2f}"


def explain_the_same(evidence: Evidence, case: Case) -> Cause | None:
    """The same array comes out for all inputs that say something about a case, and other ones are expected."""
    cases = evidence.beside(case)
    results = evidence.results(cases)
    if len(results) < 2 or not all(hasattr(one, "shape") and hasattr(case.expected, "shape") for one, case in zip(results, cases)):
        return None
    arrays, wanted = list(map(as_numpy, results)), [as_numpy(case.expected) for case in cases]
    if arrays[0].dtype.kind not in "fiu" or distinct(arrays[0]) < 3 or not all(np.isfinite(one).all() and close(one, arrays[0]) for one in arrays):
        return None
    if all(close(one, wanted[0]) for one in wanted) or not any(map(_all_differ, *zip(*itertools.combinations(cases, 2)))):
        return None
    return Cause(
        "common.same_for_every_input",
        "the numbers are the same for every input of this check: your lines do not work on what is passed in",
        "does a line give an argument a new value, or are the numbers of the example written into the code?",
    )


def _all_differ(one: Case, other: Case) -> bool:
    """Whether two inputs have no array and no list in common; a setting that alone is another one says nothing about the rest."""
    pairs = [pair for pair in zip(one.arguments, other.arguments) if hasattr(pair[0], "shape") or isinstance(pair[0], list)]
    return bool(pairs) and not any(
        np.array_equal(as_numpy(first), as_numpy(second)) if hasattr(first, "shape") else first == second for first, second in pairs
    )


def explain_whole_numbers(evidence: Evidence, case: Case) -> Cause | None:
    """A result of whole numbers, where the other inputs show why; the numbers of that result alone do not."""
    cases = evidence.beside(case)
    results = evidence.results(cases)
    pairs = [(as_numpy(result), as_numpy(one.expected), one) for result, one in zip(results, cases) if hasattr(result, "dtype")]
    mine = next((result for result, _, one in pairs if one is case), None)
    if mine is None or mine.dtype.kind not in "iu":
        return None
    if any(
        wanted.shape == got.shape and got.dtype.kind in "iu" and (wanted != np.trunc(wanted)).any() and np.array_equal(got, np.trunc(wanted))
        for got, wanted, _ in pairs
    ):
        return Cause(
            "form.decimals_cut_off",
            "an array of whole numbers cuts off the decimals",
            "which line makes it? `dtype=int`, an array made from whole numbers and `zeros_like` of such an array keep no decimals",
        )
    fine = [one for result, _, one in pairs if not explain_type(result, one.expected)]
    if fine and _holds_whole_numbers(case) and not any(map(_holds_whole_numbers, fine)):
        return Cause(
            "common.integer_type_taken_over",
            "for an input of whole numbers, the result is an array of whole numbers, too: it takes its type from the input",
            "write into an array of decimals: `np.zeros(shape)`, or `.astype(float)`",
        )
    return None


def explain_large_numbers(evidence: Evidence, case: Case) -> Cause | None:
    """Whole numbers that come out right until they are too large for the type that something computes with."""
    if not isinstance(case.expected, int):
        return None
    right, wrong = [], []
    for one in (*evidence.cases, *itertools.chain(*evidence.drawn.values())):
        got, wanted = evidence.result(one), one.expected
        if not is_number(got):
            return None
        (right if got == wanted else wrong).append((int(got), int(wanted)))
    if not wrong or not right or max(wanted for _, wanted in right) >= min(wanted for _, wanted in wrong):
        return None
    if all(abs(got - wanted) < wanted / EXACT and got == int(np.float32(got)) for got, wanted in wrong):
        return Cause(
            "form.whole_numbers_in_float32",
            f"all numbers up to {EXACT:,} come out right, and larger ones as float32 rounds them: it holds no more whole numbers one by one",
            "where does float32 come in? `torch.Tensor(...)` has that type; compute with Python's own whole numbers",
        )
    return None


def _holds_whole_numbers(case: Case) -> bool:
    return any(hasattr(argument, "dtype") and as_numpy(argument).dtype.kind in "iu" for argument in case.arguments)
