"""The first screen, what it leads to, the zip for learners, and what pages say of themselves."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from authoring.bundle.answers_inside import answers_inside, find_secrets
from authoring.bundle.command import write_release
from authoring.bundle.contents import bundle_name
from authoring.bundle.refusal import Refused
from authoring.lessons import ROOT, find_lessons, read_text
from tests.website.site_files import ours
from website.building import build
from website.first_page import making

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SCREENS = ((390, 844), (800, 600), (1280, 800))
FOR_INSTRUCTORS = re.compile(r"make (grade|release|formgrader)|[Kk]eep this repository private|\bcheats\b")


class Head(HTMLParser):
    """What a page says of itself, and where its links lead."""

    def __init__(self, text: str):
        super().__init__()
        self.said: dict[str, str] = {}
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a tag."""
        about = {name: value or "" for name, value in attrs}
        if tag == "meta" and (name := about.get("name") or about.get("property")):
            self.said[name] = about.get("content", "")
        if tag == "link" and "icon" in about.get("rel", ""):
            self.said["icon"] = about["href"]
        if tag == "a" and "href" in about:
            self.links.append(about["href"])


@pytest.fixture(params=["from a server", "from a folder"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str, site: Path) -> Iterator[Page]:
    """The first page, on a telephone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{address}/index.html" if request.param == "from a server" else (site / "index.html").as_uri())
    yield page
    context.close()
    assert errors == []


def weight_of(page: Page, word: str) -> float:
    return float(page.get_by_role("slider", name=f"score of “{word}”").get_attribute("aria-valuetext").rpartition(" ")[2])


def test_a_finger_that_drags_a_score_moves_weight_and_answer(page: Page) -> None:
    answer, slider = page.locator(".small-answer"), page.get_by_role("slider", name="score of “bone”")
    expect(answer).to_contain_text("the dog")
    assert weight_of(page, "dog") > 0.9 > 0.1 > weight_of(page, "bone")
    box = slider.bounding_box()
    finger = page.context.new_cdp_session(page)
    height, left, right = box["y"] + box["height"] / 2, box["x"], box["x"] + box["width"]
    at = left + box["width"] * (float(slider.input_value()) + 12) / 24
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": at, "y": height}]})
    for step in range(1, 11):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": at + (right - at) * step / 10, "y": height}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(answer).to_contain_text("the bone")
    assert weight_of(page, "bone") > 0.9 > 0.1 > weight_of(page, "dog")
    page.get_by_role("button", name="Reset").tap()
    expect(answer).to_contain_text("the dog")


def test_another_last_word_turns_the_query_to_the_other_noun(page: Page) -> None:
    page.get_by_role("button", name="heavy").tap()
    expect(page.locator(".small-answer")).to_contain_text("the bone")
    expect(page.get_by_role("button", name="heavy")).to_have_attribute("aria-pressed", "true")
    assert weight_of(page, "bone") > 0.9


def test_it_works_with_a_keyboard_alone(page: Page) -> None:
    page.get_by_role("slider", name="score of “bone”").focus()
    page.keyboard.press("End")
    expect(page.locator(".small-answer")).to_contain_text("the bone")
    page.keyboard.press("Home")
    expect(page.locator(".small-answer")).to_contain_text("the dog")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_first_screen_has_all_that_one_needs_to_begin(browser: Browser, address: str, width: int, height: int, colours: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
    page.goto(f"{address}/index.html")
    for what in (".first-sentence", ".small-explorer", ".first-main", ".first-ways a[download]"):
        box = page.locator(what).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height and box["x"] >= 0 and box["x"] + box["width"] <= width, what
    assert all(slider.bounding_box()["height"] >= 24 for slider in page.get_by_role("slider").all())
    assert [one["id"] for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")] == []
    page.close()


def test_without_javascript_there_is_a_picture_with_words(browser: Browser, address: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{address}/index.html")
    picture = page.locator(".small img")
    expect(picture).to_be_visible()
    assert "“it” looks most at “dog”" in picture.get_attribute("alt")
    page.close()


def test_each_lesson_has_a_card_with_a_picture_that_is_seen(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}/index.html")
    lessons = find_lessons()
    cards = page.locator(".cards li")
    assert cards.count() == len(lessons)
    for lesson, card in zip(lessons, cards.all(), strict=True):
        card.scroll_into_view_if_needed()
        assert card.locator("a").get_attribute("href") == f"lessons/{lesson.assignment}.html"
        assert ("optional" in card.text_content()) == bool(read_text(lesson).metadata.lesson.get("optional"))
        seen = card.locator(".card-picture img, .card-picture table").first
        expect(seen).to_be_visible()
        if card.locator("img").count():
            page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=seen.element_handle())
    page.close()


def test_a_lesson_without_a_picture_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = find_lessons()[0]
    monkeypatch.setitem(making.PICTURES, lesson.assignment, "figures.nothing(")
    with pytest.raises(Refused, match=f"{lesson.assignment} has no figure from"):
        making.make_first_page([lesson])
    monkeypatch.delitem(making.PICTURES, lesson.assignment)
    with pytest.raises(Refused, match=f"{lesson.assignment} has no picture"):
        making.make_first_page([lesson])


def test_the_zip_is_that_of_a_release_and_answers_nothing(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{bundle_name(ROOT)}.zip"
    (tmp_path / "project").mkdir()
    for path in ROOT.iterdir():
        if path.name not in ("dist", "site"):
            (tmp_path / "project" / path.name).symlink_to(path)
    assert write_release(tmp_path / "project", "") == 0
    found = []
    for zipped in (site / name, tmp_path / "project" / "dist" / name):
        with zipfile.ZipFile(zipped) as archive:
            found.append({path: archive.read(path) for path in archive.namelist()})
    contents = found[0]
    assert contents == found[1]
    assert (site / name).stat().st_size < 3e6
    assert f"{bundle_name(ROOT)}/notebooks/start.ipynb" in contents
    assert answers_inside(contents, find_secrets(find_lessons())) == []
    for path in ("index.html", "start.html"):
        assert name in Head((site / path).read_text(encoding="utf-8")).links


def test_every_page_is_reached_from_the_first(site: Path) -> None:
    waiting, seen = [site / "index.html"], set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        links = (urlsplit(link) for link in Head(path.read_text(encoding="utf-8")).links)
        pages = ((path.parent / unquote(link.path)).resolve() for link in links if link.path and not link.scheme and not link.netloc)
        waiting += [page for page in pages if page.suffix == ".html" and page.is_file() and (site / "lite") not in page.parents]
    assert set(ours(site, "*.html")) - seen <= {site / "genindex.html", site / "search.html"}


def test_the_sidebar_of_learners_has_one_entry_for_instructors(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1600, "height": 900})
    page.goto(f"{address}/index.html")
    shown = [link.text_content() for link in page.locator(".sidebar-drawer .sidebar-tree a").all() if link.is_visible()]
    page.close()
    assert shown[0] == "Begin" and shown[-1] == "For instructors"
    assert len(shown) == len(find_lessons()) + len(("Begin", "Questions", "Explore", "Glossary", "Further reading", "For instructors"))


def test_learners_pages_are_not_about_grading(site: Path) -> None:
    learners = [site / f"{name}.html" for name in ("index", "start", "questions", "explorer", "glossary", "further_reading")]
    for path in [*learners, *sorted((site / "lessons").glob("*.html"))]:
        article = re.search(r"<article.*?</article>", path.read_text(encoding="utf-8"), re.DOTALL)[0]
        assert not FOR_INSTRUCTORS.search(article), path.name
    assert FOR_INSTRUCTORS.search((site / "teaching.html").read_text(encoding="utf-8"))


def test_each_page_says_what_it_is(site: Path) -> None:
    described = {}
    for path in set(ours(site, "*.html")) - {site / "embed.html"}:  # what is shown in frames of other pages has no preview
        said = Head(path.read_text(encoding="utf-8")).said
        assert said["og:title"] and said["theme-color"] and (path.parent / said["icon"]).is_file(), path.name
        assert (path.parent / said["og:image"]).read_bytes()[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big"), path.name
        if path.name not in ("genindex.html", "search.html"):
            assert 20 < len(said["description"]) <= 160 and said["description"] == said["og:description"], path.name
            described[path] = said["description"]
    assert len(set(described.values())) == len(described)


@pytest.mark.parametrize("address", ["course.example.org", "ftp://example.org", "https://"])
def test_an_address_that_is_none_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is no address of a site"):
        build(ROOT, tmp_path / "site", address)
    assert not (tmp_path / "site").exists()
