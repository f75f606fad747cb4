"""Cells that lost or doubled their names are found again, nothing that a student wrote is lost, and every change is told."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import compute_checksum
from traitlets.config import Config

import nbgrader
from nbjudge._analysis.instructor import Markers
from nbjudge._course.course import Course
from nbjudge._course.grading import grade_class
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._recovery.cells import Given
from nbjudge._recovery.given import cells_in_files
from nbjudge._report.csv_files import read_grades
from nbjudge.testing.editors import KINDS, Edited, colab, is_answer, name_of, only_cell_ids, stripped
from nbjudge.testing.recovering import counted
from nbjudge.testing.small_course import ADDS, ASSIGNMENT, CONFIG, LABEL, NBJUDGE, STUB, make, run

RIGHT = "def double(x):\n    return 2 * x"
OWN = "Two equal numbers are added, which is what doubling means."
MARKS = re.compile(r"(?m)^.*### (BEGIN|END) .*\n?")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> tuple[NotebookNode, dict[str, str], list[Given]]:
    """nbgrader's own example of a course: the notebook that it releases, its answers, and what students were given. Its stubs name nothing."""
    root = tmp_path_factory.mktemp("example")
    shutil.copytree(Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide" / "source" / "ps1", root / "source" / "ps1")
    (root / "nbgrader_config.py").write_text(CONFIG + NBJUDGE, encoding="utf-8")
    run(root, "nbgrader", "generate_assignment", "ps1", "--create")
    folders = CourseDirectory(config=Config({"CourseDirectory": {"root": str(root)}}))
    answers = {name_of(cell): MARKS.sub("", cell.source) for cell in nbformat.read(root / "source" / "ps1" / "problem1.ipynb", as_version=4).cells}
    return nbformat.read(root / "release" / "ps1" / "problem1.ipynb", as_version=4), answers, cells_in_files(folders, [Markers()], "ps1", "problem1")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_cell_of_another_course_is_taken_for_another(example: tuple[NotebookNode, dict[str, str], list[Given]], kind: str) -> None:
    released, answers, given = example
    known = {name_of(cell): cell.metadata.nbgrader for cell in released.cells if name_of(cell)}
    counts: Counter[str] = Counter()
    for seed in range(6):
        draw, worked = random.Random(seed), nbformat.from_dict(released)
        for cell in [cell for cell in worked.cells if is_answer(cell)]:
            cell.metadata["given"] = cell.source
            if draw.random() < 0.75:
                cell.source = answers[name_of(cell)] if cell.cell_type == "code" else f"By the formula for the sum, with n = {draw.randrange(99)}."
        counts += counted(worked, kind, seed, given, known)
    assert counts["wrong"] == counts["missed"] == 0, counts
    assert counts["found"] >= 0.85 * counts.total(), counts


def _released(root: Path) -> NotebookNode:
    return nbformat.read(root / "release" / ASSIGNMENT / "sums.ipynb", as_version=4)


def _worked(root: Path, double: str = RIGHT) -> Edited:
    """The released notebook, worked in: all three answers."""
    notebook = _released(root)
    for cell in notebook.cells:
        cell.source = {"double": double, "label": LABEL, "why": OWN}.get(name_of(cell), cell.source)
    return Edited(notebook, random.Random(1))


def _cell(edited: Edited, name: str) -> NotebookNode:
    return next(cell for cell in edited.cells if name_of(cell) == name)


def _at(edited: Edited, name: str) -> int:
    return edited.cells.index(_cell(edited, name))


def _nothing(edited: Edited) -> None:
    """As JupyterLab saves it."""


def _only_code(edited: Edited) -> None:
    """The student has copied what she wrote into a notebook of her own."""
    edited.notebook.cells = [new_code_cell(_cell(edited, name).source) for name in ("double", "label")]


def _merged_into_test(edited: Edited) -> None:
    _cell(edited, "double_test").source = RIGHT + "\n\n" + _cell(edited, "double_test").source
    edited.cells.remove(_cell(edited, "double"))


def _written_into_test(edited: Edited) -> None:
    _cell(edited, "double_test").source = RIGHT + "\nassert double(4) == 8"
    edited.cells.remove(_cell(edited, "double"))


def _copied(edited: Edited) -> None:
    for name, text in (("double", ADDS), ("double_test", "")):
        twin = nbformat.from_dict(_cell(edited, name))
        twin.source, twin.id = text or twin.source, f"copy-of-{name}"
        edited.cells.insert(0 if name == "double_test" else len(edited.cells), twin)


def _beside(edited: Edited) -> None:
    stub = _cell(edited, "why")
    stub.source = edited.notebook.metadata["stub"]
    edited.cells.insert(edited.cells.index(stub) + 1, new_markdown_cell(OWN))


def _why_is_gone(edited: Edited) -> None:
    edited.cells.remove(_cell(edited, "why"))


def _why_is_elsewhere(edited: Edited) -> None:
    edited.cells.remove(_cell(edited, "why"))
    edited.cells.insert(_at(edited, "double"), new_markdown_cell(OWN))


def _double_is_split_in_two(edited: Edited) -> None:
    first = nbformat.from_dict(_cell(edited, "why"))
    first.source, first.id = "Two equal numbers are added,", "split-1"
    _cell(edited, "why").source = "which is what doubling means."
    edited.cells.insert(_at(edited, "why"), first)


def _emptied(edited: Edited) -> None:
    _cell(edited, "double_test").source = ""


def _of_another_release(edited: Edited) -> None:
    """The instructor has changed the test since."""
    test = _cell(edited, "double_test")
    test.source += "\nassert double(1) == 2"
    test.metadata.nbgrader["checksum"] = compute_checksum(test)


def _hostile(edited: Edited) -> None:
    for cell in edited.cells:
        cell.metadata["nbgrader"] = {"grade_id": ["double"], "points": "many"}
        cell.metadata["id"] = {"a": 1}
    edited.cells[0].metadata["nbgrader"] = "double_test"


CASES = {  # what happened: points of double and label, and what is told; `why` always waits for a person
    "intact": (_nothing, 3, 1, ""),
    "colab": (colab, 3, 1, ""),
    "cell_ids": (only_cell_ids, 3, 1, "by their cell ids (confidence 0.99)"),
    "stripped": (stripped, 3, 1, "by their text (confidence 0.97)"),
    "only_code": (_only_code, 3, 1, "by the names that their code defines"),
    "merged": (_merged_into_test, 3, 1, "`double`, `double_test` stood in one cell with others and were taken out of it"),
    "in_test": (_written_into_test, 3, 1, "`double_test` is the instructor's again. What was written into it stands in a cell of its own above"),
    "copied": (_copied, 3, 1, "`double` stands in several cells"),
    "beside": (_beside, 3, 1, "`why` was as given, and text was added beside it"),
    "gone": (_why_is_gone, 3, 1, "`why` was missing and was put back"),
    "elsewhere": (_why_is_elsewhere, 3, 1, "`why` was not found. Cells of the student's own may hold it: by their numbers in what was handed in, 1."),
    "split": (_double_is_split_in_two, 3, 1, "`why` was split"),
    "emptied": (_emptied, 3, 1, "`double_test` was changed. The instructor's text counts"),
    "of_another_release": (_of_another_release, 3, 1, ""),
    "hostile": (_hostile, 3, 1, "by their cell ids"),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, dict[str, Outcome]]:
    """A class of which everybody has done the same, in notebooks that came back differently."""
    root = make(tmp_path_factory.mktemp("course"), answers={})
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT, "--create")
    stub = next(cell.source for cell in _released(root).cells if name_of(cell) == "why")
    for student, (damage, *_) in CASES.items():
        edited = _worked(root)
        edited.notebook.metadata["stub"] = stub
        damage(edited)
        _hand_in(root, student, json.dumps(edited.notebook))
    cooking = nbformat.v4.new_notebook(cells=[new_markdown_cell("# Soup"), new_code_cell("carrots = 3")])
    _hand_in(root, "stranger", nbformat.writes(cooking))
    course = Course(root)
    return course, {outcome.student: outcome for outcome in grade_class(course)}


def _hand_in(root: Path, student: str, text: str) -> None:
    path = root / "submitted" / student / ASSIGNMENT / "sums.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("student", CASES)
def test_what_an_editor_did_costs_no_point_and_is_told(graded: tuple[Course, dict[str, Outcome]], student: str) -> None:
    course, outcomes = graded
    outcome = outcomes[student]
    assert outcome.status is Status.GRADED, outcome.why
    [grades] = read_grades(course, [outcome])
    _, double, label, told = CASES[student]
    assert grades.rows[0].points == {"double_test": double, "label_test": label, "why": None}, "what a person grades is no 0"
    page = (course.folder("feedback") / student / ASSIGNMENT / "sums.html").read_text(encoding="utf-8")
    if told:
        assert [note for note in outcome.notes if told in note], outcome.notes
        assert "What was changed in this notebook" in page
    if student in ("intact", "colab", "of_another_release"):
        assert outcome.notes == []
        assert "What was changed in this notebook" not in page


@pytest.mark.parametrize("student", sorted(CASES.keys() - {"only_code", "gone", "elsewhere"}))
def test_a_written_answer_stands_where_it_is_graded(graded: tuple[Course, dict[str, Outcome]], student: str) -> None:
    course, _ = graded
    autograded = nbformat.read(course.folder("autograded") / student / ASSIGNMENT / "sums.ipynb", as_version=4)
    [answer] = [cell for cell in autograded.cells if name_of(cell) == "why"]
    assert answer.source.split() == OWN.split()
    assert len([cell for cell in autograded.cells if cell.source == OWN]) <= 1


def test_what_may_be_an_answer_is_shown_to_a_person(graded: tuple[Course, dict[str, Outcome]]) -> None:
    course, _ = graded
    autograded = nbformat.read(course.folder("autograded") / "elsewhere" / ASSIGNMENT / "sums.ipynb", as_version=4)
    assert "Look there" in autograded.cells[0].source
    assert OWN in [cell.source for cell in autograded.cells], "it is where it was"
    assert "was not found in the submission" in next(cell.source for cell in autograded.cells if name_of(cell) == "why")


def test_a_notebook_with_nothing_of_the_assignment_is_not_graded(graded: tuple[Course, dict[str, Outcome]]) -> None:
    outcome = graded[1]["stranger"]
    assert outcome.status is Status.NOT_GRADED
    assert "none of the assignment's cells" in outcome.why


def test_a_notebook_in_which_the_instructor_named_no_cell_is_graded(tmp_path: Path) -> None:
    root = make(tmp_path, answers={"ada": RIGHT})
    for folder in (root / "source" / ASSIGNMENT, root / "submitted" / "ada" / ASSIGNMENT):
        nbformat.write(nbformat.v4.new_notebook(cells=[new_markdown_cell("# To read"), new_code_cell("x = 1")]), folder / "reading.ipynb")
    course = Course(root)
    [outcome] = grade_class(course)
    assert outcome.status is Status.GRADED, outcome.why
    [grades] = read_grades(course, [outcome])
    assert grades.rows[0].points["double_test"] == 3
    assert (course.folder("feedback") / "ada" / ASSIGNMENT / "reading.html").is_file()


def test_what_was_changed_is_told_again_when_nothing_is_graded_again(graded: tuple[Course, dict[str, Outcome]]) -> None:
    course, outcomes = graded
    again = {outcome.student: outcome for outcome in grade_class(course)}
    assert again["stripped"].status is Status.GRADED_BEFORE
    assert {name: outcome.notes for name, outcome in again.items()} == {name: outcome.notes for name, outcome in outcomes.items()}


@pytest.mark.slow
def test_nbgraders_own_command_finds_the_cells_too(tmp_path: Path) -> None:
    root = make(tmp_path, answers={})
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT, "--create")
    edited = _worked(root)
    stripped(edited)
    _hand_in(root, "ada", json.dumps(edited.notebook))
    run(root, "nbgrader", "autograde", ASSIGNMENT, "--create")
    [grades] = read_grades(Course(root), [Outcome("", Status.GRADED, "ada", ASSIGNMENT)])
    assert grades.rows[0].points == {"double_test": 3, "label_test": 1, "why": None}


@pytest.mark.slow
def test_a_stub_that_nobody_touched_still_earns_nothing(tmp_path: Path) -> None:
    root = make(tmp_path, answers={})
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT, "--create")
    edited = Edited(_released(root), _worked(root).chance)
    stripped(edited)
    _hand_in(root, "ada", json.dumps(edited.notebook))
    course = Course(root)
    [outcome] = grade_class(course)
    [grades] = read_grades(course, [outcome])
    assert [grades.rows[0].points[name] for name in ("double_test", "label_test")] == [0, 0], outcome.why
    assert STUB in [cell.source for cell in _released(root).cells]
