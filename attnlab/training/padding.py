"""A transformer that leaves padding out, with a function of the learner's for the weights."""

from __future__ import annotations

import math
from collections.abc import Callable

from torch import Tensor, nn

from attnlab.training.looking import projections_of


class _Attention(nn.Module):
    """An attention's own matrices, and weights from a function of scores `(B, heads, T, T)` and lengths `(B,)`."""

    def __init__(self, attention: nn.Module, heads: int, weights: Callable[[Tensor, Tensor], Tensor]):
        super().__init__()
        self.attention, self.heads, self.weights = attention, heads, weights
        self.lengths: Tensor | None = None

    def forward(self, x: Tensor) -> Tensor:
        *matrices, last = projections_of(self.attention)
        B, T, k = x.shape
        q, keys, values = ((x @ matrix.T).reshape(B, T, self.heads, -1).transpose(1, 2) for matrix in matrices)  # (B, heads, T, s)
        weights = self.weights(q @ keys.mT / math.sqrt(k // self.heads), self.lengths)
        return last((weights @ values).transpose(1, 2).reshape(B, T, k))


def without_padding(model: nn.Module, weights: Callable[[Tensor, Tensor], Tensor], padding: int, heads: int) -> nn.Module:
    """Let the attentions of a model take their weights from a function that knows how long each sequence is.

    Args:
        model: of lesson 6, called with tokens `(B, T)`; its attentions have no mask. It is changed, and returned.
        weights: from scores `(B, heads, T, T)` and lengths `(B,)` to weights `(B, heads, T, T)`.
        padding: the token that fills sequences up, behind their own.
        heads: as its attentions were made.
    """
    attentions = [_Attention(block.attention, heads, weights) for block in model.blocks]
    for block, attention in zip(model.blocks, attentions):
        block.attention = attention

    def note(_: nn.Module, given: tuple[Tensor]) -> None:
        for attention in attentions:
            attention.lengths = (given[0] != padding).sum(1)

    model.register_forward_pre_hook(note)
    return model
