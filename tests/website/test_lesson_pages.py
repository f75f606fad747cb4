"""A lesson's page, read: predictions made in it, code and pictures on narrow screens, formulas, and paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from authoring.lessons import find_lessons

pytestmark = [pytest.mark.slow, pytest.mark.browser]

LESSONS = [f"lessons/{lesson.assignment}.html" for lesson in find_lessons()]
OPEN_ALL = "document.querySelectorAll('details').forEach(one => one.open = true)"
CUT = "parts => parts.filter(part => part.scrollWidth > part.clientWidth).map(part => part.textContent.slice(0, 80))"
ON_PAPER = ".skip-to-content, .sidebar-drawer, .toc-drawer, .mobile-header, .back-to-top, form.prediction"
HIDDEN = "parts => parts.filter(part => part.getClientRects().length > 0).map(part => part.className)"
LEAST = 0.85  # of a plot's own size: its letters of 8 points stay 9 pixels high


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a window as wide as a tablet."""
    page = browser.new_page(viewport={"width": 900, "height": 900})
    yield page
    page.close()


def test_a_reader_predicts_by_keyboard_from_a_folder_and_then_sees_why(page: Page, site: Path) -> None:
    page.goto((site / LESSONS[0]).as_uri())
    form = page.locator("#predict_softmax")
    expect(page.get_by_text("e² ≈ 7.4 times smaller").locator("visible=true")).to_have_count(0)
    form.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(form.get_by_role("status")).to_contain_text("wrong, and worth it")
    expect(form.get_by_role("status")).to_contain_text("e² ≈ 7.4 times smaller")
    form.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    expect(form.get_by_role("status")).to_contain_text("wrong, and worth it")  # nothing more is told before Enter
    page.keyboard.press("Enter")
    expect(form.get_by_role("status")).to_contain_text("prediction right")


def test_nothing_is_told_where_nothing_was_chosen(page: Page, site: Path) -> None:
    page.goto((site / LESSONS[0]).as_uri())
    form = page.locator("#predict_softmax")
    form.get_by_role("button").click()
    assert form.get_by_role("status").inner_text() == ""


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("(2, 3, 5)", "prediction right"),
        ("2 x 3 x 5", "prediction right"),
        ("[2,3,5]", "prediction right"),
        ("(2, 3, 4)", "wrong, and worth it"),
        ("7", "wrong, and worth it"),
        ("two", "not a shape"),
        ("(2, 0)", "not a shape"),
        ("<b>2</b>", "not a shape"),
    ],
)
def test_a_shape_is_read_as_people_write_it(page: Page, site: Path, written: str, said: str) -> None:
    page.goto((site / LESSONS[0]).as_uri())
    form = page.locator("#predict_product")
    form.get_by_label("Shape").fill(written)
    page.keyboard.press("Enter")
    expect(form.get_by_role("status")).to_contain_text(said)
    expect(form.get_by_role("status")).to_contain_text("observed" if said == "not a shape" else "because")


def test_without_scripts_predictions_are_folded_as_before(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / LESSONS[0]).as_uri())
    expect(page.locator("form.prediction").first).to_be_hidden()
    expect(page.locator("details.predicted").first).to_be_visible()
    expect(page.locator(".tag_prediction").first).to_be_visible()
    context.close()


@pytest.mark.parametrize("path", LESSONS)
def test_no_code_is_cut_and_no_plot_too_small(page: Page, site: Path, path: str) -> None:
    page.goto((site / path).as_uri())
    page.evaluate(OPEN_ALL)
    assert page.locator(".cell_input pre").count() > 5
    for width in (400, 900, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.eval_on_selector_all(".cell_input pre", CUT) == [], width
        small = page.eval_on_selector_all(
            ".cell_output figure img", f"plots => plots.filter(one => one.width && one.width < {LEAST} * one.naturalWidth).map(one => one.alt)"
        )
        assert small == [], width


def test_formulas_have_a_font_whose_sums_are_large(page: Page, site: Path) -> None:
    page.goto((site / LESSONS[0]).as_uri())
    page.evaluate("document.fonts.ready")
    assert page.evaluate("[...document.fonts].some(font => font.family.includes('STIX Two Math') && font.status === 'loaded')")
    block = page.locator(".formula mo").filter(has_text=re.compile("^∑$")).first
    assert block.evaluate("sum => sum.getBoundingClientRect().height / parseFloat(getComputedStyle(sum).fontSize)") > 1


@pytest.mark.parametrize("path", [*LESSONS, "questions.html"])
def test_on_paper_nothing_lies_over_the_text_is_folded_or_cut(page: Page, site: Path, path: str) -> None:
    page.set_viewport_size({"width": 680, "height": 960})  # what margins leave of A4
    page.goto((site / path).as_uri())
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.eval_on_selector_all(ON_PAPER, HIDDEN) == []
    assert page.locator("details:not([open])").count() == 0
    assert page.eval_on_selector_all("article pre", CUT) == []
    beyond = "parts => parts.filter(part => part.getBoundingClientRect().right > innerWidth + 1).map(part => part.outerHTML.slice(0, 120))"
    assert page.eval_on_selector_all("article p, article pre, article figure, article img, article math", beyond) == []
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
