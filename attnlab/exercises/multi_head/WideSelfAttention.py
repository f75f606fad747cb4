"""the class `WideSelfAttention(k, heads)`: parameters and values."""

from __future__ import annotations

from attnlab.diagnosis import calls
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.memory.modules import explain_beside_others
from attnlab.exercises.multi_head import FOUR, OF_MODULES, X, module_kinds, state, takes_names

SIZES = [
    (4, 3, (2, 5, 4)),
    (4, 2, (3, 3, 4)),
    (2, 5, (2, 4, 2)),
    (1, 3, (2, 5, 1)),
    (12, 3, (2, 5, 12)),
    (4, 4, (4, 4, 4)),
    (7, 2, (2, 3, 7)),
    (2, 6, (2, 4, 2)),
]  # k, heads, shape

EXERCISE = Exercise(
    title="heads of full width",
    shows=("vectors",),
    inputs=[
        Input("the two sequences of the card", [[3, 2], state(3, 6), X[:, :, :3]]),
        Input("four components, three heads", [[4, 3], state(4, 12), X[:, :3, :4]]),
        Input("a single token", [[4, 1], FOUR, X[:, :1, :4]]),
        Input("long vectors", [[3, 2], state(3, 6), 60 * X[:, :, :3]]),
    ],
    kinds=lambda random: module_kinds(random, SIZES, wide=True),
    call=calls.module,
    edges={
        "names of the arguments": lambda evidence: takes_names("WideSelfAttention", evidence.answer, {"heads": 2, "k": 6}),
        "several modules": lambda evidence: explain_beside_others(evidence, [[6, 6], [6, 3]]),
    },
    probes=OF_MODULES,
)
