"""Gradescope's autograder of a lesson, run as Gradescope would: what the solution, the released notebook and one slip get."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from authoring.lessons import ROOT, find_lessons
from nbjudge.testing.containers import Container, zip_of

pytestmark = [pytest.mark.slow, pytest.mark.root]


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Container:
    subprocess.run([sys.executable, "-m", "authoring", "pair"], cwd=ROOT, check=True)
    return Container(zip_of(ROOT, LESSON.assignment), tmp_path_factory.mktemp("container"))


LESSON = find_lessons()[0]
NAME = LESSON.released.name.replace(".", "__")


def points(container: Container, content: bytes) -> tuple[dict[str, Any], float, float]:
    result = container.run(**{NAME: content})
    assert result is not None, container.printed
    return result, sum(test["score"] for test in result["tests"]), sum(test["max_score"] for test in result["tests"])


def solution() -> Path:
    return ROOT / "solutions" / LESSON.assignment / LESSON.released.name


def test_the_solution_gets_all_points(container: Container) -> None:
    result, score, most = points(container, solution().read_bytes())
    assert score == most > 0
    assert all(test["status"] == "passed" for test in result["tests"])
    assert "Graded by hand" in result["output"]


def test_the_released_notebook_gets_none(container: Container) -> None:
    result, score, most = points(container, LESSON.released.read_bytes())
    assert score == 0 < most
    assert all(test["output"] for test in result["tests"])  # each says what is missing


def test_a_slip_costs_its_own_points(container: Container) -> None:
    """Follow-through holds there, too: what calls `softmax` gets its points."""
    notebook = nbformat.reads(solution().read_text(encoding="utf-8"), as_version=4)
    [cell] = [cell for cell in notebook.cells if cell.source.startswith("def softmax(")]
    cell.source = "def softmax(scores, axis=-1):\n    return scores"
    result, score, most = points(container, nbformat.writes(notebook).encode())
    lost = [test["name"] for test in result["tests"] if test["score"] < test["max_score"]]
    assert "softmax" in lost and score > most / 2
    assert any("the solution's `softmax`" in test["output"] for test in result["tests"])
