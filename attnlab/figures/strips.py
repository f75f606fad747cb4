"""Scores and the weights they become, as bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.bars import Bars
from attnlab.figures.colours import NEUTRAL, ROLES, SCORE, WEIGHT, role_in
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
    least, most = _ends(before)
    lines = [
        [
            Bars(f"query {row}: scores", names, before[row].tolist(), SCORE, least, most, "key", 9),
            "→",
            Bars(f"query {row}: weights, sum {short(after[row].sum())}", names, after[row].tolist(), WEIGHT, 0.0, 1.0, "key", 9),
        ]
        for row in range(len(before))
    ]
    largest = ", ".join(f"query {row}: key {where_largest(line, names)} ({short(line.max())})" for row, line in enumerate(after))
    return Picture(layout(*lines), says or f"Scores and the weights they become, query by query. The largest weight of each: {largest}.")


def named_bars(panels: Mapping[str, Sequence[float]], names: Sequence[str], says: str, axis: str = "") -> Picture:
    """Show lists of values as bars, side by side. Lists of one kind have one scale; weights go to 1.

    Args:
        panels: a title for each list. One that begins with "scores" or "weights" gives the bars that colour, and is a kind of its own.
        names: one for each value.
        says: what to see.
        axis: what the names stand for.
    """
    arrays = {title: np.asarray(values, dtype=float) for title, values in panels.items()}
    drawn = []
    for title, values in arrays.items():
        role = role_in(title)
        least, most = _ends([other for name, other in arrays.items() if role_in(name) == role])
        drawn.append(Bars(title, names, values.tolist(), ROLES.get(role, NEUTRAL), least, 1.0 if role == "weights" else most, axis, 10))
    return Picture(layout(drawn), says)


def _ends(arrays: Iterable[np.ndarray]) -> tuple[float, float]:
    """Where bars begin and end: the smallest and the largest number, or 0."""
    finite = [number for array in arrays for number in array[np.isfinite(array)].tolist()]
    return min([0.0, *finite]), max([0.0, *finite])
