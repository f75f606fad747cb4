"""Inputs of the visible checks of lesson 4, and the wrong results that they know by value."""

import numpy as np
import torch

from attnlab.check import calls
from authoring.references import Case, Exercise

ROLES = ("toqueries", "tokeys", "tovalues")


def marked(B: int, T: int, E: int) -> torch.Tensor:
    """Numbers that say where they come from: 2.3 is number 3 of token 2; the second sequence counts from 10."""
    return torch.from_numpy(10.0 * np.arange(B)[:, None, None] + np.arange(T)[:, None] + np.arange(E) / 10)


def drawn(seed: int, *shape: int) -> torch.Tensor:
    """Random numbers with one decimal."""
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32))


def state(k: int, width: int, names: tuple[str, ...] = (*ROLES, "unifyheads")) -> dict[str, torch.Tensor]:
    """Weights of a module whose heads have `width` numbers together."""
    *roles, last = names
    weights = {f"{name}.weight": drawn(seed, width, k) for seed, name in enumerate(roles, start=1)}
    return {**weights, f"{last}.weight": drawn(4, k, width), f"{last}.bias": drawn(5, k)}


def column_example() -> list:
    """N = 6 tokens of D = 8 numbers in columns, two heads of four numbers, from the seeds that the card names."""
    np.random.seed(3)
    X = np.random.normal(size=(8, 6))
    np.random.seed(0)
    heads = []
    for _ in range(2):
        omegas = {f"omega_{role}": np.random.normal(size=(4, 8)) for role in "qkv"}
        heads.append({**omegas, **{f"beta_{role}": np.random.normal(size=(4, 1)) for role in "qkv"}})
    return [X, heads, np.random.normal(size=(8, 8))]


def small_columns(N: int, factor: float = 1.0) -> list:
    """Three heads of one number each, for N tokens of three numbers."""
    heads = [{**{f"omega_{role}": drawn(seed + place, 1, 3).numpy().astype(float) for place, role in enumerate("qkv")},
              **{f"beta_{role}": drawn(seed + 3 + place, 1, 1).numpy().astype(float) for place, role in enumerate("qkv")}}
             for seed in (10, 20, 30)]
    return [factor * drawn(6, 3, N).numpy().astype(float), heads, drawn(7, 3, 3).numpy().astype(float)]


X = drawn(6, 2, 4, 6)
FOUR, SIX, REPAIRED = state(4, 4), state(6, 6), state(6, 6, ("queries", "keys", "values", "output"))

MIXED_IN_SPLIT = ("the heads are cut by `view` alone, so a head holds whole tokens of one end of the sequence and none of the other",
                  "cut the last axis first, (B, T, h, s), then exchange the axes of tokens and heads")
MIXED_IN_MERGE = ("the heads are merged without bringing the tokens back in front of the heads, so a row mixes several tokens",
                  "exchange the axes of heads and tokens first, then join the last two with `reshape`")
INTERLEAVED = ("every h-th number goes to the same head, instead of s neighbours", "read the last axis as (heads, s), in this order")
ACROSS_HEADS = ("the axes stayed (B, T, h, s), so the heads of one token attend to each other and no token sees another",
                "bring the heads in front of the tokens before the scores")
OVER_QUERIES = ("you normalised over queries", "each row is one query; the keys are the last axis: give that one to the softmax")
OVER_HEADS = ("the softmax runs over the heads", "the keys are the last axis: give that one to the softmax")
UNSCALED = ("the scores are not scaled", "divide the scores by the root of the numbers per head, before the softmax")
MODEL_SCALE = ("the scores are divided by the root of the model's width, not of the head's", "a score sums s products: divide by the root of s")
NO_ROOT = ("the scores are divided by s itself", "divide by its square root")
SCALED_AFTER = ("the scaling comes after the softmax, so the weights do not sum to one", "scale the scores, before the softmax")
ROLES_SWAPPED = ("queries and keys changed roles", "rows of the scores are queries: queries times keys transposed")
PLAIN_VALUES = ("the weights average the tokens themselves, not their values", "use the projected and split values")
KEYS_AS_VALUES = ("the weights average the keys, not the values", "use the projected and split values")
NO_OUTPUT = ("the last projection is missing", "put the merged heads through `unifyheads`")
HEAD_SUM = ("the heads are added up instead of put side by side", "keep the heads apart until `unifyheads` mixes them")
FIRST_HEAD = ("one head is used for all", "every head has its own stripe of the matrices")
REVERSED = ("the heads stand in the wrong order", "head 0 comes first")

EXERCISES = {
    "split_heads": Exercise(
        "a piece of every token for every head",
        [Case("the marked tokens of the card", [marked(2, 3, 4), 2]),
         Case("three heads of two numbers", [marked(1, 2, 6), 3]),
         Case("a single token", [marked(2, 1, 4), 2])],
        {"view_alone": MIXED_IN_SPLIT, "interleaved": INTERLEAVED,
         "heads_last": ("the axes are (B, T, heads, s): the exchange is missing", "exchange the axes of tokens and heads"),
         "chunks_of_tokens": ("the tokens were shared out among the heads, not their numbers", "cut the last axis, the numbers of each token"),
         "batch_and_heads": ("the heads stand in front of the batch", "the batch stays first: (B, heads, T, s)")}),
    "merge_heads": Exercise(
        "the heads of each token side by side",
        [Case("the marked heads of the card", [marked(2, 3, 4).reshape(2, 3, 2, 2).transpose(1, 2).contiguous()]),
         Case("three heads of two numbers", [marked(1, 2, 6).reshape(1, 2, 3, 2).transpose(1, 2).contiguous()]),
         Case("a single token", [marked(2, 1, 4).reshape(2, 1, 2, 2).transpose(1, 2).contiguous()])],
        {"reshape_alone": MIXED_IN_MERGE,
         "interleaved": ("the numbers of the heads alternate", "one head after the other: join the axes (h, s) in this order"),
         "sum_of_heads": HEAD_SUM,
         "wrong_exchange": ("the last two axes were exchanged, not heads and tokens", "exchange axes 1 and 2")}),
    "parameter_count": Exercise(
        "all learned numbers of a module",
        [Case("k = 256, 4 heads, narrow", [256, 4, "narrow"]),
         Case("k = 256, 4 heads, wide", [256, 4, "wide"]),
         Case("k = 12, 1 head, wide", [12, 1, "wide"])],
        {"without_output": ("the output projection is not counted", "add its matrix and its k biases"),
         "without_bias": ("the biases of the output projection are not counted", "add k"),
         "bias_everywhere": ("queries, keys and values have no bias here", "count biases for the output projection only"),
         "narrow_times_heads": ("the narrow matrices are counted once per head, at full size", "narrow: all heads together share one (k, k) per role"),
         "sliced": ("each head gets a matrix of (k/h, k/h): that is the sliced variant", "a narrow head reads the whole token: (k/h, k)"),
         "one_role": ("one matrix is counted, where there are three: queries, keys, values", "multiply by three"),
         "wide_narrow_output": ("the output projection of the wide variant reads all heads", "it has the shape (k, heads * k)")},
        call=calls.whole_number),
    "MultiHeadSelfAttention": Exercise(
        "narrow multi-head self-attention",
        [Case("the two sequences of the card", [[6, 2], SIX, X]),
         Case("the causal mask", [[6, 2, True], SIX, X]),
         Case("four heads of one number", [[4, 4], FOUR, X[:1, :, :4]]),
         Case("masked sequences of one token", [[6, 2, True], SIX, X[:, :1]]),
         Case("long vectors", [[6, 2, True], SIX, 60 * X])],
        {"view_alone": MIXED_IN_SPLIT, "merge_by_view": MIXED_IN_MERGE, "two_views": MIXED_IN_SPLIT, "interleaved": INTERLEAVED, "across_heads": ACROSS_HEADS,
         "over_queries": OVER_QUERIES, "over_heads": OVER_HEADS, "unscaled": UNSCALED, "model_scale": MODEL_SCALE, "no_root": NO_ROOT,
         "scaled_after": SCALED_AFTER, "roles_swapped": ROLES_SWAPPED, "plain_tokens_as_values": PLAIN_VALUES, "keys_as_values": KEYS_AS_VALUES,
         "no_output_projection": NO_OUTPUT,
         "output_transposed": ("the last projection uses its matrix transposed", "call `self.unifyheads(...)`, or multiply by `weight.T`"),
         "same_head_repeated": FIRST_HEAD, "heads_reversed": REVERSED,
         "mean_of_heads": ("the heads are averaged instead of put side by side", "keep the heads apart until `unifyheads` mixes them"),
         "first_sequence_only": ("the first sequence is used for all", "let `@` treat the batch: do not index it"),
         "batch_as_one_sequence": ("the batch is treated as one long sequence, so tokens look at other sequences", "keep the batch axis in front"),
         "without_softmax": ("there is no softmax between the two products", "put the scores through `torch.softmax(..., dim=-1)`"),
         "heads_scale": ("the scores are divided by the root of the number of heads", "divide by the root of the numbers per head"),
         "length_scale": ("the scores are divided by the root of the number of tokens", "divide by the root of the numbers per head"),
         "multiplied": ("the scores are multiplied by the root of s", "divide by it"),
         "weights_transposed": ("the weights are transposed before they meet the values", "row i of the weights belongs to query i: weights times values"),
         "queries_for_all": ("keys and values come from the query projection", "each role has its own projection"),
         "output_without_bias": ("the bias of the last projection is missing", "call `self.unifyheads(...)`"),
         "mask_with_diagonal": ("the mask blocks the diagonal, too: query 0 has no key left, and its row is 0/0", "block only the keys with j > i"),
         "mask_times_infinity": ("0 times −∞ is nan: the mask itself holds nan", "set masked scores with `masked_fill` or `torch.where`; do not multiply by −∞"),
         "mask_ignored": ("with `mask=True` the future is still seen: the mask is not used, or its result is dropped",
                          "`masked_fill` returns a new tensor; keep it: `scores = scores.masked_fill(...)`"),
         "mask_after_softmax": ("the mask acts after the softmax, so the remaining weights sum to less than one", "mask the scores, before the softmax"),
         "mask_to_zero": ("masked scores are set to 0, and e to the power 0 is 1: the future still gets weight", "set masked scores to −∞"),
         "mask_inverted": ("the mask blocks the past instead of the future", "block key j for query i when j > i"),
         "mask_always": ("the mask is used although nobody asked", "use it only with `mask=True`"),
         "mask_one_too_far": ("every query also sees the token after it", "block every key with j > i: the diagonal above the main one is blocked, too")},
        call=calls.module),
    "fused_weight": Exercise(
        "three weights, one under the other",
        [Case("the three weights of the card", [{f"{name}.weight": torch.tensor([[1.0, 2], [3, 4]]) + 10 * place for place, name in enumerate(ROLES, start=1)}]),
         Case("a dict in another order, with more in it", [dict(reversed(FOUR.items()))])],
        {"side_by_side": ("the weights stand side by side, not one under the other", "join them along axis 0"),
         "keys_first": ("the keys come before the queries", "the order is queries, keys, values"),
         "interleaved": ("the rows of the three weights alternate", "all rows of the queries come first")}),
    "WideSelfAttention": Exercise(
        "heads of full width",
        [Case("the two sequences of the card", [[3, 2], state(3, 6), X[:, :, :3]]),
         Case("four numbers, three heads", [[4, 3], state(4, 12), X[:, :3, :4]]),
         Case("a single token", [[4, 1], FOUR, X[:, :1, :4]]),
         Case("long vectors", [[3, 2], state(3, 6), 60 * X[:, :, :3]])],
        {"view_alone": MIXED_IN_SPLIT, "merge_by_view": MIXED_IN_MERGE, "interleaved": INTERLEAVED, "across_heads": ACROSS_HEADS,
         "over_queries": OVER_QUERIES, "unscaled": ("the scores are not scaled", "divide queries and keys by the fourth root of k"),
         "scaled_once": ("only one of queries and keys is divided by the fourth root", "divide both, or divide the scores by the square root"),
         "all_heads_scale": ("the scale counts the numbers of all heads together", "a score sums k products: the scale is the root of k"),
         "narrow_scale": ("the scale is the one of narrow heads, k / heads", "a wide head has k numbers"),
         "square_roots": ("queries and keys are both divided by the square root, so the scores by k", "the fourth root for each of the two"),
         "roles_swapped": ROLES_SWAPPED, "same_head_repeated": FIRST_HEAD, "heads_reversed": REVERSED,
         "plain_tokens_as_values": PLAIN_VALUES},
        call=calls.module),
    "multi_head_columns": Exercise(
        "two heads, tokens in columns",
        [Case("the six tokens of the card", column_example()),
         Case("four tokens of three numbers, three heads", small_columns(4)),
         Case("a single token", small_columns(1)),
         Case("large tokens", small_columns(4, 60.0))],
        {"over_queries": ("the softmax runs over the queries", "queries are columns here: each column of the weights sums to one"),
         "unscaled": ("the scores are not scaled", "divide them by the root of H_D"),
         "model_scale": ("the scores are divided by the root of D", "a head's score sums H_D products"),
         "no_root": ("the scores are divided by H_D itself", "divide by its square root"),
         "roles_swapped": ("queries and keys changed roles", "scores = K.T @ Q, with the softmax down the columns"),
         "without_omega_c": ("the heads are stacked, but not mixed", "multiply omega_c with the stack"),
         "omega_c_on_the_right": ("omega_c acts transposed, as it does for tokens in rows", "with tokens in columns, omega_c stands on the left"),
         "last_head_for_all": ("one head is used for all", "each head has a dict of its own: use the one of the loop"),
         "heads_reversed": REVERSED,
         "without_biases": ("the biases are left out", "add beta to each of queries, keys and values"),
         "weights_transposed": ("the weights are transposed", "each column of the weights belongs to one query: values times weights"),
         "keys_as_values": KEYS_AS_VALUES,
         "output_transposed": ("the result is transposed", "tokens stay in columns: (D, N)"),
         "over_all_entries": ("the sum runs over all entries", "give the sum its axis: each column has its own")}),
    "RepairedAttention": Exercise(
        "a module without the four faults",
        [Case("the two sequences of the card", [[6, 2], REPAIRED, X]),
         Case("three heads of two numbers", [[6, 3], REPAIRED, drawn(8, 1, 5, 6)])],
        {"scale_left": MODEL_SCALE, "merge_left": MIXED_IN_MERGE, "scale_and_merge_left": (
            "it runs, and both silent faults are still there", "look at the two lines that you named in clinic 4.1"),
         "no_root": NO_ROOT, "scaled_after": SCALED_AFTER, "split_and_merge_by_view": MIXED_IN_SPLIT},
        call=calls.module),
}
