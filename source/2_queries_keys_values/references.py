"""Inputs of the visible checks of lesson 2, and the wrong results that they know by value."""

import numpy as np
import torch

from attnlab.diagnosis import calls
from authoring.references import Case, Exercise

TOKENS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_KEY = np.array([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_QUERY = np.array([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_VALUE = np.array([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
SCORES = (TOKENS @ W_QUERY) @ (TOKENS @ W_KEY).T
POWERS = np.exp(SCORES - SCORES.max(axis=1, keepdims=True))
WEIGHTS = POWERS / POWERS.sum(axis=1, keepdims=True)


def small_rows(tokens: int, d_in: int, d_k: int, d_v: int, seed: int = 1) -> list[np.ndarray]:
    """x, w_query, w_key and w_value with sizes that differ from each other, in steps of a half so that a person can follow."""
    rng = np.random.RandomState(seed)
    w_query, w_key, w_value, x = (rng.randint(-2, 3, size=size) / 2 for size in ((d_in, d_k), (d_in, d_k), (d_in, d_v), (tokens, d_in)))
    return [x, w_query, w_key, w_value]


FOUR_TOKENS = np.random.RandomState(5)
CLINIC = [FOUR_TOKENS.normal(size=(4, 4)) for _ in range(4)]


def module_case(label: str, x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> Case:
    """A case for a torch module: sizes, weights by name, tokens `(B, T, d_in)`."""
    sizes = [w_query.shape[0], w_query.shape[1], w_value.shape[1]]
    names = ("toqueries.weight", "tokeys.weight", "tovalues.weight")
    weights = {name: torch.tensor(w.T.copy(), dtype=torch.float32) for name, w in zip(names, (w_query, w_key, w_value))}
    return Case(label, [sizes, weights, torch.tensor(x, dtype=torch.float32)])


BATCH = np.stack([TOKENS, [[0.0, 1, 0, -1], [1, 0, -1, 0], [0.5, 0.5, 0, 1]]])
THIN = small_rows(2, 3, 4, 5)
CUBE = small_rows(3, 3, 3, 3, seed=7)  # all sizes equal: much that raises elsewhere runs here, and is known by its numbers
CUBES = np.stack([small_rows(3, 3, 3, 3, seed)[0] for seed in (7, 8, 9)])


EXERCISES = {
    "looks_at": Exercise(
        "where each query looks",
        [Case("the weights of the picture", [np.array([[0.55, 0.35, 0.1], [0.2, 0.7, 0.1], [0.6, 0.25, 0.15]])]),
         Case("two tokens that look at each other", [np.array([[0.4, 0.6], [0.7, 0.3]])]),
         Case("five tokens", [np.roll(np.diag([1.0, 0.8, 0.6, 0.5, 0.4]), 2, axis=1) + np.linspace(0, 0.1, 25).reshape(5, 5)]),
         Case("nine tokens", [np.random.RandomState(3).dirichlet(np.ones(9), size=9)]),
         Case("a single token", [np.array([[1.0]])])]),
    "scores_of_one_query": Exercise(
        "one query against all keys",
        [Case("query 1 and the three keys of the example", [(TOKENS @ W_QUERY)[1], TOKENS @ W_KEY]),
         Case("two keys of dimension 4", [np.array([1, 0, -2, 3]), np.array([[1, 2, 3, 4], [0, 1, 1, 0]])]),
         Case("three keys of dimension 3", [np.array([0.5, 1, -1]), np.array([[1.0, 2, 0], [0, 1, 3], [2, 2, 2]])]),
         Case("five keys of dimension 3", [np.array([1.5, -1, 2]), np.array([[1.0, 2, 0], [3, -1, 1], [-2, 0.5, 4], [4, 1, -1], [0.5, 3, 2]])]),
         Case("a single key", [np.array([2.0, 1]), np.array([[3.0, -1]])])]),
    "weighted_values": Exercise(
        "every value times every weight that it gets",
        [Case("the weights and values of the example", [WEIGHTS, TOKENS @ W_VALUE]),
         Case("two tokens with values of dimension 4", [np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([[1, 2, 3, 4], [5, 6, 7, 8]])]),
         Case("four tokens with values of dimension 1", [np.random.RandomState(4).dirichlet(np.ones(4), size=4).round(2), np.array([[1.5], [-2.0], [0.5], [3.0]])]),
         Case("weights whose rows do not sum to 1", [np.array([[2.0, -1.5], [0.5, 3.0]]), np.array([[1.0, 2.0, -3.0], [4.0, -2.0, 0.5]])]),
         Case("a single token", [np.array([[1.0]]), np.array([[2.0, 3.0]])])]),
    "self_attention_rows": Exercise(
        "three roles, tokens in rows",
        [Case("the integer example", [TOKENS, W_QUERY, W_KEY, W_VALUE]),
         Case("five tokens, d_in = 3, d_k = 4, d_v = 2", small_rows(5, 3, 4, 2, seed=4)),
         Case("two tokens, all sizes three", small_rows(2, 3, 3, 3, seed=5)),
         Case("three tokens, all sizes three", CUBE),
         Case("a single token", small_rows(1, 3, 2, 4, seed=2)),
         Case("long vectors", [60 * THIN[0], *THIN[1:]])]),
    "SelfAttention": Exercise(
        "the same as a torch module",
        [module_case("the two sequences of the card", BATCH, W_QUERY, W_KEY, W_VALUE),
         module_case("a batch of one, d_in = 3, d_k = 4, d_v = 5", THIN[0][None], *THIN[1:]),
         module_case("two sequences of five tokens, d_v = 2",
                     np.stack([small_rows(5, 3, 4, 2, seed)[0] for seed in (4, 6)]), *small_rows(5, 3, 4, 2, seed=4)[1:]),
         module_case("three sequences of three tokens, all sizes three", CUBES, *CUBE[1:]),
         module_case("sequences of one token", BATCH[:, :1], W_QUERY, W_KEY, W_VALUE),
         module_case("long vectors", 60 * BATCH, W_QUERY, W_KEY, W_VALUE)],
        call=calls.module),
    "next_letter_projections": Exercise(
        "two projections that look one letter on",
        [Case("five letters, sharpness 4", [5, 4.0]),
         Case("three letters, sharpness 1", [3, 1.0]),
         Case("eight letters, sharpness 20", [8, 20.0]),
         Case("four letters, sharpness 2.5", [4, 2.5])],
        call=calls.scores_of_projections),
    "repaired_attention": Exercise(
        "attention with its two lines repaired",
        [Case("the four tokens of the clinic", CLINIC),
         Case("two tokens, d_k = 4 and d_v = 5", THIN),
         Case("long vectors", [60 * THIN[0], *THIN[1:]])]),
}
