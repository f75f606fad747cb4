"""The model answer and the marking scheme, on the formgrader's page where somebody grades by hand. Students' pages never have them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearMarkScheme, ClearSolutions, NbGraderPreprocessor

FORMGRADER = {"submission_id", "assignment_id", "notebook_id"}  # what the formgrader alone says of a page
SHOWN = """<div class="alert alert-info">

**Model answer and marking scheme** (from `source/`; students do not see this)

{scheme}

</div>"""


class ShowScheme(NbGraderPreprocessor):
    """Last of `c.HTMLExporter.preprocessors`: puts the scheme above each answer or task that is graded by hand, in the formgrader alone."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Add a cell for each scheme, where `source/` has the notebook. A page that is not the formgrader's stays as it is."""
        if not resources.keys() >= FORMGRADER:
            return nb, resources
        course = CourseDirectory(parent=self)
        folder = Path(course.format_path(course.source_directory, ".", resources["assignment_id"]))
        path = folder / f"{resources['notebook_id']}.ipynb"
        if not path.is_file():
            return nb, resources
        schemes = self._schemes(nbformat.read(path, as_version=4))
        cells: list[NotebookNode] = []
        for cell in nb.cells:
            if scheme := schemes.get(_about(cell).get("grade_id")):
                cells.append(new_markdown_cell(SHOWN.format(scheme=scheme)))
            cells.append(cell)
        nb.cells = cells
        return nb, resources

    def _schemes(self, source: NotebookNode) -> dict[Any, str]:
        """The scheme, as Markdown, of each cell that is graded by hand."""
        solution, marks = ClearSolutions(parent=self), ClearMarkScheme(parent=self)
        regions = [
            (solution.begin_solution_delimeter, solution.end_solution_delimeter),
            (marks.begin_mark_scheme_delimeter, marks.end_mark_scheme_delimeter),
        ]
        found = {}
        for cell in source.cells:
            about = _about(cell)
            if about.get("task") or (about.get("grade") and about.get("solution")):
                text = _within(cell.source, regions) or ("" if about.get("task") else cell.source)
                if text.strip():
                    found[about.get("grade_id")] = _as_code(text) if cell.cell_type == "code" else text
        return found


def _within(text: str, regions: list[tuple[str, str]]) -> str:
    """The lines between the delimiters of any of `regions`."""
    kept, ends = [], ""
    for line in text.splitlines():
        if ends:
            if ends in line:
                ends = ""
            else:
                kept.append(line)
        else:
            ends = next((end for begin, end in regions if begin in line), "")
    return "\n".join(kept)


def _as_code(text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}python\n{text}\n{fence}"


def _about(cell: NotebookNode) -> dict[str, Any]:
    about = cell.metadata.get("nbgrader")
    return about if isinstance(about, dict) else {}
