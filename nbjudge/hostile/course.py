"""The whole corpus as an nbgrader course: the instructor's notebooks, what each student hands in, and what points are right."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from . import CHEATS, FAULTS, SETUP_CHEATS, TOGETHER, cheat_source, cheat_submission, fault_source, fault_submission, pair, set_up

NOTEBOOK = "work.ipynb"
CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "hostile"\nc.Execute.timeout = 10  # seconds for a cell\n'
HONEST = "friend"  # the student of each assignment whose work is right, and whom others may try to copy
HIDDEN = re.compile(r"(?ms)^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS\n?")


@dataclass(frozen=True)
class HandIn:
    """What one student hands in, and what it deserves."""

    assignment: str
    student: str
    kind: str  # "honest", "cheat" or "fault"
    source: NotebookNode  # the instructor's
    notebook: NotebookNode
    right: dict[str, float]  # the points of each test cell


@cache
def hand_ins() -> tuple[HandIn, ...]:
    """Everything, with an honest student first in each assignment. Copy a notebook before you change it."""
    return tuple(_hand_ins())


def _hand_ins() -> Iterator[HandIn]:
    cheats, faults = cheat_source(), fault_source()
    yield _honest("cheats", cheats)
    for path in CHEATS:
        yield _cheat("cheats", path.stem, cheats, cheat_submission(path))
    yield _honest("together", cheats)
    for path in TOGETHER:
        tells, hears = pair(path)
        yield _cheat("together", f"{path.stem}_tells", cheats, tells)
        yield _cheat("together", path.stem, cheats, hears)
    for path in SETUP_CHEATS:
        source, submission = set_up(path)
        yield _honest(path.stem, source)
        yield _cheat(path.stem, path.stem, source, submission)
    yield _honest("faults", faults)
    for path in FAULTS:
        right = {name: 0.0 if name == "fault" else points for name, points in _worth(faults).items()}
        yield HandIn("faults", path.stem, "fault", faults, fault_submission(path), right)


def write(folder: Path, names: Collection[str] = ()) -> None:
    """Make a course of it in a new folder.

    Args:
        folder: it gets `source/`, `submitted/`, `right.json` and an `nbgrader_config.py`.
        names: of the students whose work is wanted, besides the honest ones of the same assignments; all by default.

    Raises:
        FileExistsError: there is something in the folder.
        KeyError: a name is none of the corpus.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(folder)
    right: dict[str, dict[str, dict[str, float]]] = {}
    for one in chosen(names):
        right.setdefault(one.assignment, {})[one.student] = one.right
        for place, notebook in ((f"source/{one.assignment}", one.source), (f"submitted/{one.student}/{one.assignment}", released(one.notebook))):
            (folder / place).mkdir(parents=True, exist_ok=True)
            nbformat.write(notebook, folder / place / NOTEBOOK)
    (folder / "right.json").write_text(json.dumps(right, indent=1) + "\n", encoding="utf-8")
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")


def chosen(names: Collection[str] = ()) -> list[HandIn]:
    """The hand-ins of these students, and the honest ones of their assignments; all by default.

    Raises:
        KeyError: a name is none of the corpus.
    """
    everything = hand_ins()
    if unknown := set(names) - {one.student for one in everything}:
        raise KeyError(sorted(unknown)[0])
    assignments = {one.assignment for one in everything if one.student in names}
    return [one for one in everything if not names or one.student in names or (one.kind == "honest" and one.assignment in assignments)]


def released(notebook: NotebookNode) -> NotebookNode:
    """A notebook without hidden tests, as a student has it. A copied cell has an id of its own, which an editor gives it."""
    made, seen = copy.deepcopy(notebook), set()
    for number, cell in enumerate(made.cells):
        cell.source = HIDDEN.sub("", cell.source)
        cell.id = f"copy-{number}" if cell.id in seen else cell.id
        seen.add(cell.id)
    return made


def _worth(source: NotebookNode) -> dict[str, float]:
    """What each test cell is worth."""
    cells = [cell.metadata.nbgrader for cell in source.cells if "nbgrader" in cell.metadata]
    return {about.grade_id: float(about.points) for about in cells if about.grade}


def _honest(assignment: str, source: NotebookNode) -> HandIn:
    return HandIn(assignment, HONEST, "honest", source, source, _worth(source))


def _cheat(assignment: str, student: str, source: NotebookNode, notebook: NotebookNode) -> HandIn:
    return HandIn(assignment, student, "cheat", source, notebook, dict.fromkeys(_worth(source), 0.0))
