"""Hidden tests stay hidden under every mark that nbgrader allows: in the text, in messages, in autograded notebooks and in feedback."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbgrader.preprocessors import ClearHiddenTests

from helpers.courses import COMMAND, ENVIRONMENT, make_course, recorded
from nbjudge._analysis.instructor import Markers, only_tests
from nbjudge._execution.execute import execute
from nbjudge.testing.notebooks import code, notebook, test_cell

OTHERS = Markers("VERSTECKT ANFANG", "VERSTECKT ENDE")
SOURCES = {
    "as nbgrader writes it": "a\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS\nc",
    "one sign": "a\n# BEGIN HIDDEN TESTS\nb\n# END HIDDEN TESTS\nc",
    "no sign, more words": "a\n'''BEGIN HIDDEN TESTS of week 3'''\nb\nEND HIDDEN TESTS, thanks\nc",
    "behind code": "a\nif True: # BEGIN HIDDEN TESTS\n    b\nx = 1 # END HIDDEN TESTS\nc",
    "indented, blanks behind": "a\n    ### BEGIN HIDDEN TESTS  \n    b\n    ### END HIDDEN TESTS\t\nc",
    "twice": "a\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS\nc\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS",
    "nothing": "a\nc",
    "an end alone": "a\n### END HIDDEN TESTS\nc",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_what_is_visible_is_what_nbgrader_releases(source: str) -> None:
    cell = code(source, grade=True, grade_id="t", points=1, cell_type="code")
    ClearHiddenTests().preprocess_cell(cell, {}, 0)
    assert Markers().visible(source) == cell.source.rstrip("\n") == "a\nc"


def test_a_region_without_an_end_hides_all_that_follows() -> None:
    assert Markers().visible("a\n### BEGIN HIDDEN TESTS\nb\nc") == "a"


@pytest.mark.parametrize(
    ("marks", "begin", "end"), [(Markers(), "# BEGIN HIDDEN TESTS", "# END HIDDEN TESTS"), (OTHERS, "# VERSTECKT ANFANG", "# VERSTECKT ENDE")]
)
def test_a_message_gives_no_data_of_a_hidden_test_away(warm, marks: Markers, begin: str, end: str) -> None:
    nb = notebook("def f(x): raise ValueError(x)", test_cell("t", f"x = 1\n{begin}\nf('secret')\n{end}"))
    [verdict] = execute(nb, replace(only_tests(nb), markers=marks), warm).verdicts
    assert "secret" not in verdict.message and "on data of a hidden test" in verdict.message


CHECKS = {
    "numpy's": ("import numpy as np\n", "np.testing.assert_allclose(f(2), [77.25, 1])", "A check of a hidden test does not hold."),
    "unittest's": ("import unittest\ncase = unittest.TestCase()\n", "case.assertEqual(f(2), 'the 77.25')", "A check of a hidden test does not hold."),
    "torch's": (
        "import torch\n",
        "torch.testing.assert_close(torch.tensor([1.0 * f(2)]), torch.tensor([77.25]))",
        "A check of a hidden test does not hold.",
    ),
    "another error": ("import json\n", "json.loads('{77.25: ' + str(f(2)))", "does not hold (JSONDecodeError)."),
    "its own": ("", "assert f(2) == 77.25, 'not what it should be'", "not what it should be"),
    "Python's": ("", "f(2).shape[0]", "AttributeError: 'int' object has no attribute 'shape'"),
}


@pytest.mark.parametrize(("above", "check", "said"), CHECKS.values(), ids=CHECKS)
def test_a_librarys_message_of_a_hidden_test_is_not_the_students(warm, above: str, check: str, said: str) -> None:
    nb = notebook("def f(x): return 0", test_cell("t", f"{above}### BEGIN HIDDEN TESTS\n{check}\n### END HIDDEN TESTS"))
    [verdict] = execute(nb, only_tests(nb), warm).verdicts
    assert verdict.kind == "failed" and said in verdict.message and "77.25" not in verdict.message
    [open_one] = execute(shown := notebook("def f(x): return 0", test_cell("t", f"{above}{check}")), only_tests(shown), warm).verdicts
    assert ("77.25" in open_one.message) == (above not in ("", "import json\n")), open_one


@pytest.mark.slow
def test_nothing_that_students_get_holds_a_hidden_test(tmp_path: Path) -> None:
    root = make_course(tmp_path / "course", students=1, first_cell="import math")
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(f"\nc.ClearHiddenTests.begin_test_delimeter = {OTHERS.begin!r}\nc.ClearHiddenTests.end_test_delimeter = {OTHERS.end!r}\n")
    source = nbformat.read(root / "source" / "first" / "work.ipynb", as_version=4)
    source.cells[-1].source += f"\nif True:  # {OTHERS.begin} of this course\n    assert double(5) == 10, 'a secret'\n# {OTHERS.end}"
    nbformat.write(source, root / "source" / "first" / "work.ipynb")
    done = subprocess.run(COMMAND, cwd=root, env=ENVIRONMENT, text=True, capture_output=True, timeout=300, check=False)
    assert recorded(root) == {"s0": 2}, done.stdout + done.stderr
    pages = [*root.glob("autograded/*/*/*.ipynb"), *root.glob("feedback/*/*/*.html")]
    assert len(pages) == 2
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "double" in text
        assert "a secret" not in text and "VERSTECKT" not in text
