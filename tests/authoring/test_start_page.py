"""The page that `make lab` opens tells the truth about the lessons."""

from __future__ import annotations

import re

import nbformat

from authoring.lessons import ROOT, find_lessons
from authoring.start_page import make_start_page

PAGE = ROOT / "notebooks" / "start.ipynb"


def test_the_committed_page_is_what_the_lessons_say() -> None:
    assert nbformat.writes(make_start_page(find_lessons())) + "\n" == PAGE.read_text(encoding="utf-8"), "run `make build`"


def test_every_lesson_is_linked_and_every_link_leads_somewhere() -> None:
    text = nbformat.read(PAGE, as_version=4).cells[0].source
    links = re.findall(r"\]\((\S+\.ipynb)\)", text)
    assert links == [str(lesson.released.relative_to(PAGE.parent)) for lesson in find_lessons()]
    assert all((PAGE.parent / link).is_file() for link in links)
