"""The notebook with every answer in, executed."""

from __future__ import annotations

import re

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from authoring.agreement import keep_what_agrees
from authoring.errors import BuildError, Problem
from authoring.lessons import Lesson, cell_label
from authoring.preprocessors import AUTHORS_SETTINGS, RUN_ALL_GOES_ON

MARKER = re.compile(r"^\s*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
IGNORED = "nbval-ignore-output"  # nbval's own tag: the cell has to run, and its output may be anything
MEASURED = "measured"  # the tag of a cell that shows times, or how something learned
SECONDS = 600  # the longest that one cell of a lesson may take, on a machine with much else to do


def solve(lesson: Lesson, source: NotebookNode) -> NotebookNode:
    """Execute a lesson with its answers and return it with outputs that are the same at every build.

    nbgrader's generate_solution is not used: it goes on after an error and records times and versions.

    Raises:
        BuildError: a cell fails, or takes longer than `SECONDS`.
    """
    notebook = nbformat.from_dict(source)
    for key in AUTHORS_SETTINGS:
        notebook.metadata.pop(key, None)
    for cell in notebook.cells:
        cell.source = MARKER.sub("", cell.source).rstrip("\n")
        cell.metadata.tags = [tag for tag in cell.metadata.get("tags", []) if tag != RUN_ALL_GOES_ON]
        if not cell.metadata.tags:
            del cell.metadata["tags"]
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        record_timing=False,
        coalesce_streams=True,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],  # not the warning about loopback at every start
        skip_cells_with_tag="",  # what grading skips is executed here
        resources={"metadata": {"path": str(lesson.folder)}},
    )
    client.comm_open_handlers = {}  # nbclient answers sliders on the channel that it waits on, and may then wait for ever: its issue 312
    try:
        client.execute()
    except (CellExecutionError, TimeoutError) as error:
        raise BuildError([_where_it_stopped(lesson, notebook, error)]) from error
    _drop_changing_outputs(notebook)
    notebook.metadata.language_info = {"name": "python"}  # without the version of whoever builds
    if lesson.solution.exists():
        last = nbformat.read(lesson.solution, as_version=4)
        _keep_measurements(notebook, last)
        keep_what_agrees(notebook, last)
    return notebook


def _drop_changing_outputs(notebook: NotebookNode) -> None:
    """Take out what differs from build to build: outputs of cells tagged `nbval-ignore-output`, and the state of widgets.

    A cell that is tagged `measured`, too, keeps the outputs of one run: nbval executes it and does not compare.
    """
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        if {IGNORED, MEASURED} & {*cell.metadata.get("tags", [])} == {IGNORED}:
            cell.outputs = []


def _keep_measurements(notebook: NotebookNode, last: NotebookNode) -> None:
    """Give cells tagged `measured` the outputs of the last build, as long as nothing up to them has changed.

    Times and trained models differ at every run; without this, every build would change the notebook.
    """
    for new, old in zip(notebook.cells, last.cells):
        if new.source != old.source:
            return
        if MEASURED in new.metadata.get("tags", []) and old.get("outputs"):
            new.outputs = old.outputs


def _where_it_stopped(lesson: Lesson, notebook: NotebookNode, error: Exception) -> Problem:
    reached = [
        index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code" and (cell.get("outputs") or cell.get("execution_count"))
    ]
    what = f"{error.ename}: {error.evalue}" if isinstance(error, CellExecutionError) else f"longer than {SECONDS} s"
    return Problem(lesson.shown(lesson.text), cell_label(notebook, reached[-1] if reached else 0), what, "mend the answer, or the test that it fails")
