"""What the instructor gave for one notebook: its cells, the folder beside it, and how it is to be judged."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from nbformat import NotebookNode


@dataclass(frozen=True)
class Markers:
    """The marks of a course; nbgrader's own by default. `ClearHiddenTests` is where a course chooses others."""

    begin: str = "BEGIN HIDDEN TESTS"
    end: str = "END HIDDEN TESTS"

    def hidden_lines(self, source: str) -> set[int]:
        """The numbers, from 1, of the lines that nobody but the instructor may see, marks included.

        nbgrader refuses a region without an end. Here it hides all that follows.
        """
        hidden, inside = set(), False
        for number, line in enumerate(source.split("\n"), start=1):
            begins, ends = self.begin in line, self.end in line
            if inside or begins or ends:
                hidden.add(number)
            inside = begins or (inside and not ends)
        return hidden

    def are_in_order(self, source: str) -> bool:
        """Whether each mark that begins is followed by one that ends, before the next begins."""
        found = [word for line in source.split("\n") for word in (self.begin, self.end) if word in line]
        return found == [self.begin, self.end] * (len(found) // 2)

    def visible(self, source: str) -> str:
        """`source` without its hidden tests."""
        hidden = self.hidden_lines(source)
        kept = [line for number, line in enumerate(source.split("\n"), start=1) if number not in hidden]
        return "\n".join(kept).rstrip("\n") if hidden else source

    def hidden(self, source: str) -> str:
        """The hidden tests of `source` alone, without their marks."""
        hidden = self.hidden_lines(source)
        return "\n".join(
            line for number, line in enumerate(source.split("\n"), start=1) if number in hidden and self.begin not in line and self.end not in line
        )


STUB = "raise NotImplementedError()"
Role = Literal["test", "solution", "given"]
BESIDE = ("timestamp.txt", "submission_secret.txt")  # what nbgrader puts beside a notebook that is handed in
SKIPPED = "skip-execution"  # nbclient's own tag: programs that execute a notebook pass over the cell, Jupyter does not


@dataclass(frozen=True)
class Instructor:
    """The instructor's side of one notebook.

    Args:
        notebook: all cells, with the solutions in them where there are any; at least the test cells.
        folder: the instructor's folder of the assignment. What it holds besides notebooks is there, as a copy, when test
            cells run, and its modules can be imported.
        markers: those of hidden tests.
        beside_students: the names of test cells that run on the second road, in a process of their own together with the student's
            code; see `nbjudge._execution.second_road`.
        complete: whether `notebook` holds the solutions, so that a name that none of its cells makes is a mistake of the
            instructor's.
        given: folders with those of the instructor's files that students have, too; `folder` by default. The solution finds them
            where it is run as if a student had handed it in.
        answers: the marks of what students write.
        students_names: names that are the student's wherever a cell makes them that students may change.
        follow_through: whether what an exercise calls of earlier ones is the solution's where the student's own failed its test; see
            `nbjudge._execution.follow_through`.
        handed_out: the texts of code cells that students were given, as far as they are known.
    """

    notebook: NotebookNode
    folder: Path | None = None
    markers: Markers = field(default_factory=Markers)
    beside_students: frozenset[str] = frozenset()
    complete: bool = True
    given: tuple[Path, ...] | None = None
    follow_through: bool = False
    answers: Markers = Markers("BEGIN SOLUTION", "END SOLUTION")
    handed_out: frozenset[str] = frozenset()
    students_names: frozenset[str] = frozenset()

    @property
    def beside_solution(self) -> list[Path]:
        """What the solution's cells find as their working folder."""
        if self.given is not None:
            return list(self.given)
        return [self.folder] if self.folder else []

    @property
    def skipped(self) -> frozenset[str]:
        """The texts of the cells that nobody executes to grade, for example because they take long and no test needs them."""
        return frozenset(cell.source.strip() for cell in self.notebook.cells if is_skipped(cell))

    def released(self) -> NotebookNode:
        """The notebook as students get it: a stub in the place of each answer."""
        notebook = copy.deepcopy(self.notebook)
        for cell in notebook.cells:
            if role_of(cell) == "solution":
                cell.source = self._with_stubs(cell.source)
        return notebook

    def _with_stubs(self, source: str) -> str:
        hidden, lines = self.answers.hidden_lines(source), source.split("\n")
        begins = [number for number in sorted(hidden) if self.answers.begin in lines[number - 1]]
        stubs = {number: lines[number - 1].partition(lines[number - 1].lstrip())[0] + STUB for number in begins}
        return (
            "\n".join(stubs.get(number, line) for number, line in enumerate(lines, 1) if number in stubs or number not in hidden) if stubs else STUB
        )

    def has_answer(self, source: str) -> bool:
        """Whether a solution cell has something between the marks of what students write, however little it is."""
        lines = [line.partition("#")[0].strip() for line in self.answers.hidden(source).split("\n")]
        return any(line not in ("", "pass", "...") and not line.startswith("raise NotImplementedError") for line in lines)

    @property
    def tests(self) -> dict[str, NotebookNode]:
        """The test cells by their names, in the notebook's order."""
        return {str(grade_id(cell)): cell for cell in self.notebook.cells if is_test(cell)}


def only_tests(notebook: NotebookNode) -> Instructor:
    """An instructor of whom nothing is known but the test cells of `notebook`."""
    cells = [cell for cell in notebook.cells if is_test(cell)]
    return Instructor(NotebookNode({**notebook, "cells": cells}), complete=False)


def as_recorded(source: NotebookNode | None, recorded: NotebookNode) -> NotebookNode:
    """The instructor's notebook with every test cell as the gradebook recorded it, when the assignment was generated.

    Args:
        source: the notebook with the solutions, from `source/`; None when it is not there.
        recorded: the cells of the gradebook, in the notebook's order. Test cells that are not in it were never released.
    """
    if source is None:
        return recorded
    known = {grade_id(cell): cell for cell in recorded.cells if is_test(cell)}
    result, kept = copy.deepcopy(source), []
    for cell in result.cells:
        trusted = known.pop(grade_id(cell), None)
        if trusted is not None:
            kept.append(copy.deepcopy(trusted))
        elif not is_test(cell):
            kept.append(cell)
    result.cells = [*kept, *(copy.deepcopy(cell) for cell in known.values())]
    return result


def is_test(cell: NotebookNode) -> bool:
    """Whether nbgrader would grade this cell by running it."""
    about = _about(cell)
    return cell.cell_type == "code" and bool(about.get("grade")) and not about.get("solution") and bool(about.get("grade_id"))


def is_skipped(cell: NotebookNode) -> bool:
    """Whether a cell is there for people who have the notebook open, and not to be graded by."""
    return cell.cell_type == "code" and SKIPPED in cell.metadata.get("tags", ()) and not _about(cell).get("grade_id")


def grade_id(cell: NotebookNode) -> str | None:
    """The cell's nbgrader name, if it has one. What is no text is no name."""
    name = _about(cell).get("grade_id")
    return name if isinstance(name, str) else None


def is_locked(cell: NotebookNode) -> bool:
    """Whether students cannot change the cell: nbgrader puts the instructor's text back."""
    return bool(_about(cell).get("locked"))


def role_of(cell: NotebookNode) -> Role:
    """Whose a code cell is: a test, the student's to write, or given by the instructor."""
    if is_test(cell):
        return "test"
    return "solution" if _about(cell).get("solution") else "given"


def _about(cell: NotebookNode) -> dict[str, Any]:
    about = cell.metadata.get("nbgrader")
    return about if isinstance(about, dict) else {}
