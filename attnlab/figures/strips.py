"""One query at a time: its scores and the weights they become."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np

from attnlab.figures.tables import short
from attnlab.figures.colours import KEY, QUERY
from attnlab.figures.picture import STYLE, Picture, new_figure, plot


def score_strip(scores: np.ndarray, weights: np.ndarray, tokens: Sequence[str], query: int, says: str | None = None) -> Picture:
    """Draw the scores of one query as bars and, beside them, the weights that they become.

    Args:
        scores: array `(T, T)`, row i for query i.
        weights: array `(T, T)`, row i for query i.
        tokens: T names.
        query: the row to show.
    """
    pairs = [("scores", np.asarray(scores, dtype=float)[query], KEY), ("weights", np.asarray(weights, dtype=float)[query], QUERY)]
    with matplotlib.rc_context(STYLE):
        figure = new_figure(7.4, 0.9 + 0.34 * len(tokens))
        for axes, (name, values, colour) in zip(figure.subplots(1, 2, sharey=True), pairs):
            axes.barh(range(len(tokens)), values, color=colour, height=0.62)
            axes.set_yticks(range(len(tokens)), tokens)
            axes.set_title(f"{name} of query “{tokens[query]}” (sum {short(values.sum())})", loc="left")
            axes.set_xlim(min(0.0, 1.2 * values.min()), max(1.2 * values.max(), 1e-9))
            axes.axvline(0, color="0.6", linewidth=0.8)
            axes.xaxis.set_visible(False)
            axes.spines["bottom"].set_visible(False)
            for place, value in enumerate(values):
                axes.annotate(short(value), (max(value, 0.0), place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9)
        figure.axes[0].invert_yaxis()
        figure.axes[0].set_ylabel("key")
    strongest = tokens[int(np.argmax(weights[query]))]
    return plot(figure, says or f"Scores of the query “{tokens[query]}” and the weights they become; the largest weight is on “{strongest}”.")
