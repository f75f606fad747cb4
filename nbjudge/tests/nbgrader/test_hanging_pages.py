"""What keeps a parser busy for ever costs a submission its page, never its points, and nobody else anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from helpers.courses import ENVIRONMENT, make_course, recorded
from nbjudge._course.course import Course
from nbjudge._course.grading import NOT_SHOWN, SHOWN_PLAINLY, grade_class
from nbjudge._course.outcomes import Status
from nbjudge._course.task_pool import DidNotEnd, TaskPool
from nbjudge._nbgrader import process_limit
from nbjudge._nbgrader.sanitize import harmless_and_plain

pytestmark = pytest.mark.slow

LONG = 30_000
TEXTS = {  # each is a page's hanging or crash in some parser, or was one
    "begin": "\\begin{a}" * LONG,
    "dollars": "$$a " * LONG,
    "blanks": "a" + " " * LONG * 3 + "b",
    "tabs": "\t" * LONG + "x",
    "brackets": "[" * LONG,
    "links": "[a](" * LONG,
    "stars": "*a " * LONG,
    "strong": "**a" * LONG,
    "underlines": "_a" * LONG,
    "backticks": "`".join("`" * n for n in range(400)),
    "quotes": ">" * LONG,
    "quotes_and_lists": "> - " * LONG,
    "lists": "\n".join("  " * n + "- a" for n in range(2000)),
    "tags": "<a " * LONG,
    "comments": "<!--" * LONG,
    "divs": "<div>" * LONG,
    "bold": "<b><p>" * LONG,
    "nested_tables": "<table><tr><td>" * 4000,
    "entities": "&#" * LONG,
    "pipes": "|a" * LONG + "\n" + "|-" * LONG,
    "footnotes": "[^a]: " * LONG,
    "references": "".join(f"[a{n}]: x\n" for n in range(5000)) + "[a1]" * 5000,
    "one_line": "word " * 1_000_000,
    "fences": "```\n~~~\n" * LONG,
    "mathjax": "\\[" * LONG,
    "headings": "# " * LONG,
    "tilde": "~~a" * LONG,
    "urls": "https://" * LONG,
    "attributes": "<a " + "b=c " * LONG,
}


ATTACKS = {  # a few of them in a whole class: what each student hands in
    "begin": [new_markdown_cell(TEXTS["begin"])],
    "blanks": [new_markdown_cell(TEXTS["blanks"])],
    "code": [new_code_cell("'''" + TEXTS["strong"] + "'''")],
    "output": [new_code_cell("for _ in range(40): display({'text/html': '<div>' * 90_000}, raw=True)")] * 20,
    "ansi": [new_code_cell("print('\\x1b[31m\\x1b[1;2;3' * 40_000)")] * 5,
}


def test_a_notebook_that_cannot_be_rendered_keeps_its_points_and_the_others_their_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_limit, "CPU_SECONDS", 4)
    root = make_course(tmp_path / "course", students=2, first_cell="import math")
    for name, cells in ATTACKS.items():
        (root / "submitted" / name / "first").mkdir(parents=True)
        notebook = nbformat.read(root / "submitted" / "s0" / "first" / "work.ipynb", as_version=4)
        notebook.cells += [new_cell(cell) for cell in cells]
        nbformat.write(notebook, root / "submitted" / name / "first" / "work.ipynb")
    outcomes = {outcome.student: outcome for outcome in grade_class(Course(root))}
    assert {name: outcome.status for name, outcome in outcomes.items()} == dict.fromkeys([*ATTACKS, "s0", "s1"], Status.GRADED)
    assert recorded(root) == dict.fromkeys([*ATTACKS, "s0", "s1"], 2)
    for name, outcome in outcomes.items():
        page = (root / "feedback" / name / "first" / "work.html").read_text(encoding="utf-8")
        if SHOWN_PLAINLY in outcome.notes:
            assert ("shown as it was written" in page) == (name in ("begin", "blanks"))
        elif NOT_SHOWN not in outcome.notes:
            assert "double_test" in page
    assert SHOWN_PLAINLY in outcomes["begin"].notes and SHOWN_PLAINLY in outcomes["blanks"].notes
    assert outcomes["s0"].notes == outcomes["s1"].notes == []


def test_nbgraders_own_commands_come_to_an_end(tmp_path: Path) -> None:
    root = make_course(tmp_path / "course", students=2, first_cell="import math")
    path = root / "submitted" / "s0" / "first" / "work.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells += map(new_cell, [new_markdown_cell(TEXTS["blanks"]), new_code_cell("1 + 1")])
    nbformat.write(notebook, path)
    config = root / "nbgrader_config.py"
    config.write_text(config.read_text() + "\nfrom nbjudge._nbgrader import process_limit\nprocess_limit.CPU_SECONDS = 4\n")
    for command in (["generate_assignment", "first"], ["autograde", "first"], ["generate_feedback", "first"]):
        done = subprocess.run([sys.executable, "-m", "nbgrader", *command], cwd=root, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    assert recorded(root) == {"s0": 2, "s1": 2}
    pages = {name: (root / "feedback" / name / "first" / "work.html").read_text(encoding="utf-8") for name in ("s0", "s1")}
    assert "shown as it was written" in pages["s0"] and "shown as it was written" not in pages["s1"]
    assert "double_test" in pages["s0"]


def new_cell(cell: NotebookNode) -> NotebookNode:
    """A copy with an id of its own."""
    return nbformat.from_dict({**cell, "id": nbformat.v4.nbbase.random_cell_id()})


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_shown_plainly_is_rendered_at_once(name: str) -> None:
    notebook = nbformat.v4.new_notebook(cells=[new_markdown_cell(TEXTS[name]), new_code_cell(TEXTS[name])])
    began = time.process_time()
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(harmless_and_plain(notebook))  # as any program does
    assert time.process_time() - began < 5
    assert "shown as it was written" in page


def _spin(course: Course) -> None:
    re.match("(a*)*b", "a" * 50)  # within C code, where no signal handler of Python's is heard


def _fill(course: Course) -> int:
    return len("a" * (4 << 30))


def _end(course: Course) -> None:
    os._exit(3)


def _answer(course: Course) -> str:
    return course.root.name


@pytest.mark.parametrize("task", [_spin, _fill, _end])
def test_a_task_beyond_its_limits_is_lost_alone(tmp_path: Path, task: Callable[[Course], object]) -> None:
    root = make_course(tmp_path / "course", students=0)
    with TaskPool(root, cpu_seconds=2) as pool:
        pool.begin("bad", task)
        pool.begin("good", _answer)
        results = dict(pool.done(everything=True))
        assert isinstance(results["bad"], DidNotEnd)
        assert results["good"] == "course"
        assert [result for _, result in pool.map(_answer, [()] * 5)] == ["course"] * 5
