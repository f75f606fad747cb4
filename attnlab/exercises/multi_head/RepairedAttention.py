"""the repaired module of the clinic."""

from __future__ import annotations

from attnlab.diagnosis import calls
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.multi_head import OF_MODULES, REPAIRED, X, drawn

EXERCISE = Exercise(
    title="a module without the four faults",
    inputs=[
        Input("the two sequences of the card", [[6, 2], REPAIRED, X]),
        Input("three heads of two components", [[6, 3], REPAIRED, drawn(8, 1, 5, 6)]),
    ],
    call=calls.module,
    probes=OF_MODULES,
)
