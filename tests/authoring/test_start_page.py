"""The page that `make lab` opens tells the truth about the lessons."""

from __future__ import annotations

import re

import nbformat

from authoring.lessons import ROOT, find_lessons, read_text
from authoring.start_page import make_start_page

PAGE = ROOT / "notebooks" / "start.ipynb"


def test_the_committed_page_is_what_the_lessons_say() -> None:
    assert nbformat.writes(make_start_page(find_lessons())) + "\n" == PAGE.read_text(encoding="utf-8"), "run `make build`"


def test_progress_stands_on_top_and_the_course_has_one_line_for_each_lesson() -> None:
    _, progress, course, *_ = make_start_page(find_lessons()).cells
    assert "check.progress()" in progress.source
    table = [line for line in course.source.splitlines() if line.startswith("|")]
    assert len(table) == 2 + len(find_lessons()) + 1 and max(map(len, table)) < 260
    for lesson, line in zip(find_lessons(), table[2:]):
        assert line.endswith(f"| {read_text(lesson).metadata.lesson.in_short} |")


def test_a_double_click_shows_no_source() -> None:
    page = make_start_page(find_lessons())
    assert {cell.metadata.get("editable", True) for cell in page.cells if cell.cell_type == "markdown"} == {False}


def test_every_lesson_is_linked_and_every_link_leads_somewhere() -> None:
    text = nbformat.read(PAGE, as_version=4).cells[2].source
    links = re.findall(r"\]\((\S+\.ipynb)\)", text)
    assert links == [str(lesson.released.relative_to(PAGE.parent)) for lesson in find_lessons()]
    assert all((PAGE.parent / link).is_file() for link in links)


def test_optional_lessons_are_marked_and_the_sums_leave_them_out() -> None:
    text = nbformat.read(PAGE, as_version=4).cells[2].source
    fronts = {lesson: read_text(lesson).metadata.lesson for lesson in find_lessons()}
    optional = {lesson: front for lesson, front in fronts.items() if front.get("optional")}
    assert [lesson.assignment for lesson in optional] == ["2b_columns", "3b_backward_pass", "5b_rotary_positions", "8_real_model"]
    for lesson, front in optional.items():
        link = f"[{front.title}]({lesson.assignment}/{lesson.released.name}) (optional)"
        assert f"| {lesson.number} | {link} | {front.minutes} | +{front.points} |" in text
    taken = [front for lesson, front in fronts.items() if lesson not in optional]
    assert f"| {sum(front.minutes for front in taken)} | {sum(front.points for front in taken)} |" in text


def test_the_readme_says_the_same_minutes_and_points() -> None:
    def numbers(text: str) -> list[tuple[str, ...]]:
        return re.findall(r"^\| (\w*) ?\| ([^|]*?) \| (\d+) \| (\+?\d+) \|", text.replace("notebooks/", ""), re.MULTILINE)

    ours = numbers((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(ours) == len(find_lessons()) + 1
    assert ours == numbers(nbformat.read(PAGE, as_version=4).cells[2].source)
