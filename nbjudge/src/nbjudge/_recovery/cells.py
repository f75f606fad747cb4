"""A notebook's cells as the matching sees them: what was given to students, what came back, and what both say."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.utils import compute_checksum

from nbjudge._analysis.statements import with_shell

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


Role = Literal["test", "answer", "by hand", "locked", "plain"]
BINDS = re.compile(r"^ *(?:async +)?(?:def|class) +([^\W\d]\w*)|^([^\W\d]\w*(?: *, *[^\W\d]\w*)*) *(?::[^=\n]+)?=(?!=)", re.MULTILINE)
FEW_LETTERS = 12  # a text shorter than that is found by chance


@dataclass(frozen=True)
class Given:
    """A cell as students were given it.

    Args:
        grade_id: nbgrader's name; "" for a cell that nbgrader does not know.
        cell_id: the notebook format's id; "" where it has none.
        kind: "code", "markdown" or "raw".
        text: what students see.
        role: a test cell; an answer that tests judge; one that a person grades; a text of the instructor's that nbgrader puts back; any other.
        full: the text with the hidden tests in it.
        binds: the names that an answer has to bind, as far as that is known.
    """

    grade_id: str
    cell_id: str
    kind: str
    text: str
    role: Role
    full: str = ""
    binds: frozenset[str] = frozenset()

    @property
    def is_answer(self) -> bool:
        """Whether a student is to write here."""
        return self.role in ("answer", "by hand")

    @property
    def is_distinct(self) -> bool:
        """Whether its text is long enough to be nobody else's by chance."""
        return len("".join(self.text.split())) >= FEW_LETTERS

    def is_text_of(self, text: str) -> bool:
        """Whether `text` is what students were given, or what the instructor has."""
        return plain(text) in (plain(self.text), plain(self.full or self.text))


@dataclass
class CellPart:
    """A cell that was handed in, or a part of one that held several.

    `names` is what it says of itself, by the kind of name: "grade id", "cell id", "metadata.id".
    """

    cell: NotebookNode
    names: dict[str, str]
    number: int  # of the cell in the notebook that was handed in, from 1
    was_split: bool = False
    was_changed: bool = False  # since nbgrader released it, as far as its checksum tells

    @property
    def kind(self) -> str:
        """ "code", "markdown" or "raw"."""
        return str(self.cell.cell_type)

    @property
    def text(self) -> str:
        """Its source."""
        return str(self.cell.source)

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in it."""
        return not self.text.strip()


def piece_of(cell: NotebookNode, number: int) -> CellPart:
    """A submitted cell with what it says of itself; what is no text is no name."""
    about = cell.metadata.get("nbgrader")
    said: dict[str, Any] = {
        "grade id": about.get("grade_id") if isinstance(about, dict) else None,
        "cell id": cell.get("id"),
        "metadata.id": cell.metadata.get("id"),
    }
    names = {kind: name for kind, name in said.items() if isinstance(name, str) and name}
    return CellPart(cell, names, number, was_changed=isinstance(about, dict) and _is_changed(cell, about.get("checksum")))


def _is_changed(cell: NotebookNode, checksum: object) -> bool:
    try:
        return isinstance(checksum, str) and bool(compute_checksum(cell) != checksum)
    except Exception:  # metadata of a student's making
        return True


def has_work(text: str, cell: Given) -> bool:
    """Whether a text in place of the instructor's has something of a student's: names that it binds, or lines of prose."""
    if cell.kind == "code":
        return bool(bound_names(text) - bound_names(cell.full or cell.text))
    given = set(lines_of(cell.text))
    return any(line not in given for line in lines_of(text))


@lru_cache(4096)
def plain(text: str) -> str:
    """A text without what editors change: spaces at the ends of lines, empty lines, the kind of line break."""
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


@lru_cache(4096)
def lines_of(text: str) -> tuple[str, ...]:
    """The lines of `plain(text)`."""
    return tuple(plain(text).splitlines())


@lru_cache(4096)
def bound_names(source: str) -> frozenset[str]:
    """The names that a code cell binds at its top level, and those of the methods of its classes as "Class.method".

    Of a cell that is not Python: what looks like it.
    """
    try:
        tree = ast.parse(with_shell(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = [one or other for one, other in BINDS.findall(source)]
        return frozenset(name.strip() for names in found for name in names.split(","))
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            methods = node.body if isinstance(node, ast.ClassDef) else []
            names.update(f"{node.name}.{one.name}" for one in methods if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))
        elif not isinstance(node, ast.expr):
            names.update(one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    return frozenset(names)
