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
from attnlab.check.columns import (
    column_scores,
    multi_head_columns,
    one_output,
    query_key_value,
    scaled_dot_product_self_attention,
    self_attention,
)
from attnlab.check.in_parts import in_parts
from attnlab.check.multi_head import (
    MultiHeadSelfAttention,
    RepairedAttention,
    WideSelfAttention,
    merge_heads,
    parameter_count,
    split_heads,
)
from attnlab.check.overview import progress
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
    looks_at,
    next_letter_projections,
    repaired_attention,
    scores_of_one_query,
    self_attention_rows,
    weighted_values,
)
from attnlab.check.scaling import (
    attention_entropy,
    attention_gradients,
    repaired_scaling,
    scaled_dot_product_attention,
    score_variance,
    smallest_overflow,
    softmax_jacobian,
)
from attnlab.check.shown import expected, known
from attnlab.check.transformer import (
    Block,
    FeedForward,
    Transformer,
    generate,
    layer_norm,
    learn_to_rearrange,
    masked_loss,
    next_probabilities,
    padded_weights,
    train_model,
)
from attnlab.check.undefined import explain_undefined_names
from attnlab.diagnosis.cause import CheckFailed

__all__ = [
    # tools
    "CheckFailed",
    "choice",
    "expected",
    "in_parts",
    "known",
    "prediction",
    "progress",
    "reveal",
    # lesson 1
    "attention_scores",
    "attention_weights",
    "basic_self_attention",
    "embed",
    "repaired_weights",
    "self_attention_loops",
    "softmax",
    # lesson 2
    "SelfAttention",
    "looks_at",
    "next_letter_projections",
    "repaired_attention",
    "scores_of_one_query",
    "self_attention_rows",
    "weighted_values",
    # lesson 2b, optional
    "column_scores",
    "multi_head_columns",
    "one_output",
    "query_key_value",
    "scaled_dot_product_self_attention",
    "self_attention",
    # lesson 3
    "attention_entropy",
    "attention_gradients",
    "repaired_scaling",
    "scaled_dot_product_attention",
    "score_variance",
    "smallest_overflow",
    "softmax_jacobian",
    # lesson 4
    "MultiHeadSelfAttention",
    "RepairedAttention",
    "WideSelfAttention",
    "merge_heads",
    "parameter_count",
    "split_heads",
    # lesson 5
    "causal_mask",
    "is_permutation_equivariant",
    "is_permutation_invariant",
    "permute_tokens",
    "positional_encoding",
    "repaired_causal_attention",
    # lesson 6
    "Block",
    "FeedForward",
    "Transformer",
    "generate",
    "layer_norm",
    "learn_to_rearrange",
    "masked_loss",
    "next_probabilities",
    "padded_weights",
    "train_model",
]

explain_undefined_names()
