"""A test that cannot judge costs its own points until a person looks: everything else of the notebook is graded, on each road and in each place."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path
from urllib.request import Request, urlopen

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook
from rich.console import Console

from helpers.by_question import TOKEN, Server
from nbjudge._commands import cli
from nbjudge._course.course import Course
from nbjudge._course.process_pool import Pool
from nbjudge._lms.export import read_points
from nbjudge._lms.result_formats import for_gradescope
from nbjudge._lms.single import grade_single
from nbjudge._nbgrader.clues import why_not_judged
from nbjudge._nbgrader.feedback import ShowScheme
from nbjudge._report.command import make
from nbjudge._report.history import last_two
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing import small_course
from nbjudge.testing.small_course import ANSWERS, ASSIGNMENT, rows_by_question, run

pytestmark = pytest.mark.slow

SECRET = "the secret is 4711"
BROKEN = f"assert double(4) == 9, '{SECRET}'\n### BEGIN HIDDEN TESTS\nassert double(1) == 4711\n### END HIDDEN TESTS"
REASON = f"the instructor's own solution does not pass it here either ({SECRET})"
CLASS = {"ada": ANSWERS["ada"], "bob": ANSWERS["bob"], "fay": ANSWERS["fay"], "nina": "def double(x):\n    return 9 if x == 4 else 4711"}
WAITS = {"ada", "bob"}  # nina passes it all the same, and fay has done nothing


def mend(root: Path) -> None:
    nbformat.write(small_course.source(), root / "source" / ASSIGNMENT / "sums.ipynb")


def grade(root: Path, *names: str) -> tuple[int, str]:
    """The exit status of `nbjudge grade`, and what it said."""
    file = io.StringIO()
    return cli.grade(Course(root), Console(file=file, width=200, highlight=False), wanted=names), file.getvalue()


def marks(root: Path, test: str = "double_test") -> dict[str, tuple[float | None, float | None, bool]]:
    """What the gradebook has of one test: the points of the test, those by hand, and whether a person has to look."""
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        found = {student.id: gradebook.find_grade(test, "sums", ASSIGNMENT, student.id) for student in gradebook.students}
        return {student: (one.auto_score, one.manual_score, one.needs_manual_grade) for student, one in found.items()}


def give(root: Path, points: float, *students: str) -> None:
    """Points by hand, as the formgrader gives them."""
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        for student in students:
            grade = gradebook.find_grade("double_test", "sums", ASSIGNMENT, student)
            grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class that `nbjudge grade` graded."""
    root = small_course.make(tmp_path_factory.mktemp("broken") / "course", test=BROKEN, answers=CLASS)
    status, said = grade(root)
    assert status == 1, said
    (root / "said.txt").write_text(said, encoding="utf-8")
    return root


@pytest.fixture
def root(graded: Path, tmp_path: Path) -> Path:
    copy = shutil.copytree(graded, tmp_path / "course")
    (copy / "grades.csv").touch()  # what was written later than that seems to be new
    return copy


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing can be executed."""

    def starts(*_: object, **__: object) -> None:
        raise AssertionError("something was executed")

    monkeypatch.setattr(Pool, "prepare", starts)


def test_the_gradebook_has_what_nbgrader_has_where_a_person_is_needed(graded: Path) -> None:
    assert marks(graded) == {"ada": (None, None, True), "bob": (None, None, True), "fay": (0, None, False), "nina": (3, None, False)}
    assert marks(graded, "label_test") == {"ada": (1, None, False), "bob": (1, None, False), "fay": (0, None, False), "nina": (1, None, False)}


def test_the_table_says_it_once_for_each_test_with_how_many(graded: Path) -> None:
    said = (graded / "said.txt").read_text(encoding="utf-8")
    assert said.count(SECRET) == 1 and f"week1/double_test, 2 students (ada, bob): {REASON}." in said
    assert "0 not graded\n" in said and "2 answers to double test" in said


def test_files_for_spreadsheets_leave_it_empty_and_say_why(graded: Path) -> None:
    rows = {row["student"]: row for row in rows_by_question(graded)}
    assert {student: row["week1/double_test"] for student, row in rows.items()} == {"ada": "", "bob": "", "fay": "0.0", "nina": "3.0"}
    with (graded / "grades.csv").open(newline="", encoding="utf-8") as file:
        remarks = {row["student"]: row["remarks"] for row in csv.DictReader(file)}
    for student in CLASS:
        told = f"to be looked at: double_test could not judge ({REASON})" if student in WAITS else ""
        assert remarks[student] == (told and f"week1: {told}") and rows[student]["why"] == told


def test_the_export_waits_for_it(root: Path) -> None:
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        for student in CLASS:
            gradebook.find_grade("why", "sums", ASSIGNMENT, student).manual_score = 2
        gradebook.db.commit()
        points = read_points(gradebook)
    assert points.waiting == ["ada/week1", "bob/week1"]
    assert {student.login: student.points for student in points.students if student.points} == {"fay": {ASSIGNMENT: 2}, "nina": {ASSIGNMENT: 6}}


def test_students_read_that_it_is_not_graded_yet_and_nothing_of_its_authors(graded: Path) -> None:
    for student in WAITS:
        page = BeautifulSoup((graded / "feedback" / student / ASSIGNMENT / "sums.html").read_text(encoding="utf-8"), "html.parser")
        row = page.find("a", href="#double_test").find_parent("tr")
        assert row["class"] == ["waits"] and "– of 3" in row.get_text() and "not graded yet" in row.get_text()
        assert page.find("p", class_="total").get_text() == "1 of 1 graded point; 5 points not graded yet."
        cell = page.find("section", id="double_test").get_text()
        assert "no fault of yours" in cell and "a person looks at it" in cell
        assert "own solution" not in str(page) and "double(1)" not in str(page)
        assert "own solution" not in (graded / "autograded" / student / ASSIGNMENT / "sums.ipynb").read_text(encoding="utf-8")
    page = BeautifulSoup((graded / "feedback" / "fay" / ASSIGNMENT / "sums.html").read_text(encoding="utf-8"), "html.parser")
    assert page.find("a", href="#double_test").find_parent("tr")["class"] == ["none"]


def test_the_report_counts_it_as_waiting_with_the_reason(graded: Path) -> None:
    whole = make(Course(graded), Console(quiet=True))
    [part] = whole.parts
    [waits] = part.not_judged
    assert (waits.question.name, waits.answers, waits.why) == ("double_test", 2, REASON)
    assert not part.causes, "nobody failed there"
    item = next(item for item in part.items if item.question.name == "double_test")
    assert (item.waiting, item.none, item.full) == (2, 1, 1)
    assert not any(line.not_graded for line in whole.lines)


def test_the_report_and_its_pages_say_it(root: Path) -> None:
    said = run(root, "nbjudge", "report").stdout
    assert "2 answers that a test could not judge: double test" in said and "4 answers to grade by hand" in said
    for page in ("index.html", "assignment-01-week1.html"):
        text = BeautifulSoup((root / "report" / page).read_text(encoding="utf-8"), "html.parser").get_text()
        assert text.count(f"The test could not judge: {REASON}") == 1


def test_what_is_kept_of_a_grading_names_it(graded: Path) -> None:
    _, last = last_two(Course(graded))
    assert {entry["student"]: entry["broken"] for entry in last.outcomes if entry["broken"]} == {"ada": ["double_test"], "bob": ["double_test"]}
    assert all(entry["is_graded"] for entry in last.outcomes)


def test_a_second_grading_executes_nothing_and_says_it_again(root: Path, idle: None) -> None:
    status, said = grade(root)
    assert status == 1 and f"week1/double_test, 2 students (ada, bob): {REASON}." in said and "4 graded before" in said


def test_points_by_hand_count_and_nothing_is_to_be_looked_at_any_more(root: Path, idle: None) -> None:
    give(root, 2, "ada")
    status, said = grade(root)
    assert status == 1 and "week1/double_test, 1 student (bob)" in said
    give(root, 1, "bob")
    status, said = grade(root)
    assert status == 0 and "To be looked at" not in said
    assert {row["student"]: row["week1/double_test"] for row in rows_by_question(root)} == {"ada": "2.0", "bob": "1.0", "fay": "0.0", "nina": "3.0"}
    assert run(root, "nbjudge", "feedback").returncode == 0
    assert "2 of 3" in (root / "feedback" / "ada" / ASSIGNMENT / "sums.html").read_text(encoding="utf-8")


def test_a_mended_test_gives_its_points_and_points_by_hand_stay(root: Path) -> None:
    give(root, 1, "bob")
    mend(root)
    status, said = grade(root)
    assert status == 0 and "To be looked at" not in said
    # nbgrader's own rule: points by hand stay, and somebody has another look at them.
    assert marks(root) == {"ada": (3, None, False), "bob": (0, 1, True), "fay": (0, None, False), "nina": (0, None, False)}
    assert not why_not_judged(root, ASSIGNMENT, "sums", "double_test", CLASS)
    assert "not graded yet, 3" not in (root / "feedback" / "ada" / ASSIGNMENT / "sums.html").read_text(encoding="utf-8")


def test_points_by_hand_stay_where_it_cannot_judge_again(root: Path) -> None:
    give(root, 2, "ada")
    nbformat.write(small_course.source(test=BROKEN + "\n# another remark"), root / "source" / ASSIGNMENT / "sums.ipynb")
    grade(root)
    assert marks(root)["ada"] == (None, 2, True) and marks(root)["bob"] == (None, None, True)


def test_a_module_beside_the_lesson_that_was_mended_has_it_graded_again(tmp_path: Path) -> None:
    test = "from wanted import WANTED\nassert double(4) == WANTED"
    root = small_course.make(tmp_path / "course", test=test, answers={"ada": ANSWERS["ada"], "gus": ANSWERS["gus"]})
    assert grade(root)[0] == 1
    assert {who: about[0] for who, about in marks(root).items()} == {"ada": None, "gus": None}, "the module is nowhere"
    (root / "source" / ASSIGNMENT / "wanted.py").write_text("WANTED = 8\n", encoding="utf-8")
    assert grade(root)[0] == 0
    assert {who: about[0] for who, about in marks(root).items()} == {"ada": 3, "gus": 0}


def test_by_question_it_is_listed_with_its_reason_and_points_can_be_given_there(root: Path, tmp_path: Path) -> None:
    """The page has what one needs to grade: the reason, the whole test, and each answer; and no name."""
    question = f"/{ASSIGNMENT}/sums/double_test"
    with Server(root, tmp_path / "home") as server:

        def get(path: str, body: object = None) -> str:
            data = None if body is None else json.dumps(body).encode()
            asked = Request(f"{server.address}/nbjudge/by-question{path}", data, {"Authorization": f"token {TOKEN}"})
            return urlopen(asked, timeout=60).read().decode()

        overview = BeautifulSoup(get(""), "html.parser")
        row = overview.find("a", string="Double test").find_parent("tr")
        assert f"could not judge: {REASON}" in row.get_text() and row.find("strong").get_text() == "2"
        assert "could not judge" not in overview.find("a", string="Why").find_parent("tr").get_text()
        html = get(question)
        page = BeautifulSoup(html, "html.parser")
        assert page.find("div", class_="not-judged").find("pre").get_text() == REASON
        text = page.get_text()
        assert "double(1) == 4711" in text, "the hidden part of the test, for whoever grades"
        assert all(answer.partition("return ")[2] in text for answer in (CLASS["ada"], CLASS["bob"])) and "no fault of yours" not in text
        assert not any(student in html for student in CLASS)
        data = json.loads(page.find(id="data").string)
        waits = [key for key, state in data["answers"].items() if state["mode"] == "waits" and state["by_test"] is None]
        assert len(waits) == 2
        for key in waits:
            asked = {
                "action": "grade",
                "answer": key,
                "seen": data["answers"][key]["seen"],
                "text": data["texts"][key],
                "to": {"mode": "hand", "points": 2},
            }
            assert json.loads(get(question, asked))["answers"][key]["points"] == 2
        assert {who: about[1] for who, about in marks(root).items()} == {"ada": 2, "bob": 2, "fay": None, "nina": None}
        assert BeautifulSoup(get(""), "html.parser").find("a", string="Double test") is None


def test_the_formgrader_alone_says_why(graded: Path) -> None:
    exporter = HTMLExporter(config=Course(graded).config)
    path = graded / "autograded" / "bob" / ASSIGNMENT / "sums.ipynb"
    resources = {"submission_id": "x", "assignment_id": ASSIGNMENT, "notebook_id": "sums", "student": "bob"}
    shown, _ = ShowScheme(parent=exporter).preprocess(nbformat.read(path, as_version=4), dict(resources))
    [at] = [number for number, cell in enumerate(shown.cells) if cell.metadata.get("nbgrader", {}).get("grade_id") == "double_test"]
    assert REASON in shown.cells[at - 1].source and "waits for your points" in shown.cells[at - 1].source
    elsewhere, _ = ShowScheme(parent=exporter).preprocess(nbformat.read(path, as_version=4), {"student": "bob"})
    assert REASON not in nbformat.writes(elsewhere)


def autograde(root: Path) -> subprocess.CompletedProcess[str]:
    return run(root, "nbgrader", "autograde", ASSIGNMENT, "--create", "--force", check=False)


def test_nbgraders_own_commands_mark_it_alike(tmp_path: Path) -> None:
    root = small_course.make(tmp_path / "course", test=BROKEN, answers=CLASS)
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT, "--create", "--force")
    done = autograde(root)
    assert done.returncode == 0 and f"double_test could not judge, and waits for a person: {REASON}" in done.stderr
    assert marks(root) == {"ada": (None, None, True), "bob": (None, None, True), "fay": (0, None, False), "nina": (3, None, False)}
    assert why_not_judged(root, ASSIGNMENT, "sums", "double_test", WAITS) == [REASON]
    give(root, 2, "ada")
    assert autograde(root).returncode == 0
    assert marks(root)["ada"] == (None, 2, True)
    mend(root)
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT, "--create", "--force")
    assert autograde(root).returncode == 0
    assert marks(root) == {"ada": (3, 2, True), "bob": (0, None, False), "fay": (0, None, False), "nina": (0, None, False)}
    run(root, "nbgrader", "generate_feedback", ASSIGNMENT, "--force")


def test_steps_that_would_write_a_0_are_refused(tmp_path: Path) -> None:
    own = "c.Autograde.autograde_preprocessors[c.Autograde.autograde_preprocessors.index(SaveGrades)] = SaveAutoGrades\n"
    imports = "from nbgrader.preprocessors import SaveAutoGrades\nfrom nbjudge._nbgrader.preprocessors import SaveGrades\n"
    root = small_course.make(tmp_path / "course", small_course.NBJUDGE + imports + own, {"bob": ANSWERS["bob"]}, test=BROKEN)
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT, "--create", "--force")
    done = autograde(root)
    assert done.returncode != 0 and "would write a 0" in done.stderr
    assert grade(root)[0] == 1 and marks(root) == {"bob": (None, None, True)}


@pytest.mark.parametrize("student, waits", [("ada", True), ("fay", False)])
def test_one_hand_in_for_another_platform(graded: Path, tmp_path: Path, student: str, waits: bool) -> None:
    said = io.StringIO()
    hand_in = graded / "submitted" / student / ASSIGNMENT
    result = grade_single(Course(graded), ASSIGNMENT, hand_in, [], Console(file=said, width=500))
    assert ([question.name for question in result.questions], REASON in said.getvalue()) == (
        (["label test"], True) if waits else (["double test", "label test"], False)
    )
    assert (("double test", 3.0) in result.by_hand, "double test (3)" in result.output) == (waits, waits)
    assert "4711" not in json.dumps(for_gradescope(result)) and "own solution" not in json.dumps(for_gradescope(result))


def test_a_hand_in_that_no_test_could_judge_has_no_result_elsewhere(graded: Path, tmp_path: Path) -> None:
    root = shutil.copytree(graded, tmp_path / "course")
    lesson = small_course.source(test=BROKEN)
    lesson.cells = [cell for cell in lesson.cells if cell.metadata.nbgrader.grade_id != "label_test"]
    nbformat.write(lesson, root / "source" / ASSIGNMENT / "sums.ipynb")
    with pytest.raises(CannotGrade, match="no test could judge it"):
        grade_single(Course(root), ASSIGNMENT, root / "submitted" / "ada" / ASSIGNMENT, [], Console(file=io.StringIO()))


def test_only_the_assignments_that_are_named_are_graded(tmp_path: Path) -> None:
    root = small_course.make(tmp_path / "course", answers={"ada": ANSWERS["ada"], "bob": ANSWERS["bob"]})
    for folder in ("source", "submitted/ada", "submitted/bob"):
        shutil.copytree(root / folder / ASSIGNMENT, root / folder / "week2")
    status, said = grade(root, "week2")
    assert status == 0 and "only week2 was graded" in said and "week1\n" not in said
    assert not (root / "autograded" / "ada" / "week1").exists()
    assert {(row["assignment"], row["student"], row["status"]) for row in rows_by_question(root)} == {
        *(("week1", who, "not graded") for who in ("ada", "bob")),
        *(("week2", who, "graded") for who in ("ada", "bob")),
    }
    assert grade(root)[0] == 0
    (root / "submitted" / "bob" / "week2" / "sums.ipynb").write_text("{", encoding="utf-8")
    before = (root / "grades" / "week2.csv").read_text(encoding="utf-8")
    status, said = grade(root, "source/week1")
    assert status == 0 and "2 in submitted/: 0 graded, 2 graded before, 0 not graded" in said
    with (root / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert set(rows["bob"]) >= {"week1", "week2"} and "has changed since it was graded" in rows["bob"]["remarks"]
    assert before.count("\n") == (root / "grades" / "week2.csv").read_text(encoding="utf-8").count("\n")
    done = run(root, "nbjudge", "grade", "week3", check=False)
    assert done.returncode == 1 and "there is no assignment week3 in" in done.stderr and "(there: week1, week2)" in done.stderr
