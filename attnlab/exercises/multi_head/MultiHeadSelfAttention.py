"""the class `MultiHeadSelfAttention(k, heads, mask=False)` part by part, and say which parts stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.diagnosis.results.parameters import explain_parameters
from attnlab.exercises.multi_head import FOUR, OF_MODULES, SIX, X, drawn, state


def _explain_parameters(answer: Callable[..., Any]) -> Diagnosis | None:
    settings, weights, _ = reference.cases("MultiHeadSelfAttention")[0].arguments
    try:
        return explain_parameters(answer, settings, weights, answer(*settings))
    except Exception as error:  # whatever a learner's constructor raises is what has to be explained
        return explain_error(error, answer)


EXERCISE = Exercise(
    title="narrow multi-head self-attention",
    inputs=[
        Input("the two sequences of the card", [[6, 2], SIX, X]),
        Input("three heads of four components", [[12, 3], state(12, 12), drawn(9, 2, 5, 12)]),  # where 2·s is no k − s, and s² no 3·s
        Input("the causal mask", [[6, 2, True], SIX, X]),
        Input("one head on long vectors", [[6, 1], SIX, 60 * X]),  # so long that each query looks at one key, whatever the scale
        Input("two heads on long vectors", [[6, 2], SIX, 60 * X]),
        Input("four heads of one component", [[4, 4], FOUR, X[:1, :, :4]]),
        Input("masked sequences of one token", [[6, 2, True], SIX, X[:, :1]]),
        Input("the causal mask on long vectors", [[6, 2, True], SIX, 60 * X]),
    ],
    call=calls.module,
    edges={
        "names and shapes": lambda evidence: _explain_parameters(evidence.answer),
        "heads that do not divide k": lambda evidence: raises_value_error(
            lambda: evidence.answer(10, 3), "k = 10 with 3 heads", "compare `k % heads` with 0 in the constructor, and raise ValueError"
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
    probes=OF_MODULES,
)
