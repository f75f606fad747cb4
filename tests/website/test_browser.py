"""The site as people read it: narrow and wide, light and dark, by keyboard, with a screen reader, and without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from authoring.lessons import ROOT, find_lessons

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SCREENSHOTS = ROOT / "screenshots"
WIDTHS = (400, 900, 1600)
LESSONS = [f"lessons/{lesson.assignment}.html" for lesson in find_lessons()]
OTHERS = [f"{name}.html" for name in "index start instructors teaching nbjudge benchmarks explorer glossary further_reading questions search".split()]
SERIOUS = ("serious", "critical")
WIDER = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide <= 1) return [];
  return [...document.querySelectorAll('article *')].filter(part => part.getBoundingClientRect().right > innerWidth + 1)
    .map(part => `${wide} ${part.tagName}.${part.className}: ${part.textContent.slice(0, 40)}`);
}"""


@pytest.fixture(params=["light", "dark"])
def context(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A reader who likes it light or dark, with a network that ends at the site. What was asked of others fails the test."""
    context = browser.new_context(color_scheme=request.param)
    asked: list[str] = []

    def refuse(route) -> None:
        asked.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith((address, "data:")), refuse)
    context.colours = request.param
    yield context
    context.close()
    assert asked == []


def open_page(context: BrowserContext, address: str, path: str, width: int = 900) -> Page:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{address}/{path}")
    assert errors == []
    return page


@pytest.mark.parametrize("path", LESSONS + OTHERS)
def test_a_page_reads_well(context: BrowserContext, address: str, path: str) -> None:
    page = open_page(context, address, path)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(WIDER) == [], width
        SCREENSHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"site-{Path(path).stem}-{width}-{context.colours}.png")
        found = Axe().run(page).response["violations"]
        said = [f"{one['id']}: {one['help']} ({len(one['nodes'])}) {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in SERIOUS]
        assert said == [], width


@pytest.mark.parametrize(
    ("words", "title", "leads_to"),
    [
        ("overflow", "Keep two troubles apart", r"/lessons/3_scaling\.html#keep-two-troubles-apart"),
        ("sofmax", "Turn scores into weights", r"/lessons/1_basic_attention\.html#turn-scores-into-weights"),
        ("querys", "Take one query all the way", r"/lessons/1_basic_attention\.html#take-one-query-all-the-way"),
        ("mult-head atention", "4 · Multi-head attention", r"/lessons/4_multi_head\.html"),
        ("tril or triu", "tril or triu: what does True mean in a mask?", r"/lessons/5_permutation_test\.html#question-tril-or-triu"),
    ],
)
def test_the_search_finds_sections_and_questions(context: BrowserContext, address: str, words: str, title: str, leads_to: str) -> None:
    page = open_page(context, address, "index.html", 1600)
    page.get_by_role("searchbox", name="Search").fill(words)
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_contain_text(re.compile(r"^\d+ sections? found"))
    found = page.locator("#found a").filter(has_text=title).first
    expect(found).to_be_visible()
    assert page.locator("#found p").filter(has_text=re.compile(r"np\.|==|\bdef ")).count() == 0
    found.click()
    expect(page).to_have_url(re.compile(leads_to))


def test_the_search_works_from_a_folder_and_says_when_it_finds_nothing(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    page.goto(f"{(site / 'search.html').as_uri()}?q=atention")
    expect(page.locator("#found a").first).to_be_visible()
    page.get_by_label("Words to look for").fill("xyzzyqwv")
    expect(page.get_by_role("status")).to_have_text("No sections found.")
    page.get_by_label("Words to look for").fill("residual stream")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement === document.querySelector('#found a')")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"^file:.*/lessons/\w+\.html"))
    page.close()


def test_a_reader_with_a_keyboard_alone_opens_a_help(context: BrowserContext, address: str) -> None:
    page = open_page(context, address, LESSONS[0], 1600)
    nudge = page.locator("summary").filter(has_text="A nudge").first
    page.locator("h2").filter(has_text="Turn scores into weights").evaluate("heading => { heading.tabIndex = -1; heading.focus(); }")
    for _ in range(40):
        page.keyboard.press("Tab")
        if nudge.evaluate("one => one === document.activeElement"):
            break
    else:
        pytest.fail("the help is not reached by Tab")
    page.keyboard.press("Enter")
    expect(page.locator("details[open]").first).to_contain_text("What can you subtract from a row to make its exponentials harmless?")
