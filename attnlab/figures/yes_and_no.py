"""Answers of yes and no as tables: which query may look at which key, and what a test says of each function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import OPEN, SHUT
from attnlab.figures.layout import layout
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Cell, Table


def may_look(mask: Any, tokens: Sequence[str] | None = None, says: str | None = None) -> Picture:
    """Show a mask as words: which query looks at which key.

    Args:
        mask: array or tensor of truth values `(T, S)`, True where query i may look at key j.
        tokens: names of queries and keys, T = S of them; numbers by default.
        says: what to see; by default how many keys the first and the last query may look at.
    """
    allowed = np.asarray(as_numpy(mask)).astype(bool)
    fitting = tokens is not None and len(tokens) == allowed.shape[0] == allowed.shape[1]
    queries, keys = (list(tokens) if fitting else [str(index) for index in range(length)] for length in allowed.shape)
    cells = [[Cell("looks", OPEN) if seen else Cell("−∞", SHUT) for seen in row] for row in allowed.tolist()]
    counts = allowed.sum(axis=1)
    default = (
        f"Who may look where: query “{queries[0]}” at {counts[0]} of {len(keys)} keys, query “{queries[-1]}” at {counts[-1]}. "
        "Where −∞ stands, the score is replaced by it before the softmax."
    )
    return Picture(layout([Table("mask", cells, queries, keys, "query (row)", "key (column)")]), says or default)


def verdicts(said: Mapping[str, Any], says: str | None = None) -> Picture:
    """Show what a test says of each function.

    Args:
        said: the name or a description of each function, and True or False.
        says: what to see; by default how many are True.
    """
    cells = [[Cell("True", OPEN) if verdict else Cell("False", SHUT)] for verdict in said.values()]
    true = [name for name, verdict in said.items() if verdict]
    default = f"True for {len(true)} of {len(said)}: {', '.join(true) or 'none'}."
    return Picture(layout([Table("your test says", cells, list(said))]), says or default)
