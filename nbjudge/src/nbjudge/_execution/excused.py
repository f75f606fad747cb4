"""Test cells that the instructor's own solution does not pass here: what a student loses there says nothing about the student.

Whether that is so is looked at once for each notebook, and only when somebody has lost points there.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Protocol

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Instructor, role_of
from nbjudge._analysis.statements import is_open, read_cell
from nbjudge._execution.verdicts import Verdict
from nbjudge._wire.limits import Limits

WHY = "the instructor's own solution does not pass it here either ({said})"
MOST_KNOWN = 32  # notebooks whose answer is kept
_known: OrderedDict[str, dict[str, str]] = OrderedDict()


class Executed(Protocol):
    """An `nbjudge._execution.execute.Execution`."""

    @property
    def notebook(self) -> NotebookNode: ...
    @property
    def verdicts(self) -> list[Verdict]: ...
    @property
    def hindered(self) -> bool: ...


def excused(verdicts: Iterable[Verdict], instructor: Instructor, limits: Limits, run: Callable[[], Executed]) -> list[Verdict]:
    """The verdicts, with those that lost points where the solution does so, too, as "unjudged".

    Args:
        run: executes the instructor's notebook as if a student had handed it in. It is asked twice before anything is believed, because a
            test may draw random numbers; and never where the notebook has a solution cell without a solution.
    """
    found = list(verdicts)
    if not any(verdict.has_lost for verdict in found) or not _is_solved(instructor):
        return found
    said = _unpaid(instructor, limits, run)
    return [
        replace(verdict, kind="unjudged", points=0.0, message=WHY.format(said=said[verdict.grade_id]))
        if verdict.has_lost and verdict.grade_id in said
        else verdict
        for verdict in found
    ]


def _unpaid(instructor: Instructor, limits: Limits, run: Callable[[], Executed]) -> dict[str, str]:
    """The test cells that the solution does not pass, each with what was said to it."""
    key = key_of(instructor, limits)
    if key not in _known:
        said: dict[str, str] | None = None
        for _ in range(2):
            execution = run()
            if execution.hindered:
                return {}
            lost = (
                {}
                if _stops(execution.notebook)
                else {
                    verdict.grade_id: verdict.message.rstrip(".") or f"it gives {verdict.points:g} of {verdict.max_points:g} points"
                    for verdict in execution.verdicts
                    if (verdict.has_lost or verdict.kind == "unjudged") and "NotImplementedError" not in verdict.message
                }
            )
            said = lost if said is None else {name: text for name, text in said.items() if name in lost}
            if not said:
                break
        _known[key] = said or {}
        while len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    return _known[key]


def _is_solved(instructor: Instructor) -> bool:
    """Whether the notebook holds solutions. Of one that was only released nothing can be learned."""
    cells = [cell for cell in instructor.notebook.cells if cell.cell_type == "code" and role_of(cell) == "solution"]
    texts = [read_cell(cell.source) for cell in cells if not cell.metadata["nbgrader"].get("grade")]  # not what people grade
    return instructor.complete and bool(texts) and not any(map(is_open, texts))


def _stops(notebook: NotebookNode) -> bool:
    """Whether a solution cell ends with an error: then the tests say nothing."""
    return any(
        output.output_type == "error"
        for cell in notebook.cells
        if cell.cell_type == "code" and role_of(cell) == "solution"
        for output in cell.outputs
    )


def key_of(instructor: Instructor, limits: Limits) -> str:
    """What the solution's execution depends on, as one short text."""
    cells = [[cell.cell_type, cell.source, cell.metadata.get("nbgrader")] for cell in instructor.notebook.cells]
    about = [
        cells,
        str(instructor.folder),
        sorted(instructor.beside_students),
        repr(instructor.markers),
        asdict(limits),
        _files(instructor.folder),
        instructor.given,
    ]
    return hashlib.sha256(json.dumps(about, default=str).encode()).hexdigest()


def _files(folder: Path | None) -> list[tuple[str, int, int]]:
    """What lies in the instructor's folder, so that a helper that was mended counts."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder is not None and folder.is_dir() else []
    return [(str(path.relative_to(folder)), path.stat().st_mtime_ns, path.stat().st_size) for path in paths if folder is not None]
