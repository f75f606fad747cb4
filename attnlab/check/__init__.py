"""Visible checks: `check.softmax(softmax)` says what is wrong with your answer, or prints one line when all is well.

Every function takes what you wrote and climbs the same levels: written, runs, type, shape, finite, properties, reference,
input unchanged, edge cases. It stops at the first that fails with `CheckFailed`, whose text says what was observed, what
was expected, the likely cause and the next step.
"""

from attnlab.check.basic_attention import (
    attention_scores, attention_weights, basic_self_attention, embed, repaired_weights, self_attention_loops, softmax,
)
from attnlab.check.diagnosis import CheckFailed
from attnlab.check.multi_head import (
    fused_weight, merge_heads, multi_head_columns, multi_head_self_attention, parameter_count, repaired_attention, split_heads,
    wide_self_attention,
)
from attnlab.check.permutation_test import (
    causal_mask, is_permutation_equivariant, is_permutation_invariant, permute_tokens, positional_encoding, repaired_causal_attention,
)
from attnlab.check.predictions import prediction
from attnlab.check.session import progress

__all__ = [
    "CheckFailed", "attention_scores", "attention_weights", "basic_self_attention", "causal_mask", "embed", "fused_weight",
    "is_permutation_equivariant", "is_permutation_invariant", "merge_heads", "multi_head_columns", "multi_head_self_attention",
    "parameter_count", "permute_tokens", "positional_encoding", "prediction", "progress", "repaired_attention",
    "repaired_causal_attention", "repaired_weights", "self_attention_loops", "softmax", "split_heads", "wide_self_attention",
]
