"""Inputs of the visible checks of lesson 5, and the wrong results that they know by value."""

import numpy as np

from attnlab.diagnosis import calls
from authoring.references import Case, Exercise

TOKENS = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]])
FOUR = np.random.RandomState(1).normal(size=(4, 6)).round(1)
SEQUENCE = np.array([[1.0, 0, 1], [0, 2, 0], [1, 1, 1], [-1, 0.5, 2]])


EXERCISES = {
    "permute_tokens": Exercise(
        "rows in a new order",
        [Case("the four tokens of the card", [TOKENS, [2, 0, 3, 1]]),
         Case("another order", [TOKENS, [1, 2, 3, 0]]),
         Case("two pairs that change places", [TOKENS, [1, 0, 3, 2]]),
         Case("a permutation that is an array", [TOKENS[:3], np.array([1, 2, 0])]),
         Case("a single token of integers", [np.array([[1, 2, 3]]), [0]])]),
    "is_permutation_equivariant": Exercise(
        "a test for f(Px) = P f(x)",
        [Case("ten functions on four tokens", ["ABCDEFGHIJ", FOUR]), Case("seven clear functions on four tokens", ["ABDEFHU", FOUR])],
        call=calls.verdicts),
    "is_permutation_invariant": Exercise(
        "a test for f(Px) = f(x)",
        [Case("ten functions on four tokens", ["KLMNOPQRST", FOUR])],
        call=calls.verdicts),
    "causal_mask": Exercise(
        "which query may look at which key",
        [Case("T = 4", [4]), Case("T = 1", [1]), Case("T = 7", [7])]),
    "positional_encoding": Exercise(
        "one vector for each place",
        [Case("T = 5, k = 6", [5, 6]), Case("an odd k", [4, 5]), Case("a wide table", [6, 12]), Case("one number per place", [3, 1]), Case("a single place", [1, 4])]),
    "repaired_causal_attention": Exercise(
        "attention that does not see the future",
        [Case("the four tokens of the card", [SEQUENCE]),
         Case("tokens of six numbers", [FOUR]),
         Case("a single token", [SEQUENCE[:1]]),
         Case("tokens of integers", [np.array([[1, 0, 2], [0, 3, 1]])]),
         Case("long vectors", [60 * SEQUENCE])]),
}
