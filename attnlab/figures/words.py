"""From words to vectors: which row of the table each word takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import TOKEN_COLOURS
from attnlab.figures.layout import layout
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Cell, Table, short


def word_rows(words: Sequence[str], row_of: Mapping[str, int], vectors: Any, says: str | None = None) -> Picture:
    """Show for each word the row of the table that it takes, and the vector that stands there.

    Args:
        words: T words.
        row_of: the vocabulary: word -> row of the table.
        vectors: array or tensor `(T, k)`, row i for word i.
        says: what to see; by default which words share a row.

    Raises:
        KeyError: a word is not in the vocabulary.
    """
    rows = [row_of[word] for word in words]
    numbers = np.asarray(as_numpy(vectors), dtype=float)
    colours = [TOKEN_COLOURS[row % len(TOKEN_COLOURS)] for row in rows]
    places = [str(place) for place in range(len(rows))]
    panels = [
        Table("place, word", [[Cell(word, colour)] for word, colour in zip(words, colours)], places),
        "→",
        Table("row of the table", [[Cell(f"row {row}", colour)] for row, colour in zip(rows, colours)]),
        "→",
        Table(
            f"its {numbers.shape[1]} components",
            [[Cell(short(value), colour) for value in vector] for vector, colour in zip(numbers.tolist(), colours)],
        ),
    ]
    repeated = [word for word in dict.fromkeys(words) if list(words).count(word) > 1]
    shared = " and ".join(f"“{word}” at places {', '.join(str(place) for place, other in enumerate(words) if other == word)}" for word in repeated)
    default = "Every word takes one row of the table, whatever its place. " + (
        f"The same row, and so the same vector: {shared}." if shared else "No word stands twice."
    )
    return Picture(layout(panels), says or default)
