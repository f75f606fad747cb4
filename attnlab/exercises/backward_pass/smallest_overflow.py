"""`smallest_overflow(float_type)`: the smallest whole number whose exponential is infinite."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import overflow


def _kinds(random: np.random.RandomState) -> dict[str, list[list[str]]]:
    names = ["float16", "float32", "float64"]
    return {"the three types in another order": [[names[place]] for _ in range(3) for place in random.permutation(3)]}


EXERCISE = Exercise(
    title="where exp becomes infinite",
    inputs=[Input('"float32"', ["float32"]), Input('"float64"', ["float64"]), Input('"float16"', ["float16"])],
    kinds=_kinds,
    explain_endless=overflow.explain_endless,
    probes=Probes(first=overflow.explain_numbers),
)
