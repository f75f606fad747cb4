"""A class with class.csv and dates.csv: days late, penalties and extensions, in nbgrader's own numbers and in every file."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from nbjudge.testing import small_course
from nbjudge.testing.small_course import ANSWERS, ASSIGNMENT, run

pytestmark = pytest.mark.slow

PEOPLE = {"ada": "Ada Lovelace", "bob": "Bob Bohr", "cem": "Cem Can", "hana": "Hana Hu", "zoe": "Zoe Zed"}
CLASS = "name,id,mail,group\n" + "".join(f"{name},{student},{student}@x.org,A\n" for student, name in PEOPLE.items())
HANDED_IN = {"ada": "2026-05-02 12:00:00 UTC", "bob": "2026-05-04 12:00:00 UTC", "cem": "2026-05-03 12:00:00 UTC", "hana": ""}
DATES = "assignment,due,late,student\nweek1,2026-05-01 23:59Z,10% a day,\nweek1,2026-05-03 23:59Z,,cem\n"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded class: Ada is late by one day, Bob by three, Cem has more time, Hana's time is not known, Zoe handed in nothing."""
    root = small_course.make(tmp_path_factory.mktemp("late") / "course", answers={who: ANSWERS[who] for who in HANDED_IN})
    for who, when in HANDED_IN.items():
        if when:
            (root / "submitted" / who / ASSIGNMENT / "timestamp.txt").write_text(when, encoding="utf-8")
    (root / "class.csv").write_text(CLASS, encoding="utf-8")
    (root / "dates.csv").write_text(DATES, encoding="utf-8")
    run(root, "nbjudge", "grade")
    return root


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(graded, tmp_path / "course"))


def penalties(root: Path) -> dict[str, tuple[float, float]]:
    """Points before the penalty, and the penalty, of everybody in nbgrader's gradebook."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "sums") as gradebook:
        return {one.student_id: (one.score, round(one.late_submission_penalty or 0.0, 6)) for one in gradebook.assignment_submissions(ASSIGNMENT)}


def by_hand(root: Path, points: float = 2.0) -> None:
    """Give everybody points for the written answer."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "sums") as gradebook:
        for one in gradebook.assignment_submissions(ASSIGNMENT):
            gradebook.find_grade("why", "sums", ASSIGNMENT, one.student_id).manual_score = points
        gradebook.db.commit()


def table(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return {row.get("student") or row.get("SIS Login ID") or row.get("Username", ""): row for row in csv.DictReader(file)}


def test_points_before_the_penalty_and_the_penalty_are_in_the_gradebook(graded: Path) -> None:
    assert penalties(graded) == {"ada": (4, 0.6), "bob": (1, 1), "cem": (1, 0), "hana": (1, 0)}


def test_the_formgrader_shows_the_same_points_as_before_the_penalty(graded: Path) -> None:
    api = NbGraderAPI(CourseDirectory(config=Config({"CourseDirectory": {"root": str(graded), "course_id": "sums"}})))
    with api.gradebook:
        found = {one["student"]: (one["score"], one["last_name"]) for one in api.get_submissions(ASSIGNMENT)}
    assert found == {"ada": (4, "Lovelace"), "bob": (1, "Bohr"), "cem": (1, "Can"), "hana": (1, "Hu")}
    assert api.get_assignment(ASSIGNMENT)["display_duedate"].startswith("2026-05-01 23:59")


def test_after_grading_by_hand_the_penalty_follows_without_an_execution(course: Path) -> None:
    by_hand(course)
    said = run(course, "nbjudge", "feedback").stdout
    assert "4 submissions" in said
    assert penalties(course)["bob"] == (3, 1.8), "10% of 6 possible points, three times, and no more than earned before"
    page = (course / "feedback" / "bob" / ASSIGNMENT / "sums.html").read_text(encoding="utf-8")
    assert "1.2 of 6 points. 1.8 points taken off" in page
    run(course, "nbgrader", "export", "--to", "stock.csv")
    with (course / "stock.csv").open(encoding="utf-8") as file:
        stock = {row["student_id"]: (row["raw_score"], row["late_submission_penalty"], row["score"]) for row in csv.DictReader(file)}
    assert [float(number) for number in stock["bob"]] == pytest.approx([3, 1.8, 1.2])
    run(course, "nbjudge", "export")
    canvas, moodle = table(course / "grades-canvas.csv"), table(course / "grades-moodle.csv")
    assert {who: canvas[who][ASSIGNMENT] for who in PEOPLE} == {"ada": "5.4", "bob": "1.2", "cem": "3", "hana": "3", "zoe": "0"}
    assert moodle["bob"][ASSIGNMENT] == "1.2" and moodle["bob"]["Email address"] == "bob@x.org" and canvas["ada"]["Student"] == "Lovelace, Ada"
    run(course, "nbjudge", "grade")
    rows = table(course / "grades.csv")
    assert [rows["bob"][column] for column in ("week1 before penalty", "week1 penalty", "week1", "week1 days late", "sum", "of")] == [
        *("3", "1.8", "1.2", "2.5", "1.2", "6")
    ]
    assert rows["zoe"]["week1"] == "0" and rows["zoe"]["remarks"] == "week1: not handed in"
    assert rows["hana"]["week1 days late"] == "" and rows["hana"]["week1"] == "3" and list(rows) == list(PEOPLE)


def test_what_waits_for_points_is_empty(graded: Path) -> None:
    rows = table(graded / "grades.csv")
    assert rows["ada"]["week1"] == "" and rows["ada"]["to grade by hand"] == "1" and rows["ada"]["sum"] == rows["ada"]["of"] == "", (
        "no sum of nothing"
    )


def test_another_date_another_rule_and_none_change_the_penalty_and_execute_nothing(course: Path) -> None:
    def regrade(dates: str | None) -> dict[str, float]:
        path = course / "dates.csv"
        path.unlink(missing_ok=True)
        if dates is not None:
            path.write_text(dates, encoding="utf-8")
        said = run(course, "nbjudge", "grade").stdout
        assert "4 in submitted/: 0 graded, 4 graded before, 0 not graded" in said
        return {who: penalty for who, (_, penalty) in penalties(course).items() if penalty}

    assert regrade(DATES.replace("2026-05-01", "2026-05-02")) == {"bob": 1}
    page = (course / "feedback" / "ada" / ASSIGNMENT / "sums.html").read_text(encoding="utf-8")
    assert "taken off" not in page, "the page follows, too"
    assert regrade(DATES.replace("10% a day", "1 point a day")) == {"ada": 1, "bob": 1}
    assert regrade(DATES.replace("cem", "bob")) == {"ada": 0.6, "bob": 0.6, "cem": 1}
    assert regrade(DATES.replace("10% a day", "")) == {}
    assert regrade(DATES) == {"ada": 0.6, "bob": 1}
    assert regrade(None) == {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "sums") as gradebook:
        assert gradebook.find_assignment(ASSIGNMENT).duedate is None, "what the file wrote is taken back"
        assert all(one.extension is None for one in gradebook.assignment_submissions(ASSIGNMENT))


def test_nbgraders_own_autograde_gives_the_same(course: Path) -> None:
    before = penalties(course)
    (course / "gradebook.db").unlink()
    shutil.rmtree(course / "gradings")
    run(course, "nbgrader", "generate_assignment", ASSIGNMENT, "--create", "--force")
    run(course, "nbgrader", "autograde", ASSIGNMENT, "--create", "--force")
    assert penalties(course) == before


def test_what_is_wrong_changes_nothing(course: Path) -> None:
    before = (course / "gradebook.db").read_bytes()
    for name, content in (("dates.csv", DATES + "week1,31.02.2026,,bob\n"), ("class.csv", CLASS + "Again,ada,,\n")):
        good = (course / name).read_text(encoding="utf-8")
        (course / name).write_text(content, encoding="utf-8")
        for command in ("class", "grade", "feedback", "report", "export"):
            done = run(course, "nbjudge", command, check=False)
            assert done.returncode == 1 and f"{name} is not used" in done.stdout + done.stderr, command
            assert "Traceback" not in done.stdout + done.stderr, command
        (course / name).write_text(good, encoding="utf-8")
    assert (course / "gradebook.db").read_bytes() == before


def test_make_class_says_what_is_there_and_what_changes(course: Path) -> None:
    said = run(course, "nbjudge", "class").stdout
    assert "5 students (groups: A 5)" in said and "the gradebook says the same" in said
    assert "week1/ada: 12 h late; 4 - 0.6 = 3.4 points" in said and "when 1 of the graded hand-ins came is not known" in said
    (course / "class.csv").write_text(CLASS.replace("Ada Lovelace", "Ada King").replace("Zoe Zed,zoe", "New One,neo").replace("bob", "bobby"))
    said = run(course, "nbjudge", "class").stdout
    assert "new: bobby, neo" in said and "ada was Lovelace, is Ada King" in said
    assert "taken out of the gradebook, where they have no work: zoe" in said
    assert "not in class.csv, and has work, which stays: bob. Did you mean bobby?" in said
    assert penalties(course)["bob"] == (1, 1), "whoever left keeps the points"
    (course / "class.csv").write_text("name,id\nCem Can,cem\nNew One,neo\n")
    said = run(course, "nbjudge", "class").stdout
    assert said.count("not in class.csv, and ha") == 1 and "not in class.csv, and have work, which stays: ada, bob, hana\n" in said
    (course / "class.csv").write_text(CLASS.replace("bob", "bobby"))
    said = run(course, "nbjudge", "export").stdout
    assert "Left out, because class.csv does not have them: bob." in said and "bob," not in (course / "grades-moodle.csv").read_text()


def test_two_places_that_say_what_being_late_costs_are_refused(course: Path) -> None:
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    done = run(course, "nbjudge", "class", check=False)
    assert done.returncode == 1 and "both dates.csv and nbgrader_config.py" in done.stderr


def test_without_either_file_the_command_says_what_to_write(tmp_path: Path) -> None:
    root = small_course.make(tmp_path / "course", answers={})
    done = run(root, "nbjudge", "class", check=False)
    assert done.returncode == 1 and "there is neither class.csv nor dates.csv" in done.stderr and not (root / "gradebook.db").exists()
