"""Inputs of the visible checks of lesson 1, and the wrong results that they know by value."""

import numpy as np
import torch

from authoring.references import Case, Exercise

TOKENS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
TWO_TOKENS = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])
SCORES = np.array([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]])
BATCH = torch.from_numpy(np.stack([TOKENS, [[0.0, 1, 0, -1], [2, 0, 1, 0], [0.5, 0.5, 0, 1]]]))
WORDS = "the cat walks on the street".split()
VOCABULARY = {"the": 0, "cat": 1, "walks": 2, "on": 3, "street": 4}
TABLE = np.array([[0.5, 0, -1], [2, 1, 0], [1.5, 2, 0], [0, -0.5, 1], [0, 1, 2]])

OVER_QUERIES = (
    "you normalised over queries: the softmax runs down the columns",
    "each row is one query; which axis indexes the keys? Give that axis to the softmax")
OVER_ALL = (
    "the sum runs over all entries instead of along one axis",
    "give the sum its axis, and `keepdims=True` so that the division lines up")
SCALED = (
    "the scores were scaled, which nobody asked for here; scaling is the subject of lesson 3",
    "use the plain dot products as scores")
FEATURES = (
    "the product runs over the tokens and compares features with features: x.T @ x",
    "queries are rows: put the transpose on the second factor, so that the axes of length k meet")
OVERFLOW = (
    "`exp` of a large score is inf, and inf/inf is nan",
    "subtract the largest score of each row before `exp`; the weights stay the same")

EXERCISES = {
    "softmax": Exercise(
        "turn scores into weights",
        [Case("the three rows of the card", [SCORES]),
         Case("integer scores", [np.array([[1, 2, 3, 4], [0, 0, 0, 9]])]),
         Case("scores of ±10 000", [np.array([[10000.0, 9999, 0], [-10000, -9999, -9998]])]),
         Case("one row near 1 and one near 900", [np.array([[1.0, 2, 3], [900, 901, 902]])]),
         Case("a single score", [np.array([[5.0]])])],
        {"over_queries": ("the sum runs down the columns, whatever `axis` says", "use `axis` both in the maximum and in the sum"),
         "over_all_entries": OVER_ALL,
         "without_exponential": ("the scores are divided by their sum, without the exponential", "take `np.exp` of the scores first"),
         "without_sum": ("the exponentials are not divided by their sum", "divide by `e.sum(axis=axis, keepdims=True)`"),
         "without_keepdims": ("the division uses the sum of another row: shape (3,) lines up with the columns",
                              "keep the axis that you sum over: `keepdims=True`"),
         "maximum_of_the_other_axis": ("a maximum of the other axis is subtracted: another number in each entry of a row, which does not cancel",
                                       "subtract one number per row: `scores.max(axis=axis, keepdims=True)`"),
         "base_two": ("the powers are powers of two", "use `np.exp`, which takes powers of e")}),
    "attention_scores": Exercise(
        "one dot product per pair of tokens",
        [Case("the three tokens of the card", [TOKENS]),
         Case("two tokens of three numbers", [TWO_TOKENS]),
         Case("a single token of integers", [np.array([[1, 2, 3]])])],
        {"scaled": SCALED, "feature_scores": FEATURES,
         "elementwise": ("`*` multiplies number by number; it makes no dot products", "use `@` and transpose the second factor"),
         "cosine": ("the vectors were brought to length 1 first", "use the plain dot products: length counts here")}),
    "attention_weights": Exercise(
        "scores, then one softmax per query",
        [Case("the three tokens of the card", [TOKENS]),
         Case("two tokens of three numbers", [TWO_TOKENS]),
         Case("long vectors", [60 * TWO_TOKENS]),
         Case("a single token of integers", [np.array([[1, 2, 3]])])],
        {"over_queries": OVER_QUERIES, "over_all_entries": OVER_ALL, "scaled": SCALED, "feature_scores": FEATURES,
         "scores_returned": ("the scores are returned, without the softmax", "put the scores through `softmax`"),
         "without_exponential": ("the scores are divided by their sum, without the exponential", "put the scores through `softmax`")}),
    "self_attention_loops": Exercise(
        "one weighted average per query",
        [Case("the three tokens of the card", [TOKENS]),
         Case("two tokens of three numbers", [TWO_TOKENS]),
         Case("tokens of integers", [np.array([[1, 0, 2], [0, 3, 1]])]),
         Case("a single token", [np.array([[1.0, 2, 3]])])],
        {"weights_transposed": ("the weights of the column are used: `weights[j, i]` instead of `weights[i, j]`",
                                "row i belongs to query i, so the first index is the query"),
         "scores_as_weights": ("the tokens are averaged with the scores instead of the weights", "use `attention_weights(x)`"),
         "own_token_only": ("the weighted token is always x[i], so the sum gives the input back", "the sum runs over the keys: add `weights[i, j] * x[j]`"),
         "last_term_only": ("each step replaces the output instead of adding to it", "start at zeros and use `+=`"),
         "mean_of_tokens": ("every token gets the same share: the weights are not used", "multiply each token by its weight before you add it"),
         "appended_twice": ("the outputs are stored twice", "append once per query"),
         "scaled": SCALED}),
    "basic_self_attention": Exercise(
        "two matrix products and one softmax",
        [Case("the two sequences of the card", [BATCH]),
         Case("a batch of one", [BATCH[:1] * 0.5]),
         Case("sequences of one token", [BATCH[:, :1]]),
         Case("long vectors", [60 * BATCH])],
        {"over_queries": (
            "rows and columns of the weights changed places: you normalised over queries, or transposed the weights",
            "each row is one query: softmax along the last axis, then `weights @ x`"),
         "over_batch": ("the softmax runs over the batch: it mixes sequences that have nothing to do with each other",
                        "take the last axis, `dim=-1`: it indexes the keys"),
         "over_all_keys_of_the_batch": OVER_ALL,
         "first_sequence_only": ("the first sequence is used for all", "let `@` treat the batch: do not index it"),
         "batch_as_one_sequence": ("the batch is treated as one long sequence, so tokens look at other sequences",
                                   "keep three axes: `x @ x.transpose(-2, -1)`"),
         "scaled": SCALED,
         "scores_as_weights": ("there is no softmax between the two products", "put the scores through `torch.softmax(..., dim=-1)`")}),
    "embed": Exercise(
        "one row of the table per word",
        [Case("the sentence of the card", [WORDS, VOCABULARY, TABLE]),
         Case("two words and another vocabulary", [["street", "cat"], {"cat": 0, "street": 1}, TABLE[1:3, :2]]),
         Case("a single word", [["walks"], VOCABULARY, TABLE])],
        {"rows_in_order": ("the rows are counted along the sentence, so the vocabulary is not used", "ask the vocabulary for each word's row"),
         "unique_words": ("a word that comes again is left out", "give one row per word, also when it comes twice"),
         "sorted_words": ("the words were sorted", "keep the order of the sentence")}),
    "repaired_weights": Exercise(
        "a softmax that runs over the keys",
        [Case("the three rows of the card", [SCORES]),
         Case("two queries and four keys", [np.array([[1.0, 2, 3, 4], [0, 0, 0, 9]])]),
         Case("one row near 1 and one near 900", [np.array([[1.0, 2, 3], [900, 901, 902]])])],
        {"still_faulty": ("the whole matrix is still divided by one total", "give the total one value per row"),
         "over_queries": OVER_QUERIES}),
}
