"""`positional_encoding(T, k)`: sine in even columns, cosine in odd ones."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input


def _kinds(random: np.random.RandomState) -> dict[str, list[list[int]]]:
    """Tables of every size; those of the same T stand one after the other, and so do those of the same k."""
    tokens, more = 4 + random.randint(5), random.randint(1, 5)
    return {
        "a few places": [[tokens, 4], [2 + more, 4], [tokens + more, 2]],
        "T and an even k": [
            *([tokens, k] for k in (4, 6, 10)),
            *([some + more, k] for some, k in ((12, 2), (5, 2), (60, 10), (5, 64), (2, 300))),
            [5000, 4],
            [tokens, 4],
        ],
        "T and an odd k": [
            *([tokens, k] for k in (7, 5, 3)),
            *([some + more, k] for some, k in ((12, 3), (7, 5), (30, 33), (3, 301))),
            [tokens, 7],
        ],
        "T and k, of which one is 1": [[3 + more, 1], [1, 2 * more], [1, 2 * more + 1], [1, 1], [40 + more, 1]],
    }


EXERCISE = Exercise(
    title="one vector for each place",
    shows=("vectors",),
    inputs=[
        Input("T = 5, k = 6", [5, 6]),
        Input("an odd k", [4, 5]),
        Input("a wide table", [6, 12]),
        Input("one number per place", [3, 1]),
        Input("a single place", [1, 4]),
    ],
    kinds=_kinds,
)
