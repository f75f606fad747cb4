"""Students' cells find what nbgrader releases of the instructor's folder, and nothing of the rest; tests find all of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from helpers.courses import COMMAND, ENVIRONMENT, grade, make_course, recorded
from nbjudge._course.course import Course
from nbjudge._course.given_files import given_files
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing.notebooks import code

pytestmark = pytest.mark.slow

SECRET = {
    "work.md": "def double(x):\n    return 2 * x\n",
    "references.py": "KNOWN = 8",
    "answers/double.py": "in answers",
    "answers/more/double.txt": "deeper in answers",
    "data/answers/double.csv": "answers in data",
    "data/notes.md": "notes in data",
    "__pycache__/references.pyc": "compiled",
}
GIVEN = {"table.csv": "1,2", "data/table.csv": "3,4", "data/deep/table.csv": "5,6", "my_answers.txt": "empty sheet"}
LISTING = "import os\nprint(*('found ' + os.path.join(where, name) for where, _, names in os.walk('.') for name in names), sep='\\n')"
CELLS = {  # of students, and what they are worth
    "lists": (LISTING, 0),
    "copies the lesson": ("exec(open('work.md').read())", 0),
    "copies an answer": ("double = lambda x: 2 * x if open('answers/double.py').read() else 0", 0),
    "reads a table": ("double = lambda x: 2 * x if open('data/table.csv').read() == '3,4' else 0", 2),
}


def make_files(root: Path, students: int) -> Path:
    """A course whose lesson has files beside it, some of them for students, and whose test imports one that is not."""
    make_course(root, students, first_cell="import math")
    lesson = root / "source" / "first"
    for name, text in (SECRET | GIVEN).items():
        (lesson / name).parent.mkdir(parents=True, exist_ok=True)
        (lesson / name).write_text(text, encoding="utf-8")
    (root / "elsewhere.csv").write_text("7,8", encoding="utf-8")
    (lesson / "linked.csv").symlink_to(root / "elsewhere.csv")
    source = nbformat.read(lesson / "work.ipynb", as_version=4)
    source.cells[-1].source = "import references\nassert double(4) == references.KNOWN"
    nbformat.write(source, lesson / "work.ipynb")
    return root


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def listed(notebook: Path) -> set[str]:
    """What the cell of `LISTING` printed."""
    cells = nbformat.read(notebook, as_version=4).cells
    said = "".join(output.get("text", "") for cell in cells if cell.cell_type == "code" for output in cell.outputs)
    return {line.removeprefix("found ./") for line in said.splitlines() if line.startswith("found ")}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of those who look for answers; the answer cell is empty. They handed in files of their own, too."""
    root = make_files(tmp_path_factory.mktemp("given") / "course", len(CELLS))
    for number, (text, _) in enumerate(CELLS.values()):
        folder = root / "submitted" / f"s{number}" / "first"
        work = nbformat.read(folder / "work.ipynb", as_version=4)
        work.cells[0].source, work.cells[1].source = text, "pass"
        nbformat.write(work, folder / "work.ipynb")
        (folder / "data").mkdir()
        (folder / "data" / "table.csv").write_text("theirs", encoding="utf-8")
        (folder / "own.txt").write_text("theirs", encoding="utf-8")
    done = grade(root)
    assert done.returncode == 0, done.stdout + done.stderr
    return root


def test_nobody_is_paid_for_reading_the_lesson_and_a_test_may_read_all_of_it(graded: Path) -> None:
    assert recorded(graded) == {f"s{number}": points for number, (_, points) in enumerate(CELLS.values())}


def test_a_student_s_cell_finds_what_was_given_and_what_was_handed_in(graded: Path) -> None:
    assert listed(graded / "autograded" / "s0" / "first" / "work.ipynb") == {*GIVEN, "linked.csv", "own.txt"}


def test_what_is_kept_of_a_submission_holds_no_answer(graded: Path) -> None:
    assert files(graded / "autograded" / "s1" / "first") == {*GIVEN, "linked.csv", "own.txt", "work.ipynb", ".graded.json"}


@pytest.mark.parametrize(
    ("reads", "says"),
    [
        ("table.csv", ["your solution earns all points of the 1 test cell"]),
        (
            "references.py",
            ["finds beside it no more than students will. Next: put the file into source/", "No such file or directory: 'references.py'"],
        ),
    ],
)
def test_check_gives_the_solution_what_students_will_have(tmp_path: Path, reads: str, says: list[str]) -> None:
    root = make_files(tmp_path / "course", students=0)
    path = root / "source" / "first" / "work.ipynb"
    source = nbformat.read(path, as_version=4)
    source.cells[1].source = f"### BEGIN SOLUTION\ndef double(x):\n    return 2 * x if open({reads!r}).read() else 0\n### END SOLUTION"
    nbformat.write(source, path)
    done = subprocess.run([*COMMAND[:3], "check"], cwd=root, env=ENVIRONMENT, text=True, capture_output=True, timeout=300, check=False)
    said = " ".join(done.stdout.split())
    assert all(words in said for words in says), done.stdout + done.stderr


def test_nobody_loses_points_over_a_file_that_only_the_solution_has(tmp_path: Path) -> None:
    root = make_files(tmp_path / "course", students=1)
    for path in (root / "source" / "first" / "work.ipynb", root / "submitted" / "s0" / "first" / "work.ipynb"):
        work = nbformat.read(path, as_version=4)
        work.cells[1].source = "### BEGIN SOLUTION\ndef double(x):\n    return 2 * x if open('references.py').read() else 0\n### END SOLUTION"
        nbformat.write(work, path)
    done = grade(root)
    said = " ".join(done.stdout.split())
    assert done.returncode == 1 and "│ s0 │ – │ – │ 2 │" in said and "not graded yet: 1 answer to double test" in said, done.stdout
    assert "the instructor's own solution does not pass it here either" in said and "'references.py'" in said and "no more Python's" not in said, said


def test_a_file_that_cannot_be_copied_is_named_and_half_of_them_is_not_taken_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course, into = Course(make_files(tmp_path / "course", students=0)), tmp_path / "into"
    os.mkfifo(course.root / "source" / "first" / "pipe")
    (course.root / "source" / "first" / "nowhere.csv").symlink_to(course.root / "gone.csv")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", lambda path, _: open(path / "below a file"))
        with pytest.raises(CannotGrade, match=r"cannot be copied \(Not a directory: .*source/first/"):
            given_files(course, "first", into)
    folder = given_files(course, "first", into)
    assert folder is not None and files(folder) == {*GIVEN, "linked.csv"}
    assert given_files(course, "first", into) == folder


def test_nbgrader_releases_and_autogrades_without_answers(tmp_path: Path) -> None:
    """With nbgrader's own commands and this course's configuration."""
    root = make_files(tmp_path / "course", students=1)
    path = root / "submitted" / "s0" / "first" / "work.ipynb"
    work = nbformat.read(path, as_version=4)
    work.cells.insert(0, code(LISTING))
    nbformat.write(work, path)
    (root / "attnlab").mkdir()  # which the configuration names
    (root / "attnlab" / "__init__.py").touch()
    environment = {**ENVIRONMENT, "PATH": f"{sys.prefix}/bin{os.pathsep}{os.environ['PATH']}"}
    for command in ("generate_assignment", "autograde"):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", command, "first"], cwd=root, env=environment, text=True, capture_output=True, timeout=500, check=False
        )
        assert done.returncode == 0, done.stderr
    assert files(root / "notebooks" / "first") == {*GIVEN, "linked.csv", "work.ipynb"}
    assert files(root / "autograded" / "s0" / "first") == {*GIVEN, "linked.csv", "work.ipynb"}
    assert listed(root / "autograded" / "s0" / "first" / "work.ipynb") == {*GIVEN, "linked.csv"}
