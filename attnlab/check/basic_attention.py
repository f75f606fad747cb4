"""The visible checks of lesson 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.examine import examine
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.results.properties import non_negative, rows_sum_to_one

OBLONG = np.array([[1.0, 2, 4], [0, 5, 1]])
LOOK_UP = "look the word up with `vocabulary[word]`, which raises the KeyError for you"
WEIGHTS = {"no weight below zero": non_negative, "rows": rows_sum_to_one}


def softmax(answer: Callable[..., np.ndarray]) -> None:
    """Check `softmax(scores, axis=-1)`: rows, values, huge scores, the other axis."""
    examine("softmax", answer, WEIGHTS, {"axis=0": lambda: _honours_axis(answer)})


def attention_scores(answer: Callable[[np.ndarray], np.ndarray]) -> None:
    """Check `attention_scores(x)`: one dot product per pair of tokens."""
    examine("attention_scores", answer)


def attention_weights(answer: Callable[[np.ndarray], np.ndarray]) -> None:
    """Check `attention_weights(x)`: rows are queries and sum to one."""
    examine("attention_weights", answer, WEIGHTS)


def self_attention_loops(answer: Callable[[np.ndarray], np.ndarray]) -> None:
    """Check `self_attention_loops(x)`: one weighted average per token."""
    examine("self_attention_loops", answer)


def basic_self_attention(answer: Callable[[Any], Any]) -> None:
    """Check `basic_self_attention(x)` in torch: every sequence of the batch by itself."""
    examine("basic_self_attention", answer)


def embed(answer: Callable[[list, dict, np.ndarray], np.ndarray]) -> None:
    """Check `embed(words, vocabulary, table)`: one row per word, and a `KeyError` that names an unknown word."""
    examine("embed", answer, edges={"unknown word": lambda: _names_unknown_word(answer)})


def repaired_weights(answer: Callable[[np.ndarray], np.ndarray]) -> None:
    """Check the repaired softmax of the clinic."""
    examine("repaired_weights", answer, WEIGHTS)


def _honours_axis(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    try:
        columns, rows = (as_numpy(answer(OBLONG.copy(), axis=axis)) for axis in (0, 1))
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        found = explain_error(error, answer)
        if "could not be broadcast together" in str(error) and _works(answer, axis=1):
            found = found.with_cause(
                Cause(
                    "softmax.axis_is_lost",
                    "what runs along `axis` comes back without that axis, or with it at another place, and does not line up; "
                    "with axis=1 your lines work",
                    "keep the axis where it is: `keepdims=True`, or `np.expand_dims(..., axis)`",
                )
            )
        return replace(found, observed=f"with axis=0, {found.observed}")
    sums = columns.sum(axis=0)
    if columns.shape == OBLONG.shape and np.allclose(sums, 1):
        return None
    observed = f"for scores of shape {OBLONG.shape} and axis=0, the result has shape {columns.shape}, and its columns sum to {np.round(sums, 2)}"
    return Diagnosis(observed, "with axis=0 every column sums to 1", _why_axis(answer, columns, rows))


def _works(answer: Callable[..., np.ndarray], axis: int) -> bool:
    """Whether a call gives an array of the shape of what goes in, which sums to 1 along the axis."""
    try:
        result = as_numpy(answer(OBLONG.copy(), axis=axis))
    except Exception:  # that is an answer, too
        return False
    return result.shape == OBLONG.shape and np.allclose(result.sum(axis=axis), 1)


def _why_axis(answer: Callable[..., np.ndarray], columns: np.ndarray, rows: np.ndarray) -> Cause:
    """What other calls establish, where axis=0 gives a wrong result and axis=1 another one or the same."""
    follow = "follow one column through your lines: which of them goes another way when `axis` is 0?"
    if np.array_equal(columns, rows):
        if _works(answer, axis=-2):
            return Cause(
                "basic_attention.axis_same_axis_counted",
                "axis=-2, the same axis counted from the end, is right, and axis=0 gives what axis=1 does: somewhere 0 counts as no axis, "
                "as in `axis or -1` or `if axis:`",
                "ask for `axis is None`, or leave that line away: -1 is the default already",
            )
        return Cause(
            "basic_attention.argument_axis_changes_nothing",
            "the argument `axis` changes nothing: the result is the same with axis=0 and axis=1",
            follow,
        )
    if columns.shape == OBLONG.T.shape and np.allclose(columns.sum(axis=1), 1):
        return Cause(
            "basic_attention.row_sums_shape_transposed",
            "every row sums to 1, and the shape is the transposed one: the axis was moved to the end and not moved back",
            "exchange the axes back before you return, or give `axis` to the maximum and to the sum and move nothing",
        )
    return unknown("basic_attention.why_axis", follow)


def _names_unknown_word(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    known = reference.cases("embed")[0]
    words, vocabulary, table = known.arguments
    try:
        result = answer([*words, "zebra"], vocabulary, table)
    except KeyError as error:
        if "zebra" in str(error):
            return None
        return Diagnosis(
            f"a KeyError that says {error}",
            "a KeyError with the unknown word, 'zebra', in it",
            Cause(
                "basic_attention.error_raised_another_text",
                "the error is raised with another text",
                "let `vocabulary[word]` raise it, or put the word into your own text",
            ),
        )
    except Exception as error:  # whatever else is raised is what has to be explained
        found = explain_error(error, answer)
        return Diagnosis(f"with the unknown word 'zebra', {found.observed}", "a KeyError that names 'zebra'", replace(found.cause, next=LOOK_UP))
    rows = len(result) if np.ndim(result) else 0
    got = rows == len(words) + 1 and np.shape(result)[1:] == table.shape[1:]
    if rows == len(words):
        cause = Cause("embed.unknown_words_skipped", "unknown words are skipped", LOOK_UP)
    elif got and (table == as_numpy(result)[-1]).all(axis=-1).any():
        cause = Cause("embed.unknown_words_get_a_row", "unknown words get some row of the table", LOOK_UP)
    elif got:
        cause = Cause("embed.unknown_words_get_a_new_row", "unknown words get a row that is not in the table", LOOK_UP)
    else:
        cause = unknown("embed.unknown_words", LOOK_UP)
    return Diagnosis(
        f"the unknown word 'zebra' gave a result of shape {np.shape(result)}",
        "a KeyError that names 'zebra'",
        cause,
    )
