"""What a cell is called where people read it: its name, or where the name is a random one, which cell it is."""

from __future__ import annotations

import re

from nbformat import NotebookNode

from nbjudge._analysis.instructor import grade_id, role_of
from nbjudge._analysis.statements import read_cell

# nbgrader's own "cell-8a3f09c2d4e5f607", checksums and UUIDs: hexadecimal, with a digit in it
RANDOM = re.compile(r"(cell[-_]?)?(?=[a-f-]*\d)[0-9a-f]{8,}(-[0-9a-f]{4,})*", re.IGNORECASE)
MOST_LETTERS = 50


def is_random(name: str) -> bool:
    """Whether a cell's name tells nobody which cell it is."""
    return RANDOM.fullmatch(name) is not None


def labels(notebook: NotebookNode) -> list[str]:
    """How to call each cell: by its name, or where that is random or missing by number, by what it is about, and a test by its first line."""
    found: list[str] = []
    heading, functions = "", list[str]()
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "markdown" and (above := _heading(cell.source)):
            heading, functions = above, []
        if cell.cell_type == "code" and role_of(cell) == "solution":
            functions = [name for s in read_cell(cell.source).statements if s.kind in ("def", "class") for name in sorted(s.binds)] or functions
        name = grade_id(cell)
        found.append(name if name and not is_random(name) else f"cell {number}{_about(cell, functions, heading)}")
    return found


def _about(cell: NotebookNode, functions: list[str], heading: str) -> str:
    words = set(re.findall(r"\w+", cell.source))
    of = [f"`{name}`" for name in functions if name in words][:2] or ([f'"{_short(heading)}"'] if heading else [])
    first = next((line.strip() for line in cell.source.splitlines() if line.strip() and not line.strip().startswith("#")), "")
    told = [" and ".join(of), f"`{_short(first)}`" if first and (role_of(cell) == "test" or not of) else ""]
    return f" ({': '.join(filter(None, told))})" if any(told) else ""


def _heading(text: str) -> str:
    found = re.search(r"^#{1,6}[ \t]+(.*?)[ \t#]*$", text, re.MULTILINE)
    return found[1] if found else ""


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 2]} …"
