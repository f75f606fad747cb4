"""The exercises of lesson 2b, a file each; here stands what several of them need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers

QKV = ("omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v")

VQK = ("omega_v", "omega_q", "omega_k", "beta_v", "beta_q", "beta_k")


def column_example() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """X and the parameters of the example, drawn in the order that its recipe says."""
    inputs, parameters = np.random.RandomState(3), np.random.RandomState(0)
    X = np.hstack([inputs.normal(size=(4, 1)) for _ in range(3)])
    drawn = {f"omega_{role}": parameters.normal(size=(4, 4)) for role in "qkv"}
    return X, drawn | {f"beta_{role}": parameters.normal(size=(4, 1)) for role in "qkv"}


def small_columns(tokens: int, d_in: int, d_k: int, d_v: int, seed: int = 1) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Columns with sizes that differ from each other, in steps of a half so that a person can follow."""
    rng = np.random.RandomState(seed)

    def draw(*size: int) -> np.ndarray:
        return rng.randint(-2, 3, size=size) / 2

    parameters = {
        "omega_q": draw(d_k, d_in),
        "omega_k": draw(d_k, d_in),
        "omega_v": draw(d_v, d_in),
        "beta_q": draw(d_k, 1),
        "beta_k": draw(d_k, 1),
        "beta_v": draw(d_v, 1),
    }
    return draw(d_in, tokens), parameters


def in_order(names: tuple[str, ...], parameters: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [parameters[name] for name in names]


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Random numbers with one decimal."""
    return np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32).astype(float)


SIZES = ((5, 7, 3, 2), (2, 3, 5, 6), (4, 4, 4, 4), (1, 3, 2, 2), (1, 1, 1, 1), (6, 2, 1, 1), (3, 1, 2, 3))  # N, D, D_k, D_v

SOME = ((5, 7, 3, 2), (4, 4, 4, 4), (2, 3, 5, 6))

EXTREMES = ((1, 900, 2), (-900, -900, -960), (0, 2000, 1900), (-1e4, 1e4, 0), (1e4, -1e4, 9900), (3, 4, 5), (-1e4, -1e4, -9900), (2000, 0, 0))

Kinds = dict[str, list[Sequence[Any]]]


def shapes_of(names: tuple[str, ...], N: int, D: int, D_k: int, D_v: int) -> list[tuple[int, int]]:
    """Of the tokens, and of the parameters of these names."""
    rows = {"q": D_k, "k": D_k, "v": D_v}
    return [(D, N), *((rows[name[-1]], D if name.startswith("omega") else 1) for name in names)]


def in_steps(array: np.ndarray, steps: int) -> np.ndarray:
    """Rounded to multiples of 1/steps."""
    return np.round(steps * array) / steps


def floats(random: np.random.RandomState, names: tuple[str, ...], sizes: Sequence[int], size: float = 1.0) -> list[np.ndarray]:
    """Tokens, with this standard deviation, and parameters, in steps that let float32 hold their scores exactly."""
    X, *parameters = (numbers(random, *shape) for shape in shapes_of(names, *sizes))
    return [in_steps(X, 8) if size == 1 else np.round(size * X), *(in_steps(array, 8 if size == 1 else 4) for array in parameters)]


def integers(random: np.random.RandomState, names: tuple[str, ...], sizes: Sequence[int]) -> list[np.ndarray]:
    """Tokens and parameters that are whole numbers."""
    return [random.randint(-2, 3, size=shape) for shape in shapes_of(names, *sizes)]


def kinds_of_floats(random: np.random.RandomState, names: tuple[str, ...], sizes: Sequence[Sequence[int]]) -> Kinds:
    """Tokens and parameters of every size."""
    (X, *parameters), (other, *others) = floats(random, names, sizes[0]), floats(random, names, sizes[0])
    return {
        "tokens": [floats(random, names, one) for one in sizes],
        "the same tokens with other matrices": [[X, *parameters], [X, *others], [other, *parameters], [X, *parameters]],
        "small numbers": [[array / size for array in floats(random, names, sizes[0])] for size in (2**7, 2**12)],
        "numbers with all their digits": [[random.normal(scale=0.5, size=shape) for shape in shapes_of(names, *sizes[0])]],
        "arrays that were transposed": [list(map(np.asfortranarray, floats(random, names, sizes[0])))],
    }


def kinds_of_integers(random: np.random.RandomState, names: tuple[str, ...], sizes: Sequence[Sequence[int]] = SOME) -> Kinds:
    """Every mix of integers and floats that the cards allow."""
    biases = 1 + len(names) // 2  # the place of the first
    kinds: Kinds = {}
    for one in sizes:
        whole, real = integers(random, names, one), floats(random, names, one)
        for kind, arguments in (
            ("integers", whole),
            ("integer tokens, the rest floats", [whole[0], *real[1:]]),
            ("float tokens, the rest integers", [real[0], *whole[1:]]),
            ("integer biases, the rest floats", [*real[:biases], *whole[biases:]]),
            ("float biases, the rest integers", [*whole[:biases], *real[biases:]]),
        ):
            kinds.setdefault(kind, []).append(arguments)
    return kinds


def kinds_of_edge_cases(random: np.random.RandomState, names: tuple[str, ...]) -> Kinds:
    """Tokens that shortcuts trip over: equal ones, zeros and so on."""
    return {f"tokens, {what}": [[in_steps(x.T, 8), *floats(random, names, (1, 4, 3, 2))[1:]]] for what, [x] in edge_cases(random, 4).items()}


def beside_long_ones(random: np.random.RandomState, names: tuple[str, ...], sizes: Sequence[int]) -> list[np.ndarray]:
    """The first token is short, all others are long."""
    X, *parameters = floats(random, names, sizes, size=300)
    X[:, 0] = np.round(X[:, 0] / 75) / 4
    return [X, *parameters]


def scores_of(table: np.ndarray, random: np.random.RandomState, names: tuple[str, ...]) -> list[np.ndarray]:
    """Three tokens whose scores are this table, a column for each query, with D_k = 4."""
    omegas = {"q": np.vstack([table, np.zeros((1, 3))]), "k": np.eye(4, 3), "v": numbers(random, 2, 3)}
    return [np.eye(3), *(omegas[name[-1]] if name.startswith("omega") else np.zeros((len(omegas[name[-1]]), 1)) for name in names)]


def kinds_of_long_vectors(random: np.random.RandomState, names: tuple[str, ...], factor: float = 1.0) -> Kinds:
    """What overflows, or comes to nothing, unless every column has its own largest score; the scores are made larger by a factor."""
    tables = [np.array(EXTREMES[place : place + 3]).T[:, random.permutation(3)] for place in range(6)]
    tables.append(np.array([[5.0, 800, 4], [5, 4, 800], [900, 850, 900]]).T)
    return {
        "long vectors": [floats(random, names, one, size=60) for one in SOME],
        "one short vector beside long ones": [beside_long_ones(random, names, one) for one in SOME],
        "columns of very different scores": [scores_of(factor * table, random, names) for table in tables],
    }


X, P = column_example()

TWO, PARAMETERS_OF_TWO = small_columns(2, 3, 4, 5)

ONE, PARAMETERS_OF_ONE = small_columns(1, 3, 2, 4, seed=2)

FOUR, PARAMETERS_OF_FOUR = small_columns(4, 4, 4, 4, seed=3)  # all sizes equal: much that raises elsewhere runs here, and is known by its numbers
