"""Nothing in the bundle answers an exercise: as text, as code with other names, and when it is graded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from authoring.answer_files import find_answers
from authoring.answers import solution_sources
from authoring.bundle.answers_inside import Secrets, answers_inside, find_secrets
from authoring.lessons import ROOT, Lesson, find_lessons, grade_id, lessons_that_run_here, read_text
from authoring.pairing import pair
from nbjudge.testing.small_course import rows_by_question

EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)


@pytest.fixture(scope="module")
def secrets() -> Secrets:
    return find_secrets(find_lessons())


def test_no_file_holds_a_secret(contents: dict[str, bytes], secrets: Secrets) -> None:
    assert len(secrets.runs) > 1000 and len(secrets.shapes) > 300
    assert answers_inside(contents, secrets) == []


def test_no_file_holds_a_marker(contents: dict[str, bytes]) -> None:
    markers = re.compile(rb"(BEGIN|END) (SOLUTION|HIDDEN TESTS|MARK SCHEME)")
    assert [path for path, data in contents.items() if markers.search(data)] == []


@EACH_LESSON
def test_every_answer_of_a_lesson_would_be_seen(lesson: Lesson, secrets: Secrets) -> None:
    """Whoever pastes one into a file of the bundle is stopped: the lesson's own answers, and every right one that is kept."""
    source, released = read_text(lesson), nbformat.read(lesson.released, as_version=4)
    stubs = solution_sources(released)
    pasted = {name: text for name, text in solution_sources(source).items() if text != stubs[name]}
    pasted = {name: re.sub(r"^.*### (BEGIN|END) SOLUTION.*\n?", "", text, flags=re.MULTILINE) for name, text in pasted.items()}
    pasted |= {answer.place: answer.source for answer in find_answers(lesson) if answer.right}
    unseen = [name for name, text in pasted.items() if not answers_inside({"CITATION.cff": text.encode()}, secrets)]
    assert len(pasted) > 15
    assert unseen == []


@EACH_LESSON
def test_every_hidden_test_of_a_lesson_would_be_seen(lesson: Lesson, secrets: Secrets) -> None:
    hidden = {grade_id(cell): cell.source for cell in read_text(lesson).cells if "### BEGIN HIDDEN TESTS" in cell.source}
    texts = {name: "\n".join(re.findall(r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", text, re.DOTALL)) for name, text in hidden.items()}
    assert len(texts) > 1
    assert [name for name, text in texts.items() if not answers_inside({"README.md": text.encode()}, secrets)] == []


@pytest.mark.slow
def test_graded_as_it_is_handed_out_it_earns_nothing(contents: dict[str, bytes], tmp_path: Path) -> None:
    for lesson in lessons_that_run_here():
        pair(lesson)
        place = tmp_path / "submitted" / "nobody" / lesson.assignment / lesson.released.name
        place.parent.mkdir(parents=True)
        place.write_bytes(contents[f"notebooks/{lesson.assignment}/{lesson.released.name}"])
    shutil.copytree(ROOT / "source", tmp_path / "source")
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "nbjudge", "grade", "--course", str(tmp_path)],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        timeout=500,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    lines = rows_by_question(tmp_path)
    assert {line["assignment"]: float(line["score"]) for line in lines} == dict.fromkeys((lesson.assignment for lesson in lessons_that_run_here()), 0)
    for lesson in lessons_that_run_here():
        ran = nbformat.read(tmp_path / "autograded" / "nobody" / lesson.assignment / lesson.released.name, as_version=4)
        [first] = [cell for cell in ran.cells if "Get ready" in cell.source]
        assert first.outputs == []
