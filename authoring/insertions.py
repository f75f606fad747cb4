"""Put an exercise into a lesson's text. Everything else stays as its author laid it out."""

from __future__ import annotations

import re

HEADING = re.compile(r"## ")
WRITTEN = "> **Written answer"
END = "## Look back"


class CannotInsert(ValueError):
    """A file has no place for what is to be put into it. The text says what the place would look like."""


def in_text(text: str, cells: str, heading: str, after: str = "") -> str:
    """A lesson's text with new cells.

    Args:
        cells: the cells.
        heading: goes above them where they begin a section: before the written answer or, where there is none, before "Look back".
        after: the exercise or prediction below which they go, without a heading; below its picture or its answer or, where it has neither, its
            last test cell.

    Raises:
        CannotInsert: the exercise `after` has none of them.
    """
    lines = text.splitlines()
    at = place_in_text(text, after)
    above, below = _joined(lines[:at]).rstrip(), _joined(lines[at:]).strip("\n")
    return "\n\n".join(filter(None, [above, (cells if after else heading + cells).strip("\n"), below])) + "\n"


def place_in_text(text: str, after: str = "") -> int:
    """The number of lines above the place where `in_text` puts new cells."""
    lines = text.splitlines()
    return _below(lines, after) if after else _section_at_the_end(lines)


def _below(lines: list[str], exercise: str) -> int:
    marks = [number for number, line in enumerate(lines) if line.startswith((f'figures.compare("{exercise}"', f'check.reveal("{exercise}"'))] or [
        number for number, line in enumerate(lines) if re.search(rf'"grade_id": "{re.escape(exercise)}_test(_\w+)?"', line)
    ]
    ends = [number for number in range(marks[-1], len(lines)) if lines[number] == "```"] if marks else []
    if not ends:
        raise CannotInsert(f'a cell with `figures.compare("{exercise}", ...)`, or a test cell of `{exercise}`')
    return ends[0] + 1


def _section_at_the_end(lines: list[str]) -> int:
    """The line of the heading above the first written answer, or of "Look back"; without both, the end."""
    for mark in (WRITTEN, END):
        found = [number for number, line in enumerate(lines) if line.startswith(mark)]
        headings = [number for number, line in enumerate(lines[: found[0] + 1]) if HEADING.match(line)] if found else []
        if headings:
            return headings[-1]
    return len(lines)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
