"""Attention weights with their sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attnlab.figures.colours import Scale, scale_of
from attnlab.figures.layout import MOST_CELLS, Panel, layout, matrix_panel
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Table, plain, shaded, short, where_largest

SUM = {0: "column sum", 1: "row sum"}  # by the axis that is summed over


def weights_heatmap(weights: np.ndarray, tokens: Sequence[str] | None = None, title: str = "attention weights", says: str | None = None) -> Picture:
    """Show attention weights with a strip of row sums beside them.

    Args:
        weights: array `(T, T)`; row i holds the weights of query i over all keys.
        tokens: T names for both axes; numbers by default.
        title: what stands above.
        says: what to see; by default the largest weight of each query.
    """
    weights = np.asarray(weights, dtype=float)
    names = list(tokens) if tokens is not None else [str(index) for index in range(len(weights))]
    panel = _with_sums(title, weights, names, axis=1, row_axis="query (row)", column_axis="key (column)")
    return Picture(layout([panel]), says or _describe(weights, names))


def columns_heatmap(attention: np.ndarray, tokens: Sequence[str], title: str = "attention, column form", says: str | None = None) -> Picture:
    """Show attention weights in column form, with a strip of column sums below.

    Args:
        attention: array `(N key, N query)`; column n holds the weights of query n.
        tokens: N names for both axes.
        title: what stands above.
        says: what to see; by default the largest weight of each query.
    """
    attention = np.asarray(attention, dtype=float)
    panel = _with_sums(title, attention, tokens, axis=0, row_axis="key (row)", column_axis="query (column)")
    strongest = ", ".join(f"{tokens[n]} → {where_largest(column, tokens)} ({short(column.max())})" for n, column in enumerate(attention.T))
    return Picture(layout([panel]), says or f"Each column is one query and sums to 1. The largest weight of each: {strongest}.")


def _with_sums(title: str, weights: np.ndarray, names: Sequence[str], axis: int, row_axis: str, column_axis: str) -> Panel:
    """A matrix and its sums over one axis. The sums have no colour: they are no weights."""
    scale = scale_of("weights", [weights])
    if weights.size > MOST_CELLS:  # without printed numbers, and each of them is small
        return matrix_panel(title, weights, Scale(0.0, float(weights.max()), scale.name), row_axis=row_axis, column_axis=column_axis)
    sums = [cell for line in plain(weights.sum(axis=axis, keepdims=True)) for cell in line]
    strip = {"below" if axis == 0 else "beside": (SUM[axis], sums)}
    return Table(title, shaded(weights, scale), names, names, row_axis, column_axis, **strip)


def _describe(weights: np.ndarray, names: Sequence[str]) -> str:
    if not np.isfinite(weights).all():
        return "Attention weights; some are nan or infinite."
    strongest = ", ".join(f"{name} → {where_largest(row, names)} ({short(row.max())})" for name, row in zip(names, weights))
    return f"Attention weights. Each row is one query. The largest weight of each: {strongest}."
