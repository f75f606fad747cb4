"""Questions that people ask, each with how its answer begins and a link to it. A lesson's text marks the place: `<!-- question: Why? -->`."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from authoring.lessons import Lesson, read_text

MARK = re.compile(r"<!-- question: (.+?) -->")
QUESTION = """<details><summary>{asked}</summary>

{begins}

<p><a href="{address}">See it with its numbers and pictures</a></p>

</details>
"""
NEXT_TOPIC = re.compile(rf"(?m)^(?:#|{MARK.pattern})")
NO_TEXT = ("#", "```", ">", "|", "$$", "<", "**Predict first.**")  # how a paragraph does not begin that says something by itself


@dataclass(frozen=True)
class Question:
    """A question that a lesson answers, and how the answer begins, as Markdown: one paragraph before the code that shows it, and one behind."""

    asked: str
    begins: str


def list_questions(lessons: list[Lesson], title: Callable[[Lesson], str], redirected: Callable[[Lesson, str], str]) -> str:
    """The questions under the titles of their lessons, folded.

    Args:
        lessons: in order; those without a question are left out.
        title: what a lesson is called.
        redirected: makes links between files, in a text of a lesson, into links from the page of questions.
    """
    parts = []
    for lesson in lessons:
        found = [
            QUESTION.format(
                asked=_in_html(one.asked), begins=redirected(lesson, one.begins), address=f"lessons/{lesson.assignment}.html#{anchor(one.asked)}"
            )
            for one in questions(lesson)
        ]
        parts += [f"## {title(lesson)}\n", *found, ""] if found else []
    return "\n".join(parts)


def questions(lesson: Lesson) -> Iterator[Question]:
    """What the lesson's text says that it answers, in order."""
    texts = [cell.source for cell in read_text(lesson).cells if cell.cell_type == "markdown"]
    for text, following in zip(texts, [*texts[1:], ""]):
        for found in MARK.finditer(text):
            parts = (text[found.end() :], _before_the_next_topic(following))
            yield Question(found[1], "\n\n".join(filter(None, map(_first_paragraph, parts))))


def _before_the_next_topic(text: str) -> str:
    found = NEXT_TOPIC.search(text)
    return text[: found.start()] if found else text


def _first_paragraph(text: str) -> str:
    """The first that says something by itself; empty where there is none. What follows code says what it has shown."""
    paragraphs = (paragraph.strip() for paragraph in MARK.sub("", text).split("\n\n"))
    return next((one for one in paragraphs if one and not one.startswith(NO_TEXT)), "")


def with_anchors(text: str) -> str:
    """The text of a cell with a place to link to in place of each mark, which says what is asked."""
    return MARK.sub(lambda found: f'<span id="{anchor(found[1])}" data-question="{html.escape(found[1])}"></span>', text)


def anchor(question: str) -> str:
    """The name of the place at which a question is answered."""
    return "question-" + "-".join(re.findall(r"\w+", question.lower()))


def _in_html(asked: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(asked))
