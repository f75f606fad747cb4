"""Questions that people ask, each with a link to the cell of a lesson that answers it: a text marks it with `<!-- question: Why? -->`."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from authoring.lessons import Lesson, read_text

MARK = re.compile(r"<!-- question: (.+?) -->")


def list_questions(lessons: list[Lesson], title: Callable[[Lesson], str]) -> str:
    """The questions as lists under the titles of their lessons.

    Args:
        lessons: in order; those without a question are left out.
        title: what a lesson is called.
    """
    parts = []
    for lesson in lessons:
        asked = list(questions(lesson))
        links = [f'- <a href="lessons/{lesson.assignment}.html#{anchor(one)}">{html.escape(one)}</a>' for one in asked]
        parts += [f"## {title(lesson)}\n", *links, ""] if links else []
    return "\n".join(parts)


def questions(lesson: Lesson) -> Iterator[str]:
    """What the lesson's text says that it answers, in order."""
    for cell in read_text(lesson).cells:
        if cell.cell_type == "markdown":
            yield from MARK.findall(cell.source)


def with_anchors(text: str) -> str:
    """The text of a cell with a place to link to in place of each mark."""
    return MARK.sub(lambda found: f'<span id="{anchor(found[1])}"></span>', text)


def anchor(question: str) -> str:
    """The name of the place at which a question is answered."""
    return "question-" + "-".join(re.findall(r"\w+", question.lower()))
