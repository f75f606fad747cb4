"""`permute_tokens(x, permutation)`: rows move, columns stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input

TOKENS = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]])

FOUR_TOKENS = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.5], [-0.7, 0.9, 0.2], [0.6, -0.1, 1.4]])


def _takes_a_tuple(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
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
    if np.array_equal(as_numpy(result), as_numpy(answer(FOUR_TOKENS.copy(), [1, 3, 0, 2]))):
        return None  # where both are wrong, other steps say what is
    return Diagnosis(
        "the tuple (1, 3, 0, 2) does not give the same rows as the list",
        "the same rows",
        Cause(
            "permute_tokens.tuple_gives_other_rows",
            "your code treats lists and tuples differently",
            "turn the permutation into a list first",
        ),
    )


TYPES = {np.dtype(bool): 2, np.dtype(np.uint8): 2**8, np.dtype(np.int32): 2**31, np.dtype(np.int64): 2**62, np.dtype(np.float32): 2**10}


def _keeps_types(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    random = np.random.RandomState(72)
    whole = {kind: random.randint(0, largest, size=(4, 3), dtype=np.int64) for kind, largest in TYPES.items()}
    tables = [*(rows.astype(kind) for kind, rows in whole.items()), 1j * whole[np.dtype(np.float32)]]
    return next((found for table in tables if (found := _keeps(answer, table))), None)


def _keeps(answer: Callable[..., np.ndarray], table: np.ndarray) -> Diagnosis | None:
    order, what = [3, 1, 0, 2], f"numbers of type {table.dtype}"
    try:
        moved = as_numpy(answer(table.copy(), list(order)))
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    if moved.dtype != table.dtype:
        return Diagnosis(
            f"{what} come back as {moved.dtype}",
            f"an array of {table.dtype}",
            Cause(
                "permute_tokens.other_type",
                "on the way, an array of another type is made, or the numbers are converted",
                "index `x` itself: that keeps its type; an array into which rows are put needs `dtype=x.dtype`",
            ),
        )
    if moved.tolist() == [table.tolist()[row] for row in order]:
        return None
    return Diagnosis(
        f"{what} come back changed",
        "the numbers as they were",
        Cause(
            "permute_tokens.numbers_changed",
            "on their way, the numbers have another type, which cannot hold all of them",
            "index `x` itself, or make the new array with `np.empty_like(x)`",
        ),
    )


SIZES = ((5, 7), (7, 3), (4, 4), (2, 5), (6, 1), (1, 4), (300, 2))


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def drawn(given_as: Callable[[list[int]], Any]) -> list[list[Any]]:
        return [[numbers(random, *size), given_as(random.permutation(size[0]).tolist())] for size in SIZES]

    lists = drawn(list)
    x, order = lists[0]
    return {
        "a permutation that is a list": lists,
        "a permutation that is a tuple": drawn(tuple),
        "a permutation that is an array": drawn(np.array),
        "another permutation of the same tokens": [[x, order[::-1]], [x, order[1:] + order[:1]]],
        "tokens with all their digits": [[random.normal(size=(4, 5)), random.permutation(4).tolist()]],
        "tokens in an array that was transposed": [[numbers(random, 3, 5).T, random.permutation(5).tolist()]],
        "tokens of integers": [[random.randint(-9, 10, size=(5, 3)), random.permutation(5).tolist()]],
        "a permutation that moves nothing": [[x, list(range(len(x)))]],
        **{f"tokens, {what}": [[rows, random.permutation(len(rows)).tolist()]] for what, [rows] in edge_cases(random, 4).items()},
    }


EXERCISE = Exercise(
    title="rows in a new order",
    shows=("vectors",),
    inputs=[
        Input("the four tokens of the card", [TOKENS, [2, 0, 3, 1]]),
        Input("another order", [TOKENS, [1, 2, 3, 0]]),
        Input("two pairs that change places", [TOKENS, [1, 0, 3, 2]]),
        Input("a permutation that is an array", [TOKENS[:3], np.array([1, 2, 0])]),
        Input("a single token of integers", [np.array([[1, 2, 3]]), [0]]),
    ],
    kinds=_kinds,
    edges={
        "a permutation that is a tuple": lambda evidence: _takes_a_tuple(evidence.answer),
        "numbers of every type": lambda evidence: _keeps_types(evidence.answer),
    },
)
