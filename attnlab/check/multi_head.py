"""The visible checks of lesson 4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab.check.diagnosis import Diagnosis
from attnlab.check.engine import examine, explain_error


def split_heads(answer: Callable[[Any, int], Any]) -> None:
    """Check `split_heads(x, heads)`: a piece of every token for every head."""
    examine("split_heads", answer)


def merge_heads(answer: Callable[[Any], Any]) -> None:
    """Check `merge_heads(x)`: the heads of each token side by side."""
    examine("merge_heads", answer)


def parameter_count(answer: Callable[[int, int, str], int]) -> None:
    """Check `parameter_count(k, heads, variant)`: values, and a `ValueError` for another variant."""
    examine("parameter_count", answer, edges={"unknown variant": lambda: _raises_value_error(
        lambda: answer(12, 3, "sliced"), "the variant “sliced”", "look the variant up, and raise ValueError when it is neither of the two")})


def MultiHeadSelfAttention(answer: Callable[..., Any]) -> None:
    """Check the class `MultiHeadSelfAttention(k, heads, mask=False)`: parameters, values, the mask, heads that do not fit."""
    examine("MultiHeadSelfAttention", answer, edges={"heads that do not divide k": lambda: _raises_value_error(
        lambda: answer(10, 3), "10 numbers and 3 heads", "compare `k % heads` with 0 in the constructor, and raise ValueError")})


def fused_weight(answer: Callable[[dict], Any]) -> None:
    """Check `fused_weight(weights)`: three weights, one under the other."""
    examine("fused_weight", answer)


def WideSelfAttention(answer: Callable[..., Any]) -> None:
    """Check the class `WideSelfAttention(k, heads)`: parameters and values."""
    examine("WideSelfAttention", answer)


def multi_head_columns(answer: Callable[..., Any]) -> None:
    """Check `multi_head_columns(X, heads, omega_c)`: tokens in columns, two heads."""
    examine("multi_head_columns", answer)


def RepairedAttention(answer: Callable[..., Any]) -> None:
    """Check the repaired module of the clinic."""
    examine("RepairedAttention", answer)


def _raises_value_error(call: Callable[[], Any], what: str, next_step: str) -> Diagnosis | None:
    try:
        call()
    except ValueError:
        return None
    except NotImplementedError as error:
        return explain_error(error)
    except Exception as error:  # whatever else is raised is what has to be explained
        return Diagnosis(f"{what} raised {type(error).__name__}: {error}", "a ValueError",
                         "another exception comes first, or is raised instead", next_step)
    return Diagnosis(f"{what} raised nothing", "a ValueError", "the value is not checked, or treated as some other one", next_step)
