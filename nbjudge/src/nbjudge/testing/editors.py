"""What editors and their users do to a notebook between release and handing in, imitated as the programs do it.

Facts, as far as they were seen: Colab writes nbformat 4.0, drops cell ids, keeps metadata that it does not know and gives each cell a `metadata.id`
where there is none. JupyterLab 4.6 splits a cell into parts with the same metadata, of which the last keeps the cell id; it merges into a new
cell with the active cell's metadata, two line breaks between; it copies metadata and gives a new id; none of it with cells that are not
editable. VS Code minds neither `editable` nor `deletable`.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

NOTES = ["I have to ask about this on Monday.", "**To do:** read the card again", "A sketch: first the scores, then the weights.", "see page 3"]
SCRATCH = ["print(np.ones((2, 3)).sum(axis=1))", "x = torch.arange(6).reshape(2, 3)\nx", "help(np.exp)", "# try\n1 + 1"]


@dataclass
class Edited:
    """A notebook as it is handed in. `deleted`: names of the cells that are gone; `parts`: of cells that were split, what each part holds."""

    notebook: NotebookNode
    chance: random.Random
    deleted: set[str] = field(default_factory=set)
    parts: dict[str, list[str]] = field(default_factory=dict)

    @property
    def cells(self) -> list[NotebookNode]:
        return self.notebook.cells


def name_of(cell: NotebookNode) -> str:
    """nbgrader's name of a cell, or nothing."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def is_answer(cell: NotebookNode) -> bool:
    """Whether a student writes here."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def colab(edited: Edited) -> None:
    """Save with Colab."""
    edited.notebook.nbformat_minor = 0
    edited.notebook.metadata = NotebookNode(
        colab={"provenance": []}, kernelspec={"name": "python3", "display_name": "Python 3"}, language_info={"name": "python"}
    )
    for cell in edited.cells:
        cell.pop("id", None)
        cell.metadata.setdefault("id", "".join(edited.chance.choices("abcdefghijklmnopABCDEFGH0123456789_-", k=12)))
        if cell.cell_type == "code":
            cell.metadata["outputId"] = "0b8e"


def colab_of_an_old_release(edited: Edited) -> None:
    """Save with Colab what was released before names stood in `metadata.id`."""
    for cell in edited.cells:
        cell.metadata.pop("id", None)
    colab(edited)


def colab_without_nbgrader(edited: Edited) -> None:
    """Save with Colab what has lost nbgrader's metadata on the way."""
    for cell in edited.cells:
        cell.metadata.pop("nbgrader", None)
    colab(edited)


def vscode(edited: Edited) -> None:
    """Save with VS Code, after changing a locked cell."""
    edited.notebook.metadata["language_info"] = NotebookNode(name="python", version="3.12.1")
    for cell in edited.cells:
        cell.metadata["vscode"] = NotebookNode(languageId="python")
    locked = edited.chance.choice([cell for cell in edited.cells if cell.metadata.get("nbgrader", {}).get("grade") and not is_answer(cell)])
    locked.source += "\nprint('so far')"


def only_cell_ids(edited: Edited) -> None:
    """A program that keeps the notebook format and no metadata."""
    for cell in edited.cells:
        cell.metadata = NotebookNode()


def stripped(edited: Edited) -> None:
    """All metadata and all ids are gone, as after a way through another format."""
    edited.notebook.nbformat_minor = 2
    only_cell_ids(edited)
    for cell in edited.cells:
        cell.pop("id", None)


def pasted(edited: Edited) -> None:
    """Copies of answers, as they were before something was written into them, are pasted at the end or below; in JupyterLab."""
    for cell in edited.chance.sample([cell for cell in edited.cells if is_answer(cell)], 3):
        twin = copy.deepcopy(cell)
        twin.source = cell.metadata["given"] if "given" in cell.metadata else cell.source
        twin["id"] = f"pasted-{edited.chance.randrange(10**8)}"
        at = edited.chance.choice([edited.cells.index(cell) + 1, len(edited.cells), edited.cells.index(cell)])
        edited.cells.insert(at, twin)


def split(edited: Edited) -> None:
    """Answers are split at a line of their top level; in JupyterLab."""
    for cell in [cell for cell in edited.cells if is_answer(cell)]:
        lines = cell.source.splitlines()
        places = [number for number, line in enumerate(lines) if number and line[:1].strip() and not line.startswith((")", "]", "}", "@"))]
        if not places or edited.chance.random() < 0.3 or '"""' in cell.source or "'''" in cell.source:
            continue
        place = edited.chance.choice(places)
        first = copy.deepcopy(cell)
        first["id"], first.source = f"split-{edited.chance.randrange(10**8)}", "\n".join(lines[:place]).strip("\n")
        cell.source = "\n".join(lines[place:]).strip("\n")
        edited.parts[name_of(cell)] = [first.source, cell.source]
        edited.cells.insert(edited.cells.index(cell), first)


def merged(edited: Edited) -> None:
    """An answer and the cell below it become one; in VS Code."""
    for cell in edited.chance.sample([cell for cell in edited.cells if is_answer(cell)], 4):
        number = edited.cells.index(cell)
        if number + 1 < len(edited.cells) and edited.cells[number + 1].cell_type == cell.cell_type and not is_answer(edited.cells[number + 1]):
            cell.source += "\n\n" + edited.cells.pop(number + 1).source


def merged_upwards(edited: Edited) -> None:
    """An answer and the cell above it become one, with the name of that one."""
    for cell in edited.chance.sample([cell for cell in edited.cells if is_answer(cell)], 4):
        number = edited.cells.index(cell)
        above = edited.cells[number - 1]
        if number and above.cell_type == cell.cell_type and not is_answer(above):
            above.source += "\n\n" + edited.cells.pop(number).source


def deleted(edited: Edited) -> None:
    """Some cells are deleted: tests, answers, texts."""
    for cell in edited.chance.sample(edited.cells, len(edited.cells) // 10):
        edited.cells.remove(cell)
        edited.deleted.add(name_of(cell))


def reordered(edited: Edited) -> None:
    """Some cells are moved up or down by a few places, and a section to the end."""
    for _ in range(4):
        cell = edited.cells.pop(edited.chance.randrange(len(edited.cells)))
        edited.cells.insert(edited.chance.randrange(len(edited.cells)), cell)
    start = edited.chance.randrange(len(edited.cells) - 6)
    edited.cells[start:] = edited.cells[start + 6 :] + edited.cells[start : start + 6]


def extra(edited: Edited) -> None:
    """Cells of the student's own stand between the others."""
    for _ in range(8):
        new = new_markdown_cell(edited.chance.choice(NOTES)) if edited.chance.random() < 0.4 else new_code_cell(edited.chance.choice(SCRATCH))
        edited.cells.insert(edited.chance.randrange(1, len(edited.cells) + 1), new)


KINDS: dict[str, tuple[Callable[[Edited], None], ...]] = {
    "Colab": (extra, colab),
    "Colab, old release": (extra, colab_of_an_old_release),
    "Colab, no nbgrader": (extra, colab_without_nbgrader),
    "VS Code": (extra, vscode),
    "JupyterLab, copied": (pasted,),
    "Colab, copied": (pasted, colab),
    "split": (split,),
    "split, Colab": (split, colab),
    "merged": (merged,),
    "merged upwards": (merged_upwards,),
    "deleted": (deleted,),
    "reordered": (reordered,),
    "cell ids alone": (extra, only_cell_ids),
    "stripped": (stripped,),
    "stripped, extra cells": (extra, stripped),
    "stripped, split": (split, stripped),
    "stripped, merged": (merged, stripped),
    "stripped, merged upwards": (merged_upwards, stripped),
    "stripped, deleted": (deleted, stripped),
    "stripped, reordered": (reordered, stripped),
    "stripped, copied": (pasted, stripped),
}


def edit(notebook: NotebookNode, kind: str, seed: int) -> Edited:
    """A notebook that was worked in, as it comes back. The notebook itself is not changed."""
    edited = Edited(copy.deepcopy(notebook), random.Random(f"{kind} {seed}"))
    for step in KINDS[kind]:
        step(edited)
    for cell in edited.cells:
        cell.metadata.pop("given", None)
    return edited
