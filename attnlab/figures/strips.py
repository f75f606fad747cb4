"""One query at a time: its scores and the weights they become."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attnlab.figures.bars import Bars
from attnlab.figures.colours import KEY, QUERY
from attnlab.figures.layout import layout
from attnlab.figures.picture import Picture
from attnlab.figures.tables import short


def score_strip(scores: np.ndarray, weights: np.ndarray, tokens: Sequence[str], query: int, says: str | None = None) -> Picture:
    """Show the scores of one query as bars and, beside them, the weights that they become.

    Args:
        scores: array `(T, T)`, row i for query i.
        weights: array `(T, T)`, row i for query i.
        tokens: T names.
        query: the row to show.
    """
    panels = [Bars(f"{name} of query “{tokens[query]}” (sum {short(values.sum())})", tokens, values.tolist(), colour, axis="key")
              for name, values, colour in (("scores", np.asarray(scores, dtype=float)[query], KEY),
                                           ("weights", np.asarray(weights, dtype=float)[query], QUERY))]
    strongest = tokens[int(np.argmax(weights[query]))]
    says = says or f"Scores of the query “{tokens[query]}” and the weights they become; the largest weight is on “{strongest}”."
    return Picture(layout(panels), says)
