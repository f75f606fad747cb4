"""the class `MultiHeadSelfAttention(k, heads, mask=False)` part by part, and say which parts stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Diagnosis
from attnlab.diagnosis.drawn import edge_batches
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.memory.modules import explain_beside_others, explain_other_lengths
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.diagnosis.results.parameters import explain_parameters
from attnlab.exercises.multi_head import FOUR, LOUD, OF_MODULES, SIX, X, drawn, module_kinds, module_of, state, takes_names


def _explain_parameters(answer: Callable[..., Any]) -> Diagnosis | None:
    settings, weights, _ = reference.cases("MultiHeadSelfAttention")[0].arguments
    try:
        return explain_parameters(answer, settings, weights, answer(*settings))
    except Exception as error:  # whatever a learner's constructor raises is what has to be explained
        return explain_error(error, answer)


INDIVISIBLE = ((10, 3), (3, 6), (7, 2), (12, 8))


def _refuses(answer: Callable[..., Any]) -> Diagnosis | None:
    def refuses(k: int, heads: int, masked: bool) -> Diagnosis | None:
        return raises_value_error(
            lambda: answer(k, heads, mask=masked),
            f"k = {k} with {heads} heads{', with mask' if masked else ''}",
            "compare `k % heads` with 0 in the constructor, and raise ValueError",
            answer,
            lambda built: built(torch.zeros(1, 2, k)),
            lambda: answer(k, 1, mask=masked)(torch.zeros(1, 2, k)),
        )

    return next((found for masked in (False, True) for sizes in INDIVISIBLE if (found := refuses(*sizes, masked))), None)


SIZES = [
    (12, 3, (2, 5, 12)),
    (12, 4, (3, 4, 12)),
    (12, 2, (2, 7, 12)),
    (6, 6, (2, 5, 6)),
    (16, 4, (4, 4, 16)),
    (4, 2, (4, 4, 4)),
    (10, 2, (2, 3, 10)),
]


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def masked(k: int, heads: int, size: tuple[int, ...], length: float = 1) -> list[Any]:
        settings, weights, x = module_of(random, [k, heads, True], size)
        return [settings, weights, length * x]

    def alike(tokens: int) -> list[Any]:
        settings, weights, x = masked(4, 2, (2, tokens, 4))
        return [settings, {**weights, "toqueries.weight": 0 * weights["toqueries.weight"]}, x]

    later = masked(12, 3, (2, 6, 12))
    later[2][:, 4], later[2][:, 5] = 100, -90  # no two scores of a row are alike: their rounding would decide
    with_zeros = masked(12, 3, (2, 5, 12))
    with_zeros[2][:, 1:3] = 0
    return {
        **module_kinds(random, SIZES),
        "with mask": [masked(*each) for each in SIZES],
        "with mask, many tokens": [masked(4, 2, (2, tokens, 4)) for tokens in (17, 70)],
        "with mask, long vectors": [masked(12, heads, (2, tokens, 12), LOUD) for heads in (3, 1) for tokens in (5, 3, 7, 12)],
        "with mask, long tokens at the end": [later],
        "with mask, tokens of zeros": [with_zeros],
        "with mask, queries of zeros, which look at all keys alike that they may see": [alike(tokens) for tokens in (17, 70, 2, 512, 17)],
        "with mask, one head": [masked(6, 1, (2, 5, 6)), masked(6, 1, (1, 1, 6))],
        **{
            f"{heads}, tokens {what}": [[[6, 3, *mask], module_of(random, [], (1, 1, 6))[1], torch.from_numpy(long * x).float()]]
            for heads, mask, long in (("several heads", [], 1), ("with mask", [True], 30))  # so long that the scale makes no difference to the mask
            for what, [x] in edge_batches(random, 6).items()
        },
    }


EXERCISE = Exercise(
    title="narrow multi-head self-attention",
    shows=("vectors",),
    inputs=[
        Input("the two sequences of the card", [[6, 2], SIX, X]),
        Input("three heads of four components", [[12, 3], state(12), drawn(9, 2, 5, 12)]),  # where 2·s is no k − s, and s² no 3·s
        Input("the causal mask", [[6, 2, True], SIX, X]),
        Input("one head on long vectors", [[6, 1], SIX, 60 * X]),  # so long that each query looks at one key, whatever the scale
        Input("two heads on long vectors", [[6, 2], SIX, 60 * X]),
        Input("four heads of one component", [[4, 4], FOUR, X[:1, :, :4]]),
        Input("masked sequences of one token", [[6, 2, True], SIX, X[:, :1]]),
        Input("the causal mask on long vectors", [[6, 2, True], SIX, 60 * X]),
    ],
    kinds=_kinds,
    call=calls.module,
    edges={
        "names and shapes": lambda evidence: _explain_parameters(evidence.answer),
        "heads that do not divide k": lambda evidence: _refuses(evidence.answer),
        "names of the arguments": lambda evidence: takes_names("MultiHeadSelfAttention", evidence.answer, {"mask": True, "heads": 2, "k": 6}),
        "several modules": lambda evidence: explain_beside_others(evidence, [[6, 3], [6, 6, True], [6, 3]]),
        "several modules, the last with a mask": lambda evidence: explain_beside_others(evidence, [[6, 3, True]]),
        "other lengths": lambda evidence: explain_other_lengths(evidence, "the causal mask on long vectors"),
    },
    stages={
        "constructor": [
            "names and shapes",
            "heads that do not divide k",
            "names of the arguments",
            "several modules",
            "several modules, the last with a mask",
        ],
        "one head": ["one head on long vectors", "one head and long vectors"],
        "several heads": [
            "two heads on long vectors",
            "several heads and long vectors",
            "long vectors and tokens of zeros",
            "queries of zeros, which look at all keys alike",
        ],
        "scale": [
            "the two sequences of the card",
            "three heads of four components",
            "four heads of one component",
            "one head",
            "several heads",
            "tokens of zeros",
            "many tokens",
        ],
        "causal mask": ["the causal mask", "the causal mask on long vectors", "masked sequences of one token", "other lengths", "with mask"],
    },
    probes=OF_MODULES,
)
