"""An assignment of several notebooks: each is graded, one that is missing earns nothing, and one submission has one outcome."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from helpers.courses import grade, make_course, recorded
from nbjudge.testing.small_course import rows_by_question

pytestmark = pytest.mark.slow

PIECES = {"s0": ("work", "more"), "s1": ("work",), "s2": ("more",), "s3": ()}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Right answers in both notebooks, in one, in the other; nothing; and two notebooks that changed places."""
    root = make_course(tmp_path_factory.mktemp("several") / "course", students=5, first_cell="import math")
    lesson = root / "source" / "first"
    text = (lesson / "work.ipynb").read_text(encoding="utf-8")
    (lesson / "more.ipynb").write_text(text.replace('"grade_id": "', '"grade_id": "more_'), encoding="utf-8")
    for student, pieces in PIECES.items():
        folder = root / "submitted" / student / "first"
        answer = (folder / "work.ipynb").read_text(encoding="utf-8")
        if "more" in pieces:
            (folder / "more.ipynb").write_text(answer.replace('"grade_id": "', '"grade_id": "more_'), encoding="utf-8")
        if "work" not in pieces:
            (folder / "work.ipynb").unlink()
    shutil.copy(root / "submitted" / "s0" / "first" / "more.ipynb", root / "submitted" / "s4" / "first" / "work.ipynb")
    return root


def test_each_notebook_is_graded(course: Path) -> None:
    first = grade(course)
    assert "5 in submitted/: 3 graded, 0 graded before, 2 not graded" in first.stdout, first.stdout + first.stderr
    assert recorded(course) == {"s0": 4.0, "s1": 2.0, "s2": 2.0}
    assert "submitted/s1/first/work.ipynb: there is no more.ipynb: it has no points" in first.stdout
    assert "submitted/s3/first: there is no more.ipynb and no work.ipynb" in first.stdout
    assert "submitted/s4/first/work.ipynb: work.ipynb: it is more.ipynb under the name of work.ipynb" in first.stdout
    assert {path.name for path in (course / "feedback" / "s0" / "first").glob("*.html")} == {"work.html", "more.html"}
    assert "3 graded before" in grade(course).stdout


def test_a_change_in_one_of_them_is_graded_again(course: Path) -> None:
    for student in ("s0", "s2"):
        path = course / "submitted" / student / "first" / "more.ipynb"
        path.write_text(path.read_text(encoding="utf-8").replace("import math", "import math as m"), encoding="utf-8")
    again = grade(course)
    status = {row["student"]: row["status"] for row in rows_by_question(course)}
    assert status == {"s0": "graded", "s1": "graded before", "s2": "graded", "s3": "not graded", "s4": "not graded"}, again.stdout
