"""nbgrader's Validate, in words that say what it knows and what it does not: the tests that a student sees pass or do not, no more."""

from __future__ import annotations

import sys
from textwrap import indent

import nbformat
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbgrader.validator import Validator

from nbgrader import utils
from nbjudge._common.settings import Report
from nbjudge._nbgrader.feedback import in_words

# nbgrader's command and its handler in JupyterLab name the class that validates; neither has a setting for it.
USERS = ("nbgrader.apps.validateapp", "nbgrader.server_extensions.validate_assignment.handlers")
MOST_SAID = 2000
LATER = (
    "After you hand in, your notebook is graded by tests that may hold more than you can see: other inputs, or whether an answer that is "
    "only noted here is right. Validate does not know them."
)


class TellingValidator(Validator):
    """Adds `told` to nbgrader's results: a list of `{"kind": "heading" | "line" | "item" | "code", "text": ...}`."""

    def validate(self, filename: str) -> dict[str, list[dict[str, str]]]:
        """Run the notebook and look at its cells, as nbgrader does."""
        self._seen: list[tuple[NotebookNode, bool]] = []
        results = super().validate(filename)
        if broken := results.get("type_changed") or (not self.ignore_checksums and results.get("changed")):
            results["told"] = _told_of_changed(broken)
        elif not self.invert:
            results["told"] = self._told(nbformat.read(filename, as_version=4))
        self._last = results.get("told", [])
        return results

    def _get_failed_cells(self, nb: NotebookNode) -> list[NotebookNode]:
        failed: list[NotebookNode] = super()._get_failed_cells(nb)
        self._seen = [(cell, any(cell is one for one in failed)) for cell in nb.cells if utils.is_grade(cell)]
        return failed

    def _told(self, nb: NotebookNode) -> list[dict[str, str]]:
        tests = [(cell, fails) for cell, fails in self._seen if not utils.is_solution(cell)]
        failing = [cell for cell, fails in tests if fails]
        empty = {self._name(cell) for cell, fails in self._seen if fails and utils.is_solution(cell)}
        read = [self._name(cell) for cell in nb.cells if (utils.is_grade(cell) and utils.is_solution(cell)) or utils.is_task(cell)]
        told = [_block("heading", f"{len(tests) - len(failing)} of {_number(len(tests), 'test')} that you can see pass")] if tests else []
        for cell in failing:
            told += [_block("item", f"{self._name(cell)} does not pass:"), _block("code", strip_ansi(self._extract_error(cell)).strip()[-MOST_SAID:])]
        told.append(_block("heading", "This is not your grade yet"))
        if tests:
            told.append(_block("line", LATER))
        for name in read:
            state = "you have not written an answer yet." if name in empty else "your instructor reads and grades it. Nothing here has judged it."
            told.append(_block("item", f"{name}: {state}"))
        return told

    def _print_num_failed(self, num_failed: int) -> None:
        """What `nbgrader validate` prints, in place of "Success!"."""
        marks = {"heading": "\n{}\n", "line": "{}\n", "item": "- {}\n"}
        for block in self._last:
            if block["kind"] == "code":
                self.stream.write(indent(block["text"], self.indent) + "\n")
            else:
                self.stream.write(marks[block["kind"]].format(block["text"]))

    def _print_error(self, source: str, error: str) -> None:
        """Told already, with the name of the test."""

    def _name(self, cell: NotebookNode) -> str:
        return in_words(str(cell.metadata.nbgrader.get("grade_id", "a cell")), Report(parent=self).ending)


def tell_what_is_known() -> None:
    """Let `nbgrader validate` and JupyterLab's Validate use `TellingValidator`, where this process has loaded them."""
    for name in USERS:
        if (module := sys.modules.get(name)) is not None:
            vars(module)["Validator"] = TellingValidator


def _told_of_changed(cells: list[dict[str, str]]) -> list[dict[str, str]]:
    told = [
        _block(
            "heading",
            f"{_number(len(cells), 'cell')} of your instructor's is not as it was given to you"
            if len(cells) == 1
            else f"{_number(len(cells), 'cell')} of your instructor's are not as they were given to you",
        ),
        _block(
            "line",
            "Nothing more can be said: a test that was changed says nothing about your answers. When you hand in, the "
            "instructor's own tests count. Next: copy these cells from a fresh copy of the notebook, and validate again.",
        ),
    ]
    return told + [_block("code", cell["source"][:MOST_SAID]) for cell in cells]


def _block(kind: str, text: str) -> dict[str, str]:
    return {"kind": kind, "text": text}


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
