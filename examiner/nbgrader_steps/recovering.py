"""The first of nbgrader's sanitising steps: a submission's cells get back what nbgrader knows them by."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, NbGraderPreprocessor
from traitlets.config import Configurable

from examiner.judge.markers import Markers
from examiner.nbgrader_steps.preprocessors import metadata_from_gradebook
from examiner.recovery.given import given_cells
from examiner.recovery.mending import mend
from examiner.wire.errors import CannotGrade

CHANGES = "examiner_changes"  # in the resources of nbgrader's steps: what was changed
STRANGER = (
    "it has none of the assignment's cells, so it was not made from the released notebook",
    "ask the student to work in the released notebook",
)


class RecoverCells(NbGraderPreprocessor):
    """Gives each cell the nbgrader metadata that the instructor gave it, also where an editor lost or doubled its name.

    First of `c.Autograde.sanitize_preprocessors`. nbgrader's own steps stop with an error, or believe it, when a submission's metadata is not
    what they expect. What was changed stands in the first cell of the notebook then, and in `resources`.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Find the cells that the gradebook knows; see `examiner.recovery`.

        Raises:
            CannotGrade: none of them is there.
        """
        about = resources["nbgrader"]
        where = about["db_url"], about["assignment"], about["notebook"]
        mended = mend(nb, given_cells(CourseDirectory(parent=self), marks_of(self), *where), metadata_from_gradebook(*where))
        if not mended.found:
            raise CannotGrade(*STRANGER)
        nb.cells = mended.cells
        resources[CHANGES] = mended.changes
        return nb, resources


class NameCells(NbGraderPreprocessor):
    """Writes each cell's name into `metadata.id`, too: Colab takes away cell ids and leaves that. Last of `c.GenerateAssignment.preprocessors`."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Name every cell by its grade id, or by its cell id where nbgrader does not know it."""
        for cell in nb.cells:
            if name := cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id"):
                cell.metadata["id"] = name
        return nb, resources


def marks_of(step: Configurable) -> list[Markers]:
    """What the course chose for what students do not have: hidden tests and marking schemes."""
    tests, schemes = ClearHiddenTests(parent=step), ClearMarkScheme(parent=step)
    return [
        Markers(tests.begin_test_delimeter, tests.end_test_delimeter),
        Markers(schemes.begin_mark_scheme_delimeter, schemes.end_mark_scheme_delimeter),
    ]
