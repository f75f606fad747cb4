"""What a cell is called where people read it: its name, or where the name is a random one, which cell it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Markers, grade_id, role_of
from nbjudge._analysis.statements import read_cell

# nbgrader's own "cell-8a3f09c2d4e5f607", checksums and UUIDs: hexadecimal, with a digit in it
RANDOM = re.compile(r"(cell[-_]?)?(?=[a-f-]*\d)[0-9a-f]{8,}(-[0-9a-f]{4,})*", re.IGNORECASE)
HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
MOST_LETTERS, MOST_WORDS = 50, 4


def is_random(name: str) -> bool:
    """Whether a cell's name tells nobody which cell it is."""
    return RANDOM.fullmatch(name) is not None


def labels(notebook: NotebookNode) -> list[str]:
    """How to call each cell: by its name, or where that is random or missing by number, by what it is about, and a test by its first line."""
    found: list[str] = []
    for number, (cell, functions, heading) in enumerate(_with_surroundings(notebook), start=1):
        name = grade_id(cell)
        found.append(name if name and not is_random(name) else f"cell {number}{_about(cell, functions, heading)}")
    return found


def with_wrong_marks(notebook: NotebookNode, answers: Markers, hidden: Markers) -> list[str]:
    """The cells for whose marks nbgrader refuses a notebook: begun twice, not ended, or in a cell that is none of an answer or a test."""

    def is_wrong(cell: NotebookNode) -> bool:
        about, source = cell.metadata.get("nbgrader", {}), cell.source
        misplaced = (answers.begin in source and not about.get("solution")) or (hidden.begin in source and not about.get("grade"))
        return misplaced or not (answers.are_in_order(source) and hidden.are_in_order(source))

    return [label for cell, label in zip(notebook.cells, labels(notebook)) if is_wrong(cell)]


def readable(notebook: NotebookNode) -> dict[str, str]:
    """For each cell with a random name one that tells which cell it is, with underscores as names have them."""
    found: dict[str, str] = {}
    if not any(is_random(grade_id(cell) or "") for cell in notebook.cells):
        return found
    for number, (cell, functions, heading) in enumerate(_with_surroundings(notebook), start=1):
        if (name := grade_id(cell)) and is_random(name):
            words = functions[:1] or re.findall(r"[^\W_]+", heading)[:MOST_WORDS]
            found.setdefault(name, "_".join([*words, "cell", str(number)]))
    return found


def _with_surroundings(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, list[str], str]]:
    """Each cell with the solution's functions above it that it names, and the heading above it or in it."""
    heading, functions = "", list[str]()
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (above := HEADING.findall(cell.source)):
            heading, functions = above[-1], []
        if cell.cell_type == "code" and role_of(cell) == "solution":
            functions = [name for s in read_cell(cell.source).statements if s.kind in ("def", "class") for name in sorted(s.binds)] or functions
        words = set(re.findall(r"\w+", cell.source))
        yield cell, [name for name in functions if name in words], heading


def _about(cell: NotebookNode, functions: list[str], heading: str) -> str:
    of = [f"`{name}`" for name in functions][:2] or ([f'"{_short(heading)}"'] if heading else [])
    first = next((line.strip() for line in cell.source.splitlines() if line.strip() and not line.strip().startswith("#")), "")
    told = [" and ".join(of), f"`{_short(first)}`" if first and (role_of(cell) == "test" or not of) else ""]
    return f" ({': '.join(filter(None, told))})" if any(told) else ""


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 2]} …"
