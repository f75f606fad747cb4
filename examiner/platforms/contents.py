"""Which of the course's notebooks a file is: told by the grade ids of its cells, else by its name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from examiner.classroom.course import Course
from examiner.classroom.intake import LARGEST_MB
from examiner.classroom.outcomes import Assignment
from examiner.platforms.names import first_stem, squeezed, without_again
from examiner.wire.limits import MB

Assignments = Mapping[str, Assignment]


@dataclass(frozen=True)
class Told:
    """Which notebook a file may be: pairs of assignment and notebook, several where its cells or its name are those of several."""

    may_be: frozenset[tuple[str, str]]
    by_cells: bool = False

    def within(self, assignment: str) -> str:
        """The notebook of an assignment that it is; "" where it is none of it, or may be several."""
        notebooks = [notebook for name, notebook in self.may_be if name == assignment]
        return notebooks[0] if len(notebooks) == 1 else ""

    @property
    def assignments(self) -> frozenset[str]:
        """The assignments that it may belong to."""
        return frozenset(assignment for assignment, _ in self.may_be)


def grade_ids(_: Course, file: Path) -> frozenset[str]:
    """The grade ids of a notebook's cells; none where it is no notebook. A large one is to be read beside (see `aside`)."""
    try:
        if file.stat().st_size > LARGEST_MB * MB:
            return frozenset()
        cells = json.loads(file.read_bytes()).get("cells", [])
        about = [cell.get("metadata", {}).get("nbgrader", {}) for cell in cells]
        return frozenset(one["grade_id"] for one in about if isinstance(one.get("grade_id"), str))
    except (ValueError, AttributeError, TypeError, RecursionError, KeyError):
        return frozenset()


def tell(name: str, ids: frozenset[str], assignments: Assignments) -> Told:
    """Which notebook a file is, by the most cells in common, else by its name; a name decides between equals, too."""
    common = {(assignment.name, notebook): len(ids & own) for assignment in assignments.values() for notebook, own in assignment.notebooks.items()}
    most = max(common.values(), default=0)
    by_name = _by_name(name, assignments)
    if not most:
        return Told(by_name)
    likeliest = frozenset(pair for pair, count in common.items() if count == most)
    return Told(likeliest & by_name or likeliest, by_cells=True)


def _by_name(name: str, assignments: Assignments) -> frozenset[tuple[str, str]]:
    """The notebooks whose name a file's name is, or holds besides a student's."""
    stem = first_stem(name)
    every = [(assignment.name, notebook) for assignment in assignments.values() for notebook in assignment.notebooks]
    for asked in (stem, without_again(stem)):
        if same := frozenset(pair for pair in every if squeezed(pair[1]) == squeezed(asked)):
            return same
    held = [pair for pair in every if squeezed(pair[1]) in squeezed(stem)]
    longest = max((len(squeezed(notebook)) for _, notebook in held), default=0)
    return frozenset(pair for pair in held if len(squeezed(pair[1])) == longest)
