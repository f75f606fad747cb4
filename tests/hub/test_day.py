"""A day with a class on the hub, in Chromium: everybody logs in as themselves, and everything goes through JupyterLab and nbgrader's panels."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest
from day import (
    FIRST,
    NOTEBOOK,
    answer_and_submit,
    collect_and_grade,
    fetch,
    fetch_feedback,
    grade_by_hand,
    release,
    release_feedback,
    set_due_date,
)
from playwright.sync_api import Browser, expect
from trial_hub import ROOT, HubPage, TrialHub, open_page

from authoring.answer_files import answers_to
from authoring.answers import solution_sources

pytestmark = pytest.mark.timeout(1800)  # a first start of the hub installs everybody's packages
SCREENSHOTS = ROOT / "screenshots"
RIGHT = solution_sources(nbformat.read(FIRST.solution, as_version=4))
HALF = dict(list(RIGHT.items())[:len(RIGHT) // 2])
WRITTEN_CELL, WRITTEN = "why_equal", "Both words have one vector, so all their scores are equal."
WRONG = {"softmax": answers_to(FIRST, "softmax")["wrong/over_all_entries"].source}
COMMENT = "True, and well said."
POINTS_BY_HAND = "2.5"
STUDENTS = ("ada", "ben", "cem")


class Class:
    """The people of a day, with what each of them has open."""

    def __init__(self, hub: TrialHub, browser: Browser):
        self.hub, self.browser, self.console = hub, browser, list[str]()
        self.labs: dict[str, HubPage] = {}

    def enter(self, who: str) -> HubPage:
        self.labs[who] = HubPage.log_in(self.browser, self.hub, who, SCREENSHOTS, self.console)
        return self.labs[who]

    def home(self, who: str) -> Path:
        return self.hub.people[who].course

    def keep_evidence(self) -> None:
        SCREENSHOTS.mkdir(exist_ok=True)
        (SCREENSHOTS / "failed-hub.log.txt").write_text(self.hub.log(), encoding="utf-8")
        (SCREENSHOTS / "failed-hub.console.txt").write_text("\n".join(self.console), encoding="utf-8")
        for who, lab in self.labs.items():
            lab.page.screenshot(path=SCREENSHOTS / f"failed-hub-{who}.png")


@pytest.fixture(scope="module")
def day(hub: TrialHub, hub_browser: Browser) -> Iterator[Class]:
    """The whole day, from the release to the feedback that students have open. What goes wrong on the way fails here."""
    people = Class(hub, hub_browser)
    try:
        formgrader = release(people.enter("teacher"))
        for who in STUDENTS:
            fetch(people.enter(who))
        answer_and_submit(people.labs["ada"], WRONG, "0 of", "hub-03-validate-wrong")
        answer_and_submit(people.labs["ben"], WRONG, "0 of", "")
        answer_and_submit(people.labs["ada"], RIGHT | {WRITTEN_CELL: WRITTEN}, "all", "hub-04-validate-right")
        set_due_date(people.labs["teacher"], formgrader, datetime.now(UTC))
        answer_and_submit(people.labs["cem"], HALF, "half", "")
        collect_and_grade(people.labs["teacher"], formgrader, [hub.people[who].name for who in STUDENTS])
        grade_by_hand(people.labs["teacher"], formgrader, WRITTEN_CELL, POINTS_BY_HAND, COMMENT)
        release_feedback(people.labs["teacher"], formgrader)
        for who in STUDENTS:
            fetch_feedback(people.labs[who])
        yield people
    except BaseException:
        people.keep_evidence()
        raise



def test_day(day: Class) -> None:
    assert day.console == []
