"""Torch's own modules in place of what a learner has not finished yet."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class StandIn(nn.Module):
    """Torch's own multi-head self-attention, called as lesson 4's: for whoever has not finished that lesson.

    Args:
        k: the dimension of a token.
        heads: how many heads, a divisor of k.
        mask: whether a query sees only keys up to itself.
    """

    def __init__(self, k: int, heads: int, mask: bool = False):
        super().__init__()
        if k % heads:
            raise ValueError(f"a dimension of {k} cannot be shared by {heads} heads")
        self.torchs = _attention(k, heads)
        self.mask = mask

    def forward(self, x: Tensor) -> Tensor:
        """`(B, T, k)` to `(B, T, k)`."""
        return self.torchs(x, x, x, attn_mask=hidden_keys(x.shape[1]) if self.mask else None, need_weights=False)[0]


def _attention(k: int, heads: int) -> nn.MultiheadAttention:
    """Torch's attention with the parameters of lesson 4's, started as there."""
    made = nn.MultiheadAttention(k, heads, bias=False, batch_first=True)
    made.out_proj = nn.Linear(k, k)
    nn.init.uniform_(made.in_proj_weight, -(k**-0.5), k**-0.5)
    return made


def hidden_keys(T: int, first: int = 1) -> Tensor:
    """`(T query, T key)`: True where the key comes `first` or more positions after the query, as torch's module wants it."""
    return torch.ones(T, T, dtype=torch.bool).triu(first)


class _Layer(nn.TransformerEncoderLayer):
    """Torch's block, with the parameters of lesson 6's under its own names, and with lesson 6's names for its parts."""

    def __init__(self, k: int, heads: int, dropout: float):
        super().__init__(k, heads, 2 * k, dropout=dropout, norm_first=True, batch_first=True)
        self.self_attn = _attention(k, heads)
        self.self_attn.dropout = dropout

    @property
    def attention(self) -> nn.Module:
        return self.self_attn

    @property
    def norm_1(self) -> nn.Module:
        return self.norm1

    @property
    def norm_2(self) -> nn.Module:
        return self.norm2

    def feed_forward(self, x: Tensor) -> Tensor:
        """`(…, k)` to `(…, k)`."""
        return nn.Sequential(self.linear1, nn.ReLU(), self.linear2)(x)


# Torch's names for what the cards of lessons 4 and 6 call otherwise.
NAMES = {
    "encoder.norm": "norm",
    "encoder.layers": "blocks",
    "norm1": "norm_1",
    "norm2": "norm_2",
    "linear1": "feed_forward.expand",
    "linear2": "feed_forward.contract",
}


class TorchTransformer(nn.Module):
    """A transformer around torch's own encoder, which reads as lesson 6's does: for whoever has not finished that lesson, and for its clinics.

    Args:
        vocabulary: how many different tokens there are.
        longest: the length of the longest sequence.
        k: the dimension of a token; the feed-forward parts have 2k hidden components.
        layers, heads: how many blocks, and heads in each.
        mask: whether a query sees only keys up to itself.
        padding: the token at which no query looks; None where there is none.
        dropout: of the weights, of the activations and of what each part adds.
        first: how many positions after the query the first key stands that the mask hides.
    """

    def __init__(
        self,
        vocabulary: int,
        longest: int,
        k: int,
        layers: int,
        heads: int,
        mask: bool = True,
        padding: int | None = None,
        dropout: float = 0.0,
        first: int = 1,
    ):
        super().__init__()
        self.tokens, self.positions = (nn.Embedding(rows, k) for rows in (vocabulary, longest))
        self.encoder = nn.TransformerEncoder(_Layer(k, heads, dropout), 1, nn.LayerNorm(k), enable_nested_tensor=False)
        self.encoder.layers.extend(_Layer(k, heads, dropout) for _ in range(layers - 1))  # each with a start of its own
        self.encoder.num_layers = layers
        self.readout = nn.Linear(k, vocabulary)
        self.mask, self.padding, self.first = mask, padding, first

    @property
    def blocks(self) -> nn.ModuleList:
        """The blocks, each with `attention`, `feed_forward`, `norm_1` and `norm_2`."""
        return self.encoder.layers

    @property
    def norm(self) -> nn.Module:
        """The last norm."""
        return self.encoder.norm

    def forward(self, tokens: Tensor) -> Tensor:
        """Tokens `(B, T)` to logits `(B, T, vocabulary)`."""
        T = tokens.shape[1]
        later = hidden_keys(T, self.first) if self.mask else None
        empty = None if self.padding is None else tokens == self.padding
        return self.readout(self.encoder(self.tokens(tokens) + self.positions.weight[:T], mask=later, src_key_padding_mask=empty))

    def named(self, name: str) -> str:
        """What the cards call a parameter or a part of this model."""
        for torchs, ours in NAMES.items():
            name = name.replace(torchs, ours)
        return name
