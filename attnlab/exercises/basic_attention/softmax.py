"""`softmax(scores, axis=-1)`: rows, values, huge scores, the other axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.relations.relations import rows_sum_to_one
from attnlab.exercises.basic_attention import EXTREMES, SCORES, WEIGHTS

OBLONG = np.array([[1.0, 2, 4], [0, 5, 1]])


def _rows(weights: np.ndarray, evidence: Evidence) -> Diagnosis | None:
    """Rows that sum to 1, and what the scores tell besides: not all are symmetric, so a transposed result is no softmax down the columns."""
    found = rows_sum_to_one(weights, evidence)
    square = [
        (as_numpy(evidence.result(case)), case.expected) for case in evidence.cases if len({*np.shape(case.expected)}) == 1 < case.expected.ndim
    ]
    if found and square and all(got.shape == wanted.shape and np.allclose(got, np.swapaxes(wanted, -1, -2)) for got, wanted in square):
        likely = "the weights are right, but their axes have changed places: the result is transposed"
        return found.with_cause(Cause("softmax.transposed", likely, "put the axes back before you return: `.T` or `np.moveaxis`"))
    return found


def _honours_axis(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    try:
        columns, rows = (as_numpy(answer(OBLONG.copy(), axis=axis)) for axis in (0, 1))
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        found = explain_error(error, answer)
        if "could not be broadcast together" in str(error) and _works(answer, axis=1):
            found = found.with_cause(
                Cause(
                    "softmax.axis_is_lost",
                    "what you compute along `axis` comes back without that axis, or with it in another place, and does not "
                    "line up; with axis=1 your lines work",
                    "keep the axis where it is: `keepdims=True`, or `np.expand_dims(..., axis)`",
                )
            )
        return replace(found, observed=f"with axis=0, {found.observed}")
    sums = columns.sum(axis=0)
    if columns.shape == OBLONG.shape and np.allclose(sums, 1):
        return _shifted_along_the_other_axis(columns)
    observed = f"for scores of shape {OBLONG.shape} and axis=0, the result has shape {columns.shape}, and its columns sum to {np.round(sums, 2)}"
    return Diagnosis(observed, "with axis=0 every column sums to 1", _why_axis(answer, columns, rows))


def _shifted_along_the_other_axis(columns: np.ndarray) -> Diagnosis | None:
    """What is wrong where each column sums to 1, and before that every row was given another number to subtract."""
    e = np.exp(OBLONG - OBLONG.max(axis=1, keepdims=True))
    if not np.allclose(columns, e / e.sum(axis=0)):
        return None
    return Diagnosis(
        f"for scores of shape {OBLONG.shape} and axis=0, yours is {columns[0, 0]:.4g} at [0, 0]",
        f"{np.exp(OBLONG[0, 0]) / np.exp(OBLONG[:, 0]).sum():.4g}",
        Cause(
            "softmax.shifted_along_last_axis",
            "the largest score is taken along the last axis also where `axis` is 0, so that scores of one column get different numbers subtracted",
            "take the maximum along `axis`, as the sum",
        ),
    )


def _works(answer: Callable[..., np.ndarray], axis: int) -> bool:
    """Whether a call gives an array of the shape of what goes in, which sums to 1 along the axis."""
    try:
        result = as_numpy(answer(OBLONG.copy(), axis=axis))
    except Exception:  # that is an answer, too
        return False
    return result.shape == OBLONG.shape and np.allclose(result.sum(axis=axis), 1)


def _why_axis(answer: Callable[..., np.ndarray], columns: np.ndarray, rows: np.ndarray) -> Cause:
    """What other calls establish, where axis=0 gives a wrong result and axis=1 another one or the same."""
    follow = "follow one column through your lines: which line does something different when `axis` is 0?"
    if np.array_equal(columns, rows):
        if _works(answer, axis=-2):
            return Cause(
                "softmax.axis_zero_as_none",
                "axis=-2, the same axis counted from the end, is right, but axis=0 gives the result of axis=1: somewhere 0 counts as "
                "no axis, as in `axis or -1` or `if axis:`",
                "test for `axis is None`, or use the argument as it is",
            )
        return Cause(
            "softmax.axis_ignored",
            "the argument `axis` has no effect: the result is the same with axis=0 and axis=1",
            follow,
        )
    if columns.shape == OBLONG.T.shape and np.allclose(columns.sum(axis=1), 1):
        return Cause(
            "softmax.axis_not_moved_back",
            "every row sums to 1, and the shape is transposed: the axis was moved to the end and not moved back",
            "move the axis back before you return, or move nothing and give `axis` to the maximum and the sum",
        )
    return unknown("softmax.wrong_along_axis", follow)


SHAPES = ((5, 3), (3, 5), (4, 4), (1, 6), (6, 1), (7,), (2, 3, 4))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    integers = random.randint(-9, 9, size=(4, 3))
    rows = np.array([[*row, *more] for row in EXTREMES for more in ((row[0], row[0]), (row[1], random.randint(9)), (0, 5))], dtype=float)
    many = numbers(random, 2, 120, size=30)
    many[:, 60 + random.randint(60)] = 2000
    low = numbers(random, 6, 5)
    low[:, random.randint(5)] = -45
    already = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])[random.permutation(3)]
    return {
        "scores": [[numbers(random, *shape, size=3)] for shape in SHAPES],
        "scores with all their digits": [[random.normal(scale=3, size=(4, 5))]],
        "many scores": [[many]],
        "close scores, far from zero": [[9000 + random.normal(size=(4, 5))], [random.normal(size=(5, 3)) - 9000, 0]],
        "large scores": [[np.clip(numbers(random, *shape, size=4000), -1e4, 1e4)] for shape in SHAPES],
        **{
            f"axis={axis}": [
                [numbers(random, *shape, size=3), axis] for shape in ((6,), (5, 3), (3, 3), (2, 3, 4)) if -len(shape) <= axis < len(shape)
            ]
            for axis in (0, 1, 2, -1, -2, -3)
        },
        "integers": [[integers], [integers, 0], [5000 * (integers % 5 - 2)], [5000 * (integers % 5 - 2), 0]],
        "rows of very different size": [[rows], [rows[::-1].copy()]],
        "columns of very different size, axis=0": [[rows.T.copy(), 0]],
        "one score far below the others": [[low]],
        **{f"scores, {what}": [[table], [table, 0]] for what, [table] in edge_cases(random, 4).items()},
        "scores that are weights already": [[already], [already, 0], [already[0]]],
    }


EXERCISE = Exercise(
    title="turn scores into weights",
    shows=("weights",),
    inputs=[
        Input("the three rows of the card", [SCORES]),
        Input("integer scores", [np.array([[1, 2, 3, 4], [0, 0, 0, 9]])]),
        Input("scores of ±10 000", [np.array([[10000.0, 9999, 0], [-10000, -9999, -9998]])]),
        Input("one row near 1 and one near 900", [np.array([[1.0, 2, 3], [900, 901, 902]])]),
        Input("a single score", [np.array([[5.0]])]),
    ],
    kinds=_kinds,
    properties=WEIGHTS | {"rows": _rows},
    edges={"axis=0": lambda evidence: _honours_axis(evidence.answer)},
)
