"""A drawn class is the same for the same numbers, is near the mixture that README.md states, and goes with the rest of the demonstration class."""

from __future__ import annotations

import math
import shutil
import statistics
from collections import Counter
from datetime import datetime
from pathlib import Path

import nbformat
import pytest

import demonstration.command as program
from authoring.answer_files import find_answers
from authoring.invented import invented_answers
from authoring.lessons import ROOT, Lesson, find_lessons
from demonstration import drawn
from demonstration.drawn import Draw, chance, difficulty, find_questions
from demonstration.students import DUE, PREFIX, STUDENTS
from nbjudge import Course

pytestmark = pytest.mark.slow

FIRST, SECOND = find_lessons()[:2]
MANY = 2000
SMALL = [student for student in STUDENTS if not student.every_lesson][:2]  # `test_demonstration.py` looks at all


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setattr(program, "STUDENTS", SMALL)
    return tmp_path


def files(root: Path) -> dict[str, bytes]:
    submitted = root / "submitted"
    return {str(path.relative_to(submitted)): path.read_bytes() for path in sorted(submitted.rglob("*")) if path.is_file()}


def of(files: dict[str, bytes], student: int) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if name.startswith(f"demo-s{student:03d}/")}


def names_in_gradebook(root: Path) -> set[str]:
    with Course(root).gradebook() as gradebook:
        return {student.id for student in gradebook.students}


def test_the_same_numbers_give_the_same_class(root: Path) -> None:
    program.main(["--students", "20"])
    first = files(root)
    shutil.rmtree(root / "submitted")
    program.main(["--students", "20", "--seed", "1", "--lesson", FIRST.assignment])
    assert files(root) == first
    program.main(["--students", "20", "--seed", "2"])
    assert files(root) != first


def test_more_students_and_another_lesson_change_nobodys_answers(root: Path) -> None:
    program.main(["--students", "5"])
    before = files(root)
    program.main(["--students", "8", "--lesson", SECOND.assignment, FIRST.assignment])
    after = files(root)
    assert before.items() <= after.items()
    assert of(after, 8) and {name.split("/")[1] for name in of(after, 3)} == {FIRST.assignment, SECOND.assignment}


def test_everybody_has_the_prefix_and_the_small_class_is_there_too(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--students", "12"]) == 0
    folders = {path.name for path in (root / "submitted").iterdir()}
    assert {PREFIX + student.name for student in SMALL} <= folders
    assert all(name.startswith(PREFIX) for name in folders | names_in_gradebook(root))
    new = folders - {PREFIX + student.name for student in SMALL}
    assert new and all(drawn.FOLDER.fullmatch(name) for name in new)
    assert f"class of {len(SMALL) + len(new)} stands in" in capsys.readouterr().out


def test_no_student_of_the_small_class_looks_drawn() -> None:
    assert not [student.name for student in STUDENTS if drawn.FOLDER.fullmatch(PREFIX + student.name)]


def test_a_call_without_students_leaves_the_drawn_ones(root: Path) -> None:
    program.main(["--students", "4"])
    before = files(root)
    program.main([])
    assert files(root) == before


def test_files_that_are_the_same_stay_untouched(root: Path) -> None:
    program.main(["--students", "4"])
    drawn_files = list((root / "submitted").glob("demo-s0*/*/*"))
    before = [path.stat().st_mtime_ns for path in drawn_files]
    program.main(["--students", "4"])
    assert drawn_files and before == [path.stat().st_mtime_ns for path in drawn_files]


def test_a_smaller_class_replaces_a_larger_one_everywhere(root: Path) -> None:
    program.main(["--students", "9", "--lesson", FIRST.assignment, SECOND.assignment])
    with Course(root).gradebook() as gradebook:
        gradebook.update_or_create_student("demo-s009")
    (root / "autograded" / "demo-s009" / FIRST.assignment).mkdir(parents=True)
    program.main(["--students", "3"])
    assert not [name for name in files(root) if name.startswith("demo-s00") and (name >= "demo-s004" or SECOND.assignment in name)]
    assert not (root / "autograded" / "demo-s009").exists() and "demo-s009" not in names_in_gradebook(root)
    program.main(["--students", "0"])
    assert not [name for name in files(root) if drawn.FOLDER.match(name)]


def test_all_go_when_a_real_student_comes(root: Path) -> None:
    program.main(["--students", "6"])
    (root / "submitted" / "ada").mkdir()
    with Course(root).gradebook() as gradebook:
        for name in ("demo-s002", "demo-nobody-knows", "ada"):
            gradebook.update_or_create_student(name)
    (root / "feedback" / "demo-s002").mkdir(parents=True)
    assert program.main([]) == 0
    assert {path.name for path in (root / "submitted").iterdir()} == {"ada"} == names_in_gradebook(root)
    assert not any((root / "feedback").iterdir())
    with Course(root).gradebook() as gradebook:
        assert gradebook.find_assignment(FIRST.assignment).duedate is None


def test_beside_real_students_nobody_is_drawn(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "submitted" / "ada").mkdir(parents=True)
    assert program.main(["--students", "6"]) == 1
    assert {path.name for path in (root / "submitted").iterdir()} == {"ada"}
    assert "ada" in capsys.readouterr().err


def test_a_due_date_of_the_instructors_stays(root: Path) -> None:
    with Course(root).gradebook() as gradebook:
        gradebook.update_or_create_assignment(SECOND.assignment, duedate="2026-05-01 12:00:00 UTC")
    program.main(["--students", "2", "--lesson", SECOND.assignment])
    with Course(root).gradebook() as gradebook:
        assert gradebook.find_assignment(SECOND.assignment).duedate.month == 5
    program.main(["--remove"])
    with Course(root).gradebook() as gradebook:
        assert gradebook.find_assignment(SECOND.assignment).duedate.month == 5


def test_who_hands_in_nothing_stands_in_the_gradebook(root: Path) -> None:
    draw = Draw(1)
    student = next(number for number in range(1, 200) if not draw.handed_in(number, FIRST))
    program.main(["--students", str(student)])
    assert not of(files(root), student) and f"demo-s{student:03d}" in names_in_gradebook(root)
    program.main(["--remove"])
    assert names_in_gradebook(root) == set()


@pytest.mark.parametrize(
    "arguments",
    [["--students", "-1"], ["--students", "many"], ["--students", "2", "--lesson", "9_nothing"], ["--remove", "--students", "2"]],
    ids=" ".join,
)
def test_what_cannot_be_is_refused(root: Path, arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        program.main(arguments)
    assert not (root / "submitted").exists()


@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
def test_every_notebook_is_one_that_a_student_can_hand_in(lesson: Lesson) -> None:
    released = nbformat.read(lesson.released, as_version=4)
    for _, _, text in Draw(1).notebooks(range(1, 11), lesson):
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        assert [cell.metadata for cell in notebook.cells] == [cell.metadata for cell in released.cells]
        assert [cell.source for cell in notebook.cells if not cell.metadata.get("nbgrader", {}).get("solution")] == [
            cell.source for cell in released.cells if not cell.metadata.get("nbgrader", {}).get("solution")
        ]


@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
def test_every_question_has_right_and_wrong_texts(lesson: Lesson) -> None:
    for question in find_questions(lesson):
        assert question.right and question.wrong and not set(question.right) & set(question.wrong), question.name
        assert all(text.strip() and "Model answer" not in text and "Marking scheme" not in text for text in (*question.right, *question.wrong))


def test_wrong_answers_are_those_of_source_or_invented_ones() -> None:
    known = {(answer.exercise, answer.source) for answer in find_answers(FIRST) if not answer.right}
    strangers = {(answer.exercise, answer.source) for answer, _ in invented_answers(FIRST)}
    exercises = {exercise for exercise, _ in known}

    def wrong(invented: bool) -> set[tuple[str, str]]:
        return {(question.name, text) for question in find_questions(FIRST, invented) if question.name in exercises for text in question.wrong}

    assert wrong(False) == known
    none_invented = exercises - {exercise for exercise, _ in strangers}
    assert wrong(True) == strangers | {(exercise, text) for exercise, text in known if exercise in none_invented}
    assert len(strangers) > 100


def test_the_chance_is_the_one_of_the_table() -> None:
    assert [round(chance(0, difficulty(place, 3)), 2) for place in (0, 1, 2)] == [0.88, 0.73, 0.5]
    assert chance(30, 1) > 0.999 and chance(-30, -1) < 0.001
    assert difficulty(0, 1) == 0


def test_shares_are_near_the_mixture() -> None:
    """Within four standard errors of what the README states, for a class that is drawn once."""
    draw, questions = Draw(7), find_questions(FIRST)
    abilities = [draw.ability(student) for student in range(1, MANY + 1)]
    assert abs(statistics.mean(abilities)) < 4 / math.sqrt(MANY)
    assert abs(statistics.pstdev(abilities) - 1) < 4 / math.sqrt(2 * MANY)
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for student in range(1, MANY + 1):
        for name, text in draw.answers(student, FIRST, questions).items():
            question = next(question for question in questions if question.name == name)
            (right if text in question.right else wrong)[name] += 1
    for place, question in enumerate(questions):
        expected = statistics.mean(chance(ability, difficulty(place, len(questions))) for ability in abilities)
        assert abs(right[question.name] / MANY - expected) < 4 * math.sqrt(expected * (1 - expected) / MANY), question.name
    missed = MANY * len(questions) - right.total()
    assert abs(wrong.total() / missed - drawn.TRIES) < 4 * math.sqrt(drawn.TRIES * (1 - drawn.TRIES) / missed)


def test_wrong_answers_are_drawn_evenly() -> None:
    draw, questions = Draw(7), find_questions(FIRST)
    softmax = next(question for question in questions if question.name == "softmax")
    drawn_texts = Counter(draw.answers(student, FIRST, questions).get("softmax") for student in range(1, MANY + 1))
    counts = [drawn_texts[text] for text in softmax.wrong]
    mean = statistics.mean(counts)
    assert mean > 2 and sum((count - mean) ** 2 for count in counts) / mean < 2 * len(counts)  # chi-square, with a mean of about len(counts)


def test_a_few_are_late_and_a_few_skip() -> None:
    draw, due = Draw(7), datetime.strptime(DUE, drawn.DATE)
    handed_in = [when for student in range(1, MANY + 1) if (when := draw.handed_in(student, FIRST))]
    for share, count, of_all in ((drawn.SKIPS, MANY - len(handed_in), MANY), (drawn.LATE, sum(when > due for when in handed_in), len(handed_in))):
        assert abs(count / of_all - share) < 4 * math.sqrt(share * (1 - share) / of_all)
    hours = [(when - due).total_seconds() / 3600 for when in handed_in]
    assert -drawn.HOURS[0] <= min(hours) and max(hours) <= drawn.HOURS[1] and min(map(abs, hours)) >= 0.99
