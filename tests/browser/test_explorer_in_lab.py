"""The explorer in JupyterLab, in the lesson that shows it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lab_page import LabPage, path_in_browser
from playwright.sync_api import expect

from authoring.lessons import find_lessons

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_a_learner_plays_with_the_heads_of_lesson_4(open_lab: Callable[[str], LabPage]) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(next(lesson for lesson in find_lessons() if lesson.number == "4")))
    output = lab.run('explore("two questions")').locator(".jp-OutputArea-output")
    shown = output.locator(".attn")
    expect(shown.locator(".attn-result")).to_contain_text("first: pear")
    shown.get_by_label("head 1 is on").uncheck()
    expect(shown.locator(".attn-result caption")).to_have_text("Outputs, beside those without your changes")
    expect(shown.locator(".attn-said")).to_contain_text("Off: head 1.")
    query = shown.get_by_role("button", name="Fay+pear", exact=True)
    query.focus()
    lab.page.keyboard.press("ArrowDown")  # JupyterLab leaves the key to the explorer
    expect(shown.get_by_role("button", name="Ann+key", exact=True)).to_be_focused()
    expect(shown.locator(".attn-way caption")).to_contain_text("The way of query “Ann+key”")
    field = shown.get_by_role("textbox")
    field.fill("Ben+key Eva+lamp Fay+pear Ann+key 1:Eva+2:Ben")
    field.press("Enter")
    expect(shown.locator(".attn-matrix")).to_contain_text("1:Eva+2:Ben")
    lab.picture("explorer-lab", shown.locator(".attn-way"))


def test_a_learner_writes_to_the_model_of_lesson_7(open_lab: Callable[[str], LabPage]) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(next(lesson for lesson in find_lessons() if lesson.number == "4")))
    cell = 'explore("two questions")'
    lab.type_into(cell, 'from attnlab.explorer import explore\nexplore("names")')
    shown = lab.run(cell).locator(".jp-OutputArea-output .attn")
    field = shown.get_by_role("textbox")
    field.click()
    lab.page.keyboard.press("Control+a")
    lab.page.keyboard.type("abba")  # letters are JupyterLab's commands elsewhere
    expect(shown.locator(".attn-next caption")).to_contain_text("What follows “^abba”")
    heads = shown.get_by_role("slider", name="head:")
    heads.focus()
    lab.page.keyboard.press("ArrowDown")
    expect(heads).to_be_focused()
    expect(shown.locator(".attn-map caption")).to_contain_text("Weights of layer 1, head 1")
    shown.get_by_label("layer 1, head 1").uncheck()
    expect(shown.locator(".attn-next thead")).to_contain_text("all heads on")
    shown.get_by_role("button", name="Go on").click()
    expect(shown.locator(".attn-writing [role=status]")).to_contain_text("abba")
    lab.picture("letters-lab", shown.locator(".attn-glance"))
