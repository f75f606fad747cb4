"""Put a submission's cells back to what the instructor released, whatever happened to them."""

from __future__ import annotations

from nbformat import NotebookNode
from nbgrader.preprocessors import OverwriteCells


class RestoreCells(OverwriteCells):
    """nbgrader's OverwriteCells, which stumbles over cells that it has just taken out of grading.

    A copy of a graded cell, or a graded cell of another notebook, loses its grade id in nbgrader's own steps and keeps the rest
    of its settings; the search for missing cells then fails on it (nbgrader 0.9.6). Here such a cell loses them all.
    """

    def preprocess_cell(self, cell: NotebookNode, resources: dict, cell_index: int) -> tuple[NotebookNode, dict]:
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if "grade_id" not in cell.metadata.get("nbgrader", {"grade_id": ""}):
            del cell.metadata["nbgrader"]
        return cell, resources

    def missing_cell_transform(self, source_cell: object, max_score: float, is_solution: bool = False,
                               is_task: bool = False) -> NotebookNode:
        """A cell that was deleted, as the gradebook knows it, with an id that notebooks must have by now."""
        cell = super().missing_cell_transform(source_cell, max_score, is_solution, is_task)
        cell["id"] = source_cell.name
        return cell
