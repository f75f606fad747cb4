"""An instructor's day, in JupyterLab as `make formgrader` opens it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from by_hand import give, open_submissions
from lab_page import BUSY, LabPage
from playwright.sync_api import Browser, FrameLocator, expect

from authoring.answers import fill_in, solution_sources
from authoring.lessons import ROOT, Lesson, find_lessons
from demonstration.command import WRITTEN_CELL
from demonstration.students import WRITTEN
from nbjudge.testing.small_course import rows_by_question

pytestmark = pytest.mark.browser

OpenLab = Callable[[str], LabPage]
LESSONS = find_lessons()
FIRST = LESSONS[0]
STUDENT = "ada"
ALWAYS_DOUBLE = """def softmax(scores, axis=-1):
    e = np.exp(np.asarray(scores, dtype=np.float64) - np.max(scores, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)"""
COMMENT = "(c) names the table, not the scores. Half a point off."


def run(course: Path, *words: str) -> str:
    """What a `make` target runs, in the copy of the course; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=course,
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONPATH": str(course)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def open_formgrader(lab: LabPage) -> FrameLocator:
    """Menu Nbgrader, Formgrader; its page is a frame."""
    lab.menu("Nbgrader", "Formgrader")
    return lab.page.frame_locator("iframe").first


@pytest.fixture
def paired(course: Path) -> Path:
    """The course with the notebook twins of its lessons, as `make formgrader` makes them."""
    run(course, "authoring", "pair")
    return course


def hand_in(course: Path, sources: dict[str, str]) -> None:
    """Put the lesson with the given answers into `submitted/`."""
    folder = course / "submitted" / STUDENT / FIRST.assignment
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(fill_in(nbformat.read(FIRST.released, as_version=4), sources), folder / FIRST.released.name)


def grades(course: Path) -> dict[str, str]:
    return next(line for line in rows_by_question(course) if line["student"] == STUDENT)


@pytest.mark.slow
def test_formgrader_lists_every_lesson_and_generates_what_is_committed(open_lab: OpenLab, paired: Path) -> None:
    lab = open_lab("instructor")
    formgrader = open_formgrader(lab)
    rows = formgrader.locator("table tbody tr")
    expect(rows).to_have_count(len(LESSONS))
    for lesson in LESSONS:
        expect(formgrader.locator("td.name").filter(has_text=lesson.assignment)).to_be_visible()
    assert "Unwritable directory" in lab.server.log() and "reports" not in lab.server.terminal(), "no exchange is nothing that went wrong"
    lab.picture("instructor-01-formgrader")
    released = paired / "notebooks" / FIRST.assignment / FIRST.released.name
    before = json.loads(released.read_text(encoding="utf-8"))
    released.unlink()
    rows.first.locator(".glyphicon-education").click()
    expect(formgrader.locator("#success-modal, #error-modal")).to_be_visible(timeout=BUSY)
    lab.picture("instructor-02-generated")
    expect(formgrader.locator("#success-modal")).to_be_visible()
    assert json.loads(released.read_text(encoding="utf-8")) == before


@pytest.mark.slow
def test_an_edit_in_create_assignment_reaches_the_text(open_lab: OpenLab, paired: Path) -> None:
    lesson = Lesson(FIRST.assignment, paired)
    before = lesson.text.read_text(encoding="utf-8").splitlines()
    lab = open_lab("instructor")
    lab.open_file(lesson.notebook.relative_to(paired))
    lab.menu("Nbgrader", "Create assignment")
    lab.cell("softmax_test").locator(".cm-content").click()
    points = lab.page.locator(".nbgrader-CellWidget.nbgrader-mod-active .nbgrader-CellPoints input")
    expect(points).to_have_value("3")
    points.fill("4")
    points.press("Tab")
    lab.type_into("## Say why", lab.source("## Say why").replace("## Say why", "## Say why it is so"))
    lab.picture("instructor-03-create-assignment")
    lab.save()
    run(paired, "authoring", "pair")
    after = lesson.text.read_text(encoding="utf-8").splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [new for _, new in changed] == [changed[0][0].replace('"points": 3', '"points": 4'), "## Say why it is so"]


@pytest.mark.slow
def test_a_heading_collapsed_by_an_author_is_open_for_learners(open_lab: OpenLab, paired: Path) -> None:
    lesson = Lesson(FIRST.assignment, paired)
    before = lesson.text.read_text(encoding="utf-8")
    lab = open_lab("instructor")
    lab.open_file(lesson.notebook.relative_to(paired))
    heading = lab.cell("## Find out who")
    heading.hover()
    heading.locator(".jp-collapseHeadingButton").click()
    expect(lab.cell("figures.chain_and_attention(")).to_be_hidden()
    lab.picture("instructor-09-collapsed", heading)
    lab.save()
    assert "jp-MarkdownHeadingCollapsed" in lesson.notebook.read_text(encoding="utf-8")
    run(paired, "authoring", "pair")
    assert lesson.text.read_text(encoding="utf-8") == before
    assert "jp-MarkdownHeadingCollapsed" not in lesson.notebook.read_text(encoding="utf-8")


@pytest.mark.slow
def test_feedback_tells_the_grade_with_formulas_and_without_a_network(paired: Path, browser: Browser) -> None:
    hand_in(
        paired,
        {
            **solution_sources(nbformat.read(FIRST.solution, as_version=4)),
            "softmax": ALWAYS_DOUBLE,
            WRITTEN_CELL: "Because of $$w_{ij} = \\frac{e^{s_{ij}}}{\\sum_m e^{s_{im}}}$$",
        },
    )
    run(paired, "nbjudge", "grade")
    page = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}).new_page()
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("requestfailed", lambda request: troubles.append(request.url))
    pictures = ROOT / "screenshots"
    page.goto((paired / "feedback" / STUDENT / FIRST.assignment / f"{FIRST.name}.html").as_uri())
    expect(page.locator(".total")).to_have_text(f"{float(grades(paired)['score']):g} of 21 graded points; 2 points not graded yet.")
    expect(page.locator("table.list tr.waits")).to_contain_text("not graded yet")
    expect(page.locator("body")).not_to_contain_text("still open")
    page.locator("table.list").get_by_role("link", name=WRITTEN_CELL.replace("_", " ")).click()
    formula = page.locator(f"#{WRITTEN_CELL} math")
    expect(formula).to_be_in_viewport()
    assert formula.locator("mfrac").first.bounding_box()["height"] > 1.5 * formula.locator("msub").first.bounding_box()["height"]
    for width in (1280, 900, 400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=pictures / f"feedback-{width}-answer.png")
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=pictures / f"feedback-{width}-list.png")
        formula.scroll_into_view_if_needed()
    assert troubles == []
    page.context.close()


def test_points_by_hand_survive_a_changed_test_and_reach_feedback_and_exports(open_lab: OpenLab, paired: Path) -> None:
    hand_in(paired, {**solution_sources(nbformat.read(FIRST.solution, as_version=4)), "softmax": ALWAYS_DOUBLE, WRITTEN_CELL: WRITTEN})
    run(paired, "nbjudge", "grade")
    assert grades(paired)["to_grade_by_hand"] == "1"
    by_machine = float(grades(paired)["score"])

    lab = open_lab("instructor")
    formgrader = open_formgrader(lab)
    open_submissions(formgrader, FIRST).first.get_by_role("link").first.click()
    score = formgrader.locator(f"input#{WRITTEN_CELL}.score")
    expect(score).to_be_visible()
    scheme = formgrader.locator(".alert-info")
    expect(scheme).to_have_count(1)
    expect(scheme).to_contain_text("Marking scheme.")
    give(lab, formgrader, WRITTEN_CELL, "1.5", COMMENT)
    lab.picture("instructor-04-points-by-hand")

    text = Lesson(FIRST.assignment, paired).text
    lines = text.read_text(encoding="utf-8")
    harder = 'assert softmax(np.ones(2, np.float32)).dtype == np.float32, "a test that the class does not pass"\n### END HIDDEN TESTS'
    text.write_text(lines.replace("### END HIDDEN TESTS", harder, 1), encoding="utf-8")
    run(paired, "authoring", "pair")
    assert "1 graded, 0 graded before" in run(paired, "nbjudge", "grade")
    again = grades(paired)
    assert float(again["score"]) == by_machine + 1.5 - 3  # the first exercise has three points
    assert float(again[f"{FIRST.assignment}/{WRITTEN_CELL}"]) == 1.5
    formgrader.locator("body").evaluate("body => { body.dataset.seen = 'before'; location.reload(); }")
    expect(formgrader.locator("body[data-seen]")).to_have_count(0)
    expect(score).to_have_value("1.5")
    expect(formgrader.locator(f"textarea#{WRITTEN_CELL}-comment")).to_have_value(COMMENT)
    score.scroll_into_view_if_needed()
    lab.picture("instructor-05-after-grading-again")

    run(paired, "nbjudge", "feedback")
    page = paired / "feedback" / STUDENT / FIRST.assignment / f"{FIRST.name}.html"
    lab.page.goto(page.as_uri())
    expect(lab.page.locator("body")).to_contain_text(COMMENT)
    expect(lab.page.locator("body")).to_contain_text("a test that the class does not pass")
    expect(lab.page.locator("body")).not_to_contain_text("HIDDEN TESTS")
    expect(lab.page.locator("blockquote ul").first).to_be_visible()
    lab.picture("instructor-06-feedback")
    lab.picture("instructor-07-feedback-card", lab.page.locator("blockquote ul").first)
    lab.picture("instructor-08-feedback-comment", lab.page.get_by_text(COMMENT).first)

    run(paired, "nbjudge", "export")
    canvas, moodle = ((paired / f"grades-{name}.csv").read_text(encoding="utf-8").splitlines() for name in ("canvas", "moodle"))
    assert canvas[0] == f"Student,ID,SIS User ID,SIS Login ID,Section,{FIRST.assignment}"
    assert canvas[2] == f"{STUDENT},,,{STUDENT},,{float(again['score']):g}"
    assert moodle == [f"Username,Email address,ID number,{FIRST.assignment}", f"{STUDENT},,,{float(again['score']):g}"]
