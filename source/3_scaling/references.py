"""Inputs of the visible checks of lesson 3, and the wrong results that they know by value."""

import numpy as np
import torch

from attnlab.check import calls
from authoring.references import Case, Exercise

SCORES = np.array([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]])
POWERS = np.exp(SCORES - SCORES.max(axis=1, keepdims=True))
WEIGHTS = POWERS / POWERS.sum(axis=1, keepdims=True)


def column_example() -> list[np.ndarray]:
    """X and the parameters of the column example in the order v, q, k, drawn in the order that its recipe says."""
    inputs, parameters = np.random.RandomState(3), np.random.RandomState(0)
    X = np.hstack([inputs.normal(size=(4, 1)) for _ in range(3)])
    omega_q, omega_k, omega_v = (parameters.normal(size=(4, 4)) for _ in range(3))
    beta_q, beta_k, beta_v = (parameters.normal(size=(4, 1)) for _ in range(3))
    return [X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k]


def small_columns(tokens: int, d_in: int, d_k: int, d_v: int, seed: int = 1) -> list[np.ndarray]:
    """The same with sizes that differ from each other, in steps of a half."""
    rng = np.random.RandomState(seed)
    sizes = [(d_in, tokens), (d_v, d_in), (d_k, d_in), (d_k, d_in), (d_v, 1), (d_k, 1), (d_k, 1)]
    return [rng.randint(-2, 3, size=size) / 2 for size in sizes]


def tensors(front: tuple[int, ...], queries: int, keys: int, d_k: int, d_v: int, seed: int) -> list[torch.Tensor]:
    """q, k and v in steps of a half."""
    rng = np.random.RandomState(seed)
    sizes = [(*front, queries, d_k), (*front, keys, d_k), (*front, keys, d_v)]
    return [torch.from_numpy(rng.randint(-6, 7, size=size) / 2) for size in sizes]


PATIENTS = np.random.RandomState(11)
CLINIC = [PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 3)) + 5]
OTHER = [tensor.numpy() for tensor in tensors((), 2, 3, 5, 4, seed=3)]
COLUMNS_OF_TWO = small_columns(2, 3, 5, 4)
BATCH = tensors((2,), 3, 4, 5, 3, seed=5)

NOT_SCALED = ("the scores are not scaled", "divide them by the root of the length that queries and keys share")
BY_D = ("the scores are divided by d itself, so they become too small and the weights too equal", "divide by the square root of d")
MULTIPLIED = ("the scores are multiplied by the root instead of divided", "divide, so that they become smaller")
AFTER = ("the weights are divided after the softmax, so they no longer sum to one", "divide the scores, before the softmax")
OTHER_LENGTH = ("the scores are divided by the root of another length than the one that the dot product runs over",
                "the number in the root is how many parts a query has; which axis of which array holds them?")
TWICE = ("the scores are scaled twice", "divide either the scores by the root of d, or queries and keys each by its fourth root")
OVER_QUERIES = ("the softmax adds up over the queries", "one query, one softmax: let it add up over the keys")
ROLES = ("query and key have changed roles: the scores are transposed before the softmax", "which factor holds the one who asks?")

EXERCISES = {
    "attention_entropy": Exercise(
        "how spread out the weights of each query are",
        [Case("the attention of the integer example", [WEIGHTS]),
         Case("rows with weights of exactly 0", [np.array([[0.5, 0.5], [0.0, 1.0]])]),
         Case("whole numbers", [np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]])]),
         Case("a single token", [np.array([[1.0]])])],
        {"nan_at_zero": ("0 · ln 0 is 0 times minus infinity, which is nan", "put 1 in place of the zeros before the logarithm: ln 1 is 0"),
         "over_queries": ("the sum runs over the queries", "each row is one query: add up along the last axis"),
         "bits": ("the logarithm has base 2, which gives bits", "use `np.log`, the natural logarithm"),
         "sign": ("the minus sign is missing", "logarithms of weights are negative; the entropy is not"),
         "mean": ("the mean over the keys is taken instead of the sum", "use `sum`"),
         "exponential_taken": ("the number of tokens looked at is returned, e to the entropy", "return the entropy itself"),
         "without_weights": ("the logarithms are added without their weights", "multiply each logarithm by its weight"),
         "zero_entries_shift": ("a number was added to the weights to avoid ln 0, and it changes the result",
                                "put 1 in place of the zeros only, or leave them out of the sum")}),
    "smallest_overflow": Exercise(
        "where exp becomes infinite",
        [Case('"float32"', ["float32"]), Case('"float64"', ["float64"]), Case('"float16"', ["float16"])],
        {"last_finite": ("this is the largest number whose exponential is still finite", "go one further"),
         "always_float64": ("the exponential was computed in float64", "make the number a number of that type first: `np.dtype(float_type).type(n)`"),
         "largest_number": ("this is the logarithm of the largest number with another base", "exp is a power of e")}),
    "score_variance": Exercise(
        "the variance of a score, by simulation",
        [Case("d = 16 and 40 000 samples", [16, 40000, 0]), Case("d = 1", [1, 40000, 1]), Case("d = 50", [50, 40000, 2])],
        {"standard_deviation": ("this is the standard deviation", "return the variance, its square"),
         "scaled": ("this is the variance of scaled scores, or of the single products", "add up the d products of each pair, and divide by nothing"),
         "same_vector": ("each vector is multiplied by itself", "draw queries and keys separately"),
         "uniform": ("the parts come from `rand`, which is uniform between 0 and 1", "draw with `rng.normal`"),
         "adds_over_samples": ("the sum runs over the samples", "add up over the parts: one score per pair")},
        call=calls.simulation, tolerance=0.08),
    "softmax_jacobian": Exercise(
        "how much each weight moves with each score",
        [Case("p = [0.2, 0.3, 0.5]", [np.array([0.2, 0.3, 0.5])]),
         Case("a row that looks at one token", [np.array([0, 1, 0])]),
         Case("two weights", [np.array([0.9, 0.1])]),
         Case("a single weight", [np.array([1.0])])],
        {"negative": ("the sign is the other way round", "the diagonal matrix of p comes first, the products are subtracted")}),
    "scaled_dot_product_self_attention": Exercise(
        "self-attention in columns, scaled",
        [Case("the column example", column_example()),
         Case("two tokens, D = 3, D_k = 5, D_v = 4", COLUMNS_OF_TWO),
         Case("five tokens, D = 3, D_k = 2, D_v = 4", small_columns(5, 3, 2, 4, seed=2)),
         Case("a single token", small_columns(1, 3, 2, 4, seed=4)),
         Case("long vectors", [60 * COLUMNS_OF_TWO[0], *COLUMNS_OF_TWO[1:]])],
        {"not_scaled": NOT_SCALED, "by_d": BY_D, "multiplied": MULTIPLIED, "after_softmax": AFTER, "by_inputs": OTHER_LENGTH,
         "by_tokens": OTHER_LENGTH, "by_values": OTHER_LENGTH, "twice": TWICE, "over_queries": OVER_QUERIES, "swapped_roles": ROLES,
         "matrices_transposed": ("the matrices are transposed; that runs only while they are square", "`omega @ X` needs no transpose"),
         "without_bias": ("the biases are missing", "add beta to each of the products"),
         "query_key_value_order": ("the roles are mixed up: the arguments come in the order v, q, k", "compare the first line with the card"),
         "attention_transposed": ("the attention is transposed before the product", "column n of the attention mixes the values for output n"),
         "inputs_for_values": ("the inputs are mixed instead of the values", "the last product takes V"),
         "attention_returned": ("the attention is returned instead of the outputs", "multiply V with it, and return that")}),
    "scaled_dot_product_attention": Exercise(
        "scaled attention for tensors",
        [Case("two sequences of the card", BATCH),
         Case("no axis in front, d_k = 2", tensors((), 4, 3, 2, 5, seed=3)),
         Case("two axes in front, T = S", tensors((2, 3), 4, 4, 6, 2, seed=6)),
         Case("one query and one key", tensors((2,), 1, 1, 3, 2, seed=7)),
         Case("long vectors", [60 * BATCH[0], 60 * BATCH[1], BATCH[2]])],
        {"not_scaled": NOT_SCALED, "by_d": BY_D, "multiplied": MULTIPLIED, "after_softmax": AFTER, "by_keys": OTHER_LENGTH,
         "by_values": OTHER_LENGTH, "by_queries": OTHER_LENGTH, "twice": TWICE, "over_queries": OVER_QUERIES,
         "over_batch": ("the softmax runs over the batch: it mixes sequences that have nothing to do with each other",
                        "take the last axis, `dim=-1`: it indexes the keys"),
         "first_only": ("the first sequence is used for all", "let `@` treat the axes in front: do not index them"),
         "without_softmax": ("there is no softmax between the two products", "put the scores through `torch.softmax(..., dim=-1)`")}),
    "repaired_scaling": Exercise(
        "scaled once, by the right number, in the right place",
        [Case("the four queries of the clinic", CLINIC),
         Case("two queries, three keys, d_k = 5, d_v = 4", OTHER),
         Case("long vectors", [60 * OTHER[0], 60 * OTHER[1], OTHER[2]])],
        {"still_by_d": BY_D, "still_after": AFTER, "both_faults": ("both faults of the clinic are in it", "take the right half of each"),
         "not_scaled": NOT_SCALED, "twice": TWICE, "by_tokens": OTHER_LENGTH}),
}
