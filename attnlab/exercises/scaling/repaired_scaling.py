"""the repaired function of the clinic."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import scales
from attnlab.exercises.scaling import halves

PATIENTS = np.random.RandomState(11)

CLINIC = [PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 3)) + 5]

OTHER = halves((2, 5), (3, 5), (3, 4), seed=3)


EXERCISE = Exercise(
    title="scaled once, by the right number, in the right place",
    inputs=[
        Input("the four queries of the clinic", CLINIC),
        Input("two queries, three keys, d_k = 5, d_v = 4", OTHER),
        Input("long vectors", [60 * OTHER[0], 60 * OTHER[1], OTHER[2]]),
    ],
    probes=Probes(first=scales.explain_scale),
)
