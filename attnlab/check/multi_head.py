"""The visible checks of lesson 4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab import reference
from attnlab.diagnosis.cause import Diagnosis
from attnlab.diagnosis.evidence import Probes
from attnlab.diagnosis.examine import examine
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.diagnosis.probes.modules.arrangements import probe_arrangement, probe_uneven
from attnlab.diagnosis.probes.modules.averages import probe_values
from attnlab.diagnosis.probes.modules.construction import probe_construction, probe_module
from attnlab.diagnosis.probes.modules.counted import probe_count
from attnlab.diagnosis.probes.modules.layers import explain_parameters
from attnlab.diagnosis.probes.modules.scale import probe_scale

OF_MODULES = Probes(probe_construction, lambda evidence, case: probe_module(evidence, case) or probe_scale(evidence, case), probe_values)


def split_heads(answer: Callable[[Any, int], Any]) -> None:
    """Check `split_heads(x, heads)`: a piece of every token for every head."""
    examine("split_heads", answer, probes=Probes(early=probe_arrangement, late=probe_uneven))


def merge_heads(answer: Callable[[Any], Any]) -> None:
    """Check `merge_heads(x)`: the heads of each token side by side."""
    examine("merge_heads", answer, probes=Probes(early=probe_arrangement, late=probe_uneven))


def parameter_count(answer: Callable[[int, int, str], int]) -> None:
    """Check `parameter_count(k, heads, variant)`: values, and a `ValueError` for another variant."""
    examine(
        "parameter_count",
        answer,
        probes=Probes(early=probe_count),
        edges={
            "unknown variant": lambda: raises_value_error(
                lambda: answer(12, 3, "sliced"), "the variant “sliced”", "look the variant up, and raise ValueError when it is neither of the two"
            )
        },
    )


def MultiHeadSelfAttention(answer: Callable[..., Any]) -> None:
    """Check the class `MultiHeadSelfAttention(k, heads, mask=False)` part by part, and say which parts stand."""
    examine(
        "MultiHeadSelfAttention",
        answer,
        probes=OF_MODULES,
        edges={
            "names and shapes": lambda: _explain_parameters(answer),
            "heads that do not divide k": lambda: raises_value_error(
                lambda: answer(10, 3), "k = 10 with 3 heads", "compare `k % heads` with 0 in the constructor, and raise ValueError"
            ),
        },
        stages={
            "constructor": ["names and shapes", "heads that do not divide k"],
            "one head": ["one head on long vectors"],
            "several heads": ["two heads on long vectors"],
            "scale": ["the two sequences of the card", "three heads of four components"],
            "causal mask": ["the causal mask", "the causal mask on long vectors"],
            "sizes of one": ["four heads of one component", "masked sequences of one token"],
        },
    )


def WideSelfAttention(answer: Callable[..., Any]) -> None:
    """Check the class `WideSelfAttention(k, heads)`: parameters and values."""
    examine("WideSelfAttention", answer, probes=OF_MODULES)


def RepairedAttention(answer: Callable[..., Any]) -> None:
    """Check the repaired module of the clinic."""
    examine("RepairedAttention", answer, probes=OF_MODULES)


def _explain_parameters(answer: Callable[..., Any]) -> Diagnosis | None:
    settings, weights, _ = reference.cases("MultiHeadSelfAttention")[0].arguments
    try:
        return explain_parameters(answer, settings, weights, answer(*settings))
    except Exception as error:  # whatever a learner's constructor raises is what has to be explained
        return explain_error(error, answer)
