"""How well the cells of a notebook are found again: counted against what is known, because the test itself has changed the notebook."""

from __future__ import annotations

from collections import Counter

from nbformat import NotebookNode

from nbjudge._recovery.cells import Given, plain
from nbjudge._recovery.mending import Mended, mend
from nbjudge.testing.editors import Edited, edit, is_answer, name_of


def counted(worked: NotebookNode, kind: str, seed: int, given: list[Given], known: dict[str, NotebookNode]) -> Counter[str]:
    """How many cells of a notebook that was worked in are found after an edit of this kind, are shown to a person, missed, or taken for another."""
    edited = edit(worked, kind, seed)
    mended = mend(edited.notebook, given, known)
    return Counter(
        _fate(name, cell, edited, mended) for cell in worked.cells if (name := name_of(cell)) in known and name not in edited.deleted
    ) + Counter("wrong" for name in edited.deleted & known.keys() if _is_taken(name, edited, mended))


def _fate(name: str, cell: NotebookNode, edited: Edited, mended: Mended) -> str:
    if any(change.asks and name in change.cells for change in mended.changes):
        return "shown"
    named = [one for one in mended.cells if name_of(one) == name]
    assert len(named) <= 1, f"{name} is there {len(named)} times"
    if not named:
        return "missed"
    expected = edited.parts.get(name, [cell.source])
    if not is_answer(cell):
        return "missed" if any(name in change.cells and "put back" in change.said for change in mended.changes) else "found"
    right = {plain(cell.source), plain("\n".join(expected)), *map(plain, expected)}
    return "found" if plain(named[0].source) in right else "wrong"


def _is_taken(name: str, edited: Edited, mended: Mended) -> bool:
    """Whether something that is left has the name of a cell that is gone."""
    return any(
        name_of(cell) == name and "was not found in the submission" not in cell.source and cell.cell_type == "markdown" and is_answer(cell)
        for cell in mended.cells
    )
