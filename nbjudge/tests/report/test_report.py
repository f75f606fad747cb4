"""A small class whose mistakes are known is reported: who failed what and why, with the grader and with stock nbgrader alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from helpers.reports import causes_of, whole_of
from nbjudge._course.course import Course
from nbjudge._report.charts import worst
from nbjudge._report.gradebook import read_book
from nbjudge._report.model import Points
from nbjudge._report.pages import pages_of
from nbjudge.testing import small_course
from nbjudge.testing.small_course import ANSWERS, ASSIGNMENT, TEST, hand_in, run

pytestmark = pytest.mark.slow

NAMED = {"negative numbers are doubled, too": {"bob", "cem", "dora"}, "the cell of the answer stops: SyntaxError: expected ':' (line 1)": {"gus"}}


def test_failures_are_put_together_by_the_message_and_then_by_what_the_answers_return(graded: Path) -> None:
    causes = causes_of(whole_of(graded))
    assert {cause.title: set(cause.students) for cause in causes if cause.is_named} == NAMED
    others = {(cause.by, cause.title): set(cause.students) for cause in causes if not cause.is_named}
    assert others == {
        ("value", "the same result: `double` gave 7"): {"hana", "ivo"},
        ("exception", "the code stops with KeyError in line 2"): {"emil"},
    }
    assert [cause.is_named for cause in causes] == sorted(cause.is_named for cause in causes), "those without a name come first"


def test_a_gradebook_of_stock_nbgrader_tells_as_much_as_its_notebooks_do(stock: Path) -> None:
    whole = whole_of(stock)
    causes = causes_of(whole)
    assert {cause.title: set(cause.students) for cause in causes if cause.is_named} == NAMED
    others = {cause.by: (cause.title, set(cause.students)) for cause in causes if not cause.is_named}
    assert others == {
        "line": ("the test stops in line 4: assert double(0.5) == 1", {"hana", "ivo"}),
        "exception": ("the code stops with KeyError in line 2", {"emil"}),
    }
    assert (whole.named, whole.failures) == (4, 7)


@pytest.mark.parametrize("kind", ["graded", "stock"])
def test_counts_leave_out_who_wrote_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    [part] = whole_of(request.getfixturevalue(kind)).parts
    items = {item.question.name: item for item in part.items}
    assert [(item.attempted, item.none, item.some, item.full) for item in (items["double_test"], items["label_test"])] == [(8, 8, 0, 1), (8, 1, 0, 8)]
    assert items["why"].waiting == len(ANSWERS)
    assert items["double_test"].difficulty.value == pytest.approx(1 / 9)
    assert "fay" not in {student for cause in part.causes for student in cause.students}


def test_a_sentence_can_be_said_in_class(graded: Path) -> None:
    sayings = {cause.title: cause.saying for cause in causes_of(whole_of(graded))}
    assert sayings["negative numbers are doubled, too"] == "This is what 3 of 8 answers do not pass: negative numbers are doubled, too."
    assert sayings["the same result: `double` gave 7"] == "2 of 8 answers give the same wrong result. Look at this one: which step makes it?"


def test_no_line_of_a_hidden_test_stands_in_a_sentence_for_the_class(graded: Path) -> None:
    causes = causes_of(whole_of(graded))
    assert {cause.place for cause in causes} >= {"line 4 (hidden): assert double(0.5) == 1"}
    assert not [cause.saying for cause in causes if "assert" in cause.saying or "0.5" in cause.saying]


def test_the_example_is_one_answer_without_its_author(graded: Path) -> None:
    [cause] = [cause for cause in causes_of(whole_of(graded)) if "bob" in cause.students]
    assert cause.example in {small_course.ADDS, 'def double(number):\n    "…"\n    return number + 4', ANSWERS["dora"]}
    assert "cem" not in f"{cause.example} {cause.message} {cause.saying}".lower()


def test_hidden_names_stand_nowhere_in_the_folder(course: Path) -> None:
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.update_or_create_student("ada", first_name="Ada", last_name="Lovelace", email="countess@example.org")
    emil = hand_in(course, "emil", "def double(x):\n    raise ValueError('emil was here, ' + 'EMIL')")
    (emil.parent.parent / "week7").mkdir()  # an assignment that the course does not have
    run(course, "nbjudge", "grade")
    run(course, "nbjudge", "report", "--anonymous", "--folder", "hidden")
    run(course, "nbjudge", "report", "--folder", "open")
    pages = {folder: "".join(path.read_text(encoding="utf-8") for path in (course / folder).glob("*.html")).lower() for folder in ("hidden", "open")}
    for name in (*ANSWERS, "lovelace", "countess"):
        assert not _words(pages["hidden"]) & {name}, name
    assert _words(pages["open"]) >= {*ANSWERS, "lovelace"}
    assert "student 1" in pages["hidden"]


def _words(text: str) -> set[str]:
    return set("".join(letter if letter.isalnum() else " " for letter in text).split())


def test_points_are_those_that_nbgrader_counts(course: Path) -> None:
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        for number, student in enumerate(ANSWERS):
            grade = gradebook.find_grade("why", "sums", ASSIGNMENT, student)
            grade.manual_score, grade.extra_credit = [None, 2, 0.5][number % 3], [None, 1][number % 2]
            gradebook.find_submission(ASSIGNMENT, student).notebooks[0].late_submission_penalty = [None, 0.25, 40][number % 3]
        gradebook.db.commit()
        expected = {one.student_id: max(0, one.score - (one.late_submission_penalty or 0)) for one in gradebook.assignment_submissions(ASSIGNMENT)}
    book = read_book(Course(course))
    assert {one.student: one.points(book.questions[ASSIGNMENT]).counted for one in book.submissions} == pytest.approx(expected)
    lines = {line.student: line.points[ASSIGNMENT] for line in whole_of(course).lines}
    assert {student: points.counted for student, points in lines.items()} == pytest.approx(expected)
    waiting = set(list(ANSWERS)[::3]) - {"fay"}  # whose text is as released has 0 at once
    assert {student for student, points in lines.items() if points.waiting} == waiting
    assert {(points.of, points.waiting) for points in lines.values()} == {(4.0, 2.0), (6.0, 0.0)}


def test_what_changed_since_the_last_grading_is_told_with_the_reason(course: Path) -> None:
    assert whole_of(course).since is None
    nbformat.write(small_course.source(TEST.replace("assert double(0.5) == 1\n", "")), course / "source" / ASSIGNMENT / "sums.ipynb")
    hand_in(course, "bob", ANSWERS["ada"])
    hand_in(course, "ada", small_course.ADDS)
    hand_in(course, "kim", ANSWERS["ada"])
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.find_grade("why", "sums", ASSIGNMENT, "dora").manual_score = 2
        gradebook.db.commit()
    run(course, "nbjudge", "grade")
    whole = whole_of(course)
    told = {(change.question.name, change.why): {who: now - then for who, then, now in change.who} for change in whole.changes}
    assert told == {
        ("double_test", "the test was changed"): {"hana": 3, "ivo": 3},
        ("double_test", "another notebook was handed in"): {"bob": 3, "ada": -3},
        ("why", "points were given by hand"): {"dora": 2},
    }
    assert whole.news == (f"{ASSIGNMENT}: 1 handed in and graded since then",)
    assert [(change.gained, change.lost) for change in whole.changes if change.why == "another notebook was handed in"] == [(1, 1)]
    unusual = {line.student: line.unusual for line in whole.lines}
    assert unusual["bob"][0] == f"{ASSIGNMENT}: handed in again since the grading before"
    assert not unusual["hana"]
    again = whole_of(course)
    assert (again.changes, again.since) == (whole.changes, whole.since), "a second report of the same grading tells the same"


def test_each_student_has_what_is_missing_late_not_graded_or_unusual(course: Path) -> None:
    (course / "submitted" / "bob" / ASSIGNMENT / "sums.ipynb").write_text("{", encoding="utf-8")
    shutil.copy(course / "submitted" / "hana" / ASSIGNMENT / "sums.ipynb", course / "submitted" / "ivo" / ASSIGNMENT)
    (course / "submitted" / "ada" / ASSIGNMENT / "timestamp.txt").write_text("2026-01-02 12:00:00 UTC", encoding="utf-8")
    hand_in(course, "lea", "def double(x):\n    pass").write_text("no notebook", encoding="utf-8")
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.add_student("absent", first_name="Ab", last_name="Sent")
        gradebook.update_or_create_assignment(ASSIGNMENT, duedate="2026-01-01 12:00:00 UTC")
    run(course, "nbjudge", "grade")
    lines = {line.student: line for line in whole_of(course).lines}
    assert lines["absent"].missing == (f"not handed in: {ASSIGNMENT}",) and lines["absent"].name == "Sent, Ab"
    assert lines["ada"].late == (f"{ASSIGNMENT}: 24 h late",)
    assert "it is not JSON" in lines["lea"].not_graded[0] and not lines["lea"].points
    assert "earlier hand-in" in lines["bob"].not_graded[0] and lines["bob"].points == {ASSIGNMENT: Points(1.0, 4.0, 2.0)}
    assert lines["fay"].missing == (f"{ASSIGNMENT}: untouched: double test, label test",)
    assert f"{ASSIGNMENT}: the same file as hana" in lines["ivo"].unusual and f"{ASSIGNMENT}: the same file as ivo" in lines["hana"].unusual
    hand_in(course, "emil", ANSWERS["ada"])
    assert f"{ASSIGNMENT}: handed in again, and not graded again yet" in {line.student: line for line in whole_of(course).lines}["emil"].unusual


def test_the_command_says_where_the_report_is_and_how_much_has_a_name(course: Path) -> None:
    said = run(course, "nbjudge", "report").stdout
    told = [line.strip() for line in said.splitlines()]
    assert "why:           4 of 7 failures have a cause with a name" in told and "3 × negative numbers are doubled, too" in told
    assert "went worst:    double test: 0.33 of 3 on average" in told and not any(line.startswith("why: 0") for line in told)
    assert any(line.startswith("who needs you: 8 students: fay; ") and line.endswith(" and 5 more") for line in told)
    assert "9 answers to grade by hand" in told
    assert "report: report/index.html" in said
    assert (course / "report" / "index.html").is_file()


def test_a_class_list_and_dates_say_who_is_in_the_class_and_what_is_due(course: Path) -> None:
    (course / "class.csv").write_text("id;name;group\nada;Lovelace, Ada;A\nzed;Last, Zed;B\nyan;Late, Yan;B\nbob;;A\n", encoding="utf-8")
    dates = course / "dates.csv"
    dates.write_text(
        f'assignment,due,late,student\n{ASSIGNMENT},2026-01-01 12:00Z,"none, grace 60 minutes",\n{ASSIGNMENT},2099-01-01,,yan\n', encoding="utf-8"
    )
    for student, time in (("ada", "13:00:30"), ("bob", "12:59:00")):
        (course / "submitted" / student / ASSIGNMENT / "timestamp.txt").write_text(f"2026-01-01 {time} UTC", encoding="utf-8")
    run(course, "nbjudge", "grade")
    whole = whole_of(course)
    lines = {line.student: line for line in whole.lines}
    assert len(lines) == len(ANSWERS) + 2 and lines["ada"].name == "Lovelace, Ada" and not whole.undated
    assert lines["zed"].missing == (f"not handed in: {ASSIGNMENT}",) and not lines["zed"].points
    assert lines["yan"].missing == (), "who has more time misses nothing"
    assert {line.student: line.group for line in lines.values() if line.group} == {"ada": "A", "bob": "A", "zed": "B", "yan": "B"}
    assert (lines["ada"].late, lines["bob"].late) == ((f"{ASSIGNMENT}: 30 s late",), ()), "from the end of the grace period"
    assert not [line.group for line in whole_of(course, hide_names=True).lines if line.group]
    dates.write_text(f"assignment,due\n{ASSIGNMENT},2099-01-01\n", encoding="utf-8")
    assert {line.student for line in whole_of(course).lines if "not handed in" in "".join(line.missing)} == set()
    dates.unlink()
    run(course, "nbjudge", "report")  # which takes back what the file said
    whole = whole_of(course)
    assert whole.undated == (ASSIGNMENT,)
    assert not [line for line in whole.lines if "not handed in" in "".join(line.missing)]


def test_what_is_due_and_of_nobody_graded_yet_is_handed_in_or_missing(course: Path) -> None:
    shutil.copytree(course / "source" / ASSIGNMENT, course / "source" / "week2")
    shutil.copytree(course / "submitted" / "ada" / ASSIGNMENT, course / "submitted" / "ada" / "week2")
    (course / "dates.csv").write_text("assignment,due\nweek2,2026-01-01\n", encoding="utf-8")
    lines = {line.student: line for line in whole_of(course).lines}
    assert (lines["ada"].not_graded, lines["ada"].missing) == (("week2: handed in, and not graded yet",), ())
    assert (lines["hana"].not_graded, lines["hana"].missing) == ((), ("not handed in: week2",))


def test_without_a_date_nobody_misses_anything_and_the_page_says_so(course: Path) -> None:
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.add_student("absent")
    whole = whole_of(course)
    assert whole.undated == (ASSIGNMENT,) and not next(line for line in whole.lines if line.student == "absent").missing
    run(course, "nbjudge", "report")
    said = (course / "report" / "index.html").read_text(encoding="utf-8")
    assert "Nobody is said to miss what has no due date" in said and "absent" not in said[: said.index("Over the term")]


def test_points_that_a_person_took_are_no_failure_of_a_test(course: Path) -> None:
    """The answer is right as far as the test can tell, so it is no example of a cause."""
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        gradebook.find_grade("double_test", "sums", ASSIGNMENT, "ada").manual_score = 1
        gradebook.find_grade("double_test", "sums", ASSIGNMENT, "bob").manual_score = 3
        gradebook.db.commit()
    failed = {student for cause in causes_of(whole_of(course)) for student in cause.students}
    assert failed == {"cem", "dora", "emil", "gus", "hana", "ivo"}


def test_what_waits_is_in_no_mean_and_among_no_worst(course: Path) -> None:
    [part] = whole_of(course).parts
    assert (part.most, part.of, part.graded, len(part.sums)) == (6.0, 4.0, 9, 9)
    assert [item.question.name for _, item, _ in worst(pages_of(whole_of(course)))] == ["double_test"]


def test_a_large_class_gets_its_report_with_its_grades(tmp_path: Path) -> None:
    answers = {f"s{number:02}": list(ANSWERS.values())[number % 4] for number in range(41)}
    root = small_course.make(tmp_path / "course", answers=answers)
    said = run(root, "nbjudge", "grade").stdout
    assert "report: report/index.html" in said and (root / "report" / "index.html").is_file()
    assert not any(line.startswith("│ s00") for line in said.splitlines())
    [part] = whole_of(root).parts
    assert all(item.discrimination.value is not None or item.discrimination.why_not for item in part.items)


def test_what_the_report_keeps_is_not_given_to_students(course: Path) -> None:
    run(course, "nbjudge", "feedback")
    assert list((course / "gradings" / "clues").rglob("*.json"))
    given = [path for path in (course / "feedback").rglob("*") if path.is_file()]
    assert given and {path.suffix for path in given} == {".html"}, given
