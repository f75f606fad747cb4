"""What lessons train comes out as their text says, for other seeds, too, and in less than a minute of one processor for a lesson."""

from __future__ import annotations

import re
import time

import nbformat
import pytest

from authoring.lessons import find_lessons, read_text
from nbjudge import is_skipped
from specimens.trained import TRAININGS, Training

pytestmark = pytest.mark.slow

MINUTE = 60  # seconds of processor time: what else runs on the machine does not count
SEEDS = (0, 61)  # the lessons' own, and one beyond those of `benchmarks/training.py`


@pytest.mark.parametrize("training", TRAININGS, ids=lambda training: training.promised[:40])
def test_what_is_learned_is_what_the_lesson_says(training: Training) -> None:
    for seed in SEEDS:
        began = time.process_time()
        runs = training.learn(seed)
        assert training.holds(runs), f"seed {seed}: {training.promised}; it is { ({name: run.final for name, run in runs.items()}) }"
        assert time.process_time() - began < MINUTE


def test_every_lesson_from_the_second_on_trains() -> None:
    trained = {training.assignment for training in TRAININGS}
    lessons = [lesson for lesson in find_lessons() if not read_text(lesson).metadata.lesson.get("optional")]
    assert trained == {lesson.assignment for lesson in lessons[1:]}
    for lesson in lessons[1:]:
        solution = nbformat.read(lesson.solution, as_version=4)
        drawn = [
            output.data["text/plain"]
            for cell in solution.cells
            if is_skipped(cell)
            for output in cell.outputs
            if output.output_type == "display_data"
        ]
        assert any(re.match(r"\[picture\] Answered right, on new sequences, after step (\d+) of \1:", text) for text in drawn), lesson.assignment
