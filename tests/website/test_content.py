"""What stands on the pages, and what does not."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import nbformat
import pytest

from attnlab import exercises, reference
from attnlab.figures.comparison import EQUALS, RESULT, RESULT_FOR
from authoring.bundle.answers_inside import answers_inside, find_secrets
from authoring.exercises import find_exercises
from authoring.lessons import ROOT, Lesson, find_lessons, read_text
from nbjudge import is_test
from tests.website.site_files import ours
from website.outputs import with_words_for_readers
from website.questions import questions

LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?\b(?:src|data)=["']([^"']+)"""
    r"""|<link\b(?=[^>]*\brel=["'](?:stylesheet|preload|preconnect|icon|manifest))[^>]*?\bhref=["']([^"']+)"""
    r"""|url\(["']?([^"')]+)|@import ["']([^"']+)"""
)
TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL)
EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)


def page_of(site: Path, lesson: Lesson) -> str:
    return (site / "lessons" / f"{lesson.assignment}.html").read_text(encoding="utf-8")


def text_of(page: str) -> str:
    return html.unescape(TAG.sub("", page))


def plain(markdown: str) -> str:
    return re.sub(r"\s+", " ", markdown)


def sections(site: Path) -> list[dict[str, str]]:
    """What the search looks through."""
    return json.loads((site / "_static" / "sections.js").read_text(encoding="utf-8").removeprefix("window.SECTIONS = ").removesuffix(";\n"))


def test_no_page_answers_an_exercise(site: Path) -> None:
    pages = {f"{path.relative_to(site)}.txt": text_of(path.read_text(encoding="utf-8")).encode() for path in ours(site, "*.html")}
    searched = json.dumps(sections(site)).encode()
    assert len(pages) > 12
    assert answers_inside({**pages, "sections.json": searched}, find_secrets(find_lessons())) == []


def test_an_answer_on_a_page_would_be_found(site: Path) -> None:
    lesson = find_lessons()[0]
    solved = nbformat.read(lesson.solution, as_version=4)
    answer = next(cell.source for cell in solved.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "softmax")
    page = text_of(page_of(site, lesson).replace("</article>", f"<pre>{html.escape(answer)}</pre></article>"))
    assert answers_inside({"page.txt": page.encode()}, find_secrets([lesson]))


@EACH_LESSON
def test_a_lesson_is_there_as_learners_get_it(site: Path, lesson: Lesson) -> None:
    page = page_of(site, lesson)
    text = plain(text_of(page))
    released = nbformat.read(lesson.released, as_version=4)
    for cell in released.cells:
        about = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and not is_test(cell) and "check.reveal(" not in cell.source and "check.progress(" not in cell.source:
            assert plain(cell.source).strip() in text, cell.source
        elif is_test(cell):
            assert plain(cell.source).strip() not in text, cell.source
        elif cell.cell_type == "markdown" and not about:
            for heading in re.findall(r"(?m)^#+ ([\w ,.:?]+)$", cell.source):
                assert re.search(rf"<h\d>{re.escape(html.escape(heading))}<a", page), heading
    assert page.count("<details") >= sum(cell.source.count("<details>") for cell in released.cells)
    assert "<details open" not in page and 'class="docutils" open' not in page


@EACH_LESSON
def test_pictures_are_those_of_right_answers_with_words_for_them(site: Path, lesson: Lesson) -> None:
    page = page_of(site, lesson)
    solved = nbformat.read(lesson.solution, as_version=4)
    pictures = [
        output.data["text/html"]
        for cell in solved.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]
    assert len(pictures) > 2
    for picture in pictures:
        caption = re.search(r"<figcaption>.*?</figcaption>", picture, re.DOTALL)
        assert caption and with_words_for_readers(caption[0]) in page
    figures = " ".join(re.findall(r"<figure\b.*?</figure>", page, re.DOTALL))
    assert not re.search(f"{EQUALS}|{RESULT}|{RESULT_FOR}", figures)
    assert not any("`" in caption for caption in re.findall(r"<figcaption>.*?</figcaption>", page, re.DOTALL))
    assert re.findall(r"<img\b(?![^>]*\balt=[\"'][^\"']{10})[^>]*>", page) == []


@EACH_LESSON
def test_each_exercise_shows_what_its_check_says_to_a_wrong_answer(site: Path, lesson: Lesson) -> None:
    source = read_text(lesson)
    callables = {exercise.name for exercise in find_exercises(source) if not exercise.asks_for_values}
    cards = re.findall(r'<details class="example">.*?</details>', page_of(site, lesson), re.DOTALL)
    shown = {re.search(r"✗ (\w+)", card)[1] for card in cards}
    assert callables == shown <= set(exercises.names())
    assert all(">likely</span>" in card and ">next</span>" in card for card in cards)


@EACH_LESSON
def test_each_prediction_can_be_made_in_the_page(site: Path, lesson: Lesson) -> None:
    page = page_of(site, lesson)
    asked = reference.predictions(lesson.assignment)
    assert page.count('<form class="prediction"') == page.count('<details class="predicted"') == len(asked)
    for one in asked:
        form = re.search(rf'<form class="prediction" id="{one.name}">.*?</form>', page, re.DOTALL)[0]
        assert html.escape(one.because) in form
        assert html.escape(one.because) not in re.sub(r"<template.*?</template>", "", form, flags=re.DOTALL)
        assert form.count('type="radio"') == (0 if one.choices == (tuple,) else len(one.choices))


def test_the_search_looks_through_sections_without_code_and_answers_of_predictions(site: Path) -> None:
    found = sections(site)
    for section in found:
        page, _, anchor = section["where"].partition("#")
        assert not anchor or f'id="{anchor}"' in (site / page).read_text(encoding="utf-8"), section["where"]
    text = html.unescape(" ".join(section["text"] for section in found if section["where"].startswith("lessons/")))
    assert len(found) > 200 and "np.array(" not in text and "check.reveal" not in text
    for one in (one for lesson in reference.lessons() for one in reference.predictions(lesson)):
        assert one.because not in text, one.name


def test_nothing_of_the_other_search_is_left(site: Path) -> None:
    left = {path.name for path in ours(site)} & {"searchindex.js", "searchtools.js", "language_data.js"}
    assert left == set()


@EACH_LESSON
def test_every_formula_is_drawn_by_the_browser_itself(site: Path, lesson: Lesson) -> None:
    page = page_of(site, lesson)
    source = "\n".join(cell.source for cell in read_text(lesson).cells if cell.cell_type == "markdown")
    without_code = re.sub(r"```.*?```|`[^`\n]*`", "", re.sub(r"(?s)<!--.*?-->|=== BEGIN MARK SCHEME ===.*?=== END MARK SCHEME ===", "", source))
    assert page.count("<math") >= without_code.count("$$") // 2
    outside = re.sub(r"<(pre|code|script|style|annotation)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert "$$" not in outside and r"\frac" not in text_of(outside) and not re.search(r"<script[^>]*mathjax", page, re.IGNORECASE)


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in [path for kind in ("html", "css", "js") for path in ours(site, f"*.{kind}")]:
        for found in LOADED.finditer(path.read_text(encoding="utf-8")):
            address = next(group for group in found.groups() if group)
            assert not re.match(r"(https?:)?//", address), f"{path.name} loads {address}"


def test_no_file_of_the_project_comes_along(site: Path) -> None:
    kinds = {path.suffix for path in ours(site)}
    assert kinds <= {
        ".html",
        ".css",
        ".js",
        ".svg",
        ".png",
        ".woff2",
        ".woff",
        ".ttf",
        ".inv",
        ".txt",
        ".map",
        ".buildinfo",
        ".LICENSE",
        ".zip",
        "",
    }, kinds
    assert not list(site.rglob("_downloads")) and not list(site.rglob("_sources"))


def test_tables_of_benchmarks_are_those_of_the_project(site: Path) -> None:
    text = text_of((site / "benchmarks.html").read_text(encoding="utf-8"))
    tables = [path for folder in ("benchmarks", "nbjudge/benchmarks", "nbjudge/hostile") for path in sorted((ROOT / folder).glob("*.txt"))]
    assert len(tables) >= 8
    for table in tables:
        assert table.read_text(encoding="utf-8").strip() in text, table.name


def test_promises_and_limits_of_the_grader_are_there(site: Path) -> None:
    text = text_of((site / "promises.html").read_text(encoding="utf-8"))
    assert "What it promises" in text and "What it does not promise" in text


def test_each_question_leads_to_the_place_that_answers_it(site: Path) -> None:
    links = re.findall(r'href="(lessons/[^"#]+)#(question-[^"]+)"', (site / "questions.html").read_text(encoding="utf-8"))
    assert len(links) == len(set(links)) == sum(len(list(questions(lesson))) for lesson in find_lessons()) > 0
    for page, place in links:
        assert (site / page).read_text(encoding="utf-8").count(f'<span id="{place}" data-question=') == 1, place


def test_most_questions_show_how_their_answer_begins() -> None:
    asked = [one for lesson in find_lessons() for one in questions(lesson)]
    assert sum(len(one.begins) > 40 for one in asked) > 0.9 * len(asked)
    assert not any(mark in one.begins for one in asked for mark in ("<!--", "```", "Predict first", "BEGIN"))
