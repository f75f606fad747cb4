"""The marking scheme is on the formgrader's page, and on no page of a student's."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

from helpers.courses import about
from nbjudge._nbgrader.configuration import switch_on
from nbjudge._nbgrader.feedback import Story
from nbjudge._nbgrader.pages import FeedbackExporter

V4 = nbformat.v4
PAGE = {
    "assignment_id": "week1",
    "notebook_id": "work",
    "submission_id": "7",
    "index": 0,
    "total": 1,
    "base_url": "",
    "student": "ada",
    "last_name": "",
    "first_name": "",
    "notebook_path": "",
}
SECRET = ("one point for the reason", "return 41 + 1", "half a point for the sketch")
WHY, CODE, TASK = (
    about(name, points=1, **kind)
    for name, kind in {"why": {"grade": True, "solution": True}, "by_hand": {"grade": True, "solution": True}, "sketch": {"task": True}}.items()
)


@pytest.fixture
def course(tmp_path: Path) -> Config:
    source = V4.new_notebook(
        cells=[
            V4.new_markdown_cell(f"### BEGIN SOLUTION\nBecause $x^2$: {SECRET[0]}\n### END SOLUTION", metadata=WHY),
            V4.new_code_cell(f"def f():\n    ### BEGIN SOLUTION\n    {SECRET[1]}\n    ### END SOLUTION", metadata=CODE),
            V4.new_markdown_cell(f"Draw it.\n### BEGIN MARK SCHEME\n{SECRET[2]}\n### END MARK SCHEME", metadata=TASK),
        ]
    )
    (tmp_path / "source" / "week1").mkdir(parents=True)
    nbformat.write(source, tmp_path / "source" / "week1" / "work.ipynb")
    config = Config()
    switch_on(config)
    config.CourseDirectory.root = str(tmp_path)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    return config


def answers() -> nbformat.NotebookNode:
    return V4.new_notebook(
        cells=[
            V4.new_markdown_cell("I say so.", metadata=WHY),
            V4.new_code_cell("def f(): ...", metadata=CODE),
            V4.new_markdown_cell("Draw it.", metadata=TASK),
        ]
    )


def test_each_answer_has_its_scheme_above_it(course: Config) -> None:
    page = BeautifulSoup(HTMLExporter(config=course).from_notebook_node(answers(), dict(PAGE))[0], "html.parser")
    boxes = page.select(".alert-info")
    assert [secret in " ".join(box.get_text().split()) for secret, box in zip(SECRET, boxes, strict=True)] == [True, True, True]
    for box, name in zip(boxes, ("why", "by_hand", "sketch"), strict=True):
        assert box.find_next("input", class_="score")["id"] == name
    assert "Draw it." not in boxes[2].get_text() and "SOLUTION" not in page.get_text() and "MARK SCHEME" not in page.get_text()
    assert boxes[0].find("math")


def test_without_the_source_the_page_is_the_usual_one(course: Config, tmp_path: Path) -> None:
    (tmp_path / "source" / "week1" / "work.ipynb").unlink()
    page, _ = HTMLExporter(config=course).from_notebook_node(answers(), dict(PAGE))
    assert "I say so." in page and "Model answer" not in page


def test_no_page_of_a_student_has_it(course: Config) -> None:
    """Neither feedback, whatever it is told of itself, nor what nbconvert makes with the course's settings."""
    feedback, _ = FeedbackExporter(config=course).from_notebook_node(answers(), {**PAGE, "nbjudge": Story("work", [], {})})
    course.HTMLExporter.template_name = "classic"
    plain, _ = HTMLExporter(config=course).from_notebook_node(answers(), {})
    for page in (feedback, plain):
        assert "I say so." in page
        assert not any(secret in page for secret in SECRET)
