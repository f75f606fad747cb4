"""How to get a result from the answers of lesson 6: small models and data of the check's own, in which they work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis, unknown
from attnlab.diagnosis.results.form import type_in_words
from attnlab.diagnosis.results.parameters import loaded

BATCHES, DIGITS, LENGTH = 150, 10, 12  # of the visible training
ENOUGH = 0.64  # midway between no positions and everything
Answer = Callable[..., Any]


def block(answer: Answer, k: int, weights: dict[str, Any], x: Any) -> Any:
    """Make a block around two linear layers, give everything these weights, call it.

    Raises:
        CheckFailed: its parameters have other names or shapes.
    """
    from torch import nn

    return loaded(answer, [k], weights, answer(k, nn.Linear(k, k), nn.Linear(k, k)))(x)


def transformer(answer: Answer, sizes: list[int], weights: dict[str, Any], tokens: Any) -> Any:
    """Make a model around linear layers, give everything these weights, call it.

    Args:
        answer: the class.
        sizes: vocabulary, longest, k, and how many linear layers stand for blocks.
        weights: the tensors that its `state_dict()` has to hold, by name.
        tokens: `(B, T)`.

    Raises:
        CheckFailed: its parameters have other names or shapes.
    """
    from torch import nn

    vocabulary, longest, k, layers = sizes
    return loaded(answer, [vocabulary, longest, k], weights, answer(vocabulary, longest, k, [nn.Linear(k, k) for _ in range(layers)]))(tokens)


def trained(answer: Answer, wanted: str, weights: dict[str, Any], batches: list[Any], rate: float) -> np.ndarray:
    """Let an answer train a table of bigrams: an embedding and a linear layer.

    Args:
        answer: `train_model(model, batches, rate)`.
        wanted: "losses" for what it returns, "model" for the parameters afterwards.
        weights: of the model before, by name.
        batches: pairs of tokens and targets.
        rate: the learning rate.

    Raises:
        CheckFailed: it does not return a list of floats, one for each batch.
    """
    model = bigrams(weights)
    losses = answer(model, iter(batches), rate)
    if wanted == "model":
        return np.concatenate([as_numpy(value).ravel() for value in model.state_dict().values()])[None].astype(np.float32)
    if found := _no_losses(losses, len(batches)):
        raise CheckFailed("losses", found)
    return np.array([losses], dtype=np.float32)


def bigrams(weights: dict[str, Any]) -> Any:
    """A model that knows one letter: an embedding and a linear layer, with these weights."""
    from torch import nn

    V, k = weights["0.weight"].shape
    model = nn.Sequential(nn.Embedding(V, k), nn.Linear(k, V)).double()
    model.load_state_dict(weights)
    return model


def _no_losses(losses: Any, count: int) -> Diagnosis | None:
    wanted = f"a list of {count} floats, one for each batch"
    if losses is None:
        return Diagnosis(
            "your function returns None",
            wanted,
            Cause(
                "form.no_return_value",
                "the function ended without reaching a `return` with a value",
                "put the loss of each batch into a list, and `return` the list after the loop",
            ),
        )
    if not isinstance(losses, list):
        return Diagnosis(
            f"your function returns {type_in_words(losses)}",
            wanted,
            Cause(
                "models.no_list_of_losses",
                "the result is not the list of losses",
                "`append` each loss to a list, and return the list",
            ),
        )
    if len(losses) != count:
        return Diagnosis(
            f"the list has {len(losses)} {'entry' if len(losses) == 1 else 'entries'} for {count} batches",
            wanted,
            Cause(
                "models.wrong_number_of_losses",
                "the loop ends too early, runs more than once, or does not store every loss" if losses else "nothing is stored in the list",
                "store one loss in each round of the loop, and `return` after the loop",
            ),
        )
    if other := [loss for loss in losses if not isinstance(loss, float)]:
        return Diagnosis(
            f"an entry of the list is {type_in_words(other[0])}",
            wanted,
            Cause(
                "models.losses_not_floats",
                "the list holds the loss tensor itself, which keeps everything it was computed from"
                if hasattr(other[0], "detach")
                else "the list holds something other than a float",
                "store `loss.item()`: it is only the number",
            ),
        )
    return None


def continued(answer: Answer, start: Any, steps: int, longest: int) -> Any:
    """Let an answer continue a sequence with a model that is no network: its logits follow from the tokens that it is shown.

    Args:
        answer: `generate(model, start, steps, longest, choose)`.
        start: tokens `(n,)`.
        steps: how many tokens to add.
        longest: how many tokens the model reads.

    Raises:
        CheckFailed: the model is not called with one sequence of at most `longest` tokens.
    """
    import torch

    table = torch.sin(2.6 * torch.arange(7**3)).reshape(7, 7, 7).double()

    def model(tokens: Any) -> Any:
        shape = tuple(tokens.shape)
        if len(shape) != 2 or shape[0] != 1:
            raise CheckFailed(
                "model",
                Diagnosis(
                    f"the model is called with tokens of shape {shape}",
                    "a batch of one sequence: shape (1, T)",
                    Cause(
                        "models.wrong_batch_axis",
                        "the sequence has no batch axis, or one axis too many",
                        "`tokens[None]` adds an axis in front",
                    ),
                ),
            )
        if shape[1] > longest:
            raise CheckFailed(
                "model",
                Diagnosis(
                    f"the model gets {shape[1]} tokens, but can only read {longest}",
                    f"the last {longest} of them",
                    Cause(
                        "models.longest_exceeded",
                        "`longest` is not used, or the slice keeps too many tokens",
                        "`tokens[-longest:]` gives the last ones, or all if there are fewer",
                    ),
                ),
            )
        if tokens.is_floating_point():
            raise CheckFailed(
                "model",
                Diagnosis(
                    f"the model gets tokens of type {tokens.dtype}",
                    "whole numbers: they index the rows of a table",
                    Cause(
                        "models.float_tokens",
                        "the tokens became decimals, for example in a tensor made by `torch.zeros(...)` or with `float(...)`",
                        "keep the type of `start`: `torch.tensor([int(...)])`, or `dtype=start.dtype`",
                    ),
                ),
            )
        if not 0 <= int(tokens.min()) <= int(tokens.max()) < 7:
            raise CheckFailed(
                "model",
                Diagnosis(
                    f"the model gets the tokens {tokens[0].tolist()}",
                    "the tokens of `start` and those that `choose` returned, from 0 to 6",
                    unknown(
                        "models.invalid_tokens_appended",
                        "print the tokens in each round",
                        "something other than a chosen token was appended",
                    ),
                ),
            )
        sums = (tokens * (1 + torch.arange(shape[1]))).cumsum(1)
        return table[tokens, sums % 7]

    def choose(logits: Any) -> int:
        if tuple(logits.shape) != (7,):
            raise CheckFailed(
                "choose",
                Diagnosis(
                    f"`choose` is called with logits of shape {tuple(logits.shape)}",
                    "the logits of one place: shape (7,)",
                    Cause(
                        "models.logits_keep_axis",
                        "the batch axis, or the axis of places, is still there",
                        "take entry 0 of the batch, then its last place",
                    ),
                ),
            )
        return int(logits.argmax())

    return answer(model, start, steps, longest, choose)


def rearranges(answer: Answer, seed: int) -> np.ndarray:
    """Let an answer train a model to rearrange and translate digits: 1 when it answers enough places of new sequences right.

    Raises:
        CheckFailed: what is returned is no model, or it does not answer enough right.
    """
    import torch

    order, sequences = rearranged(seed)
    model = answer(iter([sequences(64) for _ in range(BATCHES)]), DIGITS, LENGTH)
    if not callable(model):
        raise CheckFailed(
            "model",
            Diagnosis(
                f"your function returns {type_in_words(model)}",
                "the model that you trained",
                Cause(
                    "models.model_not_returned",
                    "the `return` is missing, or returns something else, such as the losses",
                    "end with `return model`",
                ),
            ),
        )
    tokens, targets = sequences(400)
    logits = model(tokens)
    if tuple(logits.shape) != (400, LENGTH, DIGITS):
        raise CheckFailed(
            "model",
            Diagnosis(
                f"for tokens of shape (400, {LENGTH}), your model returns shape {tuple(logits.shape)}",
                f"logits of shape (400, {LENGTH}, {DIGITS})",
                Cause(
                    "models.wrong_logits_shape",
                    "the model was made for another vocabulary, or does not return logits",
                    "pass the `vocabulary` and `length` that your function gets on to `Transformer`",
                ),
            ),
        )
    hits = (logits.argmax(-1) == targets).double()
    if float(hits.mean()) < ENOUGH:
        raise CheckFailed("training", _too_few(hits.mean(0), order <= torch.arange(LENGTH)))
    return np.ones((1, 1))


def rearranged(seed: int) -> tuple[Any, Callable[[int], tuple[Any, Any]]]:
    """A task that only its batches tell: an order of the places, and what makes so many sequences, each with its digits in this order and translated.

    Returns:
        The order `(T,)`, and a function from a size to tokens and targets, both `(size, T)`.
    """
    import torch

    draw = torch.Generator().manual_seed(seed)
    order, translation = torch.randperm(LENGTH, generator=draw), torch.randperm(DIGITS, generator=draw)

    def sequences(size: int) -> tuple[Any, Any]:
        tokens = torch.randint(DIGITS, (size, LENGTH), generator=draw)
        return tokens, translation[tokens[:, order]]

    return order, sequences


def _too_few(by_place: Any, looks_back: Any) -> Diagnosis:
    """What the places that are right say about a model that answers too few.

    Args:
        by_place: which part of the sequences is right at each place, `(T,)`.
        looks_back: True where the token that is asked for came before the place, `(T,)`.
    """
    right, back, ahead = float(by_place.mean()), float(by_place[looks_back].mean()), float(by_place[~looks_back].mean())
    observed, wanted = f"{right:.0%} of the places of new sequences are right", f"at least {ENOUGH:.0%}"
    if back > 0.9 and ahead < 0.4:
        return Diagnosis(
            f"{observed}: {back:.0%} where the token asked for comes earlier, {ahead:.0%} where it comes later",
            wanted,
            Cause("models.later_tokens_masked", "no place sees the tokens that come later", "create the attention without a mask"),
        )
    if right < 0.13:
        return Diagnosis(
            observed,
            wanted,
            Cause(
                "models.no_better_than_guessing",
                "guessing gets as many right: the returned model was not trained, was not trained on these batches, or "
                "a token does not see the others",
                "print the losses that `train_model` returns: they start near 2.3 and have to fall",
            ),
        )
    if right < 0.4:
        return Diagnosis(
            observed,
            wanted,
            unknown(
                "models.places_not_learned",
                "print the losses; are the positions added, and is the rate near 0.005?",
                "a model gets this many right if it knows which digits there are but not where, or if it has barely begun to learn",
            ),
        )
    return Diagnosis(
        observed,
        wanted,
        unknown(
            "models.learned_too_little",
            "print the losses; try a rate near 0.005, and train on all the batches",
            "the model learned something, but not enough",
        ),
    )
