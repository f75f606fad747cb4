"""Steps of nbgrader's generate_assignment that are this course's own."""

from __future__ import annotations

import re

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor
from nbgrader.utils import is_solution
from traitlets import Unicode

from authoring.lessons import keep_what_is_meant
from nbjudge import is_test

AUTHORS_SETTINGS = ("jupytext", "made_from")  # in the notebook's metadata, of no use to a learner
RUN_ALL_GOES_ON = "raises-exception"  # JupyterLab's own tag: after an error in such a cell the next one still runs
FOLDED = "hide-input"  # Jupyter Book's tag: the code of a picture, which is not what the lesson is about
ASSIGNMENT = re.compile(r"(?P<name>[a-z_]\w*) = .+")


class ClearSolutionsWithStubs(ClearSolutions):
    """An answer that is only `name = value` leaves `name = None`, so that running all cells goes on.

    Every other code answer leaves `code_stub`, every written one `text_stub`.
    """

    value_stub = Unicode(
        "None  # replace None by your answer",
        help="What stands to the right of `name =` in place of an answer that is one value.",
    ).tag(config=True)

    def _replace_solution_region(self, cell: NotebookNode, language: str) -> bool:
        values = self._value_region(cell.source) if cell.cell_type == "code" else None
        if values is None:
            return super()._replace_solution_region(cell, language)
        before, names, after = values
        cell.source = "\n".join([*before, *(f"{name} = {self.value_stub}" for name in names), *after])
        return True

    def _value_region(self, source: str) -> tuple[list[str], list[str], list[str]] | None:
        """The lines before, the names assigned and the lines after, when the answer holds nothing but `name = value`."""
        lines = source.splitlines()
        marks = [index for index, line in enumerate(lines) if self.begin_solution_delimeter in line or self.end_solution_delimeter in line]
        if len(marks) != 2:
            return None
        answer = [ASSIGNMENT.fullmatch(line) for line in lines[marks[0] + 1 : marks[1]]]
        if not answer or not all(answer):
            return None
        return lines[: marks[0]], [found["name"] for found in answer], lines[marks[1] + 1 :]


class KeepWhatIsMeant(NbGraderPreprocessor):
    """Take out how the author's JupyterLab shows a cell: the formgrader releases a notebook as it was saved there."""

    def preprocess(self, notebook: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        keep_what_is_meant(notebook)
        return notebook, resources


class PolishRelease(NbGraderPreprocessor):
    """Take out what only authors need, let "Run All" go past a check that fails, so that it shows every check, fold the code of pictures, and keep
    texts closed.

    A double click on a text that may be edited shows its source: that of a card shows all three helps. JupyterLab leaves a text that may
    not be edited closed where `attnlab/lab/jupyter` says so.
    """

    def preprocess(self, notebook: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        for key in AUTHORS_SETTINGS:
            notebook.metadata.pop(key, None)
        for cell in notebook.cells:
            if is_test(cell):
                cell.metadata.tags = sorted({*cell.metadata.get("tags", []), RUN_ALL_GOES_ON})
            if FOLDED in cell.metadata.get("tags", []):
                cell.metadata.jupyter = {"source_hidden": True}  # JupyterLab, Notebook and VS Code
                cell.metadata.cellView = "form"  # Colab
            if cell.cell_type == "markdown" and not is_solution(cell):
                cell.metadata.editable = False
        return notebook, resources
