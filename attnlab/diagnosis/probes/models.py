"""How to get a result from the answers of lesson 6: small models and data of the check's own, in which they work."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from attnlab.arrays import as_numpy
from attnlab.diagnosis import grading
from attnlab.diagnosis.calls import Module
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis, unknown
from attnlab.diagnosis.probes.steps import Step, explain_steps, explain_taken, noted_steps, steps_with_rate
from attnlab.diagnosis.results.form import type_in_words

BATCHES, DIGITS, LENGTH = 150, 8, 9  # of the visible training: sizes that the lesson does not use
ENOUGH = 0.64  # midway between no positions and everything
RATE = 0.005  # of Adam, with which a small transformer learns it
Answer = Callable[..., Any]
FLOAT_TOKENS = Cause(
    "models.float_tokens",
    "the tokens became decimals, for example in a tensor made by `torch.zeros(...)` or `torch.Tensor(...)`, or with `float(...)`",
    "keep the type of `start`: `torch.tensor([int(...)])` makes whole numbers",
)


class Mixing(nn.Linear):
    """Stands for an attention, or for a block: a linear layer, and then each token with those before it and with the mean of all."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`(B, T, k)` to `(B, T, k)`."""
        x = super().forward(x)
        return x.cumsum(-2) + x.mean(-2, keepdim=True)


def _block(answer: Answer, k: int, attention: str = "") -> Any:
    """Make a block of a linear layer, or one that mixes the tokens, and of another linear layer."""
    given = {"attention": Mixing(k, k) if attention == "mixes" else nn.Linear(k, k), "feed_forward": nn.Linear(k, k)}
    return _around(given, answer, [k, *given.values()])


def _transformer(answer: Answer, vocabulary: int, longest: int, k: int, layers: int, blocks: str = "") -> Any:
    """Make a model of linear layers for blocks, or of blocks that mix the tokens, or of some that bend every number."""
    kind = {"": lambda: nn.Linear(k, k), "mix": lambda: Mixing(k, k), "bend": nn.Tanh}[blocks]
    given = {f"blocks.{layer}": kind() for layer in range(layers)}
    return _around(given, answer, [vocabulary, longest, k, [*given.values()]])


def _around(given: dict[str, nn.Module], answer: Answer, settings: list[Any]) -> Any:
    """Make a module around others.

    Args:
        given: the others, by the names that they have in it.
        answer: makes it.
        settings: what the answer is given.

    Raises:
        CheckFailed: it has other parameters for them, or works with copies of them.
    """
    own = {f"{name}.{part}": value for name, one in given.items() for part, value in one.state_dict().items()}
    before = {name: value.clone() for name, value in own.items()}
    built = answer(*settings)
    [held] = grading.in_turn(built, [("state_dict", [])])
    for name, value in before.items():
        if name in held and held[name].shape == value.shape and not torch.equal(held[name], value):
            raise CheckFailed(
                "parameters",
                Diagnosis(
                    f"after the constructor, {name} holds other numbers than the module that was passed in",
                    "the modules as they were passed in",
                    Cause(
                        "models.given_module_changed",
                        "what stands under this name is not the module that was passed in, or its parameters were set anew",
                        "store the modules that the constructor gets, each under its own name, and do nothing to them",
                    ),
                ),
            )
    for name, value in own.items() if grading.is_here(answer) else ():
        if name in held and held[name].data_ptr() != value.data_ptr():
            raise CheckFailed(
                "parameters",
                Diagnosis(
                    f"after the constructor, a change of the module that was passed in does not reach {name}",
                    "the modules as they were passed in",
                    Cause(
                        "models.given_module_copied",
                        "the constructor keeps a copy of the module that it was given: when one of them learns, the other does not",
                        "store the module itself, without `copy`",
                    ),
                ),
            )
    return built


BLOCK, TRANSFORMER = Module(_block), Module(_transformer)


def trained(answer: Answer, wanted: str, weights: dict[str, Any], batches: list[Any], rate: float) -> np.ndarray:
    """Let an answer train a table of bigrams: an embedding and a linear layer.

    Args:
        answer: `train_model(model, batches, rate)`.
        wanted: "losses" for what it returns, "model" for the parameters afterwards, "steps" for how far they went, divided by the rate.
        weights: of the model before, by name.
        batches: pairs of tokens and targets; handed over as a list for the losses, and else as an iterator.
        rate: the learning rate.

    Raises:
        CheckFailed: it does not return a list of floats, one for each batch.
    """
    model = bigrams(weights)
    losses = answer(model, batches if wanted == "losses" else iter(batches), rate)
    if wanted != "losses":
        before, after = (np.concatenate([as_numpy(value).ravel() for value in state.values()])[None] for state in (weights, model.state_dict()))
        return (after - before) / (rate or 1) if wanted == "steps" else after.astype(np.float32)
    if found := _no_losses(losses, len(batches)):
        raise CheckFailed("losses", found)
    return np.array([losses])


def bigrams(weights: dict[str, Any]) -> Any:
    """A model that knows one letter: an embedding and a linear layer, with these weights."""
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
                "the list still holds the losses of earlier calls, or a round stores more than one"
                if len(losses) > count
                else "the loop ends too early, or does not store every loss"
                if losses
                else "nothing is stored in the list",
                "begin an empty list in each call; store one loss in each round of the loop, and `return` after the loop",
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


def continued(answer: Answer, start: Any, steps: int, longest: int, rank: int = 0) -> Any:
    """Let an answer continue a sequence with a model that is no network: its logits follow from the tokens that it is shown.

    Args:
        answer: `generate(model, start, steps, longest, choose)`.
        start: tokens `(n,)`.
        steps: how many tokens to add.
        longest: how many tokens the model reads.
        rank: which token `choose` takes: 0 for the most likely one, 1 for the next.

    Raises:
        CheckFailed: the model is not called with one sequence of at most `longest` tokens, `choose` is not called once for each new token, or the
            tokens come back as decimals.
    """
    table = torch.sin(2.6 * torch.arange(7**3)).reshape(7, 7, 7).double()
    asked, said = 0, table[0][None]

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
                    FLOAT_TOKENS,
                ),
            )
        if not 0 <= int(tokens.min()) <= int(tokens.max()) < 7:
            raise CheckFailed(
                "model",
                Diagnosis(
                    f"the model gets the tokens {tokens[0].tolist()}",
                    "the tokens of `start` and those that `choose` returned, from 0 to 6",
                    unknown("models.invalid_tokens", "print what you show to the model in each round: which number is none of these?"),
                ),
            )
        sums = (tokens * (1 + torch.arange(shape[1]))).cumsum(1)
        nonlocal said
        said = table[tokens, (sums + shape[1]) % 7]
        return said.clone()

    def choose(logits: Any) -> int:
        if tuple(logits.shape) != (7,):
            raise CheckFailed(
                "choose",
                Diagnosis(
                    f"`choose` is called with logits of shape {tuple(logits.shape)}",
                    "the logits of one position: shape (7,)",
                    Cause(
                        "models.logits_keep_axis",
                        "the batch axis, or the axis of positions, is still there",
                        "take entry 0 of the batch, then its last position",
                    )
                    if logits.ndim
                    else Cause(
                        "models.logits_lack_axis",
                        "one axis too many is gone: `squeeze` removes every axis of length 1, and an index takes a single number",
                        "take entry 0 of the batch, then its last position, and nothing more",
                    ),
                ),
            )
        last = said[0, -1]
        if torch.equal(logits.argsort(), last.argsort()) and not torch.allclose(logits.double(), last):
            raise CheckFailed(
                "choose",
                Diagnosis(
                    "`choose` is called with other numbers than the logits of the last position, in the same order",
                    "the logits as the model gives them",
                    Cause(
                        "models.logits_changed",
                        "the logits are changed on the way, as a softmax or a temperature does",
                        "hand them on as they are: what is chosen from them is for `choose` to say",
                    ),
                ),
            )
        nonlocal asked
        asked += 1
        return int(logits.argsort(descending=True)[rank])

    tokens = answer(model, start, steps, longest, choose)
    if asked != steps and getattr(tokens, "shape", None) == (len(start) + steps,):
        raise CheckFailed(
            "choose",
            Diagnosis(
                f"for {steps} new tokens, `choose` was called {asked} times",
                "one call for each new token",
                Cause(
                    "models.choose_not_asked",
                    "the tokens are chosen in another way, such as by `argmax`"
                    if asked == 0
                    else "the loop has another number of rounds, or `choose` is called more than once in a round",
                    "call `choose(logits)` once in each round, and append what it returns",
                ),
            ),
        )
    if hasattr(tokens, "is_floating_point") and tokens.is_floating_point():
        raise CheckFailed(
            "tokens",
            Diagnosis(
                f"the tokens come back as {tokens.dtype}",
                "whole numbers: they index the rows of a table",
                FLOAT_TOKENS,
            ),
        )
    return tokens


def rearranges(answer: Answer, seed: int, digits: int = DIGITS, length: int = LENGTH) -> np.ndarray:
    """Let an answer train a model to rearrange and translate digits: 1 when it answers enough positions of new sequences right.

    Raises:
        CheckFailed: what is returned is no model, it does not answer enough right, or its answers do not come from its parameters.
    """
    order, sequences = rearranged(seed, digits, length)
    with noted_steps() as made:
        model = answer(_batches(sequences), digits, length)
    if not callable(model):
        raise CheckFailed(
            "model",
            Diagnosis(
                f"your function returns {type_in_words(model)}",
                "the model that you trained",
                Cause(
                    "models.model_not_returned",
                    "the `return` is missing"
                    if model is None
                    else "what is returned is not the model; a list is what `train_model` returns: the losses",
                    "return the model itself"
                    + ("" if model is None else ": `train_model` changes it in place, so give what it returns another name"),
                ),
            ),
        )
    tokens, targets = sequences(400)
    logits = model(tokens)
    if tuple(logits.shape) != (400, length, digits):
        raise CheckFailed(
            "model",
            Diagnosis(
                f"for tokens of shape (400, {length}), your model returns shape {tuple(logits.shape)}",
                f"logits of shape (400, {length}, {digits})",
                Cause(
                    "models.no_logits",
                    "these are no logits: the axis of the vocabulary is missing, as after `argmax`",
                    "return the model itself",
                )
                if logits.ndim < 3
                else Cause(
                    "models.wrong_logits_shape",
                    "the model was made for another vocabulary, such as that of an earlier call, or does not return logits",
                    "make a new `Transformer` in each call, with the `vocabulary` and `length` that your function gets",
                ),
            ),
        )
    hits = _hits(logits, targets)
    if float(hits.mean()) < ENOUGH:
        changed = torch.cat([(tokens[:, :1] + 1) % digits, tokens[:, 1:]], dim=1)
        is_alone = torch.equal(model(changed)[:, 1:], logits[:, 1:])
        parameters = frozenset(map(id, model.parameters())) if isinstance(model, nn.Module) else None
        why = _why(answer, made, parameters) or _of_rate(answer, made, seed, digits, length) if grading.is_here(answer) else None
        raise CheckFailed("training", _too_few(hits.mean(0), order <= torch.arange(length), is_alone, digits).with_cause(why))
    learned = copy.deepcopy(model.state_dict())
    model.load_state_dict({name: 0 * value for name, value in learned.items()})
    hits = _hits(model(tokens), targets)
    model.load_state_dict(learned)
    if float(hits.mean()) > 0.5:
        raise CheckFailed(
            "parameters",
            Diagnosis(
                "with all its parameters set to zero, your model answers as much as before",
                "a model that knows nothing without its parameters",
                Cause(
                    "models.knows_without_parameters",
                    "what it knows does not stand in its `state_dict()`: in a list or dictionary, where torch does not look, or counted in a table",
                    "return the `Transformer` that you trained",
                ),
            ),
        )
    return np.ones((1, 1))


def _why(answer: Answer, made: list[Step], parameters: frozenset[int] | None) -> Cause | None:
    """What the steps of a training show, and first what took its batches away."""
    taken = explain_taken(answer, 0) if len(made) < BATCHES else None
    return taken or explain_steps(made, BATCHES, parameters=parameters)


def _batches(sequences: Callable[[int], tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """The batches of one training."""
    return iter([sequences(64) for _ in range(BATCHES)])


def _hits(logits: Any, targets: Any) -> Any:
    """1 at each position that is answered right, and 0 elsewhere."""
    return (logits.argmax(-1) == targets).double()


def _of_rate(answer: Answer, made: list[Step], seed: int, digits: int, length: int) -> Cause | None:
    """Whether the learning rate is the cause: the same training is made once more, with another one."""
    first, last = made[0].rate, made[-1].rate
    if all(RATE / 2 < step.rate < 2 * RATE for step in made):
        return None
    _, sequences = rearranged(seed, digits, length)
    with steps_with_rate(RATE):
        model = answer(_batches(sequences), digits, length)
    tokens, targets = sequences(400)
    right = float(_hits(model(tokens), targets).mean())
    if right < ENOUGH:
        return None
    theirs = f"{first:g}" if first == last else f"from {first:.2g} to {last:.2g}"
    return Cause(
        "models.rate_unfit",
        f"the rate, {theirs}: with {RATE:g} in its place, the same training gets {right:.0%} right",
        f"choose a rate near {RATE:g}: in each step, Adam changes a parameter by about the rate",
    )


def rearranged(seed: int, digits: int = DIGITS, length: int = LENGTH) -> tuple[Any, Callable[[int], tuple[Any, Any]]]:
    """A task that only its batches tell: an order of the positions, and what makes sequences, each with its digits in this order and translated.

    Returns:
        The order `(T,)`, and a function from a size to tokens and targets, both `(size, T)`.
    """
    draw = torch.Generator().manual_seed(seed)
    order, translation = torch.randperm(length, generator=draw), torch.randperm(digits, generator=draw)

    def sequences(size: int) -> tuple[Any, Any]:
        tokens = torch.randint(digits, (size, length), generator=draw)
        return tokens, translation[tokens[:, order]]

    return order, sequences


def _too_few(by_position: Any, looks_back: Any, is_alone: bool, digits: int) -> Diagnosis:
    """What the positions that are right say about a model that answers too few.

    Args:
        by_position: which part of the sequences is right at each position, `(T,)`.
        looks_back: True where the token that is asked for came before the position, `(T,)`.
        is_alone: whether no other position notices when the first token is changed.
        digits: how many there are.
    """
    right, back, ahead = float(by_position.mean()), float(by_position[looks_back].mean()), float(by_position[~looks_back].mean())
    observed, wanted = f"{right:.0%} of the positions of new sequences are right", f"at least {ENOUGH:.0%}"
    if back > 0.9 and ahead < 0.4:
        return Diagnosis(
            f"{observed}: {back:.0%} where the token asked for comes earlier, {ahead:.0%} where it comes later",
            wanted,
            Cause("models.later_tokens_masked", "no position sees the tokens that come later", "create the attention without a mask"),
        )
    if is_alone:
        return Diagnosis(
            f"{observed}; when the first token of a sequence is changed, the logits of all other positions stay as they are",
            wanted,
            Cause(
                "models.tokens_alone",
                "no other position depends on the first token",
                "is there a block with attention in the model, without a mask, and is it called?",
            ),
        )
    if right < 1.3 / digits:
        return Diagnosis(
            observed,
            wanted,
            unknown(
                "models.no_better_than_guessing",
                f"print the losses that `train_model` returns: they start near {math.log(digits):.1f} and have to fall. "
                "Is the model that you return the one that was trained?",
                "guessing gets as many right",
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
