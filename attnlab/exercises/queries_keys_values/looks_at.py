"""`looks_at(weights)`: where the largest weight of each query stands."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input


def _whole_numbers(places: np.ndarray, _: Evidence) -> Diagnosis | None:
    if places.dtype.kind in "iu":
        return None
    return Diagnosis(
        f"your array holds {places.dtype}",
        "whole numbers: places, with which one can index",
        Cause(
            "looks_at.floats", "the places are not whole numbers, so they cannot be used as indices", "make the array of whole numbers: `dtype=int`"
        ),
    )


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    orders = [np.argsort(random.uniform(size=(tokens, tokens)), axis=1) for tokens in (5, 2, 1, 7)]
    many = random.uniform(size=(300, 300))
    return {
        "weights": [[(1 + order) / (1 + order).sum(axis=1, keepdims=True)] for order in orders],
        "many tokens": [[many]],
        "weights in an array that was transposed": [[np.ascontiguousarray(order.T).T / 8] for order in orders],
        "whole numbers": [[order] for order in orders],
        "large whole numbers": [[2**40 + order] for order in orders],
        "weights that differ little": [[0.25 + 1e-4 * order] for order in orders],
        "tiny weights": [[1e-30 * (1 + order)] for order in orders],
        "rows that share numbers": [[(order + np.arange(len(order))[:, None]) / 16] for order in orders],
        "one weight of 1 in each row": [[np.eye(len(order))[order[0]]] for order in orders],
    }


EXERCISE = Exercise(
    title="where each query looks",
    inputs=[
        Input("the weights of the picture", [np.array([[0.55, 0.35, 0.1], [0.2, 0.7, 0.1], [0.6, 0.25, 0.15]])]),
        Input("two tokens that look at each other", [np.array([[0.4, 0.6], [0.7, 0.3]])]),
        Input("five tokens", [np.roll(np.diag([1.0, 0.8, 0.6, 0.5, 0.4]), 2, axis=1) + np.linspace(0, 0.1, 25).reshape(5, 5)]),
        Input("nine tokens", [np.random.RandomState(3).dirichlet(np.ones(9), size=9)]),
        Input("a single token", [np.array([[1.0]])]),
    ],
    kinds=_kinds,
    properties={"whole numbers": _whole_numbers},
)
