"""Inputs of the visible checks of lesson 3, and the wrong results that they know by value."""

import numpy as np
import torch

from attnlab.diagnosis import calls
from authoring.references import Case, Exercise

SCORES = np.array([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]])
POWERS = np.exp(SCORES - SCORES.max(axis=1, keepdims=True))
WEIGHTS = POWERS / POWERS.sum(axis=1, keepdims=True)


def tensors(front: tuple[int, ...], queries: int, keys: int, d_k: int, d_v: int, seed: int) -> list[torch.Tensor]:
    """q, k and v in steps of a half."""
    rng = np.random.RandomState(seed)
    sizes = [(*front, queries, d_k), (*front, keys, d_k), (*front, keys, d_v)]
    return [torch.from_numpy(rng.randint(-6, 7, size=size) / 2) for size in sizes]


def backwards(queries: int, keys: int, d: int, d_v: int, seed: int) -> list[np.ndarray]:
    """q, k, v and the gradient at the outputs, in steps of a half."""
    rng = np.random.RandomState(seed)
    return [rng.randint(-4, 5, size=size) / 2 for size in [(queries, d), (keys, d), (keys, d_v), (queries, d_v)]]


BACK = backwards(3, 4, 5, 2, seed=8)
PATIENTS = np.random.RandomState(11)
CLINIC = [PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 3)) + 5]
OTHER = [tensor.numpy() for tensor in tensors((), 2, 3, 5, 4, seed=3)]
BATCH = tensors((2,), 3, 4, 5, 3, seed=5)


EXERCISES = {
    "attention_entropy": Exercise(
        "how spread out the weights of each query are",
        [Case("the attention of the integer example", [WEIGHTS]),
         Case("rows with weights of exactly 0", [np.array([[0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [0.1, 0.3, 0.6]])]),
         Case("whole numbers", [np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]])]),
         Case("a single token", [np.array([[1.0]])])]),
    "smallest_overflow": Exercise(
        "where exp becomes infinite",
        [Case('"float32"', ["float32"]), Case('"float64"', ["float64"]), Case('"float16"', ["float16"])]),
    "score_variance": Exercise(
        "the variance of a score, by simulation",
        [Case("d = 16 and 40 000 samples", [16, 40000, 0]), Case("d = 1", [1, 40000, 1]), Case("d = 50", [50, 40000, 2])],
        call=calls.simulation, tolerance=0.08),
    "softmax_jacobian": Exercise(
        "how much each weight moves with each score",
        [Case("p = [0.2, 0.3, 0.5]", [np.array([0.2, 0.3, 0.5])]),
         Case("a row that looks at one token", [np.array([0, 1, 0])]),
         Case("two weights", [np.array([0.9, 0.1])]),
         Case("a single weight", [np.array([1.0])])]),
    "scaled_dot_product_attention": Exercise(
        "scaled attention for tensors",
        [Case("two sequences of the card", BATCH),
         Case("no axis in front, d_k = 2", tensors((), 4, 3, 2, 5, seed=3)),
         Case("two axes in front, T = S", tensors((2, 3), 4, 4, 6, 2, seed=6)),
         Case("one query and one key", tensors((2,), 1, 1, 3, 2, seed=7)),
         Case("long vectors", [60 * BATCH[0], 60 * BATCH[1], BATCH[2]])]),
    "attention_gradients": Exercise(
        "the way back through scaled attention",
        [Case("three queries and four keys", BACK),
         Case("one query and two keys", backwards(1, 2, 3, 2, seed=9)),
         Case("T = S and d = d_v", backwards(3, 3, 2, 2, seed=10)),
         Case("longer vectors", [3 * BACK[0], 3 * BACK[1], *BACK[2:]]),
         Case("whole numbers", [(2 * array).astype(np.int64) for array in backwards(2, 3, 4, 2, seed=12)])],
        parts=("queries", "keys", "values")),
    "repaired_scaling": Exercise(
        "scaled once, by the right number, in the right place",
        [Case("the four queries of the clinic", CLINIC),
         Case("two queries, three keys, d_k = 5, d_v = 4", OTHER),
         Case("long vectors", [60 * OTHER[0], 60 * OTHER[1], OTHER[2]])]),
}
