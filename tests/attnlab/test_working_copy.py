"""A learner's working copy: what was written there survives a new version of the course, whatever an editor did to the file."""

from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ipykernel.ipkernel import IPythonKernel
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.utils import compute_checksum

from attnlab import new_version, working_copy
from attnlab.check import session
from attnlab.new_version import answers_in, is_released, update
from attnlab.working_copy import WorkingCopyError, bring
from authoring.answers import fill_in, solution_sources
from authoring.lessons import ROOT, find_lessons, give_stable_ids, grade_id

NOTEBOOKS = ROOT / "notebooks"
LESSON = Path("1_basic_attention", "basic_attention.ipynb")
ANSWER = "def softmax(scores, axis=-1):\n    return scores  # my answer"
WRITTEN = "Both are the same vector, I think."
KEPT = f"basic_attention-before-{date.today().isoformat()}.ipynb"


@pytest.fixture(scope="module")
def lesson() -> NotebookNode:
    return nbformat.read(NOTEBOOKS / LESSON, as_version=4)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The lessons as they are released, and where a learner is to work."""
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks", ignore=shutil.ignore_patterns(".*"))
    return tmp_path / "notebooks", tmp_path / "work"


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def as_saved(notebook: NotebookNode) -> NotebookNode:
    """A notebook with what JupyterLab writes into it by itself."""
    notebook.metadata.language_info = IPythonKernel.language_info
    return notebook


def cell_of(notebook: NotebookNode, name: str) -> NotebookNode:
    """The cell with a grade id, or with an id."""
    return next(cell for cell in notebook.cells if name in (grade_id(cell), cell.id))


def given_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if not grade_id(cell)]


def change(path: Path, how: Callable[[NotebookNode], object]) -> None:
    notebook = read(path)
    how(notebook)
    nbformat.write(notebook, path)


def fill(notebook: NotebookNode) -> None:
    """What a learner writes: an answer, a text, a prediction, a cell, a change in a given cell."""
    cell_of(notebook, "softmax").source = ANSWER
    cell_of(notebook, "why_equal").source = WRITTEN
    cell_of(notebook, "predict_softmax").source = 'predicted_softmax = "second"'
    place = notebook.cells.index(cell_of(notebook, "softmax_test"))
    notebook.cells.insert(place + 1, new_code_cell("mine = 1"))
    next(cell for cell in notebook.cells if cell.source.startswith("row = np.array")).source = "row = np.array([1.0, 2, 3])  # tried"


def newer(notebook: NotebookNode) -> NotebookNode:
    """The next version: a text and a given cell are changed, a stub is, one exercise is gone, one is new."""
    made = copy.deepcopy(notebook)
    made.cells[0].source += "\n\nNew in this version."
    cell_of(made, "embed").source = cell_of(made, "embed").source.replace("table)", "table, scale=1)")
    made.cells = [cell for cell in made.cells if not grade_id(cell).startswith(("predict_range", "fault_lines"))]
    made.cells.insert(4, new_code_cell("new_given = 1"))
    fresh = copy.deepcopy(cell_of(made, "softmax"))
    fresh.source, fresh.metadata.nbgrader.grade_id = fresh.source.replace("softmax", "hardmax"), "hardmax"
    made.cells.insert(8, fresh)
    give_stable_ids(made)
    for cell in made.cells:
        cell.metadata.id = cell.id
        if grade_id(cell):
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return made


def lines(notebook: NotebookNode) -> set[str]:
    return {line.strip() for cell in notebook.cells for line in cell.source.splitlines() if line.strip()}


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.rglob("*.ipynb")), ids=lambda path: path.stem)
def test_every_released_cell_says_that_it_is_one(path: Path) -> None:
    notebook = read(path)
    assert [cell.id for cell in notebook.cells if not is_released(cell)] == [] == answers_in(notebook)
    for cell in notebook.cells:
        cell.source += "\n# "
        assert not is_released(cell)


@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
def test_every_kind_of_answer_is_found_in_a_solved_lesson(lesson) -> None:
    released = read(lesson.released)
    solved = solution_sources(read(lesson.solution))
    filled = fill_in(released, solved)
    assert answers_in(filled) == list(solved)
    made = update(filled, released)
    assert [cell.source for cell in made.notebook.cells] == [cell.source for cell in filled.cells]
    assert made.answers == answers_in(filled) and not made.own and not made.ended


def test_outputs_and_a_given_cell_that_was_changed_are_no_answers(lesson: NotebookNode) -> None:
    seen = copy.deepcopy(lesson)
    for cell in seen.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [nbformat.v4.new_output("stream", text="seen")], 3
    given_cells(seen)[1].source += "\n1"
    assert answers_in(seen) == []
    seen.cells.insert(3, new_markdown_cell("My \x1b[31m note"))  # a terminal would turn red
    assert answers_in(seen) == ["an added cell, “My �[31m note”"]


def test_the_first_start_copies_everything_and_the_next_ones_touch_nothing(folders: tuple[Path, Path]) -> None:
    notebooks, work = folders
    (notebooks / "1_basic_attention" / "numbers.csv").write_bytes(b"1,2\r\n")
    (notebooks / "1_basic_attention" / ".ipynb_checkpoints").mkdir()
    (notebooks / "1_basic_attention" / ".ipynb_checkpoints" / "x.ipynb").write_text("{}")
    [said] = bring(notebooks, work)
    assert said.startswith("The lessons are now in work/")
    files = {path.relative_to(notebooks) for path in notebooks.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts}
    assert {path.relative_to(work) for path in work.rglob("*") if path.is_file() and working_copy.RELEASED not in path.parts} == files
    assert read(work / LESSON) == as_saved(read(notebooks / LESSON))
    change(work / LESSON, fill)
    (work / "1_basic_attention" / "numbers.csv").write_bytes(b"mine")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in work.rglob("*") if path.is_file()}
    assert bring(notebooks, work) == []
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in work.rglob("*") if path.is_file()} == before
    (work / LESSON).rename(work / "1_basic_attention" / "old.ipynb")
    assert bring(notebooks, work) == [f"New in work/: {LESSON.as_posix()}."]


@pytest.mark.parametrize("is_known", [True, False], ids=["known release", "unknown release"])
def test_a_new_version_takes_along_what_was_written(folders: tuple[Path, Path], lesson: NotebookNode, is_known: bool) -> None:
    notebooks, work = folders
    bring(notebooks, work)
    change(work / LESSON, fill)
    change(work / LESSON, lambda one: setattr(cell_of(one, "fault_lines"), "source", "line_of_the_sum = 3"))
    change(work / LESSON, lambda one: setattr(cell_of(one, "embed"), "source", "def embed(words, vocabulary, table):\n    return 7"))
    old = (work / LESSON).read_bytes()
    if not is_known:
        shutil.rmtree(work / working_copy.RELEASED)
    nbformat.write(newer(lesson), notebooks / LESSON)
    [said] = bring(notebooks, work)
    for part in (
        "your answers to predict_softmax, softmax",
        "why_equal",
        "2 cells",
        "at its end",
        "fault_lines",
        f"The file as it was: work/1_basic_attention/{KEPT}",
    ):
        assert part in said
    assert ("read and check it again: embed" in said) == is_known
    assert (work / LESSON).with_name(KEPT).read_bytes() == old
    made = read(work / LESSON)
    nbformat.validate(made)
    assert cell_of(made, "softmax").source == ANSWER
    assert cell_of(made, "why_equal").source == WRITTEN
    sources = [cell.source for cell in made.cells]
    assert sources[sources.index("mine = 1") - 1] == cell_of(made, "softmax_test").source
    tried = next(source for source in sources if source.endswith("# tried"))
    assert tried == f"# {new_version.CHANGED}\nrow = np.array([1.0, 2, 3])  # tried"
    assert sources[sources.index(tried) - 1].startswith("row = np.array([2.0")
    assert sources[-2:] == [new_version.KEPT, "line_of_the_sum = 3"]
    assert made.cells[0].source.endswith("New in this version.") and "new_given = 1" in sources
    now = (work / LESSON).read_bytes()
    assert bring(notebooks, work) == [] and (work / LESSON).read_bytes() == now


def test_a_lesson_that_was_only_run_is_replaced_without_a_word(folders: tuple[Path, Path], lesson: NotebookNode) -> None:
    notebooks, work = folders
    bring(notebooks, work)
    change(work / LESSON, lambda one: one.cells[1].update(outputs=[nbformat.v4.new_output("stream", text="seen")]))
    nbformat.write(newer(lesson), notebooks / LESSON)
    assert bring(notebooks, work) == []
    assert read(work / LESSON) == as_saved(read(notebooks / LESSON)) and not list(work.rglob("*-before-*"))


def test_a_second_new_version_on_one_day_keeps_both_files(folders: tuple[Path, Path], lesson: NotebookNode) -> None:
    notebooks, work = folders
    bring(notebooks, work)
    change(work / LESSON, fill)
    nbformat.write(newer(lesson), notebooks / LESSON)
    bring(notebooks, work)
    change(work / LESSON, lambda one: setattr(cell_of(one, "embed"), "source", "def embed(*_):\n    return 8"))
    nbformat.write(lesson, notebooks / LESSON)
    bring(notebooks, work)
    assert len(list(work.rglob("*-before-*"))) == 2
    made = read(work / LESSON)
    assert cell_of(made, "softmax").source == ANSWER and cell_of(made, "embed").source.endswith("return 8")
    assert [cell.source for cell in made.cells].count("mine = 1") == 1


def test_answers_in_the_released_folder_are_taken_along_once(folders: tuple[Path, Path], lesson: NotebookNode) -> None:
    notebooks, work = folders
    change(notebooks / LESSON, fill)
    (notebooks / LESSON).with_name(session.FILE).write_text('{"softmax": true}')
    said = bring(notebooks, work)
    assert "work/1_basic_attention/basic_attention.ipynb has your answers from notebooks/" in said[1] and "softmax" in said[1]
    assert (work / LESSON).read_bytes() == (notebooks / LESSON).read_bytes()
    assert session.before((work / LESSON).parent) == {"softmax": True}
    assert bring(notebooks, work) == []
    change(work / LESSON, lambda one: setattr(cell_of(one, "embed"), "source", "def embed(*_):\n    return 8"))
    [said] = bring(notebooks, work)
    assert "stays as it is: notebooks/1_basic_attention/basic_attention.ipynb holds answers, too" in said and "Next: " in said
    nbformat.write(newer(lesson), notebooks / LESSON)
    bring(notebooks, work)
    made = read(work / LESSON)
    assert cell_of(made, "softmax").source == ANSWER and cell_of(made, "embed").source.endswith("return 8") and cell_of(made, "hardmax")


def no_ids(notebook: NotebookNode) -> None:
    """As an editor that keeps neither ids nor metadata."""
    for number, cell in enumerate(notebook.cells):
        cell.id, cell.metadata = f"x{number}", NotebookNode()


def split(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, "softmax")
    second = copy.deepcopy(cell)
    cell.source, second.source = ANSWER.split("\n")
    second.id = "second"
    notebook.cells.insert(notebook.cells.index(cell) + 1, second)


def doubled(notebook: NotebookNode) -> None:
    """The exercise's cell was copied, and the copy was filled in."""
    cell, stub = cell_of(notebook, "softmax"), cell_of(nbformat.read(NOTEBOOKS / LESSON, as_version=4), "softmax").source
    second = copy.deepcopy(cell)
    cell.source, second.id = stub, "second"
    notebook.cells.insert(notebook.cells.index(cell), second)


@pytest.mark.parametrize("spoil", [no_ids, split, doubled], ids=lambda one: one.__name__)
def test_answers_are_found_whatever_an_editor_did(folders: tuple[Path, Path], lesson: NotebookNode, spoil: Callable[[NotebookNode], None]) -> None:
    notebooks, work = folders
    bring(notebooks, work)
    change(work / LESSON, fill)
    change(work / LESSON, spoil)
    nbformat.write(newer(lesson), notebooks / LESSON)
    bring(notebooks, work)
    made = read(work / LESSON)
    assert cell_of(made, "softmax").source == ANSWER and cell_of(made, "why_equal").source == WRITTEN
    names = [grade_id(cell) for cell in made.cells if grade_id(cell)]
    assert names == [grade_id(cell) for cell in newer(lesson).cells if grade_id(cell)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "cannot be read as a notebook (line 1)"),
        (b"\xff\xfe\x00", "no text in UTF-8"),
        (b"[]", "holds no cells"),
        (b'{"cells": [\n<<<<<<< HEAD\n=======\n>>>>>>> x\n]}', "the marks of a merge conflict in it, the first in line 2"),
        (b'{"cells": [1], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "not a notebook that Jupyter can read"),
    ],
)
def test_what_is_no_notebook_stays_with_a_sentence(folders: tuple[Path, Path], lesson: NotebookNode, content: bytes, said: str) -> None:
    notebooks, work = folders
    bring(notebooks, work)
    (work / LESSON).write_bytes(content)
    nbformat.write(newer(lesson), notebooks / LESSON)
    [line] = bring(notebooks, work)
    assert said in line and "Next: " in line and (work / LESSON).read_bytes() == content
    (notebooks / LESSON).write_bytes(content)
    [line] = bring(notebooks, work)
    assert "notebooks/1_basic_attention/basic_attention.ipynb is no" in line and (work / LESSON).read_bytes() == content


def test_a_file_that_may_only_be_read_or_is_open_stays_with_a_sentence(
    folders: tuple[Path, Path], lesson: NotebookNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebooks, work = folders
    bring(notebooks, work)
    change(work / LESSON, fill)
    before = (work / LESSON).read_bytes()
    nbformat.write(newer(lesson), notebooks / LESSON)
    (work / LESSON).chmod(0o444)
    assert "may only be read" in bring(notebooks, work)[0] and (work / LESSON).read_bytes() == before
    (work / LESSON).chmod(0o644)
    monkeypatch.setattr(working_copy, "is_open", lambda _: True)
    assert "open in a running JupyterLab" in bring(notebooks, work)[0] and (work / LESSON).read_bytes() == before
    monkeypatch.undo()
    assert "your answers to" in bring(notebooks, work)[0]


def test_no_folder_to_work_in_is_said(folders: tuple[Path, Path], tmp_path: Path) -> None:
    notebooks, work = folders
    with pytest.raises(WorkingCopyError, match=r"no lessons in .*Next: "):
        bring(tmp_path / "nowhere", work)
    work.write_text("mine")
    with pytest.raises(WorkingCopyError, match="move the file of that name away"):
        bring(notebooks, work)
    assert work.read_text() == "mine"


def test_a_start_that_was_cut_off_anywhere_loses_nothing(folders: tuple[Path, Path], lesson: NotebookNode, monkeypatch: pytest.MonkeyPatch) -> None:
    notebooks, work = folders
    bring(notebooks, work)
    change(work / LESSON, fill)
    (work / "1_basic_attention" / "notes.txt").write_text("mine")
    nbformat.write(newer(lesson), notebooks / LESSON)
    begun = {path: path.read_bytes() for path in work.rglob("*") if path.is_file()}
    shutil.copytree(work, work.with_name("finished"))
    bring(notebooks, work.with_name("finished"))
    finished = (work.with_name("finished") / LESSON).read_bytes()
    replace, cut = os.replace, 0
    for cut in range(1, 10):
        shutil.rmtree(work)
        for path, content in begun.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        left = iter(range(cut))

        def stopped(*paths: Path, left=left) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            replace(*paths)

        with monkeypatch.context() as patch:
            patch.setattr(working_copy.os, "replace", stopped)
            try:
                bring(notebooks, work)
            except KeyboardInterrupt:
                kept = [path.read_bytes() for path in work.rglob("*.ipynb")]
                assert begun[work / LESSON] in kept
            else:
                break
        bring(notebooks, work)
        assert (work / LESSON).read_bytes() == finished and len(list(work.rglob("*-before-*"))) == 1
    assert cut == 3  # the kept file, the new one, what it was made from


TEXTS = st.text(alphabet="ab=()#%*\n \t'é0", min_size=1, max_size=30)
STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "add", "add text", "delete", "copy", "move", "split", "kind", "name", "id"]), st.integers(0, 200), TEXTS),
    max_size=12,
)


def edit(notebook: NotebookNode, steps: list[tuple[str, int, str]]) -> None:
    """What editors and learners do to a notebook, at random."""
    cells = notebook.cells
    for number, (step, place, text) in enumerate(steps):
        place %= len(cells)
        cell = cells[place]
        if step == "write":
            cell.source = text
        elif step.startswith("add"):
            cells.insert(place, (new_markdown_cell if "text" in step else new_code_cell)(text))
        elif step == "delete" and len(cells) > 1:
            del cells[place]
        elif step == "move":
            cells.insert(len(text) % len(cells), cells.pop(place))
        elif step in ("copy", "split"):
            other = copy.deepcopy(cell)
            other.id = f"n{number}"
            cells.insert(place + 1, other)
            if step == "split":
                cell.source, other.source = cell.source[: len(text)], cell.source[len(text) :]
        elif step == "kind":
            cells[place] = (new_markdown_cell if cell.cell_type == "code" else new_code_cell)(cell.source, id=cell.id, metadata=cell.metadata)
        elif step == "name":
            cell.metadata = NotebookNode()
        elif step == "id":
            cell.id = f"i{number}"


@given(steps=STEPS, is_known=st.booleans(), is_newer=st.booleans())
@example(steps=[("write", 0, "0"), ("kind", 0, "0")], is_known=False, is_newer=False)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_line_that_was_written_is_in_the_new_version(lesson: NotebookNode, steps: list, is_known: bool, is_newer: bool) -> None:
    mine = copy.deepcopy(lesson)
    fill(mine)
    edit(mine, steps)
    released = newer(lesson) if is_newer else copy.deepcopy(lesson)
    made = update(mine, released, lesson if is_known else None)
    nbformat.validate(made.notebook)
    ids = [cell.id for cell in made.notebook.cells]
    assert len(set(ids)) == len(ids)
    assert lines(mine) - lines(lesson) <= lines(made.notebook)
    there = [cell for cell in made.notebook.cells if cell.id in {one.id for one in released.cells}]
    assert [cell.id for cell in there] == [cell.id for cell in released.cells]
    for cell, one in zip(there, released.cells):
        assert cell.metadata == one.metadata
        if not (grade_id(one) and one.metadata.nbgrader.solution):
            assert cell.source == one.source
    assert [grade_id(cell) for cell in made.notebook.cells if grade_id(cell)] == [grade_id(cell) for cell in released.cells if grade_id(cell)]
    again = update(made.notebook, released, released if is_known else None)
    assert [cell.source for cell in again.notebook.cells] == [cell.source for cell in made.notebook.cells]


def test_the_file_of_progress_has_the_name_that_checks_give_it() -> None:
    assert working_copy.PROGRESS == session.FILE
