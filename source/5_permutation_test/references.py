"""Inputs of the visible checks of lesson 5, and the wrong results that they know by value."""

import numpy as np

from attnlab.check import calls
from authoring.references import Case, Exercise

TOKENS = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]])
FOUR = np.random.RandomState(1).normal(size=(4, 6)).round(1)
SEQUENCE = np.array([[1.0, 0, 1], [0, 2, 0], [1, 1, 1], [-1, 0.5, 2]])

IDENTITY = ("your test says True for everything: it tries the identity alone, which changes nothing, or one order that agrees is enough for it",
            "try orders that change something, and return False at the first that does not agree")
TWO_ORDERS = ("the two sides do not use the same order: only the output is permuted, or one side by P and the other by its inverse",
              "call f on the permuted tokens, and permute f(x) with the same permutation")
NEIGHBOURS = ("only some orders are tried, and these functions keep the rule for those", "try all orders of so few tokens")
FEATURES = ("the columns were permuted, not the rows", "tokens are rows: the permutation acts on the first axis")

EXERCISES = {
    "permute_tokens": Exercise(
        "rows in a new order",
        [Case("the four tokens of the card", [TOKENS, [2, 0, 3, 1]]),
         Case("another order", [TOKENS, [1, 2, 3, 0]]),
         Case("a permutation that is an array", [TOKENS[:3], np.array([1, 2, 0])]),
         Case("a single token of integers", [np.array([[1, 2, 3]]), [0]])],
        {"other_direction": ("the permutation is used the other way round: row i goes to place permutation[i]",
                             "row i of the result *comes from* row permutation[i]"),
         "features": FEATURES, "both_axes": FEATURES,
         "reversed": ("the rows are reversed, whatever the permutation says", "use the permutation"),
         "unchanged": ("the rows stand where they stood", "return the rows in the new order")}),
    "is_permutation_equivariant": Exercise(
        "a test for f(Px) = P f(x)",
        [Case("ten functions on four tokens", ["ABCDEFGHIJ", FOUR])],
        {"identity_only": IDENTITY,
         "output_only": TWO_ORDERS, "back_and_forth": TWO_ORDERS,
         "invariance_instead": ("f(Px) is compared with f(x): that is invariance", "permute f(x), too"),
         "permutes_features": FEATURES,
         "first_swap_only": NEIGHBOURS, "turns_only": NEIGHBOURS,
         "wide_tolerance": ("the tolerance is so wide that nearly everything is equal", "use `atol`, which is a millionth by default"),
         "sums_only": ("only sums or means of the two sides are compared", "compare number by number"),
         "opposite": ("the verdict is turned around", "return True when no order shows a difference")},
        call=calls.verdicts),
    "is_permutation_invariant": Exercise(
        "a test for f(Px) = f(x)",
        [Case("ten functions on four tokens", ["KLMNOPQRST", FOUR])],
        {"identity_only": IDENTITY,
         "equivariance_instead": ("f(Px) is compared with the permuted f(x): that is equivariance", "compare it with f(x) itself"),
         "permutes_features": FEATURES,
         "first_swap_only": NEIGHBOURS, "turns_only": NEIGHBOURS,
         "sums_only": ("only sums of the two sides are compared", "compare number by number"),
         "opposite": ("the verdict is turned around", "return True when no order shows a difference")},
        call=calls.verdicts),
    "causal_mask": Exercise(
        "which query may look at which key",
        [Case("T = 4", [4]), Case("T = 1", [1]), Case("T = 7", [7])],
        {"blocked": ("True means “blocked” in your mask", "True means “may look” here"),
         "transposed": ("keys and queries changed places: the past looks at the future", "the row is the query: True where j ≤ i"),
         "additive": ("0 and −∞ were returned, as if to be added to the scores", "return truth values: True where the query may look"),
         "without_diagonal": ("a query may not look at itself in your mask", "j ≤ i includes j = i"),
         "one_too_far": ("a query may look one token into the future", "the diagonal above the main one is False")}),
    "positional_encoding": Exercise(
        "one vector for each place",
        [Case("T = 5, k = 6", [5, 6]), Case("an odd k", [4, 5]), Case("one number per place", [3, 1]), Case("a single place", [1, 4])],
        {"halves": ("all sines come first, then all cosines", "sine and cosine alternate: even columns, odd columns"),
         "cosine_first": ("cosines stand in the even columns", "column 0 is a sine"),
         "from_one": ("the places are counted from 1", "the first place is t = 0"),
         "own_exponent": ("every column has a wavelength of its own", "columns 2i and 2i + 1 share the exponent 2i / k"),
         "doubled_exponent": ("the exponent uses twice the column's number", "2i is the number of the even column, not twice it"),
         "halved_exponent": ("the exponent is i / k", "it is 2i / k: the number of the even column over k"),
         "base_1000": ("the base is another one", "10000"),
         "sine_everywhere": ("all columns are sines", "odd columns are cosines"),
         "multiplied": ("the angle grows with the exponent", "divide the place by 10000 to the power, do not multiply")}),
    "repaired_causal_attention": Exercise(
        "attention that does not see the future",
        [Case("the four tokens of the card", [SEQUENCE]),
         Case("a single token", [SEQUENCE[:1]]),
         Case("tokens of integers", [np.array([[1, 0, 2], [0, 3, 1]])]),
         Case("long vectors", [60 * SEQUENCE])],
        {"still_faulty": ("both faults are still there", "look at line 2: which entries keep their score, and what do the others become?"),
         "zero_left": ("masked scores are 0, and e to the power 0 is 1", "use −∞"),
         "inverted_left": ("the past and the token itself are masked, not the future: the last query has no key left", "keep the score where the mask is True"),
         "unmasked": ("nothing is masked", "use the mask"),
         "after_softmax": ("the mask acts after the softmax, so rows sum to less than one", "mask the scores"),
         "unscaled": ("the scores are not divided by √k", "keep line 1"),
         "one_too_far": ("every token also sees the one after it", "the future starts at j = i + 1"),
         "past_masked": ("the past is masked, not the future", "keep the score where the mask is True"),
         "diagonal_masked": ("a token does not see itself: query 0 has no key left, and its row is 0/0", "j ≤ i includes j = i")}),
}
