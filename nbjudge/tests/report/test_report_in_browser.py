"""A report's pages in Chromium, opened from the disk: they fit, can be read, sorted, filtered, unfolded and printed, and nothing in them runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, expect

from helpers.report_looks import HARD_TO_READ, LEAST_CONTRAST, SQUEEZED, STICKS_OUT
from nbjudge._report.model import ReportData
from nbjudge._report.pages import INDEX, STUDENTS, render, write
from nbjudge.testing.reports import hostile, ordinary

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SCREENSHOTS = Path(__file__).parents[3] / "screenshots"
CLASSES: dict[str, Callable[[], ReportData]] = {"ordinary": ordinary, "hostile": hostile, "large": lambda: ordinary(1000, 7)}
LOOKS = [(1280, "light"), (1280, "dark"), (900, "light"), (900, "dark")]
MOST_LINES, SHORT = 8, 14  # lines of a name in a table; letters of a word that a cell never breaks
OPEN_ALL = "() => document.querySelectorAll('details').forEach(each => { each.open = true })"


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of a report on each class."""
    folder = tmp_path_factory.mktemp("reports")
    return {name: write(folder / name, make()).parent for name, make in CLASSES.items()}


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page with the options of a context. It fails the test if anything is said, asked, or fetched from elsewhere."""
    noticed: list[str] = []
    contexts = []

    def open_page(path: Path, place: str = "", width: int = 1280, **options: object) -> Page:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: noticed.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: noticed.append(f"uncaught: {error}"))
        page.on("dialog", lambda dialog: (noticed.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("popup", lambda popup: noticed.append(f"popup: {popup.url}"))
        page.on("request", lambda request: None if request.url.startswith(path.parent.as_uri()) else noticed.append(f"fetched: {request.url}"))
        page.goto(path.as_uri() + place)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert noticed == []


def assignment(folder: Path) -> Path:
    """The first one's page."""
    return sorted(folder.glob("assignment-*.html"))[0]


def photograph(page: Page, path: Path) -> None:
    """A picture of the whole page, for a person to look at. On a busy machine Chromium once said that it was unable to take one."""
    try:
        page.screenshot(path=path, full_page=True)
    except Error:
        page.screenshot(path=path, full_page=True)


def rows(page: Page, table: str = "#students") -> list[str]:
    """The texts of the rows that are shown, in order."""
    return page.evaluate("table => [...document.querySelector(table).tBodies[0].rows].filter(row => !row.hidden).map(row => row.innerText)", table)


def figures(page: Page, table: str, place: int) -> list[float]:
    """The numbers of a column, those that there are."""
    texts = page.locator(f"{table} tbody td:nth-child({place})").evaluate_all("cells => cells.map(cell => cell.dataset.sort || '')")
    return [float(text) for text in texts if text]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
@pytest.mark.parametrize("name", ["ordinary", "hostile"])
def test_pages_fit_and_can_be_read(name: str, width: int, scheme: str, reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    pages = {"index": reports[name] / INDEX, "assignment": assignment(reports[name]), "students": reports[name] / STUDENTS}
    for kind, path in pages.items():
        page = opened(path, width=width, color_scheme=scheme)
        if name == "ordinary":
            photograph(page, SCREENSHOTS / f"report-{width}-{kind}{'-dark' if scheme == 'dark' else ''}.png")
        for fold in ("() => {}", OPEN_ALL):
            page.evaluate(fold)
            wide, window, *out = page.evaluate(STICKS_OUT)
            assert wide <= window == width and out == []
            read = page.evaluate(HARD_TO_READ, LEAST_CONTRAST)
            assert read["hard"] == [] and read["looked"] > 50
            if name == "ordinary":
                assert page.evaluate(SQUEEZED, [SHORT, MOST_LINES]) == []
        dark = sum(map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor")))) < 200
        assert dark == (scheme == "dark")


def test_nothing_of_a_student_runs(reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    paths = sorted(reports["hostile"].glob("*.html"))
    assert {path.name for path in paths} == set(render(hostile()))
    for path in paths:
        page = opened(path)
        page.evaluate(OPEN_ALL)
        page.evaluate("""() => { for (const one of document.querySelectorAll('*'))
            for (const kind of ['mouseover', 'focus', 'toggle', 'load', 'error', 'click']) if (!one.closest('a') || kind !== 'click')
                one.dispatchEvent(new Event(kind)); }""")
        page.wait_for_timeout(200)
        assert page.evaluate("window.pwned") is None
        assert page.locator("img, iframe, object, embed, base, link, [onerror], [onload], [onmouseover]").count() == 0
        assert page.locator("script").count() == 3
        expect(page.get_by_text("<script>window.pwned=1</script>").first).to_be_visible()


def test_the_policy_of_the_pages_refuses_scripts(tmp_path: Path, browser: Browser) -> None:
    """What would happen if a template forgot to escape: the policy is there for that, and the browser reads it."""
    path = write(tmp_path / "report", ordinary(3, 1))
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    forgotten = "<h1><script>window.pwned=1</script><img src=x onerror='window.pwned=2'><b style='color: red' onclick='window.pwned=3'>b</b>"
    path.write_text(path.read_text(encoding="utf-8").replace("<h1>", forgotten, 1), encoding="utf-8")
    page.goto(path.as_uri())
    page.locator("b").click()
    assert page.evaluate("window.pwned") is None and page.locator("b").evaluate("b => getComputedStyle(b).color") != "rgb(255, 0, 0)"
    assert len([text for text in said if "Content Security Policy" in text]) >= 4
    page.close()


def sorted_twice(page: Page, header: Locator, act: Callable[[], object], table: str, place: int) -> None:
    """Acting once sorts a column in the one direction, acting again in the other; the heading says which."""
    for direction in ("ascending", "descending"):
        act()
        expect(header).to_have_attribute("aria-sort", direction)
        page.wait_for_timeout(50)  # the table is sorted a moment after
        found = figures(page, table, place)
        assert len(set(found)) > 2 and found == sorted(found, reverse=direction == "descending")


@pytest.mark.parametrize("key", ["", "Enter", " "], ids=["click", "Enter", "Space"])
def test_tables_are_sorted_by_mouse_and_keyboard(key: str, reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    for path, table, heading in ((reports["ordinary"] / STUDENTS, "#students", "Sum"), (assignment(reports["ordinary"]), "table.items", "Mean")):
        page = opened(path)
        header = page.locator(f"{table} thead th").filter(has_text=re.compile(f"^{heading}"))
        before, scrolled = rows(page, table), page.evaluate("scrollY")
        place = header.evaluate("cell => cell.cellIndex + 1")
        if key:
            header.evaluate("cell => cell.focus({preventScroll: true})")
        sorted_twice(page, header, (lambda key=key, page=page: page.keyboard.press(key)) if key else header.click, table, place)
        after = rows(page, table)
        assert after != before and sorted(after) == sorted(before)
        assert page.locator(f"{table} th[aria-sort]").count() == 1
        if key:
            assert header.evaluate("cell => cell === document.activeElement") and page.evaluate("scrollY") == scrolled


def test_every_heading_to_sort_by_is_reached_with_the_tab_key(reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    page = opened(reports["ordinary"] / STUDENTS)
    headings, reached = page.locator("#students thead th:not(.no-sort)").all_inner_texts(), []
    for _ in range(42):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.matches('thead th') ? document.activeElement.innerText : ''"))
    assert list(dict.fromkeys(text for text in reached if text)) == headings and len(headings) == 11  # at the end of the page it starts again
    assert page.locator("tbody [tabindex='0']").count() == 0  # no row is in the way


def test_the_filter_shows_the_right_students(reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    page, whole = opened(reports["ordinary"] / STUDENTS), ordinary()
    told = page.locator("#told")
    expect(told).to_have_text("24 of 24 shown")
    name = whole.lines[5].name
    page.locator("#words").fill(name.upper())
    wanted = [line.student for line in whole.lines if line.name == name]
    assert [text for text in rows(page) if not any(student in text for student in wanted)] == [] and len(rows(page)) == len(wanted)
    expect(told).to_have_text(f"{len(wanted)} of 24 shown")
    page.locator("#words").fill("")
    page.locator("#only").check()
    remarked = [line.student for line in whole.lines if line.missing or line.late or line.not_graded or line.unusual]
    assert 0 < len(remarked) < 24 and all(student in text for student, text in zip(remarked, rows(page), strict=True))
    page.locator("#students thead th").last.click()
    page.wait_for_timeout(50)
    assert len(rows(page)) == len(remarked)  # still filtered when it is sorted
    page.locator("#words").fill("nobody has this name")
    assert rows(page) == []
    expect(told).to_have_text("0 of 24 shown")
    page.locator("#words").press("Enter")  # a form that must not be sent
    assert page.url.endswith(STUDENTS)


def test_a_link_to_a_cause_opens_it(reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    page = opened(reports["ordinary"] / INDEX)
    link = page.locator("a[href*='#cause-']").last
    place = link.get_attribute("href").partition("#")[2]
    link.click()
    cause = page.locator(f"#{place}")
    expect(cause.locator("ul.names")).to_be_visible()
    expect(cause).to_be_in_viewport()
    page.goto(assignment(reports["ordinary"]).as_uri())
    expect(page.locator("[id^=cause-] pre").last).to_be_hidden()
    link = page.locator("table.items a[href^='#cause-']").last
    cause = page.locator(link.get_attribute("href"))
    for _ in range(2):
        cause.evaluate("each => { each.open = false }")
        expect(cause.locator("ul.names")).to_be_hidden()
        link.click()  # the second time the address is the same
        expect(cause.locator("ul.names")).to_be_visible()
        expect(cause).to_be_in_viewport()


def test_without_scripts_everything_is_there(reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    whole = ordinary()
    page = opened(reports["ordinary"] / STUDENTS, java_script_enabled=False)
    expect(page.locator("#students tbody tr:visible")).to_have_count(len(whole.lines))
    expect(page.locator("#filter")).to_be_hidden()
    page = opened(assignment(reports["ordinary"]), java_script_enabled=False)
    causes = page.locator("[id^=cause-]")
    assert causes.count() == len(whole.parts[0].causes) > 5
    for cause in causes.all():
        if not cause.locator("ul.names").is_visible():
            cause.locator("summary").first.click()
        expect(cause.locator("ul.names")).to_be_visible()
        expect(cause.locator("pre").first).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_on_paper_everything_is_unfolded(scripts: bool, reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    page = opened(assignment(reports["ordinary"]), java_script_enabled=scripts)
    hidden = page.locator("[id^=cause-] ul.names").last
    expect(hidden).to_be_hidden()
    folded = page.locator("details:not([open])").count()
    page.emulate_media(media="print")
    if scripts:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == 0
    for names in page.locator("[id^=cause-] ul.names").all():
        expect(names).to_be_visible()
    expect(page.locator("nav:visible")).to_have_count(0)
    if scripts:
        page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() == folded > 0
    paper = page.pdf().count(b"/Type /Page\n")
    page.locator("details:not([open])").evaluate_all("all => all.forEach(each => { each.open = true })")
    assert paper == page.pdf().count(b"/Type /Page\n") > 2


def test_a_class_of_a_thousand(reports: dict[str, Path], opened: Callable[..., Page]) -> None:
    page = opened(reports["large"] / STUDENTS)
    assert len(rows(page)) == 1000
    expect(page.locator("#told")).to_have_text("1000 of 1000 shown")
    header = page.locator("#students thead th").filter(has_text=re.compile("^Sum"))
    place = header.evaluate("cell => cell.cellIndex + 1")
    header.click()
    page.wait_for_timeout(1000)
    assert figures(page, "#students", place) == sorted(figures(page, "#students", place)) and len(rows(page)) == 1000
    one = ordinary(1000, 7).lines[-1].student
    page.locator("#words").fill(one)
    assert [one in row for row in rows(page)] == [True]
    expect(page.locator("#told")).to_have_text("1 of 1000 shown")


def test_of_more_than_a_thousand_the_first_are_shown_in_any_order(tmp_path: Path, opened: Callable[..., Page]) -> None:
    whole = ordinary(1200, 1)
    page = opened(write(tmp_path / "report", whole).parent / STUDENTS)
    told = page.locator("#told")
    expect(told).to_have_text("the first 1000 of 1200 shown: filter or sort to see others")
    assert [line.student in row for line, row in zip(whole.lines, rows(page), strict=False)] == [True] * 1000
    header = page.locator("#students thead th").filter(has_text=re.compile("^Sum"))
    place = header.evaluate("cell => cell.cellIndex + 1")
    for _ in range(2):
        header.click()
        page.wait_for_timeout(500)
    assert len(rows(page)) == 1000 and figures(page, "#students", place) == sorted(figures(page, "#students", place), reverse=True)
    page.locator("#words").fill(whole.lines[-1].student)
    assert len(rows(page)) == 1 and whole.lines[-1].student in rows(page)[0]
    expect(told).to_have_text("1 of 1200 shown")
    page.locator("#words").fill("")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(rows(page)) == 1200, "on paper there is everybody"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(rows(page)) == 1000
