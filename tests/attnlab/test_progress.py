"""Progress is remembered where a notebook is open in Jupyter, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attnlab import check
from attnlab.check import session

LESSON = "1_basic_attention"


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lesson's notebook that is open in Jupyter, in a session in which no check has run."""
    path = tmp_path / LESSON / "basic_attention.ipynb"
    path.parent.mkdir()
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    monkeypatch.setattr(session, "_state", {})
    return path


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_state", {})


def test_a_passed_check_is_shown_as_passed_before_after_a_restart(notebook: Path, monkeypatch: pytest.MonkeyPatch,
                                                                  capsys: pytest.CaptureFixture[str]) -> None:
    session.started("softmax")
    session.passed("softmax")
    session.progress(LESSON)
    now = capsys.readouterr().out
    assert "✓ softmax" in now
    assert "worth 3 of 21 points; 18 still open" in now
    restart(monkeypatch)
    session.progress(LESSON)
    later = capsys.readouterr().out
    assert "· softmax" in later
    assert "run its check again to be sure" in later
    assert "worth 3 of 21 points" in later


def test_a_check_that_fails_again_takes_the_mark_back(notebook: Path, monkeypatch: pytest.MonkeyPatch,
                                                      capsys: pytest.CaptureFixture[str]) -> None:
    session.passed("softmax")
    restart(monkeypatch)
    session.started("softmax")
    restart(monkeypatch)
    session.progress(LESSON)
    assert "✗ softmax" in capsys.readouterr().out


def test_the_start_page_counts_the_checks_of_each_lesson(notebook: Path, monkeypatch: pytest.MonkeyPatch,
                                                         capsys: pytest.CaptureFixture[str]) -> None:
    session.passed("softmax")
    session.passed("embed")
    restart(monkeypatch)
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook.parents[1] / "start.ipynb"))
    session.progress()
    assert "2 of 7 checks passed, 15 of 21 points still open" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "[1]", '{"softmax": "yes"}', "{"])
def test_a_damaged_file_counts_as_none(notebook: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    (notebook.parent / session.FILE).write_text(content, encoding="utf-8")
    session.progress(LESSON)
    assert "○ softmax" in capsys.readouterr().out
    session.passed("softmax")
    assert json.loads((notebook.parent / session.FILE).read_text(encoding="utf-8")) == {"softmax": True}


def test_a_folder_that_cannot_be_written_costs_only_the_memory(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (notebook.parent / session.FILE).mkdir()
    session.passed("softmax")
    session.progress(LESSON)
    assert "✓ softmax" in capsys.readouterr().out


def test_nothing_is_written_where_notebooks_only_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr(session, "_state", {})
    monkeypatch.chdir(tmp_path)
    session.passed("softmax")
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_is_still_the_stub_is_no_failure(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def softmax(scores: object, axis: int = -1) -> None:
        raise NotImplementedError

    with pytest.raises(check.CheckFailed, match="not started yet"):
        check.softmax(softmax)
    session.progress(LESSON)
    assert "○ softmax" in capsys.readouterr().out
