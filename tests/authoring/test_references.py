"""References come from right answers that work; a build that fails leaves what was there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from attnlab.diagnosis.exercise import Exercise, Input
from authoring import __main__ as command
from authoring import references
from authoring.errors import BuildError, Problem
from authoring.lessons import Lesson, find_lessons, read_text
from authoring.references import make_references

FIRST = find_lessons()[0]


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    """The first lesson in a project of its own."""
    copy = Lesson(FIRST.assignment, tmp_path)
    shutil.copytree(FIRST.folder, copy.folder, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__"))
    shutil.copytree(FIRST.exercises, copy.exercises, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("data", "released", "solution"):
        getattr(copy, file).parent.mkdir(parents=True)
        shutil.copy(getattr(FIRST, file), getattr(copy, file))
    shutil.copy(FIRST.root / "nbgrader_config.py", tmp_path)
    return copy


def everything(root: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(root.rglob("*")) if path.is_file()}


def test_a_right_answer_that_fails_on_a_case_stops_the_build(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    described = {**references.described_by(lesson), "softmax": Exercise("a text is no array", [Input("a text", ["abc"])])}
    monkeypatch.setattr(references, "described_by", lambda _: described)
    with pytest.raises(BuildError, match=r"`softmax`: the answer fails on the case “a text”: "):
        make_references(lesson, read_text(lesson))


def test_an_answer_whose_cell_fails_stops_the_build(lesson: Lesson) -> None:
    text = lesson.text.read_text(encoding="utf-8")
    lesson.text.write_text(
        text.replace("def embed(words, vocabulary, table):", "raise KeyError\ndef embed(words, vocabulary, table):"), encoding="utf-8"
    )
    with pytest.raises(BuildError, match="`embed`: the cell with the answer stops with an error"):
        make_references(lesson, read_text(lesson))


def test_a_wrong_answer_that_says_its_cause_is_known_by_its_value(lesson: Lesson) -> None:
    path = lesson.answers / "softmax.py"
    before = make_references(lesson, read_text(lesson))["exercises"]["softmax"]
    answers = path.read_text(encoding="utf-8")
    assert "ignores_axis" not in before["mistakes"]
    title = "# %% wrong: ignores_axis\n"
    path.write_text(answers.replace(title, f"{title}# likely: the axis is ignored\n# next: use it\n"), encoding="utf-8")
    after = make_references(lesson, read_text(lesson))["exercises"]["softmax"]
    assert after["mistakes"] == before["mistakes"] | {"ignores_axis": ["the axis is ignored", "use it"]}


def test_a_build_whose_solution_fails_leaves_everything_as_it_was(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        assert "another lesson" in lesson.data.read_text(encoding="utf-8")  # the solution is executed with the new references
        raise BuildError([Problem(Path("name.md"), "a cell", "it fails", "mend it")])

    command.pair(lesson)
    before = everything(lesson.root)
    monkeypatch.setattr(command, "make_references", lambda *_: {"lesson": "another lesson"})
    monkeypatch.setattr(command, "solve", fails)
    with pytest.raises(BuildError, match="it fails"):
        command.build(lesson)
    assert everything(lesson.root) == before
