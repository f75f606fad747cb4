"""Progress counts everything that earns points, is remembered where a notebook is open in Jupyter, and nowhere else."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

from attnlab import check, reference
from attnlab.check import session
from authoring.lessons import find_lessons, grade_id

LESSON = "1_basic_attention"
RELEASED = {lesson.assignment: lesson.released for lesson in find_lessons()}

FIRST = reference.graded("1_basic_attention")
POINTS, OPTIONAL = (sum(item.points for item in graded) for graded in (FIRST, reference.graded("2b_columns")))


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lesson's released notebook that is open in Jupyter, in a session in which no check has run."""
    path = tmp_path / LESSON / "basic_attention.ipynb"
    path.parent.mkdir()
    shutil.copy(RELEASED[LESSON], path)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    restart(monkeypatch)
    return path


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_state", {})
    monkeypatch.setattr(session, "_answers", {})


def printed(capsys: pytest.CaptureFixture[str], lesson: str | None = LESSON) -> str:
    capsys.readouterr()
    check.progress(lesson)
    return capsys.readouterr().out


def sums(text: str) -> dict[str, int]:
    """The summary below the exercises: points by the first words of what they are for."""
    return {words.split(";")[0].split(":")[0]: int(points) for points, words in re.findall(r"^ *(\d+)  (\w.+)$", text, re.MULTILINE)}


def write(path: Path, cell: str, text: str) -> None:
    """What a learner does who types into a cell and saves."""
    content = nbformat.read(path, as_version=4)
    next(found for found in content.cells if grade_id(found) == cell).source = text
    nbformat.write(content, path)


@pytest.mark.parametrize("lesson", RELEASED)
def test_everything_that_earns_points_is_counted_once(lesson: str) -> None:
    items = reference.graded(lesson)
    released = nbformat.read(RELEASED[lesson], as_version=4)
    filled_in = [grade_id(cell) for cell in released.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    assert [item.name for item in items] == [name for name in filled_in if not name.startswith("predict_")]
    assert [one.name for one in reference.predictions(lesson)] == [name for name in filled_in if name.startswith("predict_")]
    assert sum(item.points for item in items) == sum(
        cell.metadata.nbgrader.get("points", 0) for cell in released.cells if cell.metadata.get("nbgrader", {}).get("grade")
    )
    assert len({item.title for item in items}) == len(items)
    assert all(item.title for item in items)


@pytest.mark.parametrize("lesson", RELEASED)
def test_an_untouched_lesson_is_open_to_its_last_point(
    lesson: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(RELEASED[lesson], tmp_path)
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / RELEASED[lesson].name))
    restart(monkeypatch)
    text, total = printed(capsys, lesson), sum(item.points for item in reference.graded(lesson))
    assert f"of {total} points" in text
    assert sums(text) == {"still open": total}
    assert all(len(line) <= 96 for line in text.splitlines())


def test_each_kind_of_point_is_counted_in_its_own_words(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check.choice("fault_lines", 2, 1, 2, 3, 4)
    check.choice("fault_lines", 4, 1, 2, 3, 4)
    check.attention_scores(lambda x: x @ x.T)
    with pytest.raises(check.CheckFailed):
        check.attention_weights(lambda x: x)
    write(notebook, "why_equal", "Both are the same vector.")
    text = printed(capsys)
    for line in (
        "✓ Exercise 3 · attention_scores      2 points  visible check passes",
        "✗ Exercise 4 · attention_weights     2 points  visible check did not pass",
        "○ Exercise 6 · embed                 3 points  open",
        "+ Clinic 1.1 · fault_lines           2 points  answered; graded later",
        "+ Written answer · Say why           2 points  written, as last saved",
    ):
        assert line in text.splitlines()
    assert sums(text) == {"visible checks pass": 2, "answered or written": 4, "still open": 17}


def test_everything_done_leaves_nothing_open(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for item in reference.graded(LESSON):
        if item.kind == "question":
            session.answered(item.name)
            session.answered(item.name)
        elif item.kind != "written answer":
            session.passed(item.name)
    assert sums(printed(capsys)) == {"visible checks pass": 19, "answered or written": 2, "still open": 2}
    write(notebook, "why_equal", "Both are the same vector.")
    assert sums(printed(capsys)) == {"visible checks pass": 19, "answered or written": 4, "still open": 0}


def test_after_a_restart_it_says_the_same_points(notebook: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    session.passed("softmax")
    session.answered("fault_lines")
    session.answered("fault_lines")
    write(notebook, "why_equal", "Both are the same vector.")
    now = printed(capsys)
    assert "✓ Exercise 1 · softmax" in now
    assert "run its check again" not in now
    restart(monkeypatch)
    later = printed(capsys)
    assert "· Exercise 1 · softmax               3 points  visible check passed before" in later
    assert "run its check again to be sure" in later
    assert sums(later) == sums(now) == {"visible checks pass": 3, "answered or written": 4, "still open": 16}


def test_a_check_that_fails_again_takes_the_mark_back(notebook: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    session.passed("softmax")
    restart(monkeypatch)
    session.started("softmax")
    restart(monkeypatch)
    text = printed(capsys)
    assert "✗ Exercise 1 · softmax" in text


@pytest.mark.parametrize("second", [None, 9])
def test_a_question_counts_only_when_all_of_it_is_answered(notebook: Path, capsys: pytest.CaptureFixture[str], second: object) -> None:
    check.choice("fault_lines", 1, 1, 2, 3, 4)
    with pytest.raises(check.CheckFailed):
        check.choice("fault_lines", second, 1, 2, 3, 4)
    assert "○ Clinic 1.1 · fault_lines" in printed(capsys)


def test_one_answer_noted_twice_is_not_all_of_a_question(notebook: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    try:
        shell.user_ns.update(check=check, line_of_the_sum=3)
        for _ in range(3):
            shell.run_cell(
                'check.choice("fault_lines", line_of_the_sum, 1, 2, 3, 4)\ncheck.choice("fault_lines", line_of_the_trap, 1, 2, 3, 4)',
                store_history=True,
            )
        assert "○ Clinic 1.1 · fault_lines" in printed(capsys)
        shell.run_cell("line_of_the_trap = 2", store_history=True)
        shell.run_cell(
            'check.choice("fault_lines", line_of_the_sum, 1, 2, 3, 4)\ncheck.choice("fault_lines", line_of_the_trap, 1, 2, 3, 4)', store_history=True
        )
        assert "+ Clinic 1.1 · fault_lines" in printed(capsys)
    finally:
        InteractiveShell.clear_instance()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "○ Written answer · Say why           2 points  not written, as last saved"),
        (" \n", "○ Written answer · Say why           2 points  not written, as last saved"),
        ("Yes.", "+ Written answer · Say why           2 points  written, as last saved"),
    ],
)
def test_a_written_answer_is_read_as_last_saved(notebook: Path, capsys: pytest.CaptureFixture[str], text: str, line: str) -> None:
    assert "○ Written answer · Say why" in printed(capsys)
    write(notebook, "why_equal", text)
    assert line in printed(capsys)


@pytest.mark.parametrize("content", ["", "[1]", "{}", '{"cells": [1]}', '{"cells": []}'])
def test_a_notebook_that_cannot_be_read_is_not_judged(notebook: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    notebook.write_text(content, encoding="utf-8")
    text = printed(capsys)
    assert "? Written answer · Say why           2 points  cannot be seen from here" in text
    assert sums(text) == {"written answers, which cannot be seen from here": 2, "still open": 21}


def test_the_start_page_counts_what_was_done_in_each_lesson(
    notebook: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("softmax", "embed"):
        session.passed(name)
    write(notebook, "why_equal", "Both are the same vector.")
    restart(monkeypatch)
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook.parents[1] / "start.ipynb"))
    first, *_ = printed(capsys, None).splitlines()
    assert first.startswith("1_basic_attention ")
    assert first.endswith(f"8 of {POINTS} points counted, {POINTS - 8} still open")


def test_an_optional_lesson_is_shown_and_left_out_of_the_sum(
    notebook: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    course = notebook.parents[1]
    (course / "2b_columns").mkdir()
    (course / "2b_columns" / session.FILE).write_text('{"column_scores": true}', encoding="utf-8")
    session.passed("softmax")
    monkeypatch.setenv("JPY_SESSION_NAME", str(course / "start.ipynb"))
    said = printed(capsys, None)
    assert len({bar.start() for line in said.splitlines() if (bar := re.search("[█░]", line))}) == 1  # one below the other
    lines = dict(line.split("  ", 1) if "  " in line else (line, "") for line in said.splitlines())
    places = list(lines)
    assert places.index("2_queries_keys_values") < places.index("2b_columns (optional)") < places.index("3_scaling")
    assert lines["2b_columns (optional)"].endswith(f"3 of {OPTIONAL} points counted, {OPTIONAL - 3} still open")
    points = sum(item.points for lesson in reference.lessons() if not reference.is_optional(lesson) for item in reference.graded(lesson))
    assert lines["all but optional"].endswith(f"3 of {points} points counted, {points - 3} still open")


@pytest.mark.parametrize("content", ["", "[1]", '{"softmax": "yes"}', "{"])
def test_a_damaged_file_counts_as_none(notebook: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    (notebook.parent / session.FILE).write_text(content, encoding="utf-8")
    assert "○ Exercise 1 · softmax" in printed(capsys)
    session.passed("softmax")
    assert json.loads((notebook.parent / session.FILE).read_text(encoding="utf-8")) == {"softmax": True}


def test_a_folder_that_cannot_be_written_costs_only_the_memory(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (notebook.parent / session.FILE).mkdir()
    session.passed("softmax")
    assert "✓ Exercise 1 · softmax" in printed(capsys)


def test_nothing_is_written_where_notebooks_only_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    restart(monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert printed(capsys) == "no check has run in this session, so there is nothing to count\n"
    session.passed("softmax")
    assert list(tmp_path.iterdir()) == []
    text = printed(capsys)
    assert "✓ Exercise 1 · softmax" in text
    assert "? Written answer · Say why" in text


def test_an_answer_that_is_still_the_stub_is_no_failure(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def softmax(scores: object, axis: int = -1) -> None:
        raise NotImplementedError

    with pytest.raises(check.CheckFailed, match="not started yet"):
        check.softmax(softmax)
    assert "○ Exercise 1 · softmax" in printed(capsys)
