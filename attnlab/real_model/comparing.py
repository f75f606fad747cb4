"""Your parts beside the model's own activations: where each differs first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from attnlab.real_model.running import inside, read_out, run, turned

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
    streams = run(tokens, model)
    for name, answer in answers.items():
        print(f"{name:<20}", _told(name, answer, model, tokens, streams))


def right_or_torchs(model: Mapping[str, Any], tokens: Tensor, residual_streams: Answer, tied_logits: Answer) -> tuple[Answer, Answer]:
    """Both of your functions where their numbers are the model's, else torch's in the place of both; prints which.

    Args:
        model: as `real_model.load` gives it.
        tokens: whole numbers `(T,)`, on which they are tried.
        residual_streams, tied_logits: functions `(model, tokens)` and `(model, x)`.
    """
    streams = run(tokens, model)
    for name, answer in (("residual_streams", residual_streams), ("tied_logits", tied_logits)):
        found = _told(name, answer, model, tokens, streams)
        if not found.startswith("✓"):
            print(f"{name} {found}. Until it is right, torch's functions read the model below. Then run this cell again.")
            return (lambda model, tokens: run(tokens, model)), (lambda model, x: read_out(x, model))
    print("✓ Below, your own parts read the model.")
    return residual_streams, tied_logits


def _told(name: str, answer: Answer, model: Mapping[str, Any], tokens: Tensor, streams: Tensor) -> str:
    """Whether a part is the model's, and where it is not; begins with ✓, ✗ or –."""
    try:
        return _first_difference(PARTS[name](answer, model, tokens, streams))
    except Exception as error:  # whatever a learner's code raises
        return f"– stops with {type(error).__name__}: {error}"


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
    yield given[:2].flatten(0, 1), streams[:2].flatten(0, 1)
    yield from zip(given[2:], streams[2:])


def _logits(answer: Answer, model: Mapping[str, Any], tokens: Tensor, streams: Tensor) -> Iterator[Pair]:
    yield answer(model, streams[-1]), read_out(streams[-1], model)


PARTS: dict[str, Callable[..., Iterator[Pair]]] = {
    "rms_norm": _each_layer(lambda answer, layer, x, own, s: (answer(x, layer["norm_1"]), own["normed"])),
    "rotate_heads": _each_layer(lambda answer, layer, x, own, s: (answer(own["queries"]), turned(own["queries"]))),
    "attend_with_cache": _each_layer(lambda answer, layer, x, own, s: (answer(own["normed"], layer, s)[0], own["attended"])),
    "gated_feed_forward": _each_layer(lambda answer, layer, x, own, s: (answer(own["normed again"], layer), own["fed"])),
    "decoder_block": _each_layer(lambda answer, layer, x, own, s: (answer(x, layer, s)[0], own["stream"])),
    "residual_streams": _each_stream,
    "tied_logits": _logits,
}
