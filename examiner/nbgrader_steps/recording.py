"""nbgrader's autograding of one submission that is sanitised and executed already: what is left is to record it."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import Autograde
from traitlets import Dict


class Record(Autograde):
    """Writes `executed` to the gradebook and to `autograded/`, by those steps of nbgrader's that come after the execution.

    nbgrader's own road reads a submission, sanitises it, writes it to `autograded/`, reads it from there and executes it. Everything
    around that is done as there: timestamps, files of the assignment, permissions.
    """

    executed = Dict(help="The notebooks of the submission that were executed, by their names.")

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """Run the steps after the execution on one of `executed`, and write what comes of it. Other notebooks are no part of the assignment."""
        path = Path(notebook_filename)
        if path.stem not in self.executed:
            return
        executed: NotebookNode = self.executed[path.stem]
        resources = {**self.init_single_notebook_resources(notebook_filename), "metadata": {"name": path.stem, "path": str(path.parent)}}
        resources["output_extension"] = path.suffix
        self.write_single_notebook(nbformat.writes(executed), resources)  # what cannot be written is not to be recorded
        self._sanitizing = False
        try:
            self._init_preprocessors()
            output, resources = self.exporter.from_notebook_node(executed, resources)
            self.write_single_notebook(output, resources)
        finally:
            self._sanitizing = True
