"""What stands inside of a trained model: its projections, where its heads look, and what it does without one of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from attnlab.training.stand_ins import StandIn, hidden_keys


def projections_of(attention: nn.Module) -> tuple[Tensor, Tensor, Tensor, nn.Linear]:
    """Queries', keys' and values' matrices of an attention, each `(k, k)`, and the linear layer behind its heads; with their gradients.

    Raises:
        TypeError: it is neither lesson 4's nor torch's.
    """
    torchs = attention.torchs if isinstance(attention, StandIn) else attention
    if isinstance(torchs, nn.MultiheadAttention):
        queries, keys, values = torchs.in_proj_weight.chunk(3)
        return queries, keys, values, torchs.out_proj
    try:
        queries, keys, values = (getattr(attention, name).weight for name in ("toqueries", "tokeys", "tovalues"))
        return queries, keys, values, attention.unifyheads
    except AttributeError:
        raise TypeError(
            f"{type(attention).__name__} has no `toqueries`, `tokeys`, `tovalues` and `unifyheads`; pass an attention as lesson 4 describes it"
        ) from None


def matrices_of(attention: nn.Module) -> dict[str, Tensor]:
    """The projections of an attention under lesson 4's names, each `(k, k)`, and the bias of the last one `(k,)`.

    They are the parameters themselves: what is changed in them changes the model.

    Raises:
        TypeError: it is neither lesson 4's nor torch's.
    """
    queries, keys, values, last = projections_of(attention)
    found = {"toqueries": queries, "tokeys": keys, "tovalues": values, "unifyheads": last.weight, "bias": last.bias}
    return {name: matrix.detach() for name, matrix in found.items()}


def weights_of(attention: nn.Module, x: Tensor, heads: int = 1, mask: bool = False) -> Tensor:
    """Where each query looks: `(B, heads, T query, T key)`, computed by torch's module with the projections of yours.

    Args:
        attention: of lesson 4, or torch's in its place.
        x: what it reads, `(B, T, k)`.
        heads, mask: as it was made.
    """
    own = matrices_of(attention)
    torchs = nn.MultiheadAttention(x.shape[-1], heads, bias=False, batch_first=True)
    with torch.no_grad():
        torchs.in_proj_weight.copy_(torch.cat([own["toqueries"], own["tokeys"], own["tovalues"]]))
        return torchs(x, x, x, attn_mask=hidden_keys(x.shape[1]) if mask else None, average_attn_weights=False)[1]


def maps_of(model: nn.Module, tokens: Tensor, heads: int = 1, mask: bool = False) -> list[Tensor]:
    """Where each query of each block of a model looks: for each block `(B, heads, T query, T key)`.

    Args:
        model: with `blocks`, each with an `attention`.
        tokens: `(B, T)`.
        heads, mask: as its attentions were made.
    """
    read: list[Tensor] = []
    hooks = [block.attention.register_forward_pre_hook(lambda _, given: read.append(given[0].detach())) for block in model.blocks]
    try:
        with torch.no_grad():
            model(tokens)
    finally:
        for hook in hooks:
            hook.remove()
    return [weights_of(block.attention, x, heads, mask) for block, x in zip(model.blocks, read)]


@contextlib.contextmanager
def replaced(attention: nn.Module, unifyheads: Tensor) -> Iterator[None]:
    """Inside the `with`, the matrix behind the heads of this attention is another one, `(k, k)`; afterwards it is its own again.

    Raises:
        ValueError: it has another shape.
    """
    own = matrices_of(attention)["unifyheads"]
    if own.shape != unifyheads.shape:
        raise ValueError(f"a matrix of shape {tuple(unifyheads.shape)} cannot stand for one of shape {tuple(own.shape)}")
    kept = own.clone()
    try:
        own.copy_(unifyheads.detach())
        yield
    finally:
        own.copy_(kept)


def without_attention(model: nn.Module) -> nn.Module:
    """The same model, in which no attention adds anything: the matrices behind the heads are zero, and do not learn."""
    for block in model.blocks:
        last = projections_of(block.attention)[3].requires_grad_(False)
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)
    return model


def without_positions(model: nn.Module) -> nn.Module:
    """The same model, in which all positions are alike: their vectors are zero, and do not learn."""
    nn.init.zeros_(model.positions.weight).requires_grad_(False)
    return model


class Nothing(nn.Module):
    """Stands where a part of a block would, and adds nothing."""

    def forward(self, x: Tensor) -> Tensor:
        """Zeros `(B, T, k)`."""
        return torch.zeros_like(x)
