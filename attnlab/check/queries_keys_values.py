"""The visible checks of lesson 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab.check.engine import examine

Answer = Callable[..., Any]


def looks_at(answer: Answer) -> None:
    """Check `looks_at(weights)`: where the largest weight of each query stands."""
    examine("looks_at", answer)


def scores_of_one_query(answer: Answer) -> None:
    """Check `scores_of_one_query(query, keys)`: one query against all keys."""
    examine("scores_of_one_query", answer)


def weighted_values(answer: Answer) -> None:
    """Check `weighted_values(weights, values)`: entry `[i, j]` is weight i, j times value j."""
    examine("weighted_values", answer)


def self_attention_rows(answer: Answer) -> None:
    """Check `self_attention_rows(x, w_query, w_key, w_value)`: tokens in rows."""
    examine("self_attention_rows", answer)


def SelfAttention(answer: Answer) -> None:
    """Check the torch module `SelfAttention(d_in, d_k, d_v)` with known weights."""
    examine("SelfAttention", answer)


def next_letter_projections(answer: Answer) -> None:
    """Check `next_letter_projections(letters, sharpness)` by the scores that its two matrices give."""
    examine("next_letter_projections", answer)


def repaired_attention(answer: Answer) -> None:
    """Check the repaired function of the clinic."""
    examine("repaired_attention", answer)
