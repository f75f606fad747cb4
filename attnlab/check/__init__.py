"""Visible checks: `check.softmax(softmax)` says what is wrong with your answer, or prints one line when all is well.

Every function takes what you wrote and climbs the same levels: written, runs, type, shape, finite, properties, reference,
input unchanged, edge cases. It stops at the first that fails with `CheckFailed`, whose text says what was observed, what
was expected, the likely cause and the next step.
"""

from attnlab.check.basic_attention import (
    attention_scores,
    attention_weights,
    basic_self_attention,
    embed,
    repaired_weights,
    self_attention_loops,
    softmax,
)
from attnlab.check.diagnosis import CheckFailed
from attnlab.check.multi_head import (
    MultiHeadSelfAttention,
    RepairedAttention,
    WideSelfAttention,
    fused_weight,
    merge_heads,
    multi_head_columns,
    parameter_count,
    split_heads,
)
from attnlab.check.permutation_test import (
    causal_mask,
    is_permutation_equivariant,
    is_permutation_invariant,
    permute_tokens,
    positional_encoding,
    repaired_causal_attention,
)
from attnlab.check.predictions import choice, prediction, reveal
from attnlab.check.queries_keys_values import (
    SelfAttention,
    column_scores,
    one_output,
    project,
    query_key_value,
    repaired_attention,
    self_attention,
    self_attention_rows,
    softmax_cols,
    weighted_values,
)
from attnlab.check.scaling import (
    attention_entropy,
    repaired_scaling,
    scaled_dot_product_attention,
    scaled_dot_product_self_attention,
    score_variance,
    smallest_overflow,
    softmax_jacobian,
)
from attnlab.check.session import progress
from attnlab.check.shown import expected, known

__all__ = [
    # tools
    "CheckFailed", "choice", "expected", "known", "prediction", "progress", "reveal",
    # lesson 1
    "attention_scores", "attention_weights", "basic_self_attention", "embed", "repaired_weights", "self_attention_loops",
    "softmax",
    # lesson 2
    "SelfAttention", "column_scores", "one_output", "project", "query_key_value", "repaired_attention", "self_attention",
    "self_attention_rows", "softmax_cols", "weighted_values",
    # lesson 3
    "attention_entropy", "repaired_scaling", "scaled_dot_product_attention", "scaled_dot_product_self_attention",
    "score_variance", "smallest_overflow", "softmax_jacobian",
    # lesson 4
    "MultiHeadSelfAttention", "RepairedAttention", "WideSelfAttention", "fused_weight", "merge_heads", "multi_head_columns",
    "parameter_count", "split_heads",
    # lesson 5
    "causal_mask", "is_permutation_equivariant", "is_permutation_invariant", "permute_tokens", "positional_encoding",
    "repaired_causal_attention",
]
