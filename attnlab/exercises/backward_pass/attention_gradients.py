"""`attention_gradients(q, k, v, g)`: the gradients at queries, keys and values."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.scaling import extreme


def backwards(queries: int, keys: int, d: int, d_v: int, seed: int) -> list[np.ndarray]:
    """q, k, v and the gradient at the outputs, in steps of a half."""
    rng = np.random.RandomState(seed)
    return [rng.randint(-4, 5, size=size) / 2 for size in [(queries, d), (keys, d), (keys, d_v), (queries, d_v)]]


BACK = backwards(3, 4, 5, 2, seed=8)


SIZES = ((6, 3, 4, 2), (4, 4, 4, 4), (1, 1, 3, 2), (1, 5, 2, 3), (5, 1, 2, 3), (3, 2, 1, 1), (2, 3, 50, 7), (30, 20, 8, 6))  # T, S, d, d_v

NEARLY_SATURATED = ((5, 0, 1, -1), (0, 1, 9, -1), (-1, 13, 0, 1), (0.5, 1, -1, 0))  # scaled scores


def _shapes(T: int, S: int, d: int, d_v: int) -> tuple[tuple[int, int], ...]:
    return (T, d), (S, d), (S, d_v), (T, d_v)


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    def drawn(*sizes: int) -> list[np.ndarray]:
        return [numbers(random, *shape) for shape in _shapes(*sizes)]

    first, other = drawn(3, 4, 5, 2), drawn(3, 4, 5, 2)
    asking, keys = extreme(random)
    nearly = np.array(NEARLY_SATURATED)[:, random.permutation(4)] @ np.eye(4, 16)
    values, long = numbers(random, 4, 3), []
    for T, S, d, d_v in ((5, 6, 4, 2), (2, 3, 64, 7)):
        q, k, *further = drawn(T, S, d, d_v)
        long.append([np.round(60 * q), np.round(60 * k), *further])
    whole = [[random.randint(-2, 3, size=shape) for shape in _shapes(*sizes)] for sizes in ((3, 5, 4, 2), (4, 4, 4, 4), (1, 3, 2, 2))]
    return {
        "floats": [drawn(*sizes) for sizes in SIZES],
        "the same queries with other numbers": [first, [first[0], *other[1:]], [*first[:3], other[3]], first],
        "numbers with all their digits": [[random.normal(size=shape) for shape in _shapes(3, 4, 5, 2)]],
        "large gradients at the outputs": [[*first[:3], 1000 * other[3]]],
        "a saturated softmax": [
            [asking, keys, values, numbers(random, len(asking), 3)],
            *([row[None], keys, values, numbers(random, 1, 3)] for row in asking),
        ],
        "a softmax that is nearly saturated": [[2 * row[None], 2 * keys, values, numbers(random, 1, 3)] for row in nearly],
        "long queries and keys": long,
        "integers": whole,
        "integers beside floats": [[*arrays[:2], arrays[2] / 2, arrays[3]] for arrays in whole]
        + [[arrays[0], arrays[1] / 2, *arrays[2:]] for arrays in whole],
        **{f"floats, rows {what}": [arrays] for what, arrays in edge_cases(random, 3, count=4).items()},
    }


EXERCISE = Exercise(
    title="the way back through scaled attention",
    shows=("vectors", "vectors", "vectors"),
    inputs=[
        Input("three queries and four keys", BACK),
        Input("one query and two keys", backwards(1, 2, 3, 2, seed=9)),
        Input("T = S and d = d_v", backwards(3, 3, 2, 2, seed=10)),
        Input("longer vectors", [3 * BACK[0], 3 * BACK[1], *BACK[2:]]),
        Input("whole numbers", [(2 * array).astype(np.int64) for array in backwards(2, 3, 4, 2, seed=12)]),
    ],
    kinds=_kinds,
    tolerance=1e-4,  # a gradient is what is left of a difference, of which float32 keeps fewer digits
    parts=("queries", "keys", "values"),
)
