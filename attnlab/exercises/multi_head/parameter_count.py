"""`parameter_count(k, heads, variant)`: values, and a `ValueError` for another variant."""

from __future__ import annotations

from attnlab.diagnosis import calls
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.diagnosis.probes.modules.counted import probe_count

EXERCISE = Exercise(
    title="all learned numbers of a module",
    inputs=[
        Input("k = 256, 4 heads, narrow", [256, 4, "narrow"]),
        Input("k = 256, 4 heads, wide", [256, 4, "wide"]),
        Input("k = 12, 1 head, wide", [12, 1, "wide"]),
    ],
    call=calls.whole_number,
    edges={
        "unknown variant": lambda evidence: raises_value_error(
            lambda: evidence.answer(12, 3, "sliced"),
            "the variant “sliced”",
            "look up the variant, and raise ValueError if it is neither of the two",
        )
    },
    probes=Probes(early=probe_count),
)
