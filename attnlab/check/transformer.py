"""The visible checks of lesson 6."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.examine import examine
from attnlab.diagnosis.probes import models
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.diagnosis.results.properties import Everywhere


def layer_norm(answer: Callable[..., Any]) -> None:
    """Check `layer_norm(x, gain, bias, epsilon=1e-5)`."""
    examine("layer_norm", answer)


def FeedForward(answer: Callable[..., Any]) -> None:
    """Check the class `FeedForward(k, hidden)`: parameters and values."""
    examine("FeedForward", answer)


def Block(answer: Callable[..., Any]) -> None:
    """Check the class `Block(k, attention, feed_forward)` branch by branch."""
    examine(
        "Block",
        answer,
        stages={
            "branch of the attention": ["the feed-forward part returns zeros"],
            "branch of the feed-forward part": ["the attention returns zeros", "the sequence of the card", "tokens of six components"],
        },
    )


def Transformer(answer: Callable[..., Any]) -> None:
    """Check the class `Transformer(vocabulary, longest, k, blocks)` part by part."""
    examine(
        "Transformer",
        answer,
        edges={"too many tokens": lambda: _refuses_too_many(answer)},
        stages={
            "without blocks": ["no blocks, and positions of zero"],
            "positions": ["no blocks", "no blocks, sequences that are shorter"],
            "blocks in order": ["the two sequences of the card", "three blocks"],
            "too long": ["too many tokens"],
        },
    )


def _refuses_too_many(answer: Callable[..., Any]) -> Diagnosis | None:
    import torch

    def call() -> Any:
        return answer(5, 4, 3, [])(torch.zeros(2, 5, dtype=torch.int64))

    return raises_value_error(
        call,
        "a sequence of 5 tokens in a model with places for 4",
        "compare `tokens.shape[1]` with `longest` at the beginning of `forward`, and raise ValueError",
    )


def padded_weights(answer: Callable[..., Any]) -> None:
    """Check `padded_weights(scores, lengths)`: rows that sum to 1, and none of it on padding."""
    examine("padded_weights", answer, properties={"rows": _rows_sum_to_one, "padding": _nothing_on_padding})


def _rows_sum_to_one(weights: np.ndarray, _: Everywhere) -> Diagnosis | None:
    sums = weights.sum(axis=-1)
    if np.allclose(sums, 1, atol=1e-5):
        return None
    return Diagnosis(
        f"rows sum to {sums.min():.3f} to {sums.max():.3f}",
        "every row sums to 1",
        unknown("transformer.rows_sum_to_one", "a softmax over scores of which some are −∞ shares the whole row out among the others"),
    )


def _nothing_on_padding(weights: np.ndarray, _: Everywhere) -> Diagnosis | None:
    """The second sequence of the card has two tokens."""
    if not weights[1, :, :, 2].any():
        return None
    return Diagnosis(
        f"the third key of the second sequence has a weight of up to {weights[1, :, :, 2].max():.2g}, and is padding",
        "keys from place `lengths[b]` on have weight 0",
        unknown("transformer.nothing_on_padding", "print your mask: it is True where key j ≥ lengths[b], for every head and query"),
    )


def masked_loss(answer: Callable[..., Any]) -> None:
    """Check `masked_loss(logits, targets)`: values, and that gradients go back to the logits."""
    examine("masked_loss", answer, edges={"gradients": lambda: _has_no_gradient(answer)})


def _has_no_gradient(answer: Callable[..., Any]) -> Diagnosis | None:
    """What is wrong with the gradient; looked at where the answer itself is here, and not what stands for it in a grader."""
    import torch

    if type(answer) is not FunctionType:
        return None
    logits, targets = (torch.as_tensor(argument).clone() for argument in reference.cases("masked_loss")[0].arguments)
    loss = answer(logits.requires_grad_(True), targets)
    if not getattr(loss, "requires_grad", False):
        return Diagnosis(
            "the loss has no gradient: torch cannot go back from it to the logits",
            "a tensor that torch can go back from",
            Cause(
                "transformer.number_taken_out_torch",
                "the number was taken out of torch on the way: by `.item()`, `float(...)`, `.detach()`, `.data`, `.numpy()` or `torch.tensor(...)`",
                "compute the loss of the logits with torch's operations alone, and return what comes out of them",
            ),
        )
    [gradient] = torch.autograd.grad(loss, logits)
    wanted = (torch.softmax(logits, dim=-1) - torch.nn.functional.one_hot(targets.clamp(min=0), logits.shape[-1])) * (targets != -100)[..., None]
    if torch.allclose(gradient, wanted.detach() / int((targets != -100).sum()), atol=1e-5):
        return None
    return Diagnosis(
        "the gradient at the logits is another one than that of the loss, whose value is right",
        "p − 1 at the target and p elsewhere, divided by N",
        Cause(
            "transformer.part_computation_cut_off",
            "a part of the computation was cut off from the gradient, as `.detach()` and `.data` do",
            "take these away",
        ),
    )


def train_model(answer: Callable[..., Any]) -> None:
    """Check `train_model(model, batches, rate)` by what becomes of a small model, and by the losses."""
    examine(
        "train_model",
        answer,
        edges={"one batch at a time": lambda: _collects(answer)},
        stages={
            "one step": ["the model after one batch"],
            "many steps": ["the model after two batches", "the model after six batches", "one batch at a time"],
            "losses": ["the losses of six batches"],
        },
    )


def _collects(answer: Callable[..., Any]) -> Diagnosis | None:
    """Whether batches are asked for before the ones before them were used; looked at where the answer itself is here."""
    import torch

    if type(answer) is not FunctionType:
        return None
    _, weights, batches, rate = reference.cases("train_model")[0].arguments
    model, seen = models.bigrams(weights), []

    def noted() -> Iterator[Any]:
        for batch in batches:
            seen.append(model[1].bias.detach().clone())
            yield batch

    answer(model, noted(), rate)
    if not any(torch.equal(one, other) for one, other in itertools.pairwise(seen)):
        return None
    return Diagnosis(
        "the second batch is asked for before the model has changed by the first",
        "a step on each batch before the next one is made",
        Cause(
            "transformer.batches_collected_first_list",
            "the batches are collected first, as `list(...)`, `tuple(...)` and `len(...)` make you do",
            "loop over `batches` itself",
        ),
    )


def learn_to_rearrange(answer: Callable[..., Any]) -> None:
    """Check `learn_to_rearrange(batches, vocabulary, length)` by what its model can do."""
    examine("learn_to_rearrange", answer)


def next_probabilities(answer: Callable[..., Any]) -> None:
    """Check `next_probabilities(logits, temperature=1.0, top_k=None)` part by part."""
    examine(
        "next_probabilities",
        answer,
        stages={
            "temperature": ["as the model was trained", "temperature 2", "large logits"],
            "greedy": ["temperature 0", "temperature 0, two largest"],
            "top-k": ["the logits of the card", "the three most likely of six", "one token kept", "equal logits, one token kept"],
        },
    )


def generate(answer: Callable[..., Any]) -> None:
    """Check `generate(model, start, steps, longest, choose)`."""
    examine("generate", answer)
