"""Your parts beside the model's own activations: where each differs first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from attnlab.real_model.running import inside, logits_of, streams_of, turned

CLOSE = 1e-3  # of the length of each vector: what float32 rounds in thirty layers is a tenth of it
Answer = Callable[..., Any]
Pair = tuple[Tensor, Tensor]  # what an answer gives, and what the model has


def compare(model: Mapping[str, Any], tokens: Tensor, **answers: Answer) -> None:
    """Give each of your parts what the model's own part gets, layer by layer, and print the first layer at which they differ.

    Args:
        model: as `real_model.load` gives it.
        tokens: whole numbers `(T,)`.
        answers: your functions, by the names of their cards.
    """
    streams = streams_of(model, tokens)
    for name, answer in answers.items():
        try:
            print(f"{name:<20}", _first_difference(PARTS[name](answer, model, tokens, streams)))
        except Exception as error:  # whatever a learner's code raises
            print(f"{name:<20} – stops with {type(error).__name__}: {error}")


def right_or_ours(model: Mapping[str, Any], tokens: Tensor, residual_streams: Answer) -> Answer:
    """Your `residual_streams` when its streams are the model's, else torch's; prints which.

    Args:
        model: as `real_model.load` gives it.
        tokens: whole numbers `(T,)`, on which it is tried.
        residual_streams: a function `(model, tokens)`.
    """
    try:
        found = _first_difference(_each_stream(residual_streams, model, tokens, streams_of(model, tokens)))
    except Exception as error:  # whatever a learner's code raises
        found = f"– stops with {type(error).__name__}: {error}"
    if found.startswith("✓"):
        print("✓ The rest of this lesson reads the model with your parts.")
        return residual_streams
    print(f"residual_streams {found}. Until it is right, the rest of this lesson uses torch's. Then run this cell again.")
    return streams_of


def _first_difference(pairs: Iterator[Pair]) -> str:
    layer = 0
    for layer, (given, right) in enumerate(pairs):
        if tuple(given.shape) != tuple(right.shape):
            return f"✗ layer {layer}: shape {tuple(given.shape)}, the model's is {tuple(right.shape)}"
        apart = (given.detach().double() - right).norm(dim=-1) / right.norm(dim=-1)
        if not bool((apart < CLOSE).all()):
            return f"✗ differs first in layer {layer}, by {apart.max():.0%} of the length of a vector"
    return f"✓ the model's own numbers{f' in all {layer + 1} layers' if layer else ''}"


def _each_layer(call: Callable[[Answer, Mapping[str, Tensor], Tensor, Mapping[str, Tensor], int], Pair]) -> Callable[..., Iterator[Pair]]:
    def pairs(answer: Answer, model: Mapping[str, Any], tokens: Tensor, streams: Tensor) -> Iterator[Pair]:
        for layer, x in zip(model["layers"], streams):
            yield call(answer, layer, x, inside(layer, x, model["s"]), model["s"])

    return pairs


def _each_stream(answer: Answer, model: Mapping[str, Any], tokens: Tensor, streams: Tensor) -> Iterator[Pair]:
    """After each layer; the embedding, before the first, is told with layer 0."""
    given = torch.as_tensor(answer(model, tokens))
    if given.shape != streams.shape:
        yield given, streams
        return
    embedded = [torch.cat([given[0], given[1]]), torch.cat([streams[0], streams[1]])]
    yield embedded[0], embedded[1]
    yield from zip(given[2:], streams[2:])


def _logits(answer: Answer, model: Mapping[str, Any], tokens: Tensor, streams: Tensor) -> Iterator[Pair]:
    yield answer(model, streams[-1]), logits_of(model, streams[-1])


PARTS: dict[str, Callable[..., Iterator[Pair]]] = {
    "rms_norm": _each_layer(lambda answer, layer, x, own, s: (answer(x, layer["norm_1"]), own["normed"])),
    "rotate_heads": _each_layer(lambda answer, layer, x, own, s: (answer(own["queries"]), turned(own["queries"]))),
    "attend_with_cache": _each_layer(lambda answer, layer, x, own, s: (answer(own["normed"], layer, s)[0], own["attended"])),
    "gated_feed_forward": _each_layer(lambda answer, layer, x, own, s: (answer(own["normed again"], layer), own["fed"])),
    "decoder_block": _each_layer(lambda answer, layer, x, own, s: (answer(x, layer, s)[0], own["stream"])),
    "residual_streams": _each_stream,
    "tied_logits": _logits,
}
