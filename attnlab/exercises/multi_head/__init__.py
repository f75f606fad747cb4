"""The exercises of lesson 4, a file each; here stands what several of them need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from attnlab import reference
from attnlab.arrays import kind_of
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.drawn import numbers
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Probes
from attnlab.diagnosis.probes.modules.averages import probe_values
from attnlab.diagnosis.probes.modules.construction import probe_construction, probe_module
from attnlab.diagnosis.probes.modules.scale import probe_scale

LAYERS = ("toqueries", "tokeys", "tovalues", "unifyheads")


def marked(B: int, T: int, E: int) -> torch.Tensor:
    """Numbers that say where they come from: 2.3 is component 3 of token 2; the second sequence counts from 10."""
    return torch.from_numpy(10.0 * np.arange(B)[:, None, None] + np.arange(T)[:, None] + np.arange(E) / 10)


def drawn(seed: int, *shape: int) -> torch.Tensor:
    """Random numbers with one decimal."""
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32))


def state(k: int) -> dict[str, torch.Tensor]:
    """Weights of a module."""
    weights = {f"{name}.weight": drawn(seed, k, k) for seed, name in enumerate(LAYERS, start=1)}
    return {**weights, "unifyheads.bias": drawn(5, k)}


Module = tuple[list[Any], dict[str, torch.Tensor], torch.Tensor]  # settings, parameters, tokens
LONG, LOUD = 1024, 128  # so long that a query looks at one key, whatever the scale


def module_of(random: np.random.RandomState, settings: list[Any], size: tuple[int, ...]) -> Module:
    """A module with parameters of its own, and tokens for it."""

    def some(*shape: int, scale: float = 1.0) -> torch.Tensor:
        return torch.from_numpy(numbers(random, *shape, size=scale).astype(np.float32))

    k = size[-1]
    weights = {f"{name}.weight": some(k, k, scale=0.5) for name in LAYERS}
    return settings, {**weights, "unifyheads.bias": some(k)}, some(*size)


def module_kinds(random: np.random.RandomState, sizes: list[tuple[int, int, tuple[int, ...]]]) -> dict[str, list[list[Any]]]:
    """Inputs of every kind for modules with heads.

    Args:
        sizes: k, heads and the shape of tokens for several heads.
    """

    def made(k: int, heads: int, size: tuple[int, ...], length: float = 1) -> list[Any]:
        settings, weights, x = module_of(random, [k, heads], size)
        return [settings, weights, length * x]

    def alike(k: int, heads: int, size: tuple[int, ...]) -> list[Any]:
        settings, weights, x = made(k, heads, size)
        return [settings, {**weights, "toqueries.weight": 0 * weights["toqueries.weight"]}, x]

    k, heads, size = sizes[0]
    with_zeros = made(k, heads, size, LONG)
    with_zeros[2][:, 2:4] = 0
    return {
        "one head and long vectors": [made(6, 1, size, LONG) for size in ((2, 5, 6), (1, 4, 6), (2, 1, 6), (1, 1, 6))],
        "several heads": [made(*each) for each in sizes],
        "one head": [made(6, 1, (2, 5, 6)), made(6, 1, (2, 1, 6))],
        "several heads and long vectors": [made(*each, LONG) for each in sizes],
        "long vectors and tokens of zeros": [with_zeros],
        "tokens of zeros": [[*with_zeros[:2], with_zeros[2] / LONG]],
        "many tokens": [made(k, heads, (1, 130, k))],
        "queries of zeros, which look at all keys alike": [alike(k, heads, (2, 150, k))],
    }


X = drawn(6, 2, 4, 6)

FOUR, SIX = state(4), state(6)

OF_MODULES = Probes(probe_construction, lambda evidence, case: probe_module(evidence, case) or probe_scale(evidence, case), probe_values)

TYPES = (torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int8)

ONLY_MOVE = "use nothing but operations that move numbers, such as `reshape`, `transpose`, `stack` and `cat`"

CALL_TWICE = "call your function twice in a new cell, with other numbers of the same shape: is the second result made of the second numbers?"


def takes_names(exercise: str, answer: Callable[..., Any], arguments: dict[str, Any]) -> Diagnosis | None:
    """What is wrong with an answer that does not take its arguments by their names.

    Args:
        exercise: what the answer is called.
        answer: the function or class.
        arguments: by name, the last one on the card first.
    """
    try:
        answer(**arguments)
    except TypeError as error:
        *names, last = reversed(arguments)
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return Diagnosis(
            f"`{exercise}({given})` raised TypeError: {error}",
            f"arguments that are called {', '.join(names)} and {last}",
            Cause(
                "multi_head.other_names",
                "the arguments have other names than those on the card",
                "take the line with `def` as it was given",
            ),
        )
    except Exception as error:  # whatever else a learner's code raises is what has to be explained
        return explain_error(error, answer)
    return None


def explain_moved(evidence: Evidence, tokens: str) -> Diagnosis | None:
    """What is wrong with a function that only has to move numbers, for numbers of every type: they have to come back exactly.

    Args:
        evidence: of the answer. The numbers of the example on the card are all different, so its result says where each one goes.
        tokens: what the numbers are called: "tokens".
    """
    x, *settings = (case := reference.cases(evidence.name)[0]).arguments
    place = {number: index for index, number in enumerate(x.reshape(-1).tolist())}
    order = [place[number] for number in case.expected.reshape(-1).tolist()]
    for what, table in _of_every_type(x, tokens):
        kept = table.detach().clone()
        try:
            moved = evidence.answer(table, *settings)
        except NotImplementedError as error:  # from torch: the code as such has given results by now
            return Diagnosis(
                f"{what}: your code raised NotImplementedError: {error}",
                "",
                Cause(
                    "multi_head.not_for_this_type", "your code computes with the numbers, and torch has no such operation for this type", ONLY_MOVE
                ),
            )
        except Exception as error:  # whatever else a learner's code raises is what has to be explained
            found = explain_error(error, evidence.answer)
            return Diagnosis(f"{what}: {found.observed}", found.expected, found.cause)
        if found := _other(moved, kept.reshape(-1)[order].reshape(case.expected.shape)) or _changed(table, kept):
            return Diagnosis(f"{what}: {found.observed}", found.expected, found.cause)
    return None


def _of_every_type(x: torch.Tensor, tokens: str) -> Iterator[tuple[str, torch.Tensor]]:
    digits = torch.from_numpy(np.random.RandomState(46).normal(size=tuple(x.shape)))
    yield f"{tokens} with all their digits", digits
    for dtype in TYPES:
        yield f"{tokens} of type {dtype}", (30 * digits).to(dtype)
    yield f"{tokens} of type torch.bool", digits > 0
    yield "large integers", 2**60 + torch.arange(x.numel()).reshape(x.shape)
    yield "a tensor with gradients, as a layer returns it", torch.nn.Parameter(digits.clone())
    open_ended = digits.clone()
    open_ended.view(-1)[[2, 7, 11]] = torch.tensor([np.inf, -np.inf, np.nan], dtype=torch.float64)
    yield f"{tokens} with inf or nan", open_ended


def _other(moved: Any, wanted: torch.Tensor) -> Diagnosis | None:
    if kind_of(moved) != "torch" or moved.shape != wanted.shape:
        observed = f"a tensor of shape {tuple(moved.shape)}" if kind_of(moved) == "torch" else "the result is no torch tensor"
        return Diagnosis(observed, f"a torch tensor of shape {tuple(wanted.shape)}", unknown("multi_head.other_form", ONLY_MOVE))
    if moved.dtype != wanted.dtype:
        return Diagnosis(
            f"{wanted.dtype} came back as {moved.dtype}",
            f"{wanted.dtype}",
            Cause("multi_head.other_type", "the type changed on the way: numbers are converted, or computed with", ONLY_MOVE),
        )
    if torch.allclose(moved, wanted, rtol=0, atol=0, equal_nan=True):
        return None
    if not torch.allclose(*(tensor.double().nan_to_num() for tensor in (moved, wanted)), rtol=0.1, atol=0.1):
        return Diagnosis("the result holds other numbers", "the numbers of `x`, in their new places", unknown("multi_head.other_numbers", CALL_TWICE))
    return Diagnosis(
        "not all numbers of the result are exactly those of `x`",
        "every number as it was, in its new place",
        Cause("multi_head.numbers_changed", "the numbers are converted on the way, or computed with, where they only have to move", ONLY_MOVE),
    )


def _changed(table: torch.Tensor, kept: torch.Tensor) -> Diagnosis | None:
    if table.shape == kept.shape and torch.allclose(table, kept, rtol=0, atol=0, equal_nan=True):
        return None
    return Diagnosis(
        "after the call, `x` holds something else",
        "`x` as it was",
        Cause(
            "multi_head.input_changed",
            "an operation writes into `x`",
            "use operations that give a new tensor; in torch, their names do not end in `_`",
        ),
    )
