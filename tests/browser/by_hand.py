"""Grading by hand in the formgrader, as an instructor does it."""

from __future__ import annotations

import re

from lab_page import LabPage
from playwright.sync_api import FrameLocator, Locator, expect

from authoring.lessons import Lesson


def open_submissions(formgrader: FrameLocator, lesson: Lesson) -> Locator:
    """Open the submissions of a lesson in *Manual Grading*, and return their rows.

    Each step waits for the page that it leads to: the pages look alike, and a click too early would land on the one before.
    """
    here = formgrader.locator(".breadcrumb .active")
    formgrader.get_by_role("link", name="Manual Grading").first.click()
    expect(here).to_have_text("Manual Grading")
    for name in (lesson.assignment, lesson.name):
        formgrader.locator("table tbody").get_by_role("link", name=name, exact=True).click()
        expect(here).to_have_text(name)
    return formgrader.locator("table tbody tr")


def give(lab: LabPage, formgrader: FrameLocator, cell: str, points: str, comment: str) -> None:
    """Give points and a comment to one written answer of the submission that is open, and wait until they are saved."""
    score, said = formgrader.locator(f"input#{cell}.score"), formgrader.locator(f"textarea#{cell}-comment")
    for ready in (said, formgrader.locator(f"input#{cell}_extra_credit")):
        expect(ready).to_have_attribute("placeholder", re.compile(".+"))  # the formgrader writes it when it listens to the field
    for field, value, saved_as in ((said, comment, "comment"), (score, points, "grade")):
        with lab.page.expect_response(lambda answer, kind=saved_as: f"/api/{kind}/" in answer.url and answer.request.method == "PUT") as saved:
            field.fill(value)
            field.press("Tab")
        assert saved.value.ok
    score.scroll_into_view_if_needed()
