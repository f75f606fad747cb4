"""Inputs of the visible checks of lesson 2b, and the wrong results that they know by value."""

import numpy as np

from authoring.references import Case, Exercise

QKV = ("omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v")
VQK = ("omega_v", "omega_q", "omega_k", "beta_v", "beta_q", "beta_k")
SCORED = ("omega_q", "omega_k", "beta_q", "beta_k")


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

    parameters = {"omega_q": draw(d_k, d_in), "omega_k": draw(d_k, d_in), "omega_v": draw(d_v, d_in),
                  "beta_q": draw(d_k, 1), "beta_k": draw(d_k, 1), "beta_v": draw(d_v, 1)}
    return draw(d_in, tokens), parameters


def in_order(names: tuple[str, ...], parameters: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [parameters[name] for name in names]


def scaled_case(tokens: int, d_in: int, d_k: int, d_v: int, seed: int) -> list[np.ndarray]:
    """Arguments of the scaled exercise."""
    columns, parameters = small_columns(tokens, d_in, d_k, d_v, seed)
    return [columns, *in_order(VQK, parameters)]


def heads_example() -> list:
    """N = 6 tokens of dimension 8 and two heads of dimension 4, from the seeds that the card names."""
    inputs, parameters = np.random.RandomState(3), np.random.RandomState(0)
    heads = []
    for _ in range(2):
        omegas = {f"omega_{role}": parameters.normal(size=(4, 8)) for role in "qkv"}
        heads.append({**omegas, **{f"beta_{role}": parameters.normal(size=(4, 1)) for role in "qkv"}})
    return [inputs.normal(size=(8, 6)), heads, parameters.normal(size=(8, 8))]


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Random numbers with one decimal."""
    return np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32).astype(float)


def small_heads(N: int, factor: float = 1.0, size: int = 1) -> list:
    """Three heads for N tokens, of dimension 1 and 3 or, with another `size`, that many times as much."""
    heads = [{**{f"omega_{role}": drawn(seed + place, size, 3 * size) for place, role in enumerate("qkv")},
              **{f"beta_{role}": drawn(seed + 3 + place, size, 1) for place, role in enumerate("qkv")}}
             for seed in (10, 20, 30)]
    return [factor * drawn(6, 3 * size, N), heads, drawn(7, 3 * size, 3 * size)]


X, P = column_example()
TWO, PARAMETERS_OF_TWO = small_columns(2, 3, 4, 5)
ONE, PARAMETERS_OF_ONE = small_columns(1, 3, 2, 4, seed=2)
FIVE, PARAMETERS_OF_FIVE = small_columns(5, 3, 4, 6)
FOUR, PARAMETERS_OF_FOUR = small_columns(4, 4, 4, 4, seed=3)  # all sizes equal: much that raises elsewhere runs here, and is known by its numbers
SCALED_TWO = scaled_case(2, 3, 5, 4, seed=5)


EXERCISES = {
    "query_key_value": Exercise(
        "the three vectors of one token",
        [Case("token 0 of the example", [X[:, :1], *in_order(QKV, P)]),
         Case("D = 3, D_k = 4 and D_v = 5", [TWO[:, :1], *in_order(QKV, PARAMETERS_OF_TWO)])],
        parts=("query", "key", "value")),
    "one_output": Exercise(
        "one query, all keys, one mix of values",
        [Case("token 0 of the example", [0, X, *in_order(QKV, P)]),
         Case("the same with n=2", [2, X, *in_order(QKV, P)]),
         Case("two tokens, D_k = 4 and D_v = 5, n=1", [1, TWO, *in_order(QKV, PARAMETERS_OF_TWO)]),
         Case("five tokens, n=4", [4, FIVE, *in_order(QKV, PARAMETERS_OF_FIVE)]),
         Case("four tokens, all sizes four, n=3", [3, FOUR, *in_order(QKV, PARAMETERS_OF_FOUR)]),
         Case("a single token", [0, ONE, *in_order(QKV, PARAMETERS_OF_ONE)]),
         Case("long vectors, n=1", [1, 60 * TWO, *in_order(QKV, PARAMETERS_OF_TWO)])]),
    "column_scores": Exercise(
        "every key against every query",
        [Case("the three columns of the example", [X, *in_order(SCORED, P)]),
         Case("two tokens of D = 3, D_k = 4", [TWO, *in_order(SCORED, PARAMETERS_OF_TWO)]),
         Case("four tokens, all sizes four", [FOUR, *in_order(SCORED, PARAMETERS_OF_FOUR)]),
         Case("a single token", [ONE, *in_order(SCORED, PARAMETERS_OF_ONE)])]),
    "self_attention": Exercise(
        "the whole of it, in columns",
        [Case("the three columns of the example", [X, *in_order(VQK, P)]),
         Case("two tokens, D_k = 4 and D_v = 5", [TWO, *in_order(VQK, PARAMETERS_OF_TWO)]),
         Case("four tokens, all sizes four", [FOUR, *in_order(VQK, PARAMETERS_OF_FOUR)]),
         Case("a single token", [ONE, *in_order(VQK, PARAMETERS_OF_ONE)]),
         Case("long vectors", [60 * TWO, *in_order(VQK, PARAMETERS_OF_TWO)])],
        parts=("X_prime", "attention")),
    "scaled_dot_product_self_attention": Exercise(
        "self-attention in columns, scaled",
        [Case("the three columns of the example", [X, *in_order(VQK, P)]),
         Case("two tokens, D = 3, D_k = 5, D_v = 4", SCALED_TWO),
         Case("five tokens, D = 3, D_k = 2, D_v = 6", scaled_case(5, 3, 2, 6, seed=2)),
         Case("four tokens, all sizes four", [FOUR, *in_order(VQK, PARAMETERS_OF_FOUR)]),
         Case("a single token", scaled_case(1, 3, 2, 4, seed=4)),
         Case("long vectors", [60 * SCALED_TWO[0], *SCALED_TWO[1:]])]),
    "multi_head_columns": Exercise(
        "two heads, tokens in columns",
        [Case("the six tokens of the card", heads_example()),
         Case("four tokens, D = 3, three heads", small_heads(4)),
         Case("two tokens, D = 6, three heads", small_heads(2, size=2)),
         Case("a single token", small_heads(1)),
         Case("large tokens", small_heads(4, 60.0))]),
}
