"""Take hidden tests out of what students get to read."""

from __future__ import annotations

import re

from mistune import import_plugin
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

HIDDEN = re.compile(r"[ \t]*### BEGIN HIDDEN TESTS.*?(### END HIDDEN TESTS[^\n]*\n?|\Z)", re.DOTALL)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class HideHiddenTests(NbGraderPreprocessor):
    """A step of generate_feedback: test cells keep their visible part, and an error keeps its message alone.

    A traceback shows the lines around the one that failed, so it would show the hidden tests.
    """

    def preprocess_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple[NotebookNode, dict]:
        if cell.cell_type != "code" or not is_grade(cell) or is_solution(cell):
            return cell, resources
        cell.source = HIDDEN.sub("", cell.source).rstrip()
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                output.traceback = message_lines(output.ename, output.evalue)
        return cell, resources


def markdown_to_html(source: str) -> str:
    """nbconvert's own Markdown, with tables in block quotes, which it leaves as bars and dashes (nbconvert 7.17)."""
    plugins = [import_plugin(name) for name in (*MarkdownWithMath.DEFAULT_PLUGINS, "mistune.plugins.table.table_in_quote")]
    html = MarkdownWithMath(renderer=IPythonRenderer(escape=False), plugins=plugins).render(source)
    return html.replace("<table>", '<table class="table table-condensed" style="width: auto">')  # the page's style sheet knows these


def message_lines(name: str, message: str) -> list[str]:
    """An error as a student may read it: the message, with the error's name in front where that says something."""
    text = COLOURS.sub("", message).strip()
    if name in ("AssertionError", "CheckFailed") and text:
        return text.splitlines()
    return [f"{name}: {text}" if text else name]
