"""What a folded part is called is HTML: Markdown and formulas in it would be shown as they are written."""

from __future__ import annotations

import re

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.lessons import Lesson, cell_label

SUMMARY = re.compile(r"<summary>(?P<text>.*?)</summary>", re.DOTALL)
MARKDOWN = re.compile(r"`[^`]+`|\$[^$]+\$|(?<![\w*])\*+[^\s*][^*]*\*|\[[^\]]+\]\(")


def lint_summaries(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Every `<summary>` with Markdown in it."""
    return [
        Problem(
            lesson.shown(lesson.text),
            cell_label(source, index),
            f"`<summary>` holds Markdown, which nothing draws there: {marked[0]}",
            "write <code>, <em> or <sub> instead",
        )
        for index, cell in enumerate(source.cells)
        if cell.cell_type == "markdown"
        for found in SUMMARY.finditer(cell.source)
        for marked in MARKDOWN.finditer(found["text"])
    ]
