"""Texts of students in a terminal: nothing in them moves the cursor, colours, rings, hides, turns the direction or raises."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

LONGEST, NAME = 2000, 40  # letters of a text, and of a name where names stand below each other
MOST_NAMES = 10  # in a sentence
# Controls, formats (zero-width, directions, tags), surrogates, private and unassigned code points, separators of lines and paragraphs.
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
BLANK = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters, marks and a symbol that show nothing
WRITTEN = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def shown(text: str, most: int = LONGEST, lines: bool = False) -> str:
    r"""A text with what cannot be seen, or would do something, written out: `\x1b`, `\u202e`, `\udcff` for a byte that is no text.

    What is shown stays the same when it is shown again.

    Args:
        text: anybody's.
        most: how many letters at most; a longer text ends in "…".
        lines: line feeds stay what they are. For texts of ours, whose parts by students went through here.
    """
    written = "".join(letter if lines and letter == "\n" else _written(letter) for letter in text[: most + 1])
    return written if len(written) <= most else written[: most - 1] + "…"


def plural(count: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def some(names: Iterable[str], most: int = LONGEST) -> str:
    """Names in a sentence, each `shown`; of many the first ones, and how many more there are.

    Args:
        most: letters of a name.
    """
    every = list(names)
    first = ", ".join(shown(name, most) for name in every[:MOST_NAMES])
    return first + (f" and {len(every) - MOST_NAMES} more" if len(every) > MOST_NAMES else "")


def say(console: Console, text: str) -> None:
    """Print a sentence as it is: no markup, no emoji, no colours, no lines broken. Line feeds count; parts by students are `shown` before."""
    console.print(Text(shown(text, len(text) * 10, lines=True)), soft_wrap=True)


def _written(letter: str) -> str:
    if letter in WRITTEN:
        return WRITTEN[letter]
    if letter not in BLANK and unicodedata.category(letter) not in UNSEEN:
        return letter
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
