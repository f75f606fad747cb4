"""the class `WideSelfAttention(k, heads)`: parameters and values."""

from __future__ import annotations

from attnlab.diagnosis import calls
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.multi_head import FOUR, OF_MODULES, X, state

EXERCISE = Exercise(
    title="heads of full width",
    inputs=[
        Input("the two sequences of the card", [[3, 2], state(3, 6), X[:, :, :3]]),
        Input("four components, three heads", [[4, 3], state(4, 12), X[:, :3, :4]]),
        Input("a single token", [[4, 1], FOUR, X[:, :1, :4]]),
        Input("long vectors", [[3, 2], state(3, 6), 60 * X[:, :, :3]]),
    ],
    call=calls.module,
    probes=OF_MODULES,
)
