"""Right work with ways of work that make noise: what some students write around answers, and what editors do to notebooks.

The text files beside this one hold snippets, each below a line with its name; their names say where a snippet stands. `CHANGES` are what
happens to a whole notebook.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

Change = Callable[[NotebookNode], None]
NAME = re.compile(r"(?m)^# ---- (\w+)\n")
OWN_FUNCTIONS = """
_seen = set(globals())
def own_functions():
    '''The functions that the notebook has defined since, by their names.'''
    found = [(name, value) for name, value in globals().items() if type(value).__name__ == "function" and value.__module__ == "__main__"]
    found = [(name, value) for name, value in found if name not in _seen and not name.startswith("_")]
    _seen.update(name for name, _ in found)
    return found
_seen.add("own_functions")
"""  # for snippets that change what a learner has written, which call it anything


def snippets(file: str) -> dict[str, str]:
    """The snippets of a text file by their names."""
    _, *parts = NAME.split((Path(__file__).parent / f"{file}.txt").read_text(encoding="utf-8"))
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}


def _is_answer(cell: NotebookNode) -> bool:
    about = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and about.get("solution", False) and not about.get("grade", False)


def _is_free(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and "nbgrader" not in cell.metadata


def _rewritten(change: Callable[[str], str], which: Callable[[NotebookNode], bool] = _is_answer) -> Change:
    def rewrite(notebook: NotebookNode) -> None:
        for cell in notebook.cells:
            if which(cell):
                cell.source = change(cell.source)

    return rewrite


def _windows_lines(source: str) -> str:
    return source.replace("\n", "\r\n")


def _tabs(source: str) -> str:
    return re.sub(r"(?m)^(?: {4})+", lambda indent: "\t" * (len(indent[0]) // 4), source)


def _answers_twice(notebook: NotebookNode) -> None:
    """A copy of each answer's cell below it, as an editor's copy-and-paste makes one without metadata."""
    notebook.cells = [one for cell in notebook.cells for one in ([cell, new_code_cell(cell.source)] if _is_answer(cell) else [cell])]


def _setup_twice(notebook: NotebookNode) -> None:
    first = next(index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    notebook.cells.append(new_code_cell(notebook.cells[first].source))


def _answers_moved_up(notebook: NotebookNode) -> None:
    """All answers right below the first cell with code, in their order."""
    answers = [cell for cell in notebook.cells if _is_answer(cell)]
    rest = [cell for cell in notebook.cells if not _is_answer(cell)]
    first = next(index for index, cell in enumerate(rest) if cell.cell_type == "code")
    notebook.cells = [*rest[: first + 1], *answers, *rest[first + 1 :]]


def _tests_moved_down(notebook: NotebookNode) -> None:
    tests = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code"]
    notebook.cells = [cell for cell in notebook.cells if cell not in tests] + tests


def _markdown_edited(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and "nbgrader" not in cell.metadata:
            cell.source += "\n\nMy note: $x^2$ <b>bold</b>"
    notebook.cells.insert(0, new_markdown_cell("# Ich heiße Änne ✓"))


def _by_colab(notebook: NotebookNode) -> None:
    notebook.metadata.update(colab={"provenance": [], "collapsed_sections": ["a"]}, accelerator="GPU")
    for number, cell in enumerate(notebook.cells):
        cell.metadata.update(id=f"c{number}", colab={"base_uri": "https://localhost:8080/"}, outputId=f"o{number}")


def _by_vscode(notebook: NotebookNode) -> None:
    notebook.metadata["language_info"] = {"name": "python", "version": "3.9.7", "codemirror_mode": {"name": "ipython", "version": 3}}
    notebook.metadata["vscode"] = {"interpreter": {"hash": "0" * 64}}
    for cell in notebook.cells:
        cell.metadata["vscode"] = {"languageId": "python"}


def _another_kernel(notebook: NotebookNode) -> None:
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "my-env (3.9)", "language": "python"}


def _outputs_of_yesterday(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = 99
            cell.outputs = [NotebookNode(output_type="error", ename="NameError", evalue="of yesterday", traceback=[])]


def _last_cell_in_the_middle(notebook: NotebookNode) -> None:
    notebook.cells.insert(len(notebook.cells) // 2, new_code_cell("# moved\nlast_seen = 1"))
    notebook.cells.append(new_code_cell(""))


CHANGES: dict[str, Change] = {
    "windows_line_ends": _rewritten(_windows_lines),
    "windows_line_ends_everywhere": _rewritten(_windows_lines, lambda cell: True),
    "tabs": _rewritten(_tabs),
    "blank_lines": _rewritten(lambda source: f"\n\n{source}\n\n   \n"),
    "comments_with_letters_of_others": _rewritten(lambda source: f"# ich übe — 数学 ✓\n{source}"),
    "answers_twice": _answers_twice,
    "setup_twice": _setup_twice,
    "answers_moved_up": _answers_moved_up,
    "tests_moved_down": _tests_moved_down,
    "markdown_edited": _markdown_edited,
    "colab_metadata": _by_colab,
    "vscode_metadata": _by_vscode,
    "another_kernel": _another_kernel,
    "outputs_of_yesterday": _outputs_of_yesterday,
    "cells_inserted": _last_cell_in_the_middle,
}


def _first(source: str) -> Change:
    return lambda notebook: notebook.cells.insert(0, new_code_cell(source))


def _below(source: str) -> Change:
    def change(notebook: NotebookNode) -> None:
        _rewritten(lambda answer: f"{answer}\n{source}")(notebook)
        if "own_functions()" in source:
            notebook.cells.insert(0, new_code_cell(OWN_FUNCTIONS))

    return change


def _cells_below(source: str) -> Change:
    def change(notebook: NotebookNode) -> None:
        notebook.cells = [one for cell in notebook.cells for one in ([cell, new_code_cell(source)] if _is_answer(cell) else [cell])]

    return change


NOISE: dict[str, Change] = {
    **{name: _first(source) for name, source in snippets("first_cell").items()},
    **{name: _rewritten(lambda answer, source=source: f"{source}\n{answer}") for name, source in snippets("above_each_answer").items()},
    **{name: _below(source) for name, source in snippets("below_each_answer").items()},
    **{name: _cells_below(source) for name, source in snippets("cell_below_each_answer").items()},
    **CHANGES,
}


def noisy(notebook: NotebookNode, name: str) -> NotebookNode:
    """A copy of right work, done in the way of that name."""
    made = copy.deepcopy(notebook)
    NOISE[name](made)
    return made
