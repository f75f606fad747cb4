"""Two instructors grade by hand at once, each in a formgrader of their own, while a class is graded: one gradebook on a database server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from by_hand import give, open_submissions
from lab_page import LabPage
from nbgrader.api import Gradebook
from playwright.sync_api import FrameLocator, expect

from authoring.answers import fill_in, solution_sources
from authoring.lessons import find_lessons
from demonstration.command import WRITTEN_CELL
from demonstration.students import WRITTEN
from nbjudge.testing.servers import Postgres, programs
from nbjudge.testing.small_course import rows_by_question

pytestmark = [
    pytest.mark.database,
    pytest.mark.browser,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed: sudo apt-get install -y postgresql"),
]
LESSON = find_lessons()[0]
GIVEN = {"ada": ("1.5", "(b) names the sum."), "ben": ("1", "Say which axis.")}


@pytest.fixture
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Postgres(tmp_path_factory.mktemp("server") / "p") as server:
        yield server.database("two")


@pytest.fixture
def course_there(course: Path, address: str) -> Path:
    """The course with its gradebook on the server, and two hand-ins."""
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(f"\nc.CourseDirectory.db_url = {address!r}\n")
    assert begin(course, "authoring", "pair").wait(300) == 0
    answers = {**solution_sources(nbformat.read(LESSON.solution, as_version=4)), WRITTEN_CELL: WRITTEN}
    for student in GIVEN:
        folder = course / "submitted" / student / LESSON.assignment
        folder.mkdir(parents=True)
        nbformat.write(fill_in(nbformat.read(LESSON.released, as_version=4), answers), folder / LESSON.released.name)
    return course


def begin(course: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", *words], cwd=course, env={**os.environ, "PYTHONPATH": str(course)}, stdout=subprocess.DEVNULL)


def in_gradebook(address: str) -> dict[str, tuple[str, str]]:
    """What each student was given by hand, as `GIVEN`."""
    with Gradebook(address) as gradebook:
        return {
            student: (
                f"{gradebook.find_grade(WRITTEN_CELL, LESSON.name, LESSON.assignment, student).manual_score:g}",
                gradebook.find_comment(WRITTEN_CELL, LESSON.name, LESSON.assignment, student).manual_comment,
            )
            for student in GIVEN
        }


def open_submission(lab: LabPage, number: int) -> FrameLocator:
    lab.menu("Nbgrader", "Formgrader")
    formgrader = lab.page.frame_locator("iframe").first
    open_submissions(formgrader, LESSON).nth(number).get_by_role("link").first.click()
    expect(formgrader.locator(f"input#{WRITTEN_CELL}.score")).to_be_visible()
    return formgrader


def test_two_formgraders_and_a_grading_lose_nothing(open_lab: Callable[[str], LabPage], course_there: Path, address: str) -> None:
    assert begin(course_there, "nbjudge", "grade").wait(300) == 0
    labs = [open_lab("instructor"), open_lab("instructor")]
    formgraders = [open_submission(lab, number) for number, lab in enumerate(labs)]
    with (course_there / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write("# another setting, so that everything is recorded again\n")
    grading = begin(course_there, "nbjudge", "grade")
    for number, given in [(0, ("0.5", "at first")), *enumerate(GIVEN.values())]:
        give(labs[number], formgraders[number], WRITTEN_CELL, *given)
    assert grading.wait(300) == 0
    assert sorted(in_gradebook(address).values()) == sorted(GIVEN.values())
    assert begin(course_there, "nbjudge", "grade").wait(300) == 0
    assert sorted(in_gradebook(address).values()) == sorted(GIVEN.values())
    assert not (course_there / "gradebook.db").exists()
    column = f"{LESSON.assignment}/{WRITTEN_CELL}"
    assert sorted(float(line[column]) for line in rows_by_question(course_there)) == sorted(float(points) for points, _ in GIVEN.values())
    for lab, formgrader, (points, _) in zip(labs, formgraders, GIVEN.values()):
        formgrader.locator("body").evaluate("body => { body.dataset.seen = 'before'; location.reload(); }")
        expect(formgrader.locator("body[data-seen]")).to_have_count(0)
        expect(formgrader.locator(f"input#{WRITTEN_CELL}.score")).to_have_value(points)
        lab.picture(f"two-formgraders-{points}")
