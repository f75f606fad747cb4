"""What lies in `submitted/` is looked at before it is run: each thing that cannot be graded gets one sentence and the next step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nbjudge._course.grading import _smallest_first
from nbjudge._course.intake import find_submissions, inspect, read
from nbjudge._course.outcomes import Assignment, Status, Submission
from nbjudge._wire.errors import CannotGrade

ASSIGNMENTS = {
    name: Assignment(name, Path("source", name), {notebook: frozenset(ids)})
    for name, notebook, ids in (("1_sums", "sums", {"add", "add_test"}), ("2_products", "products", {"multiply", "multiply_test"}))
}


def cell(grade_id: str, **settings: object) -> dict:
    return {
        "cell_type": "code",
        "source": "",
        "outputs": [],
        "execution_count": None,
        "metadata": {"nbgrader": {"grade_id": grade_id, "schema_version": 3, **settings}},
    }


def notebook(*cells: dict, **changes: object) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **changes})


GOOD = notebook(cell("add"), cell("add_test"))


def submit(root: Path, content: str | bytes, path: str = "ada/1_sums/sums.ipynb") -> Path:
    file = root / "submitted" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def test_a_submission_in_its_place_is_found(tmp_path: Path) -> None:
    file = submit(tmp_path, GOOD)
    assert find_submissions(tmp_path / "submitted", ASSIGNMENTS) == ([Submission("ada", "1_sums", file.parent, (file,))], [])
    assert inspect(read(file), "1_sums", "sums", ASSIGNMENTS) == (GOOD, False)


def test_one_assignment_is_graded_after_the_other_and_that_with_the_smallest_notebook_first(tmp_path: Path) -> None:
    sizes = {"ada/1_sums": 30, "ada/2_products": 20, "bob/1_sums": 25, "bob/2_products": 10, "cyd/0_start": 50, "cyd/1_sums": 40}
    files = [submit(tmp_path, "x" * size, f"{place}/any.ipynb") for place, size in sizes.items()]
    ordered = _smallest_first([Submission(file.parts[-3], file.parts[-2], file.parent, (file,)) for file in files])
    told = [f"{one.assignment} {one.student}" for one in ordered]
    assert told == ["2_products ada", "2_products bob", "0_start cyd", "1_sums ada", "1_sums bob", "1_sums cyd"]
    assert _smallest_first([]) == []


def test_no_folder_is_no_submission(tmp_path: Path) -> None:
    assert find_submissions(tmp_path / "submitted", ASSIGNMENTS) == ([], [])


@pytest.mark.parametrize(
    ("path", "why", "next_step"),
    [
        ("ada.ipynb", "a file lies where students' folders are", "lay the folder out as submitted/STUDENT/ASSIGNMENT/NOTEBOOK.ipynb"),
        ("ada/sums.ipynb", "a file lies where assignments' folders are", "lay the folder out"),
        ("ada/sums/sums.ipynb", "no assignment of that name (it has 1_sums, 2_products)", "rename the folder"),
        ("ada/1_sums/homework.ipynb", "there is no sums.ipynb, only homework.ipynb", "rename the student's notebook to sums.ipynb"),
        ("ada/1_sums/notes.txt", "there is no sums.ipynb", "ask the student"),
        ("a*a/1_sums/sums.ipynb", "one of the characters", "rename the folder"),
        ("a\udcffa/1_sums/sums.ipynb", "is not text (UTF-8)", "rename the folder"),
        ("a\na/1_sums/sums.ipynb", "a line break", "rename the folder"),
        ("a\x1b[31ma/1_sums/sums.ipynb", "one of the characters", "rename the folder"),
    ],
)
def test_a_wrong_layout_is_explained_and_the_others_are_found(tmp_path: Path, path: str, why: str, next_step: str) -> None:
    submit(tmp_path, GOOD, path)
    submit(tmp_path, GOOD, "zoe/1_sums/sums.ipynb")
    found, misplaced = find_submissions(tmp_path / "submitted", ASSIGNMENTS)
    assert [submission.student for submission in found] == ["zoe"]
    assert [outcome.status for outcome in misplaced] == [Status.NOT_GRADED]
    assert why in misplaced[0].why
    assert next_step in misplaced[0].next_step
    assert (tmp_path / "submitted" / path).exists()


def test_an_empty_folder_is_explained(tmp_path: Path) -> None:
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    assert "folder is empty" in find_submissions(tmp_path / "submitted", ASSIGNMENTS)[1][0].why


@pytest.mark.parametrize(
    ("content", "why", "next_step"),
    [
        (GOOD[:60], "it is not JSON (line 1", "hand in again"),
        (b"\xff\xfe\x00\x01", "it is not text", "the .ipynb file itself"),
        ("", "it is not JSON", "hand in again"),
        ('{"answer": 42}', "it is JSON, but not a notebook", "from JupyterLab"),
        ("[1, 2]", "it is JSON, but not a notebook", "from JupyterLab"),
        (notebook(), "it has no cells", "hand in again"),
        (notebook(nbformat=3, worksheets=[]), "old notebook format 3", "open it in JupyterLab, save it"),
        (notebook(cell("add"), {"source": 3}), "one of its cells is no cell", "open it in JupyterLab"),
        (notebook(cell("add", schema_version=1)), "made by an old nbgrader (schema 1)", "nbgrader update"),
        (notebook(cell("multiply")), "it belongs to 2_products, not to 1_sums", "move it to the folder 2_products"),
        ("[" * 100_000, "nested too deeply", "from JupyterLab"),
        (
            notebook(cell("add")).replace('"metadata": {}', '"metadata": ' + '{"a":' * 100_000 + "1" + "}" * 100_000, 1),
            "nested too deeply",
            "JupyterLab",
        ),
        ('{"nbformat": ' + "9" * 5000 + "}", "it is no notebook", "from JupyterLab"),
        (notebook(cell("add"), nbformat="4"), "old notebook format 4", "open it in JupyterLab"),
    ],
)
def test_a_file_that_cannot_be_graded_is_refused_and_kept(tmp_path: Path, content: str | bytes, why: str, next_step: str) -> None:
    file = submit(tmp_path, content)
    before = file.read_bytes()
    with pytest.raises(CannotGrade) as refused:
        inspect(read(file), "1_sums", "sums", ASSIGNMENTS)
    assert why in refused.value.why
    assert next_step in refused.value.next_step
    assert file.read_bytes() == before


@pytest.mark.parametrize("strange", [["add"], "unknown", 3, None])
def test_a_notebook_without_a_name_of_the_assignments_is_left_to_those_who_look_at_its_texts(strange: object) -> None:
    content = notebook(cell(strange)).encode()
    assert inspect(content, "1_sums", "sums", ASSIGNMENTS) == (content.decode(), True)


@pytest.mark.parametrize("path", ["ada", "ada/1_sums", "ada/1_sums/sums.ipynb", "ada/1_sums/data/secret.csv"])
def test_a_symbolic_link_is_refused_wherever_it_lies(tmp_path: Path, path: str) -> None:
    submit(tmp_path, GOOD, "zoe/1_sums/sums.ipynb")
    if "secret" in path:
        submit(tmp_path, GOOD)
    link = tmp_path / "submitted" / path
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path / "submitted" / "zoe" / "/".join(path.split("/")[1:]))
    found, misplaced = find_submissions(tmp_path / "submitted", ASSIGNMENTS)
    assert [submission.student for submission in found] == ["zoe"]
    assert ["symbolic link" in outcome.why for outcome in misplaced] == [True]
    assert misplaced[0].next_step == "put the file itself in its place"


def test_half_a_character_is_replaced() -> None:
    content = notebook(cell("add", note="an emoji that was cut: \ud83d"), cell("add_test", note="a whole one: \U0001f600"))
    assert "\\ud83d" in content
    text, _ = inspect(content.encode(), "1_sums", "sums", ASSIGNMENTS)
    assert text.encode() and json.loads(text) == json.loads(content.replace("cut: \\ud83d", "cut: ?"))
