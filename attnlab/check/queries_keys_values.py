"""The visible checks of lesson 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.check.diagnosis import Diagnosis
from attnlab.check.engine import examine
from attnlab.check.properties import ROUNDED, non_negative

Answer = Callable[..., Any]


def project(answer: Answer) -> None:
    """Check `project(x, w)`: every token times one matrix."""
    examine("project", answer)


def weighted_values(answer: Answer) -> None:
    """Check `weighted_values(weights, values)`: entry `[i, j]` is weight i, j times value j."""
    examine("weighted_values", answer)


def query_key_value(answer: Answer) -> None:
    """Check `query_key_value(x_n, ...)`, columns: the three vectors of one token."""
    examine("query_key_value", answer)


def one_output(answer: Answer) -> None:
    """Check `one_output(n, X, ...)`, columns: the output of one token."""
    examine("one_output", answer)


def column_scores(answer: Answer) -> None:
    """Check `column_scores(X, ...)`: entry `[m, n]` is key m times query n."""
    examine("column_scores", answer)


def softmax_cols(answer: Answer) -> None:
    """Check `softmax_cols(scores)`: every column sums to one."""
    examine("softmax_cols", answer, {"no share below zero": non_negative, "columns": columns_sum_to_one})


def self_attention(answer: Answer) -> None:
    """Check `self_attention(X, ...)`, columns: outputs and attention."""
    examine("self_attention", answer, {"columns": lambda parts: columns_sum_to_one(parts[1])})


def self_attention_rows(answer: Answer) -> None:
    """Check `self_attention_rows(x, w_query, w_key, w_value)`: tokens in rows."""
    examine("self_attention_rows", answer)


def SelfAttention(answer: Answer) -> None:
    """Check the torch module `SelfAttention(d_in, d_k, d_v)` with known weights."""
    examine("SelfAttention", answer)


def repaired_attention(answer: Answer) -> None:
    """Check the repaired function of the clinic."""
    examine("repaired_attention", answer)


def columns_sum_to_one(attention: np.ndarray) -> Diagnosis | None:
    """Down each column (over the keys) the weights sum to 1."""
    columns = attention.sum(axis=0)
    if np.allclose(columns, 1, atol=ROUNDED):
        return None
    rows, whole = attention.sum(axis=1), attention.sum()
    observed = f"columns sum to {columns.min():.2f} to {columns.max():.2f}"
    if np.allclose(rows, 1, atol=1e-4):
        return Diagnosis(f"{observed}, rows to 1.00", "every column sums to 1",
                         "you normalised along the rows, or returned the transpose: in column form a column is one query",
                         "let the softmax add up down the columns: axis=0")
    if np.isclose(whole, 1, atol=1e-4):
        return Diagnosis(f"{observed}; the whole matrix sums to 1.00", "every column sums to 1",
                         "the sum runs over all entries instead of down each column", "give the sum its axis: axis=0")
    return Diagnosis(f"{observed}, rows to {rows.min():.2f} to {rows.max():.2f}", "every column sums to 1",
                     "the exponentials are not divided by their own column's sum, or something changed the shares afterwards",
                     "divide each column by its own sum: `e / e.sum(axis=0, keepdims=True)`")
