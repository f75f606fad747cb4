"""`parameter_count(k, heads, variant)`: values, and a `ValueError` for another variant."""

from __future__ import annotations

import numpy as np

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Diagnosis
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.diagnosis.probes.modules.counted import probe_count
from attnlab.exercises.multi_head import takes_names

UNKNOWN = ("sliced", "Narrow", "WIDE", "row", "narro", "wi", "n", "", " wide", "narrow ", "wider", "narrow wide", "standard")


def _refuses(evidence: Evidence) -> Diagnosis | None:
    def refuses(variant: str) -> Diagnosis | None:
        return raises_value_error(
            lambda: evidence.answer(12, 3, variant),
            f"the variant “{variant}”",
            "look up the variant, and raise ValueError if it is neither of the two",
            evidence.answer,
        )

    return next((found for variant in UNKNOWN if (found := refuses(variant))), None)


def _has_names(evidence: Evidence) -> Diagnosis | None:
    k, heads, variant = reference.cases("parameter_count")[0].arguments
    return takes_names("parameter_count", evidence.answer, {"variant": variant, "heads": heads, "k": k})


def _kinds(random: np.random.RandomState) -> dict[str, list[list[object]]]:
    several = 2 + random.randint(4)
    sizes = [(12, 3), (12, 1), (12, 12), (5 * several, 5), (5 * several, several), (1, 1), (512, 8), (64 * several, 4), (12, 3)]
    asked = [(k, heads, variant) for variant, large in (("narrow", (2049, 3)), ("wide", (783, 9))) for k, heads in (*sizes, large)]
    return {f"k = {k}, {heads} head{'s' * (heads != 1)}, {variant}": [[k, heads, variant]] for k, heads, variant in asked}


EXERCISE = Exercise(
    title="all learned numbers of a module",
    inputs=[
        Input("k = 256, 4 heads, narrow", [256, 4, "narrow"]),
        Input("k = 256, 4 heads, wide", [256, 4, "wide"]),
        Input("k = 12, 1 head, wide", [12, 1, "wide"]),
    ],
    call=calls.whole_number,
    kinds=_kinds,
    edges={"unknown variant": _refuses, "names of the arguments": _has_names},
    probes=Probes(early=probe_count),
)
