"""Inputs of the visible checks of lesson 4, and the wrong results that they know by value."""

import numpy as np
import torch

from attnlab.diagnosis import calls
from authoring.references import Case, Exercise

ROLES = ("toqueries", "tokeys", "tovalues")


def marked(B: int, T: int, E: int) -> torch.Tensor:
    """Numbers that say where they come from: 2.3 is component 3 of token 2; the second sequence counts from 10."""
    return torch.from_numpy(10.0 * np.arange(B)[:, None, None] + np.arange(T)[:, None] + np.arange(E) / 10)


def drawn(seed: int, *shape: int) -> torch.Tensor:
    """Random numbers with one decimal."""
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32))


def state(k: int, width: int, names: tuple[str, ...] = (*ROLES, "unifyheads")) -> dict[str, torch.Tensor]:
    """Weights of a module whose heads have `width` components together."""
    *roles, last = names
    weights = {f"{name}.weight": drawn(seed, width, k) for seed, name in enumerate(roles, start=1)}
    return {**weights, f"{last}.weight": drawn(4, k, width), f"{last}.bias": drawn(5, k)}


X = drawn(6, 2, 4, 6)
FOUR, SIX, REPAIRED = state(4, 4), state(6, 6), state(6, 6, ("queries", "keys", "values", "output"))


EXERCISES = {
    "split_heads": Exercise(
        "a piece of every token for every head",
        [Case("the marked tokens of the card", [marked(2, 3, 4), 2]),
         Case("three heads of two components", [marked(1, 2, 6), 3]),
         Case("a single token", [marked(2, 1, 4), 2])]),
    "merge_heads": Exercise(
        "the heads of each token side by side",
        [Case("the marked heads of the card", [marked(2, 3, 4).reshape(2, 3, 2, 2).transpose(1, 2).contiguous()]),
         Case("three heads of two components", [marked(1, 2, 6).reshape(1, 2, 3, 2).transpose(1, 2).contiguous()]),
         Case("a single token", [marked(2, 1, 4).reshape(2, 1, 2, 2).transpose(1, 2).contiguous()])]),
    "parameter_count": Exercise(
        "all learned numbers of a module",
        [Case("k = 256, 4 heads, narrow", [256, 4, "narrow"]),
         Case("k = 256, 4 heads, wide", [256, 4, "wide"]),
         Case("k = 12, 1 head, wide", [12, 1, "wide"])],
        call=calls.whole_number),
    "MultiHeadSelfAttention": Exercise(
        "narrow multi-head self-attention",
        [Case("the two sequences of the card", [[6, 2], SIX, X]),
         Case("three heads of four components", [[12, 3], state(12, 12), drawn(9, 2, 5, 12)]),  # where 2·s is no k − s, and s² no 3·s
         Case("the causal mask", [[6, 2, True], SIX, X]),
         Case("one head on long vectors", [[6, 1], SIX, 60 * X]),  # so long that each query looks at one key, whatever the scale
         Case("two heads on long vectors", [[6, 2], SIX, 60 * X]),
         Case("four heads of one component", [[4, 4], FOUR, X[:1, :, :4]]),
         Case("masked sequences of one token", [[6, 2, True], SIX, X[:, :1]]),
         Case("the causal mask on long vectors", [[6, 2, True], SIX, 60 * X])],
        call=calls.module),
    "WideSelfAttention": Exercise(
        "heads of full width",
        [Case("the two sequences of the card", [[3, 2], state(3, 6), X[:, :, :3]]),
         Case("four components, three heads", [[4, 3], state(4, 12), X[:, :3, :4]]),
         Case("a single token", [[4, 1], FOUR, X[:, :1, :4]]),
         Case("long vectors", [[3, 2], state(3, 6), 60 * X[:, :, :3]])],
        call=calls.module),
    "RepairedAttention": Exercise(
        "a module without the four faults",
        [Case("the two sequences of the card", [[6, 2], REPAIRED, X]),
         Case("three heads of two components", [[6, 3], REPAIRED, drawn(8, 1, 5, 6)])],
        call=calls.module),
}
