"""`weighted_values(weights, values)`: entry `[i, j]` is weight i, j times value j."""

from __future__ import annotations

from functools import partial

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, edge_squares, numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import TOKENS, W_VALUE

WEIGHTS = np.array(
    [
        [0.06337893833303762, 0.4683105308334812, 0.4683105308334812],
        [6.033664854558337e-06, 0.9820078648958167, 0.01798610143932864],
        [0.00029538722303456454, 0.8805369017749616, 0.11916771100200385],
    ]
)


SIZES = ((5, 2), (3, 3), (2, 5), (4, 1), (1, 3), (1, 1), (30, 4))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    floats = [(np.abs(numbers(random, tokens, tokens)), numbers(random, tokens, d_v)) for tokens, d_v in SIZES]
    whole = partial(random.randint, dtype=np.int64)  # in browsers the default holds no large ones
    integers = [(whole(-3, 4, size=(tokens, tokens)), whole(-9, 10, size=(tokens, d_v))) for tokens, d_v in SIZES]
    weights_of_edge_cases = edge_squares(random)
    return {
        "floats": [list(pair) for pair in floats] + [[random.uniform(size=(3, 3)), random.normal(size=(3, 2))]],
        "weights below zero and large values": [[weights - 0.5, 64 * values] for weights, values in floats[:4]],
        "small weights": [[weights / 1024, values] for weights, values in floats[:4]],
        "weights in an array that was transposed": [[weights.T, values] for weights, values in floats[:3]],
        "integers": [list(pair) for pair in integers[:6]],
        "large integers": [[weights * (10**6 + 3), values * (10**6 + 7)] for weights, values in integers[:6]],
        "weights of floats and values of integers": [[weights + 0.5, values] for weights, values in integers[:6]],
        "weights of integers and values of floats": [[weights, values + 0.5] for weights, values in integers[:6]],
        "other weights for the same values": [[weights[::-1] + 1, values] for weights, values in floats[:2]],
        "other values for the same weights": [[weights, values[::-1] + 1] for weights, values in floats[:2]],
        **{f"weights and values, {what}": [[weights_of_edge_cases[what], values]] for what, [values] in edge_cases(random, 4).items()},
    }


EXERCISE = Exercise(
    title="every value times every weight that it gets",
    inputs=[
        Input("the weights and values of the example", [WEIGHTS, TOKENS @ W_VALUE]),
        Input("two tokens with values of dimension 4", [np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([[1, 2, 3, 4], [5, 6, 7, 8]])]),
        Input(
            "four tokens with values of dimension 1",
            [np.random.RandomState(4).dirichlet(np.ones(4), size=4).round(2), np.array([[1.5], [-2.0], [0.5], [3.0]])],
        ),
        Input("weights whose rows do not sum to 1", [np.array([[2.0, -1.5], [0.5, 3.0]]), np.array([[1.0, 2.0, -3.0], [4.0, -2.0, 0.5]])]),
        Input("a single token", [np.array([[1.0]]), np.array([[2.0, 3.0]])]),
    ],
    kinds=_kinds,
)
