"""The visible checks of lesson 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.check.diagnosis import Diagnosis
from attnlab.check.engine import examine, explain_error
from attnlab.check.kinds import as_numpy
from attnlab.check.properties import non_negative, rows_sum_to_one

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
    scores = reference.cases("softmax")[0].arguments[0]
    try:
        columns = as_numpy(answer(scores, axis=0)).sum(axis=0)
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error)
    if columns.shape == scores.shape[1:] and np.allclose(columns, 1):
        return None
    return Diagnosis(f"with axis=0 the columns sum to {np.round(columns, 2)}", "with axis=0 every column sums to 1",
                     "the argument `axis` is not used, or not in every place",
                     "pass `axis=axis` both to the maximum and to the sum")


def _names_unknown_word(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    known = reference.cases("embed")[0]
    words, vocabulary, table = known.arguments
    try:
        result = answer([*words, "zebra"], vocabulary, table)
    except KeyError as error:
        if "zebra" in str(error):
            return None
        return Diagnosis(f"a KeyError that says {error}", "a KeyError with the unknown word, 'zebra', in it",
                         "the error is raised with another text", "let `vocabulary[word]` raise it, or put the word into your own text")
    except Exception as error:  # whatever else is raised is what has to be explained
        return Diagnosis(f"the unknown word 'zebra' raised {type(error).__name__}: {error}", "a KeyError that names 'zebra'",
                         "the word is looked up in something other than the dictionary",
                         "look it up with `vocabulary[word]`, which raises the KeyError for you")
    return Diagnosis(f"the unknown word 'zebra' gave a result of shape {np.shape(result)}", "a KeyError that names 'zebra'",
                     "unknown words are skipped, or get some row of the table, as `dict.get` with a default does",
                     "look the word up with `vocabulary[word]`, which raises the KeyError for you")
