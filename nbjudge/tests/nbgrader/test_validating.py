"""Validate says which tests that a student sees pass, and what it does not know. nbgrader's "Success!" is gone."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

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
    assert "Success" not in done.stdout and "not recognized" not in done.stderr, done.stderr
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


def test_a_check_without_a_message_is_told_as_grading_tells_it(course: Path) -> None:
    nb = notebook("a = 2", "Write here.", "b = a\nassert b == 1")
    nb.cells[1].metadata.nbgrader.checksum = compute_checksum(nb.cells[1])
    said = printed(course, nb)
    assert "This check of the test does not hold: `assert b == 1`." in said and "Traceback" not in said and "----" not in said


def test_a_test_that_was_changed_says_nothing(course: Path) -> None:
    said = printed(course, notebook("a = 2", test="pass"))
    assert "CONTENTS OF 1 TEST CELL(S) HAVE CHANGED" in said and "that you can see pass" not in said


TIMEOUT = "class CheckTimeoutError(AssertionError): pass\n\nraise CheckTimeoutError('stopped in line 3: `while True:`')"


def test_a_test_that_is_no_python_is_nobodys_failure(course: Path) -> None:
    nb = notebook("a = 2")
    nb.cells.insert(1, V4.new_code_cell("assert a ==", metadata=about("half_test", grade=True, locked=True, points=2, cell_type="code")))
    nb.cells[1].metadata.nbgrader.checksum = compute_checksum(nb.cells[1])
    said = printed(course, nb)
    assert "\n0 of 1 test that you can see pass" in said and "sum of does not pass:" in said
    assert f"- half: {validating.BROKEN}" in said and "half does not pass" not in said


def hanging(answer: str = "a = 1") -> NotebookNode:
    """A test that passes, one that says that the answer took too long, and one behind it that would run for minutes."""
    nb = notebook(answer)
    for name, test in (("hangs", TIMEOUT), ("later", "import time; time.sleep(1000)")):
        cell = V4.new_code_cell(test, metadata=about(f"{name}_test", grade=True, locked=True, points=1, cell_type="code"))
        cell.metadata.nbgrader.checksum = compute_checksum(cell)
        nb.cells.append(cell)
    return nb


def test_the_first_test_that_takes_too_long_ends_it(course: Path) -> None:
    said = printed(course, hanging())
    assert said.startswith("\n1 of 3 tests that you can see pass")
    assert "A cell took too long, so Validate ended there: 1 test after it did not run." in said
    assert "hangs does not pass:" in said and "stopped in line 3: `while True:`" in said
    assert "later does not pass" not in said


def test_a_cell_that_never_ends_is_told_with_its_line(course: Path) -> None:
    (course / "nbgrader_config.py").write_text(f"{CONFIG}c.ExecuteInTime.timeout = 2\n", encoding="utf-8")
    said = printed(course, hanging("a = 1\nwhile True:\n    a += 1"))
    assert "0 of 3 tests that you can see pass" in said and "3 tests after it did not run" in said
    assert "`a += 1` was stopped:" in said and "KeyboardInterrupt" in said and "while True:" in said


def test_a_server_tells_which_cell_runs(course: Path) -> None:
    nbformat.write(hanging(), course / "work.ipynb")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", f"--port={port}", "--allow-root", "--IdentityProvider.token=secret"]
    server = subprocess.Popen(
        [*command, "--ServerApp.jpserver_extensions=nbjudge._nbgrader.validating=True"],
        cwd=course,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        answers: dict[bool, list[dict[str, Any]]] = {}
        for tells in (True, False):
            body = json.dumps({"path": "work.ipynb", "tells_progress": tells}).encode()
            request = Request(f"http://127.0.0.1:{port}/assignments/validate", body, {"Authorization": "token secret"})
            answers[tells] = [json.loads(line) for line in eventually(lambda request=request: urlopen(request, timeout=60).read()).splitlines()]
    finally:
        server.terminate()
        server.wait(30)
    *running, last = answers[True]
    assert [line["running"] for line in running] == [
        "running cell 1 of 5: a = 1",
        'running cell 2 of 5: assert a == 1, "a is not one"',
        "running cell 4 of 5: raise CheckTimeoutError('stopped in line 3: `while True:`')",
    ]
    assert [last] == answers[False], "whoever does not ask gets the answer alone"
    assert last["success"] and last["value"]["told"][0]["text"] == "1 of 3 tests that you can see pass"


def eventually(ask: Callable[[], bytes], seconds: float = 60) -> bytes:
    """The answer of a server that may have to start first."""
    end = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except URLError as error:
            if isinstance(error, HTTPError) or time.monotonic() > end:
                raise
            time.sleep(0.2)


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
