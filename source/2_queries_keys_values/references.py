"""Inputs of the visible checks of lesson 2, and the wrong results that they know by value."""

import numpy as np
import torch

from attnlab.check import calls
from authoring.references import Case, Exercise

TOKENS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_KEY = np.array([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_QUERY = np.array([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_VALUE = np.array([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
SCORES = (TOKENS @ W_QUERY) @ (TOKENS @ W_KEY).T
POWERS = np.exp(SCORES - SCORES.max(axis=1, keepdims=True))
WEIGHTS = POWERS / POWERS.sum(axis=1, keepdims=True)


def column_example() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """X and the parameters of the column example, drawn in the order that its recipe says."""
    inputs, parameters = np.random.RandomState(3), np.random.RandomState(0)
    X = np.hstack([inputs.normal(size=(4, 1)) for _ in range(3)])
    drawn = {f"omega_{role}": parameters.normal(size=(4, 4)) for role in "qkv"}
    return X, drawn | {f"beta_{role}": parameters.normal(size=(4, 1)) for role in "qkv"}


X, P = column_example()
COLUMN_SCORES = (P["beta_k"] + P["omega_k"] @ X).T @ (P["beta_q"] + P["omega_q"] @ X)
QKV = ("omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v")
VQK = ("omega_v", "omega_q", "omega_k", "beta_v", "beta_q", "beta_k")


def small_columns(tokens: int, d_in: int, d_k: int, d_v: int, seed: int = 1) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Columns with sizes that differ from each other, in steps of a half so that a person can follow."""
    rng = np.random.RandomState(seed)

    def draw(*size: int) -> np.ndarray:
        return rng.randint(-2, 3, size=size) / 2

    parameters = {"omega_q": draw(d_k, d_in), "omega_k": draw(d_k, d_in), "omega_v": draw(d_v, d_in),
                  "beta_q": draw(d_k, 1), "beta_k": draw(d_k, 1), "beta_v": draw(d_v, 1)}
    return draw(d_in, tokens), parameters


def small_rows(tokens: int, d_in: int, d_k: int, d_v: int, seed: int = 1) -> list[np.ndarray]:
    """x, w_query, w_key and w_value with sizes that differ from each other."""
    columns, parameters = small_columns(tokens, d_in, d_k, d_v, seed)
    return [columns.T, *(parameters[f"omega_{role}"].T for role in "qkv")]


TWO, PARAMETERS_OF_TWO = small_columns(2, 3, 4, 5)
ONE, PARAMETERS_OF_ONE = small_columns(1, 3, 2, 4, seed=2)
FOUR_TOKENS = np.random.RandomState(5)
CLINIC = [FOUR_TOKENS.normal(size=(4, 4)) for _ in range(4)]


def in_order(names: tuple[str, ...], parameters: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [parameters[name] for name in names]


def module_case(label: str, x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> Case:
    """A case for a torch module: sizes, weights by name, tokens `(B, T, d_in)`."""
    sizes = [w_query.shape[0], w_query.shape[1], w_value.shape[1]]
    names = ("toqueries.weight", "tokeys.weight", "tovalues.weight")
    weights = {name: torch.tensor(w.T.copy(), dtype=torch.float32) for name, w in zip(names, (w_query, w_key, w_value))}
    return Case(label, [sizes, weights, torch.tensor(x, dtype=torch.float32)])


BATCH = np.stack([TOKENS, [[0.0, 1, 0, -1], [1, 0, -1, 0], [0.5, 0.5, 0, 1]]])
THIN = small_rows(2, 3, 4, 5)

OVER_ALL = ("the softmax runs over all entries instead of one query at a time", "give the sum the axis of the keys, and keep that axis")
SCALED = ("the scores were scaled, which nobody asked for here; scaling is the subject of lesson 3", "use the plain dot products as scores")
ROLES = ("query and key have changed roles: the scores are transposed before the softmax",
         "the token that asks gives its query; which of your two factors belongs to it?")
INPUTS_MIXED = ("the inputs are mixed instead of the values", "the last product takes the values, which the third matrix makes")
FEATURES = ("the product runs over the tokens and compares features with features",
            "the axes of length d_k have to meet, so that the scores are tokens by tokens")
BIASES = ("the biases are missing", "add beta to each of the products")
OMEGA_TRANSPOSED = ("the matrices are transposed; that runs only while they are square", "tokens are columns, so `omega @ x` needs no transpose")
ROUNDED = ("the weights were rounded before they were used", "use exact weights; round only when you print")
NO_EXPONENTIAL = ("the scores are divided by their sum, without the exponential", "take the exponential of the scores first")
NO_SUM = ("the exponentials were not divided by their sum", "divide them by their sum, so that the shares sum to one")
NO_SOFTMAX = ("there is no softmax: the values are mixed with the scores", "put the scores through a softmax over the keys")
CHANGED_PLACES = (  # one and the same result while the scores are symmetric, as in the integer example
    "rows and columns of the weights changed places: you normalised over queries, or transposed the weights",
    "each row is one query: softmax along the last axis, then `weights @ values`")

EXERCISES = {
    "project": Exercise(
        "one matrix for all tokens",
        [Case("the three inputs and w_key", [TOKENS, W_KEY]),
         Case("two tokens of three numbers, projected to five", [THIN[0], THIN[3]]),
         Case("a single token of integers", [np.array([[1, 2, 3]]), np.array([[1, 0], [0, 1], [10, 100]])])],
        {"wrong_side": ("the matrix stands on the left of the tokens", "tokens are rows, so the matrix stands on the right: x times w")}),
    "weighted_values": Exercise(
        "every value times every weight that it gets",
        [Case("the weights and values of the example", [WEIGHTS, TOKENS @ W_VALUE]),
         Case("two tokens with values of four numbers", [np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([[1, 2, 3, 4], [5, 6, 7, 8]])]),
         Case("a single token", [np.array([[1.0]]), np.array([[2.0, 3.0]])])],
        {"value_of_the_query": ("the value of the query is used: `values[i]` instead of `values[j]`",
                                "the value belongs to the key, the second index: put its new axis first"),
         "keys_first": ("the first axis is the key: all entries are there, with the two token axes exchanged",
                        "entry `[i, j]` belongs to query i; swap the first two axes"),
         "weights_transposed": ("the weights were transposed: `weights[j, i]` instead of `weights[i, j]`", "leave the weights as they are"),
         "no_new_axes": ("the axes are there, but the weights line up with the numbers of a value instead of with the tokens",
                         "the new axis of the weights goes to the end: `weights[:, :, None]`"),
         "number_first": ("the numbers of a value are the first axis", "the card wants the axes query, key, number, in this order"),
         "rounds_weights": ROUNDED}),
    "query_key_value": Exercise(
        "the three vectors of one token",
        [Case("token 0 of the example", [X[:, :1], *in_order(QKV, P)]),
         Case("three numbers, D_k = 4 and D_v = 5", [TWO[:, :1], *in_order(QKV, PARAMETERS_OF_TWO)])],
        {"swapped": ("query and key have changed places", "return them in the order of the card: query, key, value"),
         "other_order": ("the three parts are there, in another order", "return them in the order of the card: query, key, value"),
         "without_bias": BIASES, "omega_transposed": OMEGA_TRANSPOSED,
         "one_matrix_for_all": ("all three use the matrix of the query", "each role has its own matrix: omega_q, omega_k, omega_v"),
         "value_from_key": ("the value comes from the key's matrix", "use omega_v for the value"),
         "bias_of_the_query": ("the bias of the query is used for all", "each role has its own bias: beta_q, beta_k, beta_v"),
         "elementwise": ("`*` multiplies number by number and lets the column spread over the matrix", "use `@` for a matrix product")},
        parts=("query", "key", "value")),
    "one_output": Exercise(
        "one query, all keys, one mix of values",
        [Case("token 0 of the example", [0, X, *in_order(QKV, P)]),
         Case("the same with n=2", [2, X, *in_order(QKV, P)]),
         Case("two tokens, D_k = 4 and D_v = 5, n=1", [1, TWO, *in_order(QKV, PARAMETERS_OF_TWO)]),
         Case("five tokens, n=4", [4, small_columns(5, 3, 4, 2)[0], *in_order(QKV, small_columns(5, 3, 4, 2)[1])]),
         Case("a single token", [0, ONE, *in_order(QKV, PARAMETERS_OF_ONE)]),
         Case("long vectors, n=1", [1, 60 * TWO, *in_order(QKV, PARAMETERS_OF_TWO)])],
        {"swapped_roles": ("query and key have changed roles: the key of token n meets the queries of all",
                           "token n asks, so its query meets the key of every token"),
         "own_value": ("the value of token n itself is added up; its shares sum to one, so you get it back",
                       "the loop runs over m: the share of token m times the value of token m"),
         "without_softmax": ("the values are mixed with the scores instead of their softmax", "put the N scores through a softmax first"),
         "without_exponential": NO_EXPONENTIAL,
         "without_sum": NO_SUM, "matrices_transposed": OMEGA_TRANSPOSED,
         "scaled": SCALED, "inputs_for_values": INPUTS_MIXED,
         "first_token_always": ("the output of token 0 comes back, whatever n is", "use n to choose the column that asks"),
         "last_term_only": ("each step replaces the output instead of adding to it", "start at zeros and add"),
         "global_number_of_tokens": ("the loop takes one token too many or too few: it counts to a number of the notebook",
                                     "take the number of tokens from X: `X.shape[1]`"),
         "all_outputs": ("all outputs are returned", "return the column of token n alone")}),
    "column_scores": Exercise(
        "every key against every query",
        [Case("the three columns of the example", [X, *in_order(("omega_q", "omega_k", "beta_q", "beta_k"), P)]),
         Case("two tokens of three numbers, D_k = 4", [TWO, *in_order(("omega_q", "omega_k", "beta_q", "beta_k"), PARAMETERS_OF_TWO)]),
         Case("a single token", [ONE, *in_order(("omega_q", "omega_k", "beta_q", "beta_k"), PARAMETERS_OF_ONE)])],
        {"queries_first": ("the result is the transpose: your first index is the query",
                           "entry [m, n] is key m with query n, so the transposed factor holds the keys"),
         "feature_scores": FEATURES, "without_bias": BIASES, "omega_transposed": OMEGA_TRANSPOSED, "scaled": SCALED,
         "keys_twice": ("one of the two roles is used twice", "one factor comes from omega_q and beta_q, the other from omega_k and beta_k"),
         "inputs_as_keys": ("the inputs are used in place of the keys", "make the keys first, with omega_k and beta_k"),
         "softmaxed": ("the softmax was already applied", "return the plain scores; the softmax is the next exercise")}),
    "softmax_cols": Exercise(
        "one softmax per column",
        [Case("the scores of exercise 5", [COLUMN_SCORES]),
         Case("two keys and three queries, integers", [np.array([[1, 0, 9], [2, 0, 0]])]),
         Case("one column near 1 and one near 900", [np.array([[1.0, 900], [2, 901], [3, 902]])]),
         Case("scores of ±10 000", [np.array([[10000.0, -10000], [9999, -9999]])]),
         Case("a single key", [np.array([[5.0, -2.0]])])],
        {"maximum_of_the_rows": ("a maximum of the other axis is subtracted: another number in each entry of a column, which does not cancel",
                                 "subtract one number per column: axis=0")}),
    "self_attention": Exercise(
        "the whole of it, in columns",
        [Case("the three columns of the example", [X, *in_order(VQK, P)]),
         Case("two tokens, D_k = 4 and D_v = 5", [TWO, *in_order(VQK, PARAMETERS_OF_TWO)]),
         Case("a single token", [ONE, *in_order(VQK, PARAMETERS_OF_ONE)]),
         Case("long vectors", [60 * TWO, *in_order(VQK, PARAMETERS_OF_TWO)])],
        {"query_key_value_order": ("the roles are mixed up: the arguments come in the order v, q, k", "compare the first line with the card"),
         "swapped_roles": ROLES,
         "attention_transposed": ("the attention is transposed before the product", "column n of the attention mixes the values for output n"),
         "output_transposed": ("the result is the transpose: outputs stand in rows", "in this exercise each output is a column"),
         "feature_attention": FEATURES, "scaled": SCALED, "inputs_for_values": INPUTS_MIXED, "without_bias": BIASES,
         "without_exponential": NO_EXPONENTIAL, "matrices_transposed": OMEGA_TRANSPOSED,
         "parts_exchanged": ("the two parts are in the other order", "return X_prime first, then attention"),
         "keys_from_query_matrix": ("the keys come from the query's matrix", "use omega_k for the keys")},
        parts=("X_prime", "attention")),
    "self_attention_rows": Exercise(
        "three roles, tokens in rows",
        [Case("the integer example", [TOKENS, W_QUERY, W_KEY, W_VALUE]),
         Case("five tokens, d_in = 3, d_k = 4, d_v = 2", small_rows(5, 3, 4, 2, seed=4)),
         Case("two tokens, all sizes three", small_rows(2, 3, 3, 3, seed=5)),
         Case("a single token", small_rows(1, 3, 2, 4, seed=2)),
         Case("long vectors", [60 * THIN[0], *THIN[1:]])],
        {"inputs_for_values": INPUTS_MIXED, "swapped_roles": ROLES, "softmax_over_queries": CHANGED_PLACES, "over_all_entries": OVER_ALL,
         "scaled": SCALED, "feature_attention": FEATURES, "weights_transposed": CHANGED_PLACES,
         "values_from_keys": ("the values come from the key's matrix", "use w_value for the values"),
         "keys_from_queries": ("the keys come from the query's matrix", "use w_key for the keys"),
         "without_softmax": NO_SOFTMAX, "without_sum": NO_SUM, "without_exponential": NO_EXPONENTIAL, "rounds_weights": ROUNDED,
         "without_keepdims": ("the division uses the sum of another row: shape (T,) lines up with the columns",
                              "keep the axis that you sum over: `keepdims=True`")}),
    "SelfAttention": Exercise(
        "the same as a torch module",
        [module_case("the two sequences of the card", BATCH, W_QUERY, W_KEY, W_VALUE),
         module_case("a batch of one, d_in = 3, d_k = 4, d_v = 5", THIN[0][None], *THIN[1:]),
         module_case("two sequences of five tokens, d_v = 2",
                     np.stack([small_rows(5, 3, 4, 2, seed)[0] for seed in (4, 6)]), *small_rows(5, 3, 4, 2, seed=4)[1:]),
         module_case("sequences of one token", BATCH[:, :1], W_QUERY, W_KEY, W_VALUE),
         module_case("long vectors", 60 * BATCH, W_QUERY, W_KEY, W_VALUE)],
        {"swapped_roles": ROLES, "over_queries": CHANGED_PLACES, "weights_transposed": CHANGED_PLACES,
         "over_all_keys_of_the_batch": OVER_ALL, "feature_attention": FEATURES,
         "over_batch": ("the softmax runs over the batch: it mixes sequences that have nothing to do with each other",
                        "take the last axis, `dim=-1`: it indexes the keys"),
         "scaled": SCALED,
         "batch_as_one_sequence": ("the batch is treated as one long sequence, so tokens look at other sequences",
                                   "keep three axes and swap the last two: `keys.transpose(-2, -1)`"),
         "first_sequence_only": ("the first sequence is used for all", "let `@` treat the batch: do not index it"),
         "projections_not_applied": ("the three layers are not used: x goes through attention as it is",
                                     "call the layers: `self.toqueries(x)`, `self.tokeys(x)`, `self.tovalues(x)`"),
         "values_from_keys": ("the values come from the layer of the keys", "call `self.tovalues(x)` for the values")},
        call=calls.module),
    "repaired_attention": Exercise(
        "attention with its two lines repaired",
        [Case("the four tokens of the clinic", CLINIC),
         Case("two tokens, d_k = 4 and d_v = 5", THIN),
         Case("long vectors", [60 * THIN[0], *THIN[1:]])],
        {"nothing_repaired": ("neither of the two lines is repaired", "start with the strip of row sums: line 3"),
         "axis_left": ("the wrong groups still sum to one: the softmax runs over the queries", "line 3 needs no transpose at all"),
         "role_left": INPUTS_MIXED,
         "one_transpose_left": ("one of the two transposes is left", "line 3 needs no transpose at all"),
         "other_transpose_left": ("one of the two transposes is left", "line 3 needs no transpose at all"),
         "scaled_too": SCALED}),
}
