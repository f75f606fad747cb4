"""Validate says which tests that a student sees pass, and what it does not know. nbgrader's "Success!" is gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.server_extensions.validate_assignment import handlers
from nbgrader.utils import compute_checksum

from helpers.courses import about
from nbjudge._nbgrader import validating

pytestmark = pytest.mark.slow

V4 = nbformat.v4
CONFIG = "from nbjudge._nbgrader.configuration import switch_on\nc = get_config()\nswitch_on(c)\nc.Report.ending = '_test'\n"


def notebook(answer: str, written: str = "Because.", test: str = 'assert a == 1, "a is not one"') -> NotebookNode:
    """One test that a student sees, and a written answer whose stub is "Write here."."""
    nb = V4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        cells=[
            V4.new_code_cell(answer, metadata=about("sum_of", solution=True, cell_type="code")),
            V4.new_code_cell('assert a == 1, "a is not one"', metadata=about("sum_of_test", grade=True, locked=True, points=2, cell_type="code")),
            V4.new_markdown_cell("Write here.", metadata=about("why_so", grade=True, solution=True, points=1, cell_type="markdown")),
        ],
    )
    for cell in nb.cells:
        cell.metadata.nbgrader.checksum = compute_checksum(cell)
    nb.cells[1].source, nb.cells[2].source = test, written
    return nb


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(course: Path, nb: NotebookNode) -> str:
    nbformat.write(nb, course / "work.ipynb")
    done = subprocess.run([sys.executable, "-m", "nbgrader", "validate", "work.ipynb"], capture_output=True, text=True, check=True, timeout=120)
    assert "Success" not in done.stdout
    return done.stdout


def test_on_the_command_line_what_passes_and_what_is_not_known(course: Path) -> None:
    said = printed(course, notebook("a = 1"))
    assert said.startswith("\n1 of 1 test that you can see pass")
    assert "This is not your grade yet" in said and "tests that may hold more than you can see" in said
    assert "why so: your instructor reads and grades it. Nothing here has judged it." in said


def test_on_the_command_line_what_fails_with_the_whole_message(course: Path) -> None:
    said = printed(course, notebook("a = 2", "Write here."))
    assert said.startswith("\n0 of 1 test")
    assert "- sum of does not pass:" in said and said.count("AssertionError: a is not one") == 1
    assert "why so: you have not written an answer yet." in said


def test_a_test_that_was_changed_says_nothing(course: Path) -> None:
    said = printed(course, notebook("a = 2", test="pass"))
    assert "CONTENTS OF 1 TEST CELL(S) HAVE CHANGED" in said and "that you can see pass" not in said


def test_the_handler_in_jupyterlab_tells_the_same(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "Validator", handlers.Validator)  # put back what the configuration changes
    handler = SimpleNamespace(root_dir=str(course), log=SimpleNamespace(error=print))
    handler.load_config = lambda: handlers.ValidateAssignmentHandler.load_config(handler)
    nbformat.write(notebook("a = 1"), course / "work.ipynb")
    answer = handlers.ValidateAssignmentHandler.validate_notebook(handler, "work.ipynb")
    assert handlers.Validator is validating.TellingValidator
    assert answer["success"] and "failed" not in answer["value"]
    assert [block["text"] for block in answer["value"]["told"] if block["kind"] == "heading"] == [
        "1 of 1 test that you can see pass",
        "This is not your grade yet",
    ]
    nbformat.write(notebook("a = 1", test="pass"), course / "work.ipynb")
    told = handlers.ValidateAssignmentHandler.validate_notebook(handler, "work.ipynb")["value"]["told"]
    assert told[0]["text"] == "1 cell of your instructor's is not as it was given to you"
    assert told[-1] == {"kind": "code", "text": "pass"}
