"""Lesson 6 takes the learner's own attention of lesson 4 where it is right, and torch's where it is not; and it can look into both."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nbformat
import pytest
import torch

from attnlab import training
from attnlab.training.own import StandIn, attention_of_lesson_4
from authoring.answer_files import answers_to
from authoring.answers import Namespace, fill_in, run_test, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, read_text

LESSON_4 = Lesson("4_multi_head")
NAME = "MultiHeadSelfAttention"


def notebook_with(tmp_path: Path, **answers: str) -> Path:
    """The released lesson 4 with its own answers in, apart from these."""
    sources = {**solution_sources(nbformat.read(LESSON_4.solution, as_version=4)), **answers}
    path = tmp_path / "multi_head.ipynb"
    nbformat.write(fill_in(nbformat.read(LESSON_4.released, as_version=4), sources), path)
    return path


def test_an_own_attention_that_is_right_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = attention_of_lesson_4(notebook_with(tmp_path))
    assert own is not StandIn and set(own(4, 2).state_dict()) == {
        "toqueries.weight",
        "tokeys.weight",
        "tovalues.weight",
        "unifyheads.weight",
        "unifyheads.bias",
    }
    assert capsys.readouterr().out == "✓ MultiHeadSelfAttention is yours, from lesson 4.\n"


def test_a_wrong_one_is_replaced_and_the_reason_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = next(answer for answer in answers_to(LESSON_4, NAME).values() if not answer.right and not answer.is_hidden_only)
    assert attention_of_lesson_4(notebook_with(tmp_path, **{NAME: wrong.source})) is StandIn
    said = " ".join(capsys.readouterr().out.split())
    assert "is torch's here, in place of yours: the check of lesson 4 still says “✗ MultiHeadSelfAttention" in said


def test_a_missing_one_is_replaced_and_the_reason_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert attention_of_lesson_4(LESSON_4.released) is StandIn
    assert "in place of yours: it is not written yet." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("content", [None, "", "{}", '{"cells": [{"cell_type": "code", "source": "def ("}]}', "[]"])
def test_a_notebook_that_cannot_be_read_is_no_error(content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "multi_head.ipynb"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert attention_of_lesson_4(path) is StandIn
    assert "torch's here" in capsys.readouterr().out


def test_nothing_else_of_the_notebook_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = notebook_with(tmp_path)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(f"open({str(tmp_path / 'ran')!r}, 'w').write('x')\nraise RuntimeError"))
    nbformat.write(notebook, path)
    assert attention_of_lesson_4(path) is not StandIn
    assert not (tmp_path / "ran").exists()


def test_the_stand_in_is_no_answer_to_lesson_4() -> None:
    source = read_text(LESSON_4)
    for exercise in find_exercises(source):
        if exercise.name == NAME:
            for test in exercise.tests:
                cell = source.cells[test]
                earned, _ = run_test(cell.source, cell.metadata.nbgrader.points, {**solved(), NAME: StandIn})
                assert earned == 0


@cache
def solved() -> Namespace:
    return Namespace(nbformat.read(LESSON_4.solution, as_version=4))


@pytest.mark.parametrize("kind", ["own", "stand-in"])
@pytest.mark.parametrize("mask", [False, True])
def test_the_maps_are_those_of_the_attention(kind: str, mask: bool) -> None:
    """What it returns follows from the weights that the map shows and from its own matrices."""
    torch.manual_seed(1)
    attention = (solved()[NAME] if kind == "own" else StandIn)(8, 2, mask=mask)
    x = torch.randn(3, 5, 8)
    weights, own = training.weights_of(attention, x, heads=2, mask=mask), training.matrices_of(attention)
    values = (x @ own["tovalues"].T).reshape(3, 5, 2, 4).transpose(1, 2)
    mixed = (weights @ values).transpose(1, 2).reshape(3, 5, 8)
    assert torch.allclose(mixed @ own["unifyheads"].T + own["bias"], attention(x), atol=1e-5)
    assert torch.allclose(weights.sum(-1), torch.ones(3, 2, 5), atol=1e-5)
    assert mask == bool((weights.triu(1) == 0).all())


@pytest.mark.parametrize("kind", ["own", "stand-in"])
def test_switched_off_it_adds_nothing_and_afterwards_it_is_as_before(kind: str) -> None:
    attention = (solved()[NAME] if kind == "own" else StandIn)(8, 2)
    x = torch.randn(2, 5, 8)
    before = attention(x)
    with training.switched_off(attention):
        assert (attention(x) == 0).all()
    assert torch.equal(attention(x), before)


def test_another_module_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match="toqueries"):
        training.matrices_of(torch.nn.Linear(3, 3))


def test_heads_that_do_not_divide_are_refused() -> None:
    with pytest.raises(ValueError, match="3 heads"):
        StandIn(8, 3)
