"""the repaired attention of the clinic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.permutation_test import FOUR

SEQUENCE = np.array([[1.0, 0, 1], [0, 2, 0], [1, 1, 1], [-1, 0.5, 2]])

SIZES = ((5, 7), (4, 4), (2, 3), (12, 2), (6, 1), (1, 3), (1, 1), (17, 5), (130, 4))

COLUMNS = ([1, 900], [900, 1], [0, 2000], [2000, 0], [-30, 31], [31, -30], [1e4, -1e4, 1], [1, 1e4, -1e4], [-900, -901], [1, 40, -40, 2])

FAR = 2.0**60  # the score of such a token with itself is still a number of float32


def _hides_all(answer: Callable[[np.ndarray], np.ndarray]) -> Diagnosis | None:
    x = np.column_stack([np.random.RandomState(6).normal(size=(6, 2)), [0, 0, 0, 0, FAR, FAR]])
    try:
        before = as_numpy(answer(x.copy()))[:4, 2]
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    if (before == 0).all():
        return None
    return Diagnosis(
        f"a very long token reaches the outputs before it: {np.abs(before).max():.3g} where all that a query may see is 0",
        "0: a masked key has a weight of exactly zero",
        Cause(
            "repaired_causal_attention.small_weights",
            "a masked key has a small weight, not zero",
            "e to the power of which number is 0? Give the masked keys that score",
        ),
    )


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    tokens = [numbers(random, *size) for size in SIZES]
    later = [[numbers(random, length, 7), start] for length in (5, 17, 40) for start in (1, length // 2, length - 1)]
    return {
        "tokens": [[x] for x in tokens],
        "tokens that grow from row to row": [[x * np.linspace(0.25, 2, len(x))[:, None]] for x in tokens[:4]],
        "other tokens of the same shape": [[tokens[0][::-1] + 1], [tokens[0]]],
        "tokens with all their digits": [[random.normal(size=(4, 5))]],
        "tokens of integers": [[np.array([[1, 0, 2], [0, 3, 1]])], *([random.randint(-3, 4, size=size)] for size in SIZES[:7])],
        "tokens of zeros, or at right angles": [[np.array([[0.0, 2], [1, 0], [0, 0], [0, -1]])], [numbers(random, 5, 3) * [[0], [1], [0], [1], [0]]]],
        "tokens with a column of ones": [[np.column_stack([numbers(random, 6, 2), np.ones(6)])]],
        "tokens in an array that was transposed": [[numbers(random, 4, 6).T]],
        "later tokens that are longer": [[np.where(np.arange(len(x))[:, None] < start, x, 3.0)] for x, start in later],
        # Powers of two, and four numbers where scores are close: so float32 holds the scores exactly.
        "long vectors": [[size * numbers(random, *shape)] for shape, size in (((5, 4), 64), ((12, 4), 64), ((12, 1), 64))]
        + [[size * numbers(random, *shape)] for shape in ((5, 7), (4, 4), (12, 2)) for size in (2.0**10, 2.0**20)],
        "short tokens beside long ones": [
            [np.column_stack([np.full(len(column), beside), column, np.zeros(len(column))])] for column in COLUMNS for beside in (0.0, 3.0)
        ],
        **{f"tokens, {what}": [arguments] for what, arguments in edge_cases(random, 4).items()},
    }


EXERCISE = Exercise(
    title="attention that does not see the future",
    shows=("vectors",),
    inputs=[
        Input("the four tokens of the card", [SEQUENCE]),
        Input("tokens of six numbers", [FOUR]),
        Input("a single token", [SEQUENCE[:1]]),
        Input("tokens of integers", [np.array([[1, 0, 2], [0, 3, 1]])]),
        Input("long vectors", [60 * SEQUENCE]),
    ],
    kinds=_kinds,
    edges={"weights of exactly zero": lambda evidence: _hides_all(evidence.answer)},
)
