"""Each file in training_cheats/ tries to get the points of lesson 6's graded training without a model that has learned from the batches. None may."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from authoring.answers import fill_in, solution_sources
from authoring.lessons import Lesson, read_text
from nbjudge import Limits, is_test
from nbjudge.testing.steps import Instructor, WarmKernels, execute, grade_id

LESSON, EXERCISE = Lesson("6_transformer"), "learn_to_rearrange"
CHEATS = sorted((Path(__file__).parent / "training_cheats").glob("*.py"))
LIMITS = Limits(cell_seconds=20, test_seconds=30)


@pytest.fixture(scope="module")
def kernels():
    with WarmKernels(packages=("attnlab",)) as warm:
        yield warm


def verdict_on(answer: str | None, kernels: WarmKernels):
    """What the exercise's test says of an answer, or of the lesson's own, in a notebook with all other answers in."""
    released, sources = nbformat.read(LESSON.released, as_version=4), solution_sources(nbformat.read(LESSON.solution, as_version=4))
    submitted = fill_in(released, sources if answer is None else {**sources, EXERCISE: answer})
    source = read_text(LESSON)
    for notebook in (submitted, source):
        notebook.cells = [cell for cell in notebook.cells if not is_test(cell) or grade_id(cell) == f"{EXERCISE}_test"]
    [verdict] = execute(submitted, Instructor(source), kernels, LIMITS).verdicts
    return verdict


def test_an_honest_training_gets_everything(kernels: WarmKernels) -> None:
    verdict = verdict_on(None, kernels)
    assert (verdict.kind, verdict.points) == ("passed", 3), verdict


@pytest.mark.parametrize("path", CHEATS, ids=lambda path: path.stem)
def test_a_model_that_did_not_learn_earns_nothing(path: Path, kernels: WarmKernels) -> None:
    verdict = verdict_on(path.read_text(encoding="utf-8"), kernels)
    assert verdict.points == 0 and verdict.kind in ("failed", "ended"), verdict
