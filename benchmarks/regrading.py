"""Grade a class, then grade it again after changes, each time the whole road. Prints ratios of one run.

    python benchmarks/regrading.py [STUDENTS [LESSON]]      # every lesson, or this one alone

Every third student has a wrong answer in every notebook. A change that decides nothing is one of a setting. One test of one lesson is then changed
twice: so that it compares otherwise, and so that it calls the student's function once more.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import nbformat

from benchmarks.classes import lessons_class
from nbjudge import Course, Status, is_test
from nbjudge.testing.steps import grade_class

STUDENTS, EVERY = 12, "every lesson"
COMPARES = "\n# compares otherwise\nassert True, 'always'"
CALLS = "\nassert scaled_dot_product_attention(*torch.ones(3, 1, 4, 2)) is not None"
BREAKS = "\nraise ValueError('not yet')"


def grade(root: Path) -> tuple[int, float, float]:
    """How many were graded, the seconds until the first, and those of the whole road."""
    began, times = time.perf_counter(), []
    for outcome in grade_class(Course(root)):
        assert outcome.status in (Status.GRADED, Status.GRADED_BEFORE), outcome
        times.append(time.perf_counter() - began)
    return len(times), times[0], times[-1]


def make(root: Path, students: int, lesson: str) -> None:
    """One lesson or all; every third student's first answer is wrong."""
    lessons_class(root, students)
    for folder in [*(root / "source").glob("*"), *(root / "submitted").glob("*/*")]:
        if lesson not in (folder.name, EVERY):
            shutil.rmtree(folder)
    for path in [path for student in sorted((root / "submitted").glob("*"))[::3] for path in student.glob("*/*.ipynb")]:
        notebook = nbformat.read(path, as_version=4)
        first = next(cell for cell in notebook.cells if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution"))
        first.source += BREAKS
        nbformat.write(notebook, path)


def add_to_a_test(root: Path, line: str) -> None:
    """To the first test cell of the exercise `scaled_dot_product_attention`."""
    for path in sorted((root / "source").glob("*/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        if found := next((cell for cell in notebook.cells if is_test(cell) and "check.scaled_dot_product_attention(" in cell.source), None):
            found.source += line
            nbformat.write(notebook, path)
            return
    raise LookupError("no exercise is called scaled_dot_product_attention")


def change_a_setting(root: Path) -> None:
    """Which one does not matter."""
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("# another setting\n")


def main() -> None:
    """All ways."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    students, lesson = int((sys.argv[1:] or [STUDENTS])[0]), (sys.argv[2:] or [EVERY])[0]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run; {students} students, {lesson}, in two thirds all answers right")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make(root, students, lesson)
        count, first, whole = grade(root)
        each = (whole - first) / (count - 1)
        print(f"  grading                                     {whole:6.1f} s, {first:4.1f} s until the first, then {each:6.3f} s each")
        for name, change in (
            ("a setting", change_a_setting),
            ("a test compares otherwise", lambda root: add_to_a_test(root, COMPARES)),
            ("a test calls once more", lambda root: add_to_a_test(root, CALLS)),
        ):
            change(root)
            count, first, again = grade(root)
            mine = (again - first) / (count - 1)
            print(
                f"  again, {name:36} {again:6.1f} s, {first:4.1f} s until the first, then {mine:6.3f} s each: "
                f"{each / mine:4.1f} times faster, {whole / again:4.1f} with the start",
                flush=True,
            )
        held = sum(path.stat().st_size for path in (root / "gradings" / "results").glob("*/*"))
        print(f"  kept for it: {held / students / 1e6:.1f} MB a student")


if __name__ == "__main__":
    main()
