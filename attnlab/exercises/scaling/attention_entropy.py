"""`attention_entropy(weights)`: one number per query, in nats, also where a weight is 0."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.results.form import same_value
from attnlab.reference import Case

WEIGHTS = np.array(
    [
        [0.06337893833303762, 0.4683105308334812, 0.4683105308334812],
        [6.033664854558337e-06, 0.9820078648958167, 0.01798610143932864],
        [0.00029538722303456454, 0.8805369017749616, 0.11916771100200385],
    ]
)


SOME_EQUAL, ONE_HOT, ASCENDING = (0.5, 0, 0.25, 0.25), (0, 1, 0, 0), (0.0625, 0.125, 0.25, 0.5625)


def _moved_away_from_zero(evidence: Evidence, _: Case) -> Cause | None:
    """A small number against the logarithm of 0 that is large enough to change the result."""
    results = [(case, np.asarray(case.arguments[0], dtype=float), evidence.result(case)) for case in evidence.cases]
    if all(result is None or same_value(result, case.expected, case) for case, _, result in results):
        return None
    for digits, ten in itertools.product((1, 2, 5), range(1, 9)):
        number = digits * 10.0**-ten
        for words, changed in _AGAINST_ZERO:
            with np.errstate(all="ignore"):
                same = [same_value(result, changed(weights, number), case) for case, weights, result in results if result is not None]
            if same and all(same):
                return Cause(
                    "attention_entropy.epsilon_too_large",
                    f"{words.format(f'{number:g}')}, which changes the result",
                    "replace only the zeros, with 1, or leave them out of the sum",
                )
    return None


_AGAINST_ZERO: tuple[tuple[str, Callable[[np.ndarray, float], np.ndarray]], ...] = (
    ("{} is added to the weights before the logarithm", lambda w, e: -(w * np.log(w + e)).sum(axis=-1)),
    ("{} is added to the weights, both inside the logarithm and outside it", lambda w, e: -((w + e) * np.log(w + e)).sum(axis=-1)),
    ("weights below {} are set to it before the logarithm", lambda w, e: -(w * np.log(np.maximum(w, e))).sum(axis=-1)),
    (
        "weights below {} are set to it, both inside the logarithm and outside it",
        lambda w, e: -(np.maximum(w, e) * np.log(np.maximum(w, e))).sum(axis=-1),
    ),
    ("small weights are left out", lambda w, e: -(w * np.log(np.where(w > e, w, 1))).sum(axis=-1)),
    ("weights of 0 are replaced by {}", lambda w, e: -(np.where(w > 0, w, e) * np.log(np.where(w > 0, w, e))).sum(axis=-1)),
)


def _weights(random: np.random.RandomState, tokens: int, power: int) -> np.ndarray:
    """Weights of which about a third are 0; the higher the power, the more they differ."""
    rows = random.uniform(size=(tokens, tokens)) ** power
    rows[:, 1:][random.uniform(size=(tokens, tokens - 1)) < 0.3] = 0
    return rows / rows.sum(axis=1, keepdims=True)


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    first, one_hot = _weights(random, 5, 3), np.eye(4)[random.permutation(4)]
    tiny = np.full((200, 200), 1e-6)
    np.fill_diagonal(tiny, 1 - 199e-6)
    return {
        "weights": [[first], [_weights(random, 5, 3)], [first], [_weights(random, 2, 1)], [_weights(random, 6, 2).astype(np.float32)]],
        "many weights": [[_weights(random, 60, 8)], [_weights(random, 130, 2)]],
        "rows of which some are equal, and one is one-hot": [[np.array([SOME_EQUAL, ONE_HOT, SOME_EQUAL, ASCENDING])]],
        "equal weights": [[np.full((tokens, tokens), 1 / tokens)] for tokens in (3, 150)],
        "one large weight and many tiny ones": [[tiny]],
        "a weight that is almost 0": [[np.array([[1.0, 1e-300], [0.5, 0.5]])]],
        "whole numbers": [[one_hot.astype(int)], [one_hot.astype(np.uint16)]],
        "a single token": [[np.array([[1.0]])], [np.array([[1]])]],
        "weights in an array that was transposed": [[np.asfortranarray(_weights(random, 4, 2))]],
    }


EXERCISE = Exercise(
    title="how spread out the weights of each query are",
    inputs=[
        Input("the attention of the integer example", [WEIGHTS]),
        Input("rows with weights of exactly 0", [np.array([[0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [0.1, 0.3, 0.6]])]),
        Input("whole numbers", [np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]])]),
        Input("a single token", [np.array([[1.0]])]),
    ],
    kinds=_kinds,
    probes=Probes(first=_moved_away_from_zero),
)
