"""What the benchmark of parts tells of a submission that is known to compute so long here and so long there."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest

from authoring.exercises import find_exercises
from authoring.lessons import ROOT, find_lessons, grade_id, read_text
from benchmarks.classes import hand_in, lessons_class
from benchmarks.parts import measured
from nbjudge.testing.notebooks import code, notebook, test_cell
from nbjudge.testing.parts import ANSWERING, ASKING, CELLS, FUNCTIONS, HIDDEN, KERNEL, TESTS

GIVEN = """
import time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
"""
ANSWER = """
### BEGIN SOLUTION
burn(0.5)
def work(function=None):
    burn(0.2)
    return function(1) if function else 1
### END SOLUTION
"""
TEST = """
burn(0.3)
assert work() == 1
### BEGIN HIDDEN TESTS
called = []
def seen(number):
    burn(0.1)
    called.append(number)
    return number
burn(0.1)
assert work(seen) == work() == 1 and called == [1]
### END HIDDEN TESTS
"""
KNOWN = {CELLS: 0.5, FUNCTIONS: 0.6, TESTS: 0.3, HIDDEN: 0.2}  # seconds of a processor


def burning_class(root: Path, students: int) -> None:
    answer = code(ANSWER, solution=True, grade_id="work", cell_type="code")
    source = notebook(code(GIVEN, locked=True, grade_id="given", cell_type="code"), answer, test_cell("work_test", TEST, 2))
    path = root / "source" / "first" / "work.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(source, path)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for number in range(students):
        hand_in(root, number, "first", "work", source)


def test_each_part_has_what_was_computed_in_it() -> None:
    [(_, (name, found))] = measured(burning_class)
    assert name == "first"
    for part, seconds in KNOWN.items():
        assert found.parts[part].processor == pytest.approx(seconds, abs=0.08), part
        assert found.parts[part].clock >= seconds or part == FUNCTIONS
    for part in (ASKING, ANSWERING, KERNEL, "preparation", "record", "pages"):
        assert 0 < found.parts[part].processor < 0.3, part
    assert sum(part.processor for part in found.parts.values()) == pytest.approx(found.whole.processor)
    assert sum(part.clock for part in found.parts.values()) == pytest.approx(found.whole.clock)
    assert (found.questions[TESTS], found.questions[HIDDEN], found.called_back, found.kernels) == (1, 2, 1, 1)


def test_half_wrong_is_every_second_exercise(tmp_path: Path) -> None:
    lesson = find_lessons()[0]
    lessons_class(tmp_path, 2, {1}, {lesson.assignment})
    right, wrong = (nbformat.read(tmp_path / "submitted" / student / lesson.assignment / f"{lesson.name}.ipynb", 4) for student in ("s0000", "s0001"))
    changed = [grade_id(one) for one, other in zip(right.cells[5:], wrong.cells[5:]) if one.source != other.source]
    exercises = [exercise.name for exercise in find_exercises(read_text(lesson))]
    assert [name for name in changed if name in exercises] == exercises[::2]
