"""Grade the lessons, then grade them again: after a change of a setting, and after a change of one test. Prints ratios of one run.

    python benchmarks/regrading.py [STUDENTS]

Every student's notebook differs from the others', by a comment in its first cell.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import nbformat

from benchmarks.classes import lessons_class
from examiner.classroom.course import Course
from examiner.classroom.grading import grade_class
from examiner.classroom.outcomes import Status
from examiner.judge.instructor import is_test

STUDENTS = 10


def grade(root: Path) -> tuple[int, float]:
    """How many were graded, and the seconds of the whole road."""
    began = time.perf_counter()
    outcomes = list(grade_class(Course(root)))
    assert all(outcome.status is not Status.NOT_GRADED for outcome in outcomes), outcomes
    return sum(outcome.status is Status.GRADED for outcome in outcomes), time.perf_counter() - began


def make(root: Path, students: int) -> None:
    """The lessons, with a notebook of each student's own."""
    lessons_class(root, students)
    for path in sorted((root / "submitted").glob("*/*/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        first = next(cell for cell in notebook.cells if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution"))
        first.source += f"\n# {path.parts[-3]}"
        nbformat.write(notebook, path)


def change_a_test(root: Path) -> None:
    """In the first test cell of one lesson."""
    path = sorted((root / "source").glob("*/*.ipynb"))[0]
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if is_test(cell)).source += "\n# a word more"
    nbformat.write(notebook, path)


def main() -> None:
    """All ways."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    students = int(sys.argv[1]) if len(sys.argv) > 1 else STUDENTS
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run; {students} students")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make(root, students)
        count, first = grade(root)
        print(f"  grading all lessons                           {first:7.1f} s for {count}")
        with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
            file.write("# another setting\n")
        count, again = grade(root)
        print(f"  again, after a change that decides nothing    {again:7.1f} s for {count}, {first / again:.1f} times faster")
        change_a_test(root)
        count, again = grade(root)
        print(f"  again, after a change of one test             {again:7.1f} s for {count}, {first / again:.1f} times faster")


if __name__ == "__main__":
    main()
