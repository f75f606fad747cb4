"""What nbgrader's configuration names: `Execute` in place of nbgrader's own, and `HideTests` for what students get back."""

import hashlib
import json
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Dict, List, Unicode, validate

from examiner.execute import Execution, execute, is_test
from examiner.kernels import shared_kernels
from examiner.limits import Limits
from examiner.testcell import without_hidden

# Executions made beforehand, by `fingerprint`. A class runner fills it; a notebook found here is not run again.
ready: dict[str, Execution] = {}


class Execute(NbGraderPreprocessor):
    """Drop-in for `nbgrader.preprocessors.Execute`: student cells in a sandbox, test cells in this process."""

    limits = Dict(help="Limits that differ from the usual ones, by name: see examiner.limits.Limits.").tag(config=True)
    packages = List(Unicode(), help="Importable packages that notebooks need and that live in the course folder.").tag(config=True)
    sandbox = Bool(True, help="False runs student code without any protection.").tag(config=True)

    @validate("limits")
    def _valid_limits(self, proposal) -> dict:
        Limits(**proposal["value"])  # an unknown name is an error here, not in the middle of a class
        return proposal["value"]

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Execute one notebook. The verdicts are left in `resources["examiner"]`."""
        about = resources["nbgrader"]
        source = source_from_gradebook(about["db_url"], about["assignment"], about["notebook"])
        execution = ready.get(fingerprint(nb))
        if execution is None:
            folder = Path(resources["metadata"]["path"])
            warm = shared_kernels(tuple(self.packages), self.sandbox)
            execution = execute(nb, source, warm, Limits(**self.limits), folder if has_other_files(folder) else None)
        for verdict in execution.verdicts:
            self.log.info("%s: %s, %g of %g", verdict.grade_id, verdict.kind, verdict.points, verdict.max_points)
        resources["examiner"] = execution.verdicts
        return execution.notebook, resources


class HideTests(NbGraderPreprocessor):
    """Takes hidden tests out of what students get: feedback, and the autograded notebook."""

    def preprocess_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple[NotebookNode, dict]:
        """Remove hidden tests from the text, and from outputs everything but nbgrader's points and the message."""
        cell.source = without_hidden(cell.source)
        if is_test(cell):
            cell.outputs = [_without_frames(output) for output in cell.outputs]
        return cell, resources


def source_from_gradebook(db_url: str, assignment: str, notebook: str) -> NotebookNode:
    """The instructor's cells as nbgrader recorded them when the assignment was generated. Reads only."""
    with Gradebook(db_url) as gradebook:
        found = gradebook.find_notebook(notebook, assignment)
        points = {cell.name: cell.max_score for cell in found.grade_cells}
        answers = {cell.name for cell in found.solution_cells}
        return new_notebook(cells=[
            new_code_cell(cell.source, metadata={"nbgrader": {
                "grade": True, "solution": False, "task": False, "locked": True, "schema_version": 3,
                "grade_id": cell.name, "points": points[cell.name], "checksum": cell.checksum, "cell_type": "code",
            }})
            for cell in found.source_cells
            if cell.cell_type == "code" and cell.name in points and cell.name not in answers
        ])  # fmt: skip


def fingerprint(nb: NotebookNode) -> str:
    """The same for two notebooks whose cells would run the same."""
    cells = [(cell.cell_type, cell.source, cell.metadata.get("nbgrader")) for cell in nb.cells]
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


def has_other_files(folder: Path) -> bool:
    """Whether a notebook's folder holds anything a cell could read."""
    ignored = ("timestamp.txt",)
    return any(path.suffix != ".ipynb" and path.name not in ignored and not path.name.startswith(".") for path in folder.iterdir())


def _without_frames(output: NotebookNode) -> NotebookNode:
    if output.output_type == "error":
        output.traceback = output.evalue.splitlines()
    return output
