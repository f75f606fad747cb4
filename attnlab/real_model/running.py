"""The same model computed by torch's own functions: what a learner's parts are compared with, and what stands in for parts that are not there yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from attnlab.real_model.weights import LAYERS

EPSILON, BASE = 1e-5, 100_000.0  # of the norms, and of the rotary positions
Parts = Mapping[str, Tensor]


def run(tokens: Tensor, model: Mapping[str, Any], seen: Tensor | None = None) -> Tensor:
    """What the stream holds before the first layer and after each: `(layers + 1, T, k)`.

    Args:
        tokens: whole numbers `(T,)`.
        model: as `real_model.load` gives it, or a copy of it with other matrices.
        seen: where a query may look, `(T query, T key)`; by default at all keys up to its own.

    Raises:
        ValueError: it is another model.
    """
    _only_the_real_one(model)
    streams = [model["embedding"][tokens]]
    with torch.no_grad():
        for layer in model["layers"]:
            streams.append(inside(layer, streams[-1], model["s"], seen)["stream"])
    return torch.stack(streams)


def inside(layer: Parts, x: Tensor, s: int, seen: Tensor | None = None) -> dict[str, Tensor]:
    """What each part of a layer makes of a stream `(T, k)`, by name, in the order in which it is computed; `stream` is what comes out."""
    q, k, v = _roles(layer, normed := _normed("norm_1", layer, x), s)
    options = {"attn_mask": seen} if seen is not None else {"is_causal": True}
    mixed = functional.scaled_dot_product_attention(turned(q)[None], turned(k)[None], v[None], enable_gqa=True, **options)[0]
    attended = functional.linear(mixed.transpose(0, 1).flatten(1), layer["unifyheads"])
    between = x + attended
    again = _normed("norm_2", layer, between)
    hidden = functional.silu(functional.linear(again, layer["gate"])) * functional.linear(again, layer["up"])
    fed = functional.linear(hidden, layer["down"])
    return {"normed": normed, "queries": q, "attended": attended, "normed again": again, "fed": fed, "stream": between + fed}


def read_out(x: Tensor, model: Mapping[str, Any]) -> Tensor:
    """How likely each token is to come next, for streams `(…, k)`: logits `(…, V)`.

    Raises:
        ValueError: it is another model.
    """
    _only_the_real_one(model)
    return functional.linear(_normed("norm", model, x), model["embedding"])


def maps_of(model: Mapping[str, Any], streams: Tensor) -> Tensor:
    """Where each query of each head looks: `(layers, heads, T query, T key)`.

    Args:
        model: as `real_model.load` gives it.
        streams: `(layers + 1, T, k)`, as your `residual_streams` returns them.
    """
    T, maps = streams.shape[1], []
    later = torch.ones(T, T, dtype=torch.bool).triu(1)
    for layer, x in zip(model["layers"], streams):
        q, k, _ = _roles(layer, _normed("norm_1", layer, x), model["s"])
        q, k = turned(q), turned(k)
        scores = torch.einsum("gmts,gus->gmtu", q.unflatten(0, (len(k), -1)), k).flatten(0, 1) / model["s"] ** 0.5
        maps.append(torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1))
    return torch.stack(maps)


def values_of(layer: Parts, x: Tensor, s: int) -> Tensor:
    """The values of a layer for a stream `(T, k)`: `(groups, T, s)`."""
    return list(_roles(layer, _normed("norm_1", layer, x), s))[2]


def _roles(layer: Parts, normed: Tensor, s: int) -> Iterator[Tensor]:
    """Queries `(heads, T, s)`, keys and values `(groups, T, s)`, without positions."""
    return (functional.linear(normed, layer[name]).unflatten(-1, (-1, s)).transpose(0, 1) for name in ("toqueries", "tokeys", "tovalues"))


def _normed(name: str, parts: Mapping[str, Any], x: Tensor) -> Tensor:
    """What a part reads, with the weight of that name."""
    return functional.rms_norm(x, parts[name].shape, parts[name], EPSILON)


def _only_the_real_one(model: Mapping[str, Any]) -> None:
    """This is no answer to the exercises, which are asked of small models, too."""
    if len(model["layers"]) != LAYERS:
        raise ValueError(f"it has {len(model['layers'])} layers, and this runs SmolLM2-135M alone, which has {LAYERS}")


def turned(x: Tensor) -> Tensor:
    """Pairs of neighbouring components as complex numbers, times one of length 1."""
    T, s = x.shape[-2:]
    speeds = BASE ** (-torch.arange(0, s, 2, dtype=torch.float64) / s)
    angles = torch.outer(torch.arange(T, dtype=torch.float64), speeds)
    numbers = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(numbers * torch.polar(torch.ones_like(angles), angles).to(numbers.dtype)).flatten(-2)
