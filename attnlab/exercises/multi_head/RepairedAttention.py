"""the repaired module of the clinic."""

from __future__ import annotations

from attnlab.diagnosis import calls
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.memory.modules import explain_beside_others
from attnlab.exercises.multi_head import OF_MODULES, REPAIRED, X, drawn, module_kinds

SIZES = [(12, 3, (2, 5, 12)), (12, 4, (3, 4, 12)), (4, 2, (3, 4, 4)), (6, 6, (2, 5, 6)), (16, 4, (4, 4, 16)), (10, 2, (2, 3, 10))]  # k, heads, shape

EXERCISE = Exercise(
    title="a module without the four faults",
    shows=("vectors",),
    inputs=[
        Input("the two sequences of the card", [[6, 2], REPAIRED, X]),
        Input("three heads of two components", [[6, 3], REPAIRED, drawn(8, 1, 5, 6)]),
    ],
    kinds=lambda random: module_kinds(random, SIZES, names=("queries", "keys", "values", "output")),
    call=calls.module,
    edges={"several modules": lambda evidence: explain_beside_others(evidence, [[6, 6], [6, 3]])},
    probes=OF_MODULES,
)
