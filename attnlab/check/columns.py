"""The visible checks of the optional lesson 2b, in which tokens are columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.examine import examine
from attnlab.diagnosis.results.properties import ROUNDED

Answer = Callable[..., Any]


def query_key_value(answer: Answer) -> None:
    """Check `query_key_value(x_n, ...)`: the three vectors of one token."""
    examine("query_key_value", answer)


def one_output(answer: Answer) -> None:
    """Check `one_output(n, X, ...)`: the output of one token."""
    examine("one_output", answer)


def column_scores(answer: Answer) -> None:
    """Check `column_scores(X, ...)`: entry `[m, n]` is key m times query n."""
    examine("column_scores", answer)


def self_attention(answer: Answer) -> None:
    """Check `self_attention(X, ...)`: outputs and attention."""
    examine("self_attention", answer, {"columns": lambda parts, everywhere: columns_sum_to_one(parts[1])})


def scaled_dot_product_self_attention(answer: Answer) -> None:
    """Check `scaled_dot_product_self_attention(X, ...)`: scaled by sqrt(D_k)."""
    examine("scaled_dot_product_self_attention", answer)


def multi_head_columns(answer: Answer) -> None:
    """Check `multi_head_columns(X, heads, omega_c)`: several heads."""
    examine("multi_head_columns", answer)


def columns_sum_to_one(attention: np.ndarray) -> Diagnosis | None:
    """Down each column (over the keys) the weights sum to 1."""
    columns = attention.sum(axis=0)
    if np.allclose(columns, 1, atol=ROUNDED):
        return None
    rows, whole = attention.sum(axis=1), attention.sum()
    observed = f"columns sum to {columns.min():.2f} to {columns.max():.2f}"
    if np.allclose(rows, 1, atol=1e-4):
        return Diagnosis(
            f"{observed}, rows to 1.00",
            "every column sums to 1",
            Cause(
                "columns.shares_row_sum_softmax",
                "the shares of a row sum to 1: the softmax runs along rows, or the transpose is returned; here a column is one query",
                "are the outputs right? Then return the transpose; else let the softmax add up down the columns: axis=0",
            ),
        )
    if np.isclose(whole, 1, atol=1e-4):
        return Diagnosis(
            f"{observed}; the whole matrix sums to 1.00",
            "every column sums to 1",
            Cause("columns.sum_runs_over_entries", "the sum runs over all entries instead of down each column", "give the sum its axis: axis=0"),
        )
    return Diagnosis(
        f"{observed}, rows to {rows.min():.2f} to {rows.max():.2f}",
        "every column sums to 1",
        unknown("columns.columns_sum_to_one", "divide each column by its own sum: `e / e.sum(axis=0, keepdims=True)`"),
    )
