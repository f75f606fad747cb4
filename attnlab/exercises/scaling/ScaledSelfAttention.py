"""the torch module `ScaledSelfAttention(d_in, d_k, d_v)`: its outputs, its weights, and how its projections start."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise
from attnlab.diagnosis.results.form import type_in_words
from attnlab.diagnosis.text.source import cell_of
from attnlab.exercises.queries_keys_values.SelfAttention import MODULES, module_input, other_in_training
from attnlab.exercises.scaling import halves

Answer = Callable[..., Any]

LAYERS = ("toqueries", "tokeys", "tovalues")
STARTS = ((144, 64, 100), (64, 256, 36))  # d_in, d_k, d_v: no two roots alike, and so many entries that chance moves a deviation by 2 % at most
NEAR = 0.06  # how far a standard deviation may be from the card's
BEFORE_VALUES = "let `weights` return the softmax of the scaled scores, before they meet the values"
SMALL = (4, 3, 6)  # d_in, d_k, d_v: with more components than tokens, outputs show the weights


def _numbers_of_start(d_in: int, d_out: int) -> dict[str, tuple[float, str]]:
    """Standard deviations that people give by mistake: for each id the number, and where it comes from."""
    return {
        "as_the_layer_draws": ((3 * d_in) ** -0.5, "that of numbers drawn evenly between ±1/√d_in, as a new `Linear` has: that is their bound"),
        "variance_for_deviation": (1 / d_in, "1/d_in: that is the variance, and `std` wants its root"),
        "by_outputs": (d_out**-0.5, "1/√d_out: it is the length of the *input* that the product runs over"),
        "of_one": (1.0, "1, as where `std` is not given"),
        "root_of_inputs": (d_in**0.5, "√d_in: divide by it"),
        "xavier": ((2 / (d_in + d_out)) ** 0.5, "that of Xavier, √(2 / (d_in + d_out))"),
        "kaiming": ((2 / d_in) ** 0.5, "that of Kaiming, √(2 / d_in)"),
    }


def explain_start(answer: Answer, seed: int) -> Diagnosis | None:
    """What is wrong with the initial weights of new modules: how far they spread, and whether they are drawn anew.

    Args:
        answer: the class.
        seed: of torch's generator, from which modules draw.
    """
    state = torch.get_rng_state()
    torch.manual_seed(seed)
    try:
        return _found_at_start(answer)
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    finally:
        torch.set_rng_state(state)


def _found_at_start(answer: Answer) -> Diagnosis | None:
    for sizes in STARTS:
        made = "ScaledSelfAttention({}, {}, {})".format(*sizes)
        one, other = answer(*sizes).state_dict(), answer(*sizes).state_dict()
        for name in LAYERS:
            weight = one[f"{name}.weight"].double()
            wanted, found = sizes[0] ** -0.5, float(weight.std())
            if abs(found / wanted - 1) > NEAR:
                return Diagnosis(
                    f"the entries of `{name}.weight` in a new {made} have the standard deviation {found:.4f}",
                    f"about 1/√{sizes[0]} = {wanted:.4f}",
                    _named(found, sizes[0], len(weight)),
                )
            if abs(float(weight.mean())) > 5 * wanted / weight.numel() ** 0.5:
                return Diagnosis(
                    f"the entries of `{name}.weight` in a new {made} have the mean {float(weight.mean()):.4f}",
                    "about 0",
                    unknown("ScaledSelfAttention.mean_at_start", "draw them with `torch.nn.init.normal_`, whose mean is 0"),
                )
            if torch.equal(weight, other[f"{name}.weight"].double()):
                return Diagnosis(
                    f"two new modules have the same `{name}.weight`",
                    "each module draws its own",
                    Cause(
                        "ScaledSelfAttention.same_start",
                        "the constructor sets a seed, or takes its numbers from somewhere else than the module's own draw",
                        "leave the seed to whoever makes the modules",
                    ),
                )
    return None


def _named(found: float, d_in: int, d_out: int) -> Cause:
    """Which number a standard deviation is."""
    for name, (number, what) in _numbers_of_start(d_in, d_out).items():
        if abs(found / number - 1) < NEAR:
            return Cause(f"ScaledSelfAttention.start_{name}", f"it is {what}", "`torch.nn.init.normal_(layer.weight, std=...)` with 1/√d_in")
    return unknown("ScaledSelfAttention.start", "print `layer.weight.std()` in the constructor, after your line, for each of the three layers")


def explain_weights(answer: Answer, seed: int) -> Diagnosis | None:
    """What is wrong with what the method `weights` returns, where the outputs are right: it has to be what they are mixed with.

    Args:
        answer: the class.
        seed: of the tokens and matrices.
    """

    def why(id: str, next_step: str) -> Cause:
        return _explain_stored(answer) or unknown(id, next_step)

    random = np.random.RandomState(seed)
    d_in, d_k, d_v = SMALL
    try:
        for batch, tokens in ((2, 3), (1, 5), (3, 1)):
            x, *matrices = (numbers(random, *shape) for shape in [(batch, tokens, d_in), (d_in, d_k), (d_in, d_k), (d_in, d_v)])
            settings, parameters, tensor = module_input("", x, *matrices).arguments
            built = calls.module.built(answer, settings, parameters)
            found = built.weights(tensor.clone())
            returned = f"shape {tuple(found.shape)}" if isinstance(found, torch.Tensor) else type_in_words(found)
            if returned != f"shape {(batch, tokens, tokens)}":
                return Diagnosis(
                    f"`weights(x)` returns {returned} for x of shape ({batch}, {tokens}, {d_in})",
                    f"a tensor of shape ({batch}, {tokens}, {tokens}): a row for each query",
                    why("ScaledSelfAttention.form_of_weights", BEFORE_VALUES),
                )
            if not torch.allclose(found.sum(-1), torch.ones(batch, tokens), atol=1e-4):
                return Diagnosis(
                    "rows of `weights(x)` do not sum to 1",
                    "a softmax over the keys for each query",
                    why("ScaledSelfAttention.rows_of_weights", BEFORE_VALUES),
                )
            values = parameters["tovalues.weight"].T
            if not _are_mixed(found, tensor @ values, built(tensor.clone())):
                return Diagnosis(
                    "`weights(x) @ tovalues(x)` is not what the module returns",
                    "the weights that `forward` mixes the values with",
                    why("ScaledSelfAttention.other_weights", "let `forward` call `self.weights(x)`, so that both are the same"),
                )
            other = tensor.flip(-1) - 1
            before = built(other.clone())
            if _are_mixed(found := built.weights(tensor.clone()), other @ values, before) and not _are_mixed(found, tensor @ values, built(tensor)):
                return Diagnosis(
                    "after a call on other tokens, `weights(x)` returns the weights of those",
                    "the weights of x, whatever was called before",
                    _explain_stored(answer)
                    or Cause(
                        "ScaledSelfAttention.weights_of_last_call",
                        "`weights` returns what the last call of `forward` has stored",
                        "compute the weights in `weights`, and let `forward` call `self.weights(x)`",
                    ),
                )
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        found = explain_error(error, answer)
        return found.with_cause(_explain_stored(answer)) if isinstance(error, (AttributeError, TypeError)) else found
    return None


def _are_mixed(weights: torch.Tensor, values: torch.Tensor, outputs: torch.Tensor) -> bool:
    """Whether these outputs are these values, mixed with these weights."""
    return torch.allclose(weights @ values, outputs, rtol=1e-3, atol=1e-3 * float(outputs.detach().abs().max()))


def _explain_stored(answer: Answer) -> Cause | None:
    """A method `weights` that does not use its argument; with what it takes from a call of `forward`, where it does that."""
    methods = {node.name: node for node in ast.walk(cell_of(answer)) if isinstance(node, ast.FunctionDef)}
    method, forward = methods.get("weights"), methods.get("forward")
    if method is None or forward is None or len(method.args.args) != 2:
        return None
    argument = method.args.args[1].arg
    if any(isinstance(node, ast.Name) and node.id in (argument, "locals") for node in ast.walk(method)):
        return None
    words = f"`weights` in line {method.lineno} does not use its argument `{argument}`"
    read = {ast.unparse(node) for node in ast.walk(method) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}
    stored = [node for node in ast.walk(forward) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node) in read]
    if not stored:
        return Cause("ScaledSelfAttention.argument_not_used", words, f"compute the weights of `{argument}` in `weights`, and let `forward` call it")
    names, lines = {ast.unparse(node) for node in stored}, {node.lineno for node in stored}
    if len(names) == len(lines) == 1:
        words += f": it takes `{names.pop()}`, which `forward` stores in line {lines.pop()}"
    else:
        words += ": it takes what `forward` has stored in `self`"
    return Cause("ScaledSelfAttention.stored_weights", words, "compute the weights in `weights`, and let `forward` call `self.weights(x)`")


def _halves(batch: int, tokens: int, d_in: int, d_k: int, d_v: int, seed: int) -> list[np.ndarray]:
    return halves((batch, tokens, d_in), (d_in, d_k), (d_in, d_k), (d_in, d_v), seed=seed)


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def made(x: np.ndarray, *sizes: int) -> list[Any]:
        return module_input("", x, *(numbers(random, x.shape[-1], size) for size in sizes)).arguments

    def inputs(length: int) -> list[list[Any]]:
        return [made(length * numbers(random, B, T, d_in), d_k, d_k, d_v) for B, T, d_in, d_k, d_v in MODULES]

    edge = {f"tokens, {what}": [made(x, 3, 3, 2)] for what, [x] in edge_batches(random, 4).items()}
    return {"tokens": inputs(1), "long vectors": inputs(16), **edge}


EXERCISE = Exercise(
    title="scaled self-attention with its start",
    shows=("vectors",),
    inputs=[
        module_input("the two sequences of the card", *_halves(2, 3, 4, 5, 2, seed=1)),
        module_input("a batch of one, d_in = 3, d_k = 4, d_v = 5", *_halves(1, 4, 3, 4, 5, seed=2)),
        module_input("three sequences of three tokens, all sizes three", *_halves(3, 3, 3, 3, 3, seed=3)),
        module_input("sequences of one token", *_halves(2, 1, 4, 5, 2, seed=4)),
    ],
    kinds=_kinds,
    call=calls.module,
    edges={
        "the same after train()": other_in_training,
        "weights(x)": lambda evidence: explain_weights(evidence.answer, seed=5),
        "initial weights": lambda evidence: explain_start(evidence.answer, seed=6),
    },
    stages={
        "outputs": (
            "the two sequences of the card",
            "a batch of one, d_in = 3, d_k = 4, d_v = 5",
            "three sequences of three tokens, all sizes three",
            "sequences of one token",
            "tokens",
            "long vectors",
            "the same after train()",
        ),
        "weights": ("weights(x)",),
        "initial weights": ("initial weights",),
    },
)
