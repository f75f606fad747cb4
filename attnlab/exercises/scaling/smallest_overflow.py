"""`smallest_overflow(float_type)`: the smallest whole number whose exponential is infinite."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import overflow

EXERCISE = Exercise(
    title="where exp becomes infinite",
    inputs=[Input('"float32"', ["float32"]), Input('"float64"', ["float64"]), Input('"float16"', ["float16"])],
    explain_endless=overflow.explain_endless,
    probes=Probes(first=overflow.explain_numbers),
)
