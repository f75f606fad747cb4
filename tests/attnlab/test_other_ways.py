"""Right answers are shown to somebody who has one, has the whole repository, and reads: to nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from attnlab.check import cards, predictions, session
from attnlab.check.other_ways import folded, other_ways
from authoring.lessons import ROOT

LESSON = "1_basic_attention"
ANSWERS = """# Right and wrong answers

# %% right: first
def softmax(scores, axis=-1):
    return first(scores)

# %% right: changed from first
-    return first(scores)
+    return changed(scores)

# %% right: second
def softmax(scores, axis=-1):
    return second(scores) < 3

# %% wrong: third
def softmax(scores, axis=-1):
    return third(scores)

# %% right: fourth
def softmax(scores, axis=-1):
    return fourth(scores)

# %% right: fifth
def softmax(scores, axis=-1):
    return fifth(scores)
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one file of answers, and a notebook that is open in it."""
    notebook = tmp_path / "notebooks" / LESSON / "basic_attention.ipynb"
    notebook.parent.mkdir(parents=True)
    notebook.write_text("{}")
    answers = tmp_path / "source" / LESSON / "answers"
    answers.mkdir(parents=True)
    (answers / "softmax.py").write_text(ANSWERS)
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    return tmp_path


def bodies(monkeypatch: pytest.MonkeyPatch, module: object) -> list[str]:
    """What a person would see, as HTML."""
    told: list[str] = []
    monkeypatch.setattr(module, "tell", lambda body, text: told.append(body))
    return told


def test_the_first_three_whole_right_answers_are_shown_without_the_own_one(repository: Path) -> None:
    assert [answer.split("return ")[1] for answer in other_ways("softmax")] == ["first(scores)", "second(scores) < 3", "fourth(scores)"]
    own = "def softmax( scores, axis = -1 ):   # mine\n    return first( scores )"
    assert [answer.split("return ")[1] for answer in other_ways("softmax", own)] == ["second(scores) < 3", "fourth(scores)", "fifth(scores)"]
    assert "return second(scores) &lt; 3" in folded(other_ways("softmax"), "Other ways") and folded([], "Other ways") == ""


def test_without_the_repository_nothing_is_found(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert other_ways("embed") == []
    (repository / "source").rename(repository / "hidden")
    assert other_ways("softmax") == []
    monkeypatch.delenv("JPY_SESSION_NAME")
    (repository / "hidden").rename(repository / "source")
    assert other_ways("softmax") == []


def test_they_stand_below_a_check_that_passes_and_below_no_other(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = bodies(monkeypatch, session)
    namespace: dict = {}
    exec(
        "import numpy as np\ndef softmax(scores, axis=-1):\n    e = np.exp(scores - scores.max(axis=axis, keepdims=True))\n"
        "    return e / e.sum(axis=axis, keepdims=True)",
        namespace,
    )
    session.check_of("softmax")(namespace["softmax"])
    assert "Other ways to write it" in told[0] and "fourth(scores)" in told[0]
    with pytest.raises(session.CheckFailed) as refused:
        session.check_of("softmax")(lambda scores, axis=-1: scores)
    assert len(told) == 1 and "first(scores)" not in str(refused.value) + cards.card_of(refused.value)


def test_a_question_is_answered_once_all_of_it_was_tried(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "source" / LESSON / "answers" / "fault_lines.py").write_text("# %% right: numbers\nline_of_the_sum = 3\nline_of_the_trap = 1\n")
    monkeypatch.setattr(session, "_answers", {})
    told = bodies(monkeypatch, predictions)
    predictions.choice("fault_lines", 2, 1, 2, 3, 4)
    predictions.choice("fault_lines", 4, 1, 2, 3, 4)
    assert "line_of_the_sum" not in told[0] and "line_of_the_sum = 3\nline_of_the_trap = 1" in told[1]


@pytest.mark.parametrize("file", sorted((ROOT / "source").glob("*/answers/*.py")), ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_every_exercise_has_ways_that_can_be_shown(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = file.parent.parent.name
    monkeypatch.setenv("JPY_SESSION_NAME", str(ROOT / "notebooks" / lesson / f"{lesson.split('_', 1)[1]}.ipynb"))
    ways = other_ways(file.stem)
    assert len(ways) == 3
    for way in ways:
        compile(way, file.name, "exec")
