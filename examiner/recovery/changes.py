"""What was changed in a submitted notebook before it was graded, in sentences for the instructor and for its student."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

EVIDENCE = {  # in the order in which it is told
    "cell id": "by {its} cell {id}",
    "metadata.id": "by the {id} in {its} metadata",
    "text": "by {its} text",
    "names": "by the names that {its} code defines",
    "place": "by the cells around {it}",
}
MOST_NAMED = 6
BEGINS = "**What was changed in this notebook, or found in it, before it was graded:**"


@dataclass(frozen=True)
class Change:
    """Something that was done to cells, or found about them.

    Args:
        said: what, after the names of the cells: "was missing and was put back".
        cells: the names of the given cells.
        asks: whether a person has to look before points count.
    """

    said: str
    cells: tuple[str, ...]
    asks: bool = False


def told(changes: list[Change]) -> list[str]:
    """One sentence for each kind of change, those first that ask a person to look."""
    kinds: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for change in sorted(changes, key=lambda change: not change.asks):
        kinds[change.asks, change.said] += change.cells
    return [_sentence(names, said) for (_, said), names in kinds.items()]


def recognised(by: str, confidence: float, names: list[str]) -> Change:
    """Cells without a name that were found again."""
    said = "had lost the {name} that grading knows {it} by, and {was} found " + EVIDENCE[by]
    return Change(f"{said} (confidence {confidence:.2f})", tuple(names))


def page_cell(changes: list[Change]) -> NotebookNode:
    """The changes as a cell for the beginning of the graded notebook, where a grader and its student see them."""
    lines = "\n".join(f"- {sentence[0].upper()}{sentence[1:]}." for sentence in told(changes))
    return new_markdown_cell(f"{BEGINS}\n\n{lines}")


def _sentence(names: list[str], said: str) -> str:
    one = len(names) == 1
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    words = {
        "was": "was" if one else "were",
        "it": "it" if one else "them",
        "is": "is" if one else "are",
        "name": "name" if one else "names",
        "id": "id" if one else "ids",
        "its": "its" if one else "their",
        "stands": "stands" if one else "stand",
    }
    return f"the {'cell' if one else f'{len(names)} cells'} {shown} {said.format(**words)}"
