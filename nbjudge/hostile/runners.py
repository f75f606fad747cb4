"""Grades the corpus: with nbjudge, as a course; and with stock nbgrader, each hand-in in a cage of its own. Both need nbjudge."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import course, stock
from .course import HONEST, HandIn
from .friend import friend
from .points import Given, Key

SWITCH_ON = "from nbjudge import switch_on\nswitch_on(c)\nc.Execute.limits = {'cell_seconds': 10, 'test_seconds': 10}\n"


SECOND_ROAD = "c.Execute.beside_students = ['*']\n"


def on_second_road(names: Collection[str] = ()) -> Iterator[tuple[Key, Given]]:
    """As `with_nbjudge`, with every test in one process with the student's code."""
    yield from with_nbjudge(names, SECOND_ROAD)


def with_nbjudge(names: Collection[str] = (), more: str = "") -> Iterator[tuple[Key, Given]]:
    """Grade the written course as any other: by public names alone. `more`: further lines of its configuration."""
    from nbgrader.api import Gradebook, MissingEntry

    from nbjudge import Status, grade_course

    with tempfile.TemporaryDirectory() as folder, friend():
        root = Path(folder)
        course.write(root, names)
        (root / "nbgrader_config.py").write_text(course.CONFIG + SWITCH_ON + more, encoding="utf-8")
        why = {(one.assignment, one.student): one.why for one in grade_course(root) if one.status is Status.NOT_GRADED}
        with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "hostile") as gradebook:
            for one in course.chosen(names):
                key = (one.assignment, one.student)
                try:
                    notebooks = [] if key in why else gradebook.find_submission(*key).notebooks
                except MissingEntry:
                    notebooks, why[key] = [], "nothing in the gradebook"
                yield key, Given({grade.name: grade.score for notebook in notebooks for grade in notebook.grades}, why.get(key, ""))


def with_stock(names: Collection[str] = ()) -> Iterator[tuple[Key, Given]]:
    """Grade what it can: not those that need two notebooks that run at once, because stock nbgrader runs one after the other."""
    wanted = [one for one in course.chosen(names) if one.assignment != "together"]
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as threads:  # many of them wait for a limit
        for one, given in zip(wanted, threads.map(_caged, wanted), strict=True):
            yield (one.assignment, one.student), given


def _caged(one: HandIn) -> Given:
    beside = next(other.notebook for other in course.hand_ins() if other.assignment == one.assignment and other.student == HONEST)
    outcome = stock.grade(one.source, course.released(one.notebook), course.released(beside))
    left = [f"{outcome.processes_left} processes"] if outcome.processes_left else []
    if outcome.files_left:
        left.append(f"{outcome.files_left} files")
    notes = [outcome.error, f"left behind: {', '.join(left)}" if left else "", f"met limits: {', '.join(outcome.took)}" if outcome.took else ""]
    return Given(outcome.points, "; ".join(filter(None, notes)))
