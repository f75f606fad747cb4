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


EXERCISES = {
    "softmax": Exercise(
        "turn scores into weights",
        [Case("the three rows of the card", [SCORES]),
         Case("integer scores", [np.array([[1, 2, 3, 4], [0, 0, 0, 9]])]),
         Case("scores of ±10 000", [np.array([[10000.0, 9999, 0], [-10000, -9999, -9998]])]),
         Case("one row near 1 and one near 900", [np.array([[1.0, 2, 3], [900, 901, 902]])]),
         Case("a single score", [np.array([[5.0]])])]),
    "attention_scores": Exercise(
        "one dot product per pair of tokens",
        [Case("the three tokens of the card", [TOKENS]),
         Case("two tokens of three numbers", [TWO_TOKENS]),
         Case("a single token of integers", [np.array([[1, 2, 3]])])]),
    "attention_weights": Exercise(
        "scores, then one softmax per query",
        [Case("the three tokens of the card", [TOKENS]),
         Case("two tokens of three numbers", [TWO_TOKENS]),
         Case("long vectors", [60 * TWO_TOKENS]),
         Case("a single token of integers", [np.array([[1, 2, 3]])])]),
    "self_attention_loops": Exercise(
        "one weighted average per query",
        [Case("the three tokens of the card", [TOKENS]),
         Case("two tokens of three numbers", [TWO_TOKENS]),
         Case("tokens of integers", [np.array([[1, 0, 2], [0, 3, 1]])]),
         Case("a single token", [np.array([[1.0, 2, 3]])])]),
    "basic_self_attention": Exercise(
        "two matrix products and one softmax",
        [Case("the two sequences of the card", [BATCH]),
         Case("a batch of one", [BATCH[:1] * 0.5]),
         Case("sequences of one token", [BATCH[:, :1]]),
         Case("long vectors", [60 * BATCH])]),
    "embed": Exercise(
        "one row of the table per word",
        [Case("the sentence of the card", [WORDS, VOCABULARY, TABLE]),
         Case("two words and another vocabulary", [["cat", "street"], {"street": 1, "cat": 0}, TABLE[1:3, :2]]),
         Case("a single word", [["walks"], VOCABULARY, TABLE])]),
    "repaired_weights": Exercise(
        "a softmax that runs over the keys",
        [Case("the three rows of the card", [SCORES]),
         Case("two queries and four keys", [np.array([[1.0, 2, 3, 4], [0, 0, 0, 9]])]),
         Case("one row near 1 and one near 900", [np.array([[1.0, 2, 3], [900, 901, 902]])])]),
}
