"""`positional_encoding(T, k)`: sine in even columns, cosine in odd ones."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input


def _kinds(random: np.random.RandomState) -> dict[str, list[list[int]]]:
    """Tables of every size; those of the same T stand one after the other, and so do those of the same k."""
    tokens, more = 4 + random.randint(5), random.randint(1, 5)
    return {
        "a few positions": [[tokens, 4], [2 + more, 4], [tokens + more, 2]],
        "T and k": [
            *([tokens, k] for k in (4, 6, 10)),
            *([some + more, k] for some, k in ((12, 2), (5, 2), (60, 10), (5, 64), (2, 300))),
            [5000, 4],
            [tokens, 4],
        ],
        "a single position": [[1, 2 * more], [1, 2], [3 + more, 2]],
    }


EXERCISE = Exercise(
    title="one vector for each position",
    shows=("vectors",),
    inputs=[
        Input("T = 5, k = 6", [5, 6]),
        Input("T = 4, k = 2", [4, 2]),
        Input("a wide table", [6, 12]),
        Input("a single position", [1, 4]),
    ],
    kinds=_kinds,
)
