"""A class with follow-through, from hand-in to feedback and report: points, sentences, causes, and nothing of the solution anywhere."""

from __future__ import annotations

import csv
import shutil
import zlib
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from rich.console import Console

from nbjudge._course.course import Course
from nbjudge._report.command import make
from nbjudge.testing.notebooks import code, notebook, test_cell
from nbjudge.testing.small_course import rows_by_question, run

pytestmark = pytest.mark.slow

SECRET = "7919"
CONFIG = """
from nbjudge import switch_on

c = get_config()
c.CourseDirectory.course_id = "doubles"
switch_on(c{switch})
c.Execute.limits = {{"cell_seconds": 5, "test_seconds": 5}}
"""
ON = ", follow_through=True"
WRONG, RIGHT = "def double(x):\n    return x + 1", "def quadruple(x):\n    return double(double(x))"
READS = "__import__('inspect').getsource(double)"
SENTENCE = (
    "Your `double` did not pass its own test, so this test was judged once more with the solution's `double` in its place: {points} of 2 points."
)
CLASS = {  # answers to `double` and `quadruple`, and the points of all three tests
    "ada": (f"def double(x):\n    return 2 * x  # {SECRET[::-1]}", RIGHT, [1, 2, 1]),
    "bob": (WRONG, RIGHT, [0, 2, 0]),
    "cem": (WRONG, "def quadruple(x):\n    return 5 * double(x)", [0, 0, 0]),
    "dora": (WRONG, "def quadruple(x):\n    return double(double(x)) + 0.0", [0, 1, 0]),
    "emil": (WRONG, f"print({READS})\n{RIGHT}\nraise ValueError({READS})", [0, 2, 0]),
    "fay": (WRONG, f"def quadruple(x):\n    raise ValueError({READS})", [0, 0, 0]),
}


def lesson(double: str, quadruple: str) -> nbformat.NotebookNode:
    def answer(text: str, name: str) -> nbformat.NotebookNode:
        return code(text, solution=True, grade_id=name, cell_type="code")

    return notebook(
        answer(double, "double"),
        test_cell("double_test", "assert double(3) == 6, 'double(3) has to be 6'"),
        answer(quadruple, "quadruple"),
        test_cell("quadruple_test", "assert quadruple(3) == 12, f'quadruple(3) is {quadruple(3)}'\n1 + (type(quadruple(3)) is int)", 2),
        test_cell("both_test", "assert quadruple(5) == double(10), 'they differ'\nassert double(10) == 20, 'it is not 20'"),
    )


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("class") / "course"
    solution = f"### BEGIN SOLUTION\ndef double(x):\n    return 2 * x + (x - x) * {SECRET}\n### END SOLUTION"
    for folder, answers in (
        ("source", (solution, f"### BEGIN SOLUTION\n{RIGHT}\n### END SOLUTION")),
        *((f"submitted/{who}", CLASS[who][:2]) for who in CLASS),
    ):
        path = root / folder / "week1" / "work.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(lesson(*answers), path)
    (root / "nbgrader_config.py").write_text(CONFIG.format(switch=ON), encoding="utf-8")
    run(root, "nbjudge", "grade", "--workers", "2")
    run(root, "nbjudge", "report")
    return root


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(graded, tmp_path / "course"))


def points(root: Path) -> dict[str, list[float]]:
    names = ("double", "quadruple", "both")
    return {line["student"]: [float(line[f"week1/{name}_test"]) for name in names] for line in rows_by_question(root)}


RIGHT_POINTS = {who: about[2] for who, about in CLASS.items()}


def test_points_are_those_of_the_own_work(graded: Path) -> None:
    assert points(graded) == RIGHT_POINTS


def test_nothing_of_the_solution_is_in_any_file(graded: Path) -> None:
    looked_at = 0
    for path in (path for path in graded.rglob("*") if path.is_file() and path.relative_to(graded).parts[0] != "source"):
        content = path.read_bytes()
        if path.parent.parent.name == "results":
            content = zlib.decompress(content)
        if path.name != "gradebook.db":  # which holds the instructor's cells as released, solutions included
            looked_at += 1
            assert SECRET.encode() not in content, path
    assert looked_at > 30


@pytest.mark.parametrize(("who", "told"), [("bob", "2"), ("dora", "1"), ("emil", "2"), ("cem", None), ("fay", None), ("ada", None)])
def test_feedback_says_it_at_the_test_that_gained(graded: Path, who: str, told: str | None) -> None:
    page = BeautifulSoup((graded / "feedback" / who / "week1" / "work.html").read_text(encoding="utf-8"), "html.parser")
    text = page.find(id="quadruple_test").get_text()
    assert SENTENCE.format(points=told) in text if told else "solution" not in text, text
    assert "solution" not in page.find(id="double_test").get_text() + page.find(id="both_test").get_text()


def test_the_report_counts_consequences_apart_from_causes(graded: Path) -> None:
    [part] = make(Course(graded), Console(quiet=True)).parts
    causes = {(cause.question.name, cause.title): cause for cause in part.causes}
    assert {name: sorted(who for (asked, _), cause in causes.items() if asked == name for who in cause.students) for name, _ in causes} == {
        "double_test": ["bob", "cem", "dora", "emil", "fay"],
        "quadruple_test": ["cem", "dora", "fay"],
        "both_test": ["cem", "dora", "fay"],  # the others' are consequences of `double` alone, though the test names it, and so gives them nothing
    }
    assert causes["quadruple_test", "points are lost with the solution's `double`, too"].students == ("dora",)
    assert RIGHT not in [cause.example for cause in part.causes]
    assert [(one.question.name, one.answers, one.partly, one.points) for one in part.consequences] == [
        ("quadruple_test", 2, 1, 5.0),
        ("both_test", 2, 0, 0.0),
    ]
    page = BeautifulSoup(next((graded / "report").glob("assignment-*.html")).read_text(encoding="utf-8"), "html.parser")
    told = "quadruple test: 2 answers failed only as a consequence; 1 answer lost less than it seemed, and is among the causes; 5 points given back"
    assert told in " ".join(page.get_text().split())


def test_what_is_kept_gives_the_same_points(course: Path) -> None:
    for path in (course / "gradebook.db", course / "grades.csv"):
        path.unlink()
    shutil.rmtree(course / "autograded")
    run(course, "nbjudge", "grade", "--workers", "1")
    assert points(course) == RIGHT_POINTS


def test_switched_off_points_are_those_of_the_first_run(course: Path) -> None:
    (course / "nbgrader_config.py").write_text(CONFIG.format(switch=""), encoding="utf-8")
    said = run(course, "nbjudge", "grade", "--workers", "2").stdout
    assert points(course) == {who: ([1, 2, 1] if who == "ada" else [0, 0, 0]) for who in CLASS}
    assert "nbgrader_config.py was changed" in said


def test_nbgraders_own_command_gives_the_same_points(course: Path) -> None:
    for path in (course / "gradebook.db", course / "grades.csv"):
        path.unlink()
    for folder in ("autograded", "feedback", "gradings"):
        shutil.rmtree(course / folder)
    run(course, "nbgrader", "generate_assignment", "week1", "--create", "--force")
    run(course, "nbgrader", "autograde", "week1", "--create", "--force")
    run(course, "nbgrader", "export")
    with (course / "grades.csv").open(encoding="utf-8") as file:
        assert {line["student_id"]: float(line["score"]) for line in csv.DictReader(file)} == {who: sum(own) for who, own in RIGHT_POINTS.items()}
