"""`permute_tokens(x, permutation)`: rows move, columns stay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input

TOKENS = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]])

FOUR_TOKENS = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.5], [-0.7, 0.9, 0.2], [0.6, -0.1, 1.4]])


def _takes_a_tuple(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    expected = FOUR_TOKENS[[1, 3, 0, 2]]
    try:
        result = answer(FOUR_TOKENS.copy(), (1, 3, 0, 2))
    except IndexError as error:
        return Diagnosis(
            f"the tuple (1, 3, 0, 2) raised IndexError: {error}",
            "the rows 1, 3, 0, 2",
            Cause("indexing.tuple_as_index", "NumPy reads a tuple as one index per axis", "make it a list: `x[list(permutation)]`"),
        )
    except Exception as error:  # whatever else a learner's code raises is what has to be explained
        return explain_error(error, answer)
    return (
        None
        if np.array_equal(result, expected)
        else Diagnosis(
            "the tuple (1, 3, 0, 2) does not give the same rows as the list",
            "the same rows",
            Cause(
                "permute_tokens.tuple_gives_other_rows",
                "your code treats lists and tuples differently",
                "turn the permutation into a list first",
            ),
        )
    )


EXERCISE = Exercise(
    title="rows in a new order",
    inputs=[
        Input("the four tokens of the card", [TOKENS, [2, 0, 3, 1]]),
        Input("another order", [TOKENS, [1, 2, 3, 0]]),
        Input("two pairs that change places", [TOKENS, [1, 0, 3, 2]]),
        Input("a permutation that is an array", [TOKENS[:3], np.array([1, 2, 0])]),
        Input("a single token of integers", [np.array([[1, 2, 3]]), [0]]),
    ],
    edges={"a permutation that is a tuple": lambda evidence: _takes_a_tuple(evidence.answer)},
)
