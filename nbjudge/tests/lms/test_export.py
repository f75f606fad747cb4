"""The exports obey the rules of the platforms' own importers, written down here once more, apart from the code."""

from __future__ import annotations

import csv
import io
import logging
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from nbjudge._course.course import Course
from nbjudge._lms import export

pytestmark = pytest.mark.slow


@pytest.fixture
def gradebook(tmp_path: Path) -> Iterator[Gradebook]:
    """Two assignments; Ada did both, Zoë one, and Bob's written answer waits for its points."""
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        for name in ("1_sums", "2_products"):
            gradebook.add_assignment(name)
            gradebook.add_notebook("work", name)
            gradebook.add_grade_cell("code", "work", name, max_score=3, cell_type="code")
            gradebook.add_grade_cell("why", "work", name, max_score=2.5, cell_type="markdown")
        gradebook.add_student("ada", first_name="Ada", last_name="Lovelace", email="ada@example.org", lms_user_id="4711")
        gradebook.add_student("zoë", first_name='Zoë "Z"', last_name="Müller, jr.")
        gradebook.add_student("bob")
        gradebook.add_student("absent")
        for student, name, by_hand in (("ada", "1_sums", 2.25), ("ada", "2_products", 0.0), ("zoë", "2_products", 1.0), ("bob", "1_sums", None)):
            gradebook.add_submission(name, student)
            code = gradebook.find_grade("code", "work", name, student)
            code.auto_score, code.needs_manual_grade = 3, False
            grade = gradebook.find_grade("why", "work", name, student)
            grade.manual_score, grade.needs_manual_grade = by_hand, by_hand is None
        gradebook.find_submission("2_products", "zoë").notebooks[0].late_submission_penalty = 1.5
        gradebook.db.commit()
        yield gradebook


def written(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))


def canvas_reads(rows: list[list[str]]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Points per assignment, and each student's grades by login, as Canvas' gradebook importer takes them."""
    header = rows[0]
    assert len(header) > 3 and "Student" in header[0] and "ID" in header[1]
    assert re.search(r"SIS\s+User\s+ID", header[2]) and re.search(r"SIS\s+Login\s+ID", header[3])
    assert "Section" in header[4], "the last of the student's columns"
    titles = header[5:]
    assert not [title for title in titles if re.search("(Current|Final|Override) (Score|Points|Grade)", title)], "read-only columns"
    assert len({len(row) for row in rows[:3]}) == 1, "the separator is told from the first three lines"
    assert "Points Possible" in rows[1][0]
    for row in rows[2:]:
        assert row[1] == "" or row[1].isdigit(), "a Canvas id is a number"
        assert all(re.fullmatch(r"-?[0-9.,]+|", grade) for grade in row[5:])
    return dict(zip(titles, rows[1][5:])), {row[3]: dict(zip(titles, row[5:])) for row in rows[2:]}


def moodle_reads(rows: list[list[str]], identified_by: str) -> dict[str, dict[str, float | None]]:
    """Each student's grades, as Moodle's CSV import takes them: an empty cell is no grade, any other has to be a number."""
    header = [title.strip() for title in rows[0]]
    who = header.index(identified_by)
    assert len(header) == len(set(header))
    return {
        row[who]: {title: float(cell) if cell not in ("", "-") else None for title, cell in zip(header[3:], row[3:])} for row in rows[1:] if row[who]
    }


def test_canvas_finds_students_assignments_and_points(gradebook: Gradebook, tmp_path: Path) -> None:
    export.write_canvas(tmp_path / "canvas.csv", export.read_points(gradebook))
    rows = written(tmp_path / "canvas.csv")
    possible, grades = canvas_reads(rows)
    assert possible == {"1_sums": "5.5", "2_products": "5.5"}
    assert grades == {
        "ada": {"1_sums": "5.25", "2_products": "3"},
        "bob": {"1_sums": "", "2_products": ""},
        "zoë": {"1_sums": "", "2_products": "2.5"},
    }
    assert [row[0] for row in rows[2:]] == ["Lovelace, Ada", "bob", 'Müller, jr., Zoë "Z"']
    assert [row[1] for row in rows[2:]] == ["4711", "", ""]


def test_moodle_finds_students_by_name_or_address(gradebook: Gradebook, tmp_path: Path) -> None:
    export.write_moodle(tmp_path / "moodle.csv", export.read_points(gradebook))
    rows = written(tmp_path / "moodle.csv")
    assert moodle_reads(rows, "Username") == {
        "ada": {"1_sums": 5.25, "2_products": 3.0},
        "bob": {"1_sums": None, "2_products": None},
        "zoë": {"1_sums": None, "2_products": 2.5},
    }
    assert moodle_reads(rows, "Email address") == {"ada@example.org": {"1_sums": 5.25, "2_products": 3.0}}


def test_what_still_waits_for_points_is_named(gradebook: Gradebook) -> None:
    assert export.read_points(gradebook).waiting == ["bob/1_sums"]


def test_of_a_whole_class_that_waits_the_first_ones_are_named() -> None:
    [remark] = export.Points({}, [], [f"s{number}/1_sums" for number in range(300)]).remarks
    assert "s9/1_sums and 290 more." in remark and len(remark) < 300


def test_points_given_by_hand_count_while_nbgrader_asks_to_look_again(gradebook: Gradebook) -> None:
    """After grading again, nbgrader marks every cell that has points by hand as one to look at."""
    gradebook.find_grade("why", "work", "1_sums", "ada").needs_manual_grade = True
    gradebook.db.commit()
    points = export.read_points(gradebook)
    assert points.waiting == ["bob/1_sums"]
    assert points.students[0].points == {"1_sums": 5.25, "2_products": 3.0}


def test_the_command_writes_both_files_and_says_what_is_left_empty(gradebook: Gradebook, tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    console = Console(file=io.StringIO(), width=200)
    assert export.export(Course(tmp_path), console) == 0
    said = console.file.getvalue()
    assert "3 students, 2 assignments: grades-canvas.csv and grades-moodle.csv" in said
    assert "bob/1_sums" in said
    assert (tmp_path / "grades-canvas.csv").exists() and (tmp_path / "grades-moodle.csv").exists()


def test_without_grades_the_next_step_is_named(tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    console = Console(file=io.StringIO(), width=200)
    assert export.export(Course(tmp_path), console) == 1
    assert "There are no grades yet. Next: grade the class (`python -m nbjudge grade`)" in console.file.getvalue()
    assert [path.name for path in tmp_path.iterdir()] == ["nbgrader_config.py"], "not even a gradebook"


def test_a_gradebook_without_grades_or_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        gradebook.add_assignment("1_sums")
    console = Console(file=io.StringIO(), width=200)
    assert export.export(Course(tmp_path), console) == 1
    (tmp_path / "gradebook.db").write_text("no database " * 99, encoding="utf-8")
    assert export.export(Course(tmp_path), console) == 1
    said = console.file.getvalue()
    assert "There are no grades yet. Next: " in said and "gradebook.db is no database. Next: " in said
    assert not list(tmp_path.glob("grades-*"))


@pytest.fixture
def stock(gradebook: Gradebook, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `nbgrader export` in a course that has nothing of the grader's in its configuration."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'course101'\n", encoding="utf-8")
    gradebook.add_student("2024")
    gradebook.add_submission("1_sums", "2024")
    for name in ("code", "why"):
        grade = gradebook.find_grade(name, "work", "1_sums", "2024")
        grade.manual_score, grade.needs_manual_grade = 1, False
    gradebook.db.commit()

    def run(exporter: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nbgrader", "export", f"--exporter=nbjudge._lms.export.{exporter}", *arguments]
        return subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, timeout=100, check=False)

    return run


def test_nbgrader_exports_for_canvas_what_was_chosen(stock: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    done = stock("CanvasExporter", "--to", "chosen.csv", "--student", "[2024, 'bob']", "--assignment=1_sums")
    assert done.returncode == 0, done.stderr
    possible, grades = canvas_reads(written(tmp_path / "chosen.csv"))
    assert possible == {"1_sums": "5.5"}
    assert grades == {"2024": {"1_sums": "2"}, "bob": {"1_sums": ""}}
    assert "2 students, 1 assignment: chosen.csv" in done.stderr
    assert "Left empty, because an answer waits for its points: bob/1_sums." in done.stderr
    assert not list(tmp_path.glob("grades*"))


def test_nbgrader_exports_for_moodle_all(stock: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    done = stock("MoodleExporter")
    assert done.returncode == 0, done.stderr
    grades = moodle_reads(written(tmp_path / "grades-moodle.csv"), "Username")
    assert grades["ada"] == {"1_sums": 5.25, "2_products": 3.0} and sorted(grades) == ["2024", "ada", "bob", "zoë"]


def test_nbgrader_says_in_a_sentence_whom_it_does_not_know(stock: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    done = stock("MoodleExporter", "--student", "ada", "--student", "eve\x1b]0;x")
    assert done.returncode == 1
    assert "The gradebook knows no student eve\\x1b]0;x. Nothing was written. Next: mend the name, then export again." in done.stderr
    assert "Traceback" not in done.stderr and not list(tmp_path.glob("grades*"))


@pytest.mark.parametrize("chosen", [{"assignment": ["3_none"]}, {"student": [1]}, {"student": ["absent"]}], ids=str)
def test_what_cannot_be_exported_leaves_the_older_file(
    gradebook: Gradebook, tmp_path: Path, chosen: dict[str, list[object]], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "old.csv").write_text("old", encoding="utf-8")
    with pytest.raises(SystemExit):
        export.CanvasExporter(to=str(tmp_path / "old.csv"), log=logging.getLogger("test"), **chosen).export(gradebook)
    assert ("There are no grades yet of these" if chosen == {"student": ["absent"]} else "knows no") in caplog.text
    assert (tmp_path / "old.csv").read_text(encoding="utf-8") == "old"


def test_a_place_that_cannot_be_written_is_told(gradebook: Gradebook, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(SystemExit):
        export.MoodleExporter(to=str(tmp_path / "nowhere" / "x.csv"), log=logging.getLogger("test")).export(gradebook)
    assert "x.csv cannot be written (No such file or directory). Next: mend that" in caplog.text


def test_what_a_student_named_themselves_is_not_executed_and_is_told(gradebook: Gradebook, tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    gradebook.add_student("=cmd|'calc'!A0", first_name="@SUM(1)", last_name="\x1b[31m", email="-2+3@example.org", lms_user_id="²")
    gradebook.add_submission("1_sums", "=cmd|'calc'!A0")
    gradebook.db.commit()
    console = Console(file=io.StringIO(), width=200)
    assert export.export(Course(tmp_path), console) == 0
    canvas, moodle = written(tmp_path / "grades-canvas.csv"), written(tmp_path / "grades-moodle.csv")
    assert canvas[2] == ["\\x1b[31m, @SUM(1)", "", "", "'=cmd|'calc'!A0", "", "", ""]
    assert moodle[1] == ["'=cmd|'calc'!A0", "'-2+3@example.org", "²", "", ""]
    assert canvas_reads(canvas)[1]["ada"] == {"1_sums": "5.25", "2_products": "3"}
    said = console.file.getvalue()
    assert "so that no spreadsheet program executes it: =cmd|'calc'!A0, -2+3@example.org (2 in all). The platform does not find" in said


def test_everybody_of_the_class_has_a_row_and_nobody_else(gradebook: Gradebook, tmp_path: Path) -> None:
    """Zoë left the class; absent handed in nothing: 0 where that was due, nothing where it was not, or where it waits for grading."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.Exchange.timezone = 'UTC'\n", encoding="utf-8")
    (tmp_path / "class.csv").write_text("name,id,mail\nAda Lovelace,ada,ada@example.org\nBob,bob,\nNo Show,absent,no@example.org\n", encoding="utf-8")
    (tmp_path / "dates.csv").write_text("assignment,due\n2_products,2020-05-01\n1_sums,2099-05-01\n", encoding="utf-8")
    for name in ("1_sums", "2_products"):
        (tmp_path / "source" / name).mkdir(parents=True)
        nbformat.write(nbformat.v4.new_notebook(), tmp_path / "source" / name / "work.ipynb")
    (tmp_path / "submitted" / "bob" / "2_products").mkdir(parents=True)
    (tmp_path / "submitted" / "bob" / "2_products" / "work.ipynb").write_text("refused", encoding="utf-8")
    console = Console(file=io.StringIO(), width=200)
    assert export.export(Course(tmp_path), console) == 0
    rows = written(tmp_path / "grades-moodle.csv")
    assert rows[0][3:] == ["1_sums", "2_products"], "the course's order, not that of due dates"
    assert moodle_reads(rows, "Username") == {
        "ada": {"1_sums": 5.25, "2_products": 3.0},
        "bob": {"1_sums": None, "2_products": None},
        "absent": {"1_sums": None, "2_products": 0.0},
    }
    said = console.file.getvalue()
    assert "nothing was handed in: absent/2_products." in said and "class.csv does not have them: zoë." in said
