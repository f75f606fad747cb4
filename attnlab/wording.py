"""How names and texts of notebooks stand in a sentence at a terminal. It needs no package: such a sentence says that one is missing."""

from __future__ import annotations

from collections.abc import Sequence


def printable(text: str) -> str:
    """A text of a notebook as it may stand in a terminal: nothing in it moves the cursor or colours."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def few_of(names: Sequence[str], most: int) -> str:
    """Names with commas between them; of more than `most`, how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
