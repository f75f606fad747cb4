"""The copies of the clinic in lesson 8: the model with one fault each. Whoever wants to find it should not read on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from attnlab.real_model.loading import Words
from attnlab.real_model.running import maps_of, read_out, run

WORDS = 6  # that each copy adds
LONG = (
    "The sun had gone down behind the hills when the old man came back to the village. He had walked all day, and his feet were sore. "
    "His daughter was waiting at the door of the house. “Where is the horse?” she asked. "
    "The old man sat down and told her that he had sold the horse."
)
LAYER = 9  # whose largest weights are told
Model = Mapping[str, Any]


def examine_copies(model: Model, words: Words, text: str = "The capital of France is") -> None:
    """Print what the model does, and what five copies of it do.

    Args:
        model, words: as `real_model.load` gives them.
        text: what they go on with.
    """
    for name, (copy, cached_right) in {"the model": (model, True), **_copies(model)}.items():
        print(name)
        for tried, shown in _symptoms(copy, model, words, text, cached_right).items():
            print(f"   {tried:<56} {shown}")


def _copies(model: Model) -> dict[str, tuple[Model, bool]]:
    """The copies, and whether their cache is right."""
    heads, s = model["layers"][0]["unifyheads"].shape[1] // model["s"], model["s"]
    groups = len(model["layers"][0]["tokeys"]) // s
    halves = torch.arange(s).view(2, -1).T.flatten()  # component i and i + s/2 become neighbours
    other = torch.arange(heads).view(-1, groups).T.flatten()  # where h modulo the number of groups is the same, heads become neighbours

    def sharp(layer: Model) -> Model:
        return {"toqueries": layer["toqueries"] * s**0.5}

    def pairs(layer: Model) -> Model:
        return {name: layer[name].unflatten(0, (-1, s))[:, halves].flatten(0, 1) for name in ("toqueries", "tokeys")}

    def grouped(layer: Model) -> Model:
        return {
            "toqueries": layer["toqueries"].unflatten(0, (-1, s))[other].flatten(0, 1),
            "unifyheads": layer["unifyheads"].unflatten(1, (-1, s))[:, other].flatten(1),
        }

    def bare(layer: Model) -> Model:
        return {name: torch.ones_like(layer[name]) for name in ("norm_1", "norm_2")}

    return {
        "A": (_changed(model, grouped), True),
        "B": (model, False),
        "C": (_changed(model, sharp), True),
        "D": (_changed(model, pairs), True),
        "E": (_changed(model, bare), True),
    }


def _changed(model: Model, change: Callable[[Model], Model]) -> Model:
    return {**model, "layers": [{**layer, **change(layer)} for layer in model["layers"]]}


def _symptoms(copy: Model, model: Model, words: Words, text: str, cached_right: bool) -> dict[str, str]:
    """What is seen of a copy, by what was tried."""
    tokens, long = words.encode(text), words.encode(LONG)
    seen = torch.ones(len(tokens), len(tokens), dtype=torch.bool)
    one_by_one = run(tokens, copy, seen.tril() if cached_right else _first_alone(seen))
    whole = run(tokens, copy)
    without = [_changed(one, lambda layer: {"unifyheads": torch.zeros_like(layer["unifyheads"])}) for one in (copy, model)]
    loss = functional.cross_entropy(read_out(run(long, copy)[-1, :-1], copy), long[1:])
    return {
        "goes on, with a cache": repr(_continued(copy, words, tokens, cached_right)),
        "one by one with a cache, the same as all at once": _yes(one_by_one, whole),
        f"loss on a text of {len(long)} tokens, all at once": f"{loss:.1f}",
        "one token alone, the same as the model": _same(copy, model, tokens[:1]),
        "attention adds nothing (W_O = 0), the same as the model": _same(*without, tokens),
        f"layer {LAYER}, mean of each query's largest weight": f"{maps_of(copy, whole)[LAYER, :, 1:].amax(-1).mean():.2f}",
        "outputs that move with the last token": _moved(copy, tokens),
    }


def _first_alone(seen: Tensor) -> Tensor:
    """What `is_causal=True` lets each single query see of a cache: its first key."""
    first = torch.zeros_like(seen)
    first[:, 0] = True
    return first


def _continued(copy: Model, words: Words, tokens: Tensor, cached_right: bool) -> str:
    """The most likely tokens, one after the other; with a wrong cache each is read as the cache lets it."""
    begun = len(tokens)
    for _ in range(WORDS):
        seen = torch.ones(len(tokens), len(tokens), dtype=torch.bool).tril()
        if not cached_right:
            seen[begun:] = _first_alone(seen)[begun:]  # what was given was read at once
        tokens = torch.cat([tokens, read_out(run(tokens, copy, seen)[-1, -1], copy).argmax()[None]])
    return words.decode(tokens[begun:])


def _same(one: Model, other: Model, tokens: Tensor) -> str:
    return _yes(run(tokens, one), run(tokens, other))


def _yes(one: Tensor, other: Tensor) -> str:
    return "yes" if torch.allclose(one, other, rtol=1e-2, atol=1e-2) else "no"


def _moved(copy: Model, tokens: Tensor) -> str:
    other = tokens.clone()
    other[-1] += 1
    moved = (run(tokens, copy)[-1] - run(other, copy)[-1]).abs().amax(-1) > 1e-3
    return "its own" if moved.tolist() == [False] * (len(tokens) - 1) + [True] else "others, too"
