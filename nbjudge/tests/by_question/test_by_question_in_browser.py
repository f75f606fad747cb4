"""A class of sixty, graded by question in Chromium, with keys, beside nbgrader's formgrader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Browser, Locator, Page, expect

from helpers.by_question import ASSIGNMENT, HOSTILE, NOTEBOOK, TOKEN, WHY, Server, make, student
from helpers.report_looks import HARD_TO_READ, LEAST_CONTRAST

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[3] / "screenshots"
CLASS = 60
NAMES = re.compile(r"zorro|quark|zacharias|xylander", re.IGNORECASE)


@pytest.fixture
def url(tmp_path: Path) -> str:
    (tmp_path / "course").mkdir()
    return make(tmp_path / "course", CLASS, dict.fromkeys(range(0, CLASS, 7), HOSTILE))


@pytest.fixture
def server(url: str, tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "course", tmp_path / "home") as running:
        yield running


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """A question's page. It fails the test if anything is said, fetched from elsewhere, or tells a name."""
    noticed: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()

    def notice(words: str) -> None:
        if "/by-question" in page.url:  # nbgrader's own pages ask for more
            noticed.append(words)

    page.on("console", lambda message: None if re.search("status of 40[09]", message.text) else notice(message.text))
    page.on("pageerror", lambda error: notice(str(error)))
    page.on(
        "request", lambda request: notice(request.url) if not request.url.startswith((server.address, "data:")) or NAMES.search(request.url) else None
    )
    page.goto(server.page())
    yield page
    context.close()
    assert noticed == []


def points_of(url: str) -> list[float | None]:
    """Everybody's points by hand, sorted."""
    with Gradebook(url) as gradebook:
        found = [gradebook.find_grade(WHY, NOTEBOOK, ASSIGNMENT, student(number)).manual_score for number in range(CLASS)]
    return sorted(found, key=lambda points: -1 if points is None else points)


def press(page: Page, *keys: str) -> None:
    """Keys as fast as they can come: nothing waits for what the one before it asked for."""
    for key in keys:
        page.keyboard.press(key)


def card(page: Page, number: int) -> Locator:
    return page.locator(f"#a{number}")


def test_a_class_is_graded_with_keys_and_the_formgrader_shows_the_same(page: Page, server: Server, url: str) -> None:
    expect(page.locator("article.answer")).to_have_count(50)
    expect(page.locator("#counts")).to_have_text("60 of 60 answers to grade.")
    page.get_by_role("button", name="Take these items").click()
    items = page.locator("#items button.row")
    expect(items).to_have_count(2)
    for keys in (["1"], ["n", "2"], ["n", "1", "2"], ["n", "0"], ["n", "1"]):
        press(page, *keys)
    for number, points in enumerate(("1 of 2", "1 of 2", "2 of 2", "0 of 2", "1 of 2"), start=1):
        expect(card(page, number).locator(".points")).to_have_text(points)
    expect(page.locator("#counts")).to_have_text("55 of 60 answers to grade.")
    press(page, "c")
    page.keyboard.type("Which terms? 12jk")
    press(page, "Escape")
    expect(card(page, 5).locator("footer")).to_contain_text("Which terms? 12jk")
    press(page, "k", "k", "1")  # answer 3 has the second item alone
    expect(card(page, 3).locator(".points")).to_have_text("1 of 2")
    press(page, "u")
    expect(card(page, 3).locator(".points")).to_have_text("2 of 2")
    assert points_of(url)[-5:] == [0, 1, 1, 1, 2]

    page.get_by_text("Change the rubric").click() if not page.locator("#edit[open]").count() else None
    page.get_by_role("button", name=re.compile("Change or delete: .*both terms")).click()
    page.get_by_label("Points of the item").fill("0.5")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#message")).to_have_text("3 answers were recalculated.")
    for number, points in enumerate(("0.5 of 2", "1 of 2", "1.5 of 2", "0 of 2", "0.5 of 2"), start=1):
        expect(card(page, number).locator(".points")).to_have_text(points)
    assert points_of(url)[-5:] == [0, 0.5, 0.5, 1, 1.5]

    shown = [card(page, number).inner_text() for number in range(1, 51)]
    page.reload()
    expect(page.locator("#counts")).to_have_text("55 of 60 answers to grade.")
    assert [card(page, number).inner_text() for number in range(1, 51)] == shown

    key = card(page, 5).get_attribute("data-key")
    page.goto(f"{server.page().split('?')[0]}/{key}/formgrader")
    expect(page.locator(f"input#{WHY}.score")).to_have_value("0.5")
    expect(page.locator(f"textarea#{WHY}-comment")).to_have_value("- (a) both terms are the same (+0.5)\n\nWhich terms? 12jk")
    with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.request.method == "PUT") as saved:
        page.locator(f"input#{WHY}.score").fill("1.75")
        page.locator(f"input#{WHY}.score").press("Tab")
    assert saved.value.ok
    page.goto(server.page())
    expect(card(page, 5).locator(".state")).to_have_text("set by hand in the formgrader: 1.75")
    card(page, 5).click()
    expect(page.locator("#notice")).to_contain_text("They do not follow the rubric")
    press(page, "u")
    expect(page.locator("#message")).to_have_text("There is nothing to undo on this page.")


def test_nothing_of_a_hostile_answer_runs_and_no_name_is_on_the_page(page: Page) -> None:
    page.wait_for_timeout(300)
    assert page.evaluate("window.pwned") is None
    assert page.locator(".body iframe, .body script, .body svg").count() == 0
    assert not NAMES.search(page.content())
    assert page.locator("article.answer").count() == 50
    for number in (1, 25, 50):  # a closing tag in an answer has not closed ours
        assert page.evaluate("id => document.getElementById(id).parentElement.className", f"a{number}") == "left"


def test_two_people_at_once_lose_nothing(page: Page, server: Server, browser: Browser, url: str) -> None:
    page.get_by_role("button", name="Take these items").click()
    expect(page.locator("#items button.row")).to_have_count(2)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    other = context.new_page()
    other.goto(server.page())
    press(page, "1")
    expect(card(page, 1).locator(".points")).to_have_text("1 of 2")
    other.locator("#comment").fill("I had begun to write.")
    press(other, "Escape")
    expect(other.locator("#message")).to_contain_text("somebody changed this answer meanwhile", ignore_case=True)
    expect(card(other, 1).locator(".points")).to_have_text("1 of 2")
    expect(other.locator("#comment")).to_have_value("I had begun to write.")
    other.locator("#comment").focus()
    press(other, "Escape")
    expect(card(other, 1).locator("footer")).to_contain_text("I had begun to write.")
    page.locator("#items button.row").first.wait_for()
    page.get_by_role("button", name=re.compile("Change or delete: .*both terms")).click()
    page.get_by_label("Points of the item").fill("0.5")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#message")).to_contain_text("recalculated")
    press(other, "j", "1")
    expect(card(other, 2).locator(".points")).to_have_text("0.5 of 2")
    assert points_of(url)[-2:] == [0.5, 0.5]
    context.close()


def test_input_that_cannot_be_is_told_in_a_sentence(page: Page, url: str) -> None:
    for label, points, said in (("x", "much", "is not a number"), ("", "1", "needs words"), ("x", "9", "not between -2 and 2")):
        page.locator("#label").fill(label)
        page.locator("#points").fill(points)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator("#message.trouble")).to_contain_text(said)
        expect(page.locator("#label")).to_have_value(label)
    page.locator("#adjustment").fill("NaN")
    press(page, "Tab")
    expect(page.locator("#message.trouble")).to_contain_text("the adjustment", ignore_case=True)
    assert set(points_of(url)) == {None}


def test_other_words_of_an_item_leave_its_points_as_they_are(page: Page, url: str) -> None:
    page.locator("#label").fill("an eighth")
    page.locator("#points").fill("0.125")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Change or delete: an eighth").click()
    page.get_by_label("Words of the item").fill("a small part")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Change or delete: a small part")).to_be_visible()
    press(page, "1")
    expect(card(page, 1).locator("footer")).to_contain_text("a small part")
    assert points_of(url)[-1] == 0.125


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 900])
def test_pages_fit_and_can_be_read(server: Server, browser: Browser, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    SCREENSHOTS.mkdir(exist_ok=True)
    for name, address in (("list", f"{server.address}/nbjudge/by-question?token={TOKEN}"), ("question", server.page())):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        if name == "question":
            page.get_by_role("button", name="Take these items").click()
            expect(page.locator("#items button.row")).to_have_count(2)
            press(page, "1", "n", "2", "n")
            expect(page.locator("#counts")).to_have_text("58 of 60 answers to grade.")
        page.screenshot(path=SCREENSHOTS / f"by-question-{name}-{width}-{scheme}.png", animations="disabled")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        read = page.evaluate(HARD_TO_READ, LEAST_CONTRAST)
        assert read["looked"] > 15
        assert [text for text in read["hard"] if not text.startswith("0.00 ")] == []  # of what is switched off
    context.close()
