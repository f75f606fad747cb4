"""the repaired function of the clinic."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import numbers
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import scales
from attnlab.exercises.scaling import extreme, halves

PATIENTS = np.random.RandomState(11)

CLINIC = [PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 64)), PATIENTS.normal(size=(4, 3)) + 5]

OTHER = halves((2, 5), (3, 5), (3, 4), seed=3)


SIZES = ((6, 2, 3, 4), (4, 4, 4, 4), (1, 1, 3, 2), (1, 4, 2, 3), (4, 1, 2, 3), (3, 2, 1, 1), (3, 5, 4, 1), (2, 3, 50, 7))  # T, S, d_k, d_v


def _kinds(random: np.random.RandomState) -> dict[str, list[list[np.ndarray]]]:
    def drawn(T: int, S: int, d_k: int, d_v: int) -> list[np.ndarray]:
        return [numbers(random, *shape) for shape in ((T, d_k), (S, d_k), (S, d_v))]

    first, other, values = drawn(5, 6, 3, 2), drawn(5, 6, 3, 2), numbers(random, 4, 3)
    asking, keys = extreme(random)
    short = numbers(random, 3, 4) * [[1 / 64], [1], [5000]]
    return {
        "queries, keys and values": [drawn(*sizes) for sizes in SIZES],
        "the same queries with other keys": [first, [first[0], *other[1:]], [*first[:2], other[2]], first],
        "numbers with all their digits": [[random.normal(size=shape) for shape in ((3, 5), (4, 5), (4, 2))]],
        "arrays that were transposed": [list(map(np.asfortranarray, drawn(3, 4, 5, 2)))],
        "many queries and keys": [[*drawn(40, 130, 100, 5)[:2], numbers(random, 130, 5, size=0.25)]],
        "long vectors": [[asking, keys, values], [asking[::-1].copy(), keys, values], *([row[None], keys, values] for row in asking)],
        "queries of very different length": [[short, numbers(random, 5, 4), numbers(random, 5, 2)]],
    }


EXERCISE = Exercise(
    title="scaled once, by the right number, in the right place",
    shows=("vectors",),
    inputs=[
        Input("the four queries of the clinic", CLINIC),
        Input("two queries, three keys, d_k = 5, d_v = 4", OTHER),
        Input("long vectors", [60 * OTHER[0], 60 * OTHER[1], OTHER[2]]),
    ],
    kinds=_kinds,
    probes=Probes(first=scales.explain_scale),
)
