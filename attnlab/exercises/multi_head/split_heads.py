"""`split_heads(x, heads)`: a piece of every token for every head."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.modules.arrangements import probe_arrangement, probe_uneven
from attnlab.exercises.multi_head import marked

EXERCISE = Exercise(
    title="a piece of every token for every head",
    inputs=[
        Input("the marked tokens of the card", [marked(2, 3, 4), 2]),
        Input("three heads of two components", [marked(1, 2, 6), 3]),
        Input("a single token", [marked(2, 1, 4), 2]),
    ],
    probes=Probes(early=probe_arrangement, late=probe_uneven),
)
