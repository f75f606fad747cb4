"""A small course with a class that errs in known ways, for what is told of a class: graded by the grader, or by stock nbgrader."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from nbjudge.testing.notebooks import code, notebook, test_cell

ASSIGNMENT = "week1"
CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'sums'\n"
NBJUDGE = "from nbjudge import switch_on\nswitch_on(c)\nc.Execute.limits = {'cell_seconds': 2, 'test_seconds': 2}\n"
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"  # what nbgrader releases
ADDS = "def double(x):\n    return x + 4"
ANSWERS = {  # of `double`, by student
    "ada": "def double(x):\n    return 2 * x",
    "bob": ADDS,
    "cem": "def double(number):  # by Cem\n    '''Cem wrote this.'''\n    return number + 4",
    "dora": "def double(x):\n    return 8",
    "emil": "def double(x):\n    return {4: 8}[x]",
    "fay": STUB,
    "gus": "def double(x)\n    return x",
    "hana": "def double(x):\n    return 2 * x if x != 0.5 else 7",
    "ivo": "def double(y):\n    return y * 2 if y != 0.5 else 7.0",
}
TEST = """
assert double(4) == 8, "double(4) has to be 8"
### BEGIN HIDDEN TESTS
assert double(-3) == -6, "negative numbers are doubled, too"
assert double(0.5) == 1
### END HIDDEN TESTS
"""
LABEL, WHY = "label = 'sum'", "Because the sum has two equal parts."


def source(test: str = TEST, label_points: int = 1) -> NotebookNode:
    """The instructor's notebook: a function, a text, and a written answer."""

    def solution(text: str, name: str) -> NotebookNode:
        return code(f"### BEGIN SOLUTION\n{text}\n### END SOLUTION", solution=True, grade_id=name, cell_type="code")

    why = new_markdown_cell(
        WHY,
        metadata={
            "nbgrader": {
                "schema_version": 3,
                "grade": True,
                "solution": True,
                "locked": False,
                "task": False,
                "grade_id": "why",
                "points": 2,
                "cell_type": "markdown",
            }
        },
    )
    return notebook(
        solution(ANSWERS["ada"], "double"),
        test_cell("double_test", test, 3),
        solution(LABEL, "label"),
        test_cell("label_test", "assert label == 'sum', 'the label is another word'", label_points),
        why,
    )


def make(root: Path, config: str = NBJUDGE, answers: dict[str, str] | None = None, **about: Any) -> Path:
    """The course's folder, with what the class handed in: everybody has the right label and a written answer."""
    (root / "source" / ASSIGNMENT).mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(CONFIG + config, encoding="utf-8")
    nbformat.write(source(**about), root / "source" / ASSIGNMENT / "sums.ipynb")
    for student, answer in (ANSWERS if answers is None else answers).items():
        hand_in(root, student, answer)
    return root


def hand_in(root: Path, student: str, answer: str) -> Path:
    """Put what a student wrote into `submitted/`; an untouched stub goes with an untouched label."""
    done = source()
    for cell in done.cells:
        name = cell.metadata.nbgrader.grade_id
        if name == "double":
            cell.source = answer
        elif name == "label":
            cell.source = STUB if answer == STUB else LABEL
    path = root / "submitted" / student / ASSIGNMENT / "sums.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(done, path)
    return path


def run(root: Path, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """A command of Python's, in the course's folder: `run(root, "nbjudge", "grade")`."""
    environment = {**os.environ, "COLUMNS": "200", "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, env=environment, text=True, capture_output=True, timeout=600, check=False)
    assert not check or done.returncode == 0, f"{command}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done


def rows_by_question(root: Path) -> list[dict[str, str]]:
    """What `nbjudge grade` wrote of each submission into `grades/`, with the points of each question."""
    rows: list[dict[str, str]] = []
    for path in sorted((root / "grades").glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            rows += csv.DictReader(file)
    return rows


def grade_with_stock(root: Path) -> None:
    """As an instructor without the grader does it."""
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT, "--create", "--force")
    run(root, "nbgrader", "autograde", ASSIGNMENT, "--create", "--force")
    shutil.rmtree(root / "release", ignore_errors=True)
