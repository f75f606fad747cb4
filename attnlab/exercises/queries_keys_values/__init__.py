"""The exercises of lesson 2, a file each; here stands what several of them need."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers

TOKENS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])

W_KEY = np.array([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])

W_QUERY = np.array([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])

W_VALUE = np.array([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])


def small_rows(tokens: int, d_in: int, d_k: int, d_v: int, seed: int = 1) -> list[np.ndarray]:
    """x, w_query, w_key and w_value with sizes that differ from each other, in steps of a half so that a person can follow."""
    rng = np.random.RandomState(seed)
    w_query, w_key, w_value, x = (rng.randint(-2, 3, size=size) / 2 for size in ((d_in, d_k), (d_in, d_k), (d_in, d_v), (tokens, d_in)))
    return [x, w_query, w_key, w_value]


THIN = small_rows(2, 3, 4, 5)

CUBE = small_rows(3, 3, 3, 3, seed=7)  # all sizes equal: much that raises elsewhere runs here, and is known by its numbers

SIZES = ((5, 7, 3, 2), (2, 3, 4, 6), (4, 4, 4, 4), (6, 2, 1, 1), (3, 1, 2, 3), (1, 3, 2, 2), (1, 1, 1, 1), (40, 6, 5, 8))  # T, d_in, d_k, d_v

EXTREMES = ((1, 900, 2), (-900, -901, -902), (0, 2000, 1999), (-1e4, 1e4, 0), (1e4, -1e4, 9999), (3, 4, 5), (-1e4, -1e4, -9999), (2000, 0, 0))


def rows(random: np.random.RandomState, tokens: int, d_in: int, d_k: int, d_v: int) -> list[np.ndarray]:
    """x, w_query, w_key and w_value."""
    return [numbers(random, *shape) for shape in ((tokens, d_in), (d_in, d_k), (d_in, d_k), (d_in, d_v))]


def float_rows(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    """Floats of every size, and those that are easily mixed up."""
    one, other = rows(random, 5, 4, 3, 2), rows(random, 5, 4, 3, 2)
    return {
        "floats": [
            *(rows(random, *sizes) for sizes in SIZES),
            [random.normal(size=array.shape) for array in one],
            [0.25 * array for array in rows(random, 5, 7, 20, 3)],
            [one[0], *other[1:]],
            [other[0], *one[1:]],
            [np.asfortranarray(array) for array in one],
        ],
        **{f"floats, tokens {what}": [[x, *rows(random, 1, 4, 3, 2)[1:]]] for what, [x] in edge_cases(random, 4).items()},
    }


def long_rows(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    """Tokens that give large scores, and scores of very different size; the differences of scores are numbers that float32 holds exactly."""
    uneven = [np.round(array) for array in rows(random, 5, 4, 3, 2)]
    uneven[0][1:] *= 100
    tables = [np.array(EXTREMES[place : place + 3]) for place in range(6)] + [np.array([[5, 800, 4], [5, 4, 800], [900, 899, 901]])]
    return {
        "long vectors": [
            *(
                [16 * np.round(4 * one[0]) / 4, *(np.round(4 * matrix) / 4 for matrix in one[1:])]
                for one in (rows(random, *sizes) for sizes in SIZES[:3])
            ),
            uneven,
            *([np.eye(3), table, np.eye(3), numbers(random, 3, 2)] for one in tables for table in (one.astype(float), one[:, ::-1].astype(float))),
        ],
    }
