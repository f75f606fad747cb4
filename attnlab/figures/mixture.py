"""One output as what it is: a weighted sum of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import NEUTRAL, VALUE, scale_of
from attnlab.figures.layout import layout
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Cell, Panel, Table, numbered, shaded, short

MOST_COMPONENTS = 5  # of a vector are printed
LEAST_WEIGHT = 0.005  # smaller ones would be printed as 0


def mixture(weights: Any, values: Any, query: int = 0, tokens: Sequence[str] | None = None, says: str | None = None) -> Picture:
    """Show the output of one query: every value times its weight, and their sum.

    Args:
        weights: array or tensor `(T, S)`, row i for query i; or `(S,)`, the weights of one query.
        values: array or tensor `(S, d_v)`.
        query: the row of `weights` to show.
        tokens: S names of the keys; numbers by default.
        says: what to see; by default the sum, written out.

    Raises:
        ValueError: the shapes do not fit each other.
    """
    given, rows_of_values = np.asarray(as_numpy(weights), dtype=float), np.asarray(as_numpy(values), dtype=float)
    row = given[query] if given.ndim == 2 else given
    if row.ndim != 1 or rows_of_values.ndim != 2 or len(row) != len(rows_of_values):
        raise ValueError(
            f"weights of shape {given.shape} do not fit values of shape {rows_of_values.shape}: one weight for each row of the values is needed"
        )
    names = [str(name) for name in numbered(tokens or (), len(row))] or ["0"]
    asking = f"“{names[query]}”" if tokens and given.shape == (len(names), len(names)) else str(query)
    panels = [Table("weights", shaded(row[:, None], scale_of("weights", [row])), names), "×", *sum_of(row, rows_of_values, names)]
    return Picture(layout(panels), says or f"The output of query {asking} is {written(row, names)}.")


def sum_of(row: np.ndarray, values: np.ndarray, names: Sequence[str], number: int | None = None) -> list[Panel | str]:
    """Panels: the values `(S, d_v)`, then each of them times its weight, with the sum below. `number` counts the two as steps.

    The values have no names: they stand beside their weights, which have them, and so all of it fits into one line of a page.
    """
    first, second = (f"{number} ", f"{number + 1} ") if number else ("", "")
    weighted = [printed(weight * value, VALUE) for weight, value in zip(row, values)]
    return [
        Table(f"{first}values", [printed(value, VALUE) for value in values]),
        "=",
        Table(f"{second}weight × value", weighted, names, below=("output", printed(row @ values, NEUTRAL))),
    ]


def printed(vector: np.ndarray, colour: str) -> list[Cell]:
    """The components of a vector on one colour; of a long one the first, and how many there are."""
    cells = [Cell(short(value), colour) for value in vector[:MOST_COMPONENTS].tolist()]
    return cells if len(vector) <= MOST_COMPONENTS else [*cells[:-2], Cell("…", colour), Cell(f"({len(vector)})", colour)]


def written(row: np.ndarray, names: Sequence[str]) -> str:
    """A weighted sum in words: at most three of the largest weights, and how many others there are."""
    order = [key for key in np.argsort(-row, kind="stable")[:3].tolist() if not row[key] < LEAST_WEIGHT]
    terms = [f"{short(row[key])} × value of “{names[key]}”" for key in order]
    others = len(row) - len(terms)
    return " + ".join(terms) + (f" + {others} smaller" if others else "")
