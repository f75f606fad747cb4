"""Scores and the weights they become, as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.bars import Bars
from attnlab.figures.colours import KEY, QUERY, TOKEN_COLOURS
from attnlab.figures.layout import layout
from attnlab.figures.picture import Picture
from attnlab.figures.tables import short, where_largest


def scores_and_weights(scores: Any, weights: Any, tokens: Sequence[str] | None = None, says: str | None = None) -> Picture:
    """Show every row of scores as bars with the weights they become beside it.

    Args:
        scores, weights: arrays or tensors `(T, S)`, row i for query i.
        tokens: S names of the keys; numbers by default.
        says: what to see; by default the largest weight of each row.
    """
    before, after = (np.asarray(as_numpy(array), dtype=float) for array in (scores, weights))
    names = list(tokens) if tokens is not None else [str(key) for key in range(before.shape[1])]
    lines = [
        [
            Bars(f"row {row}: scores", names, before[row].tolist(), KEY, axis="key", length=9),
            "→",
            Bars(f"row {row}: weights, sum {short(after[row].sum())}", names, after[row].tolist(), QUERY, 1.0, "key", 9),
        ]
        for row in range(len(before))
    ]
    largest = ", ".join(f"row {row}: key {where_largest(line, names)} ({short(line.max())})" for row, line in enumerate(after))
    return Picture(layout(*lines), says or f"Scores and the weights they become, row by row. The largest weight of each: {largest}.")


def named_bars(panels: Mapping[str, Sequence[float]], names: Sequence[str], says: str, axis: str = "") -> Picture:
    """Show lists of values as bars, side by side.

    Args:
        panels: a title for each list.
        names: one for each value.
        says: what to see.
        axis: what the names stand for.
    """
    drawn = [
        Bars(title, names, np.asarray(values, dtype=float).tolist(), colour, axis=axis, length=10)
        for (title, values), colour in zip(panels.items(), (QUERY, KEY, *TOKEN_COLOURS))
    ]
    return Picture(layout(drawn), says)
