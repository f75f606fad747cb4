"""What an instructor and students do in a day on the hub, step by step, as they would in the browser."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from by_hand import give, open_submissions
from lab_page import BUSY
from playwright.sync_api import FrameLocator, Locator, expect
from trial_hub import Assignments, HubPage

from authoring.lessons import find_lessons

FIRST = find_lessons()[0]
NOTEBOOK = Path(FIRST.assignment, FIRST.released.name)


def release(lab: HubPage) -> FrameLocator:
    """Generate and release lesson 1 in the formgrader."""
    lab.menu("Nbgrader", "Formgrader")
    formgrader = lab.page.frame_locator("iframe").first
    row_of(formgrader).locator(".assign a").click()
    agree(formgrader, "Successfully created")
    row_of(formgrader).locator(".release a").click()
    agree(formgrader, "Successfully released")
    expect(row_of(formgrader).locator(".status")).to_have_text("released")
    return formgrader


def row_of(formgrader: FrameLocator) -> Locator:
    """The row of lesson 1 in *Manage Assignments*."""
    return formgrader.locator("table tbody tr", has=formgrader.locator("td.name", has_text=FIRST.assignment))


def agree(formgrader: FrameLocator, words: str) -> None:
    """Wait for the formgrader's box that says these words, and close it."""
    box = formgrader.locator("#success-modal, #error-modal")
    expect(box).to_be_visible(timeout=BUSY)
    expect(box).to_contain_text(words)
    box.get_by_role("button", name="OK").click()
    expect(box).to_be_hidden()


def fetch(lab: HubPage) -> None:
    """Fetch lesson 1 in the Assignments panel, and open it."""
    assignments = Assignments(lab)
    if "ada" in lab.server.name:
        lab.picture("hub-02-assignments-released")
    assignments.press("released", FIRST.assignment, "Fetch")
    expect(assignments.row("fetched", FIRST.assignment)).to_be_visible()
    lab.open_file(NOTEBOOK)


def answer_and_submit(lab: HubPage, answers: dict[str, str], outcome: str, picture: str) -> None:
    """Type answers, validate, and submit in the Assignments panel."""
    lab.page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab", has_text=NOTEBOOK.name).click()
    for name, source in answers.items():
        lab.type_into(name, source)
    lab.save()
    told = lab.validate()
    seen, tests = map(int, re.search(r"(\d+) of (\d+) tests that you can see pass", told.inner_text()).groups())
    assert {"0 of": seen == 0, "half": 0 < seen < tests, "all": seen == tests}[outcome], told.inner_text()
    expect(told).to_contain_text("This is not your grade yet")
    if picture:
        lab.picture(picture)
    lab.agree()
    before = submissions(lab)
    assignments = Assignments(lab)
    assignments.press("fetched", FIRST.assignment, "Submit")
    if lab.page.locator(".jp-Dialog").count():
        lab.agree()
    expect(assignments.row("submitted", FIRST.assignment)).to_be_visible()
    assert submissions(lab) == before + 1
    lab.picture(f"hub-05-submitted-{lab.server.name.rsplit('-', 1)[1]}")


def submissions(lab: HubPage) -> int:
    """How many submissions of this person lie in the exchange."""
    inbound = next((lab.server.course.parents[1] / "exchange").glob("*/inbound"))
    return len([path for path in inbound.iterdir() if path.name.startswith(f"{lab.server.name}+")])


def set_due_date(lab: HubPage, formgrader: FrameLocator, moment: datetime) -> None:
    """Set lesson 1's due date in the formgrader."""
    row_of(formgrader).locator(".edit a").click()
    formgrader.locator("input.modal-duedate").fill(moment.strftime("%Y-%m-%dT%H:%M:%S"))
    formgrader.locator("input.modal-timezone").fill("+0000")
    with lab.page.expect_response(lambda answer: "/api/assignment/" in answer.url and answer.request.method == "PUT") as saved:
        formgrader.locator(".modal button.save").locator("visible=true").click()
    assert saved.value.ok
    expect(row_of(formgrader).locator(".duedate")).to_contain_text(moment.strftime("%Y-%m-%d %H:%M:%S"))


def collect_and_grade(lab: HubPage, formgrader: FrameLocator, students: list[str]) -> dict[str, str]:
    """Collect, and press Autograde for each student; return what the table then says of each."""
    row_of(formgrader).locator(".collect a").click()
    agree(formgrader, "Successfully collected")
    row_of(formgrader).locator(".num-submissions a").click()
    expect(formgrader.locator("td.student-id")).to_have_count(len(students))
    for student in students:
        submission_of(formgrader, student).locator(".autograde a").click()
        agree(formgrader, "Successfully autograded")
    lab.picture("hub-06-graded")
    return {student: submission_of(formgrader, student).inner_text() for student in students}


def submission_of(formgrader: FrameLocator, student: str) -> Locator:
    """The row of a student in *Manage Submissions*."""
    return formgrader.locator("table tbody tr", has=formgrader.locator("td.student-id", has_text=student))


def grade_by_hand(lab: HubPage, formgrader: FrameLocator, cell: str, points: str, comment: str) -> None:
    """Give points and a comment to the one written answer that waits for them, in *Manual Grading*."""
    waiting = open_submissions(formgrader, FIRST).filter(has=formgrader.locator(".needs-manual-grade .glyphicon-ok"))
    waiting.first.get_by_role("link").first.click()
    give(lab, formgrader, cell, points, comment)
    lab.picture("hub-07-by-hand")


def release_feedback(lab: HubPage, formgrader: FrameLocator) -> None:
    """Generate and release everybody's feedback in *Manage Assignments*."""
    for link in ("Manual Grading", "Manage Assignments"):  # a submission's page leads to the first alone
        formgrader.get_by_role("link", name=link).first.click()
    for button, words in (("generate-feedback", "feedback"), ("release-feedback", "feedback")):
        row_of(formgrader).locator(f".{button} a").click()
        agree(formgrader, f"Successfully {button.split('-')[0]}d {words}")
    lab.picture("hub-08-feedback-released")


def fetch_feedback(lab: HubPage) -> str:
    """Fetch the feedback of the newest submission in the Assignments panel, open its page in JupyterLab, and return the page's text."""
    assignments = Assignments(lab)
    assignments.refresh()
    assignments.press("submitted", FIRST.assignment, "Fetch Feedback")
    link = assignments.panel.get_by_text("view feedback").last
    expect(link).to_be_visible()
    link.click()
    page = lab.page.locator(".jp-FileBrowser:not(.lm-mod-hidden) .jp-DirListing-item", has_text=f"{FIRST.name}.html")
    page.dblclick()
    shown = lab.page.frame_locator(".jp-HTMLViewer iframe")
    expect(shown.locator(".total")).to_be_visible()
    lab.picture(f"hub-09-feedback-{lab.server.name.rsplit('-', 1)[1]}")
    return shown.locator("body").inner_text()
