"""The exercises of lesson 2b, a file each; here stands what several of them need."""

from __future__ import annotations

import numpy as np

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


X, P = column_example()

TWO, PARAMETERS_OF_TWO = small_columns(2, 3, 4, 5)

ONE, PARAMETERS_OF_ONE = small_columns(1, 3, 2, 4, seed=2)

FOUR, PARAMETERS_OF_FOUR = small_columns(4, 4, 4, 4, seed=3)  # all sizes equal: much that raises elsewhere runs here, and is known by its numbers
