"""Lessons 5b, 6, 7 and 8 take what the learner wrote where it is right, and torch's modules or ours where it is not; and they can look into both."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

from attnlab import training
from attnlab.diagnosis.cause import CheckFailed
from attnlab.training.own import (
    attention_of_lesson_4,
    equivariance_test_of_lesson_5,
    functions_of_lesson_7,
    loop_of_lesson_6,
    model_of_lesson_6,
)
from attnlab.training.stand_ins import StandIn, TorchTransformer
from attnlab.training.stored import parameters_of
from authoring.answer_files import answers_to
from authoring.answers import Namespace, fill_in, run_test, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, read_text

LESSON_4, LESSON_5, LESSON_6, LESSON_7 = map(Lesson, ("4_multi_head", "5_permutation_test", "6_transformer", "7_language_model"))
NAME = "MultiHeadSelfAttention"


def notebook_with(tmp_path: Path, lesson: Lesson, **answers: str) -> Path:
    """A released lesson with its own answers in, apart from these."""
    sources = {**solution_sources(nbformat.read(lesson.solution, as_version=4)), **answers}
    path = tmp_path / lesson.released.name
    nbformat.write(fill_in(nbformat.read(lesson.released, as_version=4), sources), path)
    return path


def wrong_answer(lesson: Lesson, exercise: str) -> str:
    """The text of a wrong answer that the visible check sees."""
    return next(answer.source for answer in answers_to(lesson, exercise).values() if not answer.right and not answer.is_hidden_only)


@cache
def solved(lesson: Lesson) -> Namespace:
    """What a lesson's solution defines."""
    return Namespace(nbformat.read(lesson.solution, as_version=4))


def test_an_own_attention_that_is_right_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = attention_of_lesson_4(notebook_with(tmp_path, LESSON_4))
    assert own is not StandIn and set(own(4, 2).state_dict()) == {
        "toqueries.weight",
        "tokeys.weight",
        "tovalues.weight",
        "unifyheads.weight",
        "unifyheads.bias",
    }
    assert capsys.readouterr().out == "✓ MultiHeadSelfAttention is yours, from lesson 4.\n"


def test_a_wrong_one_is_replaced_and_the_reason_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert attention_of_lesson_4(notebook_with(tmp_path, LESSON_4, **{NAME: wrong_answer(LESSON_4, NAME)})) is StandIn
    said = " ".join(capsys.readouterr().out.split())
    assert "is torch's here, in place of yours: the check of lesson 4 still says “✗ MultiHeadSelfAttention" in said


def test_a_missing_one_is_replaced_and_the_reason_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert attention_of_lesson_4(LESSON_4.released) is StandIn
    assert "in place of yours: `MultiHeadSelfAttention` is not written yet." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("content", [None, "", "{}", '{"cells": [{"cell_type": "code", "source": "def ("}]}', "[]"])
def test_a_notebook_that_cannot_be_read_is_no_error(content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "multi_head.ipynb"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert attention_of_lesson_4(path) is StandIn
    assert "torch's here" in capsys.readouterr().out


def test_nothing_else_of_the_notebook_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = notebook_with(tmp_path, LESSON_4)
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
                earned, _ = run_test(cell.source, cell.metadata.nbgrader.points, {**solved(LESSON_4), NAME: StandIn})
                assert earned == 0


@pytest.mark.parametrize("kind", ["own", "stand-in"])
@pytest.mark.parametrize("mask", [False, True])
def test_the_maps_are_those_of_the_attention(kind: str, mask: bool) -> None:
    """What it returns follows from the weights that the map shows and from its own matrices."""
    torch.manual_seed(1)
    attention = (solved(LESSON_4)[NAME] if kind == "own" else StandIn)(8, 2, mask=mask)
    x = torch.randn(3, 5, 8)
    weights, own = training.weights_of(attention, x, heads=2, mask=mask), training.matrices_of(attention)
    values = (x @ own["tovalues"].T).reshape(3, 5, 2, 4).transpose(1, 2)
    mixed = (weights @ values).transpose(1, 2).reshape(3, 5, 8)
    assert torch.allclose(mixed @ own["unifyheads"].T + own["bias"], attention(x), atol=1e-5)
    assert torch.allclose(weights.sum(-1), torch.ones(3, 2, 5), atol=1e-5)
    assert mask == bool((weights.triu(1) == 0).all())


@pytest.mark.parametrize("kind", ["own", "stand-in"])
def test_another_matrix_behind_the_heads_holds_inside_the_with_alone(kind: str) -> None:
    attention = (solved(LESSON_4)[NAME] if kind == "own" else StandIn)(8, 2)
    x = torch.randn(2, 5, 8)
    before, bias = attention(x), training.matrices_of(attention)["bias"]
    with training.replaced(attention, torch.zeros(8, 8)):
        assert torch.allclose(attention(x), bias.expand(2, 5, 8))
    assert torch.equal(attention(x), before)
    with pytest.raises(ValueError, match="shape"), training.replaced(attention, torch.zeros(8, 4)):
        pass


def test_an_own_test_of_orders_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = equivariance_test_of_lesson_5(notebook_with(tmp_path, LESSON_5))
    assert capsys.readouterr().out == "✓ is_permutation_equivariant is yours, from lesson 5.\n"
    assert own(lambda x: 2 * x, np.eye(3)) and not own(lambda x: np.cumsum(x, axis=0), np.eye(3))
    with pytest.raises(ValueError, match="equal"):
        own(lambda x: x, np.ones((2, 2)))


def test_the_test_in_its_place_tries_one_order_and_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    ours = equivariance_test_of_lesson_5(LESSON_5.released)
    assert "ours, for one order, here, in place of yours: `is_permutation_equivariant` is not written yet." in " ".join(
        capsys.readouterr().out.split()
    )
    assert ours(lambda x: 2 * x, np.eye(3)) and not ours(lambda x: np.cumsum(x, axis=0), np.eye(3))
    assert ours(lambda x: x[::-1], np.eye(2)), "which it should not pass"


def test_an_own_transformer_and_an_own_loop_are_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, task = notebook_with(tmp_path, LESSON_6), training.Repeat()
    model = model_of_lesson_6(StandIn, path)(task, 2)
    assert type(model).__name__ == "Transformer" and not isinstance(model, TorchTransformer)
    losses = loop_of_lesson_6(path)(model, [task.batch(4, torch.Generator().manual_seed(0))] * 3, 1e-3)
    assert len(losses) == 3 and losses[2] < losses[0]
    assert capsys.readouterr().out == "✓ The transformer is yours, from lesson 6.\n✓ train_model is yours, from lesson 6.\n"


@pytest.mark.parametrize("exercise", ["FeedForward", "Block", "Transformer"])
def test_with_one_wrong_part_the_whole_transformer_is_torchs(exercise: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, task = notebook_with(tmp_path, LESSON_6, **{exercise: wrong_answer(LESSON_6, exercise)}), training.Repeat()
    model = model_of_lesson_6(StandIn, path)(task, 2)
    assert isinstance(model, TorchTransformer) and len(model.blocks) == 2
    assert f"in place of yours: the check of lesson 6 still says “✗ {exercise}" in " ".join(capsys.readouterr().out.split())


def test_what_is_not_written_yet_is_told_and_ours_trains(capsys: pytest.CaptureFixture[str]) -> None:
    task = training.Repeat()
    model, train = model_of_lesson_6(StandIn, LESSON_6.released)(task, 1), loop_of_lesson_6(LESSON_6.released)
    losses = train(model, (task.batch(8, torch.Generator().manual_seed(0)) for _ in range(20)), 1e-2)
    assert len(losses) == 20 and losses[-1] < losses[0]
    said = " ".join(capsys.readouterr().out.split())
    assert "`FeedForward` is not written yet." in said and "train_model is ours here" in said


@pytest.mark.parametrize("mask", [False, True])
def test_torchs_transformer_computes_what_lesson_6_does(mask: bool) -> None:
    """The same parameters under the cards' names give the same logits, and the same maps."""
    torch.manual_seed(2)
    ours, solved_6 = training.TorchTransformer(9, 7, 8, 2, 2, mask=mask), solved(LESSON_6)
    blocks = [solved_6["Block"](8, solved(LESSON_4)[NAME](8, 2, mask=mask), solved_6["FeedForward"](8, 16)) for _ in range(2)]
    own = solved_6["Transformer"](9, 7, 8, blocks)
    for name, value in parameters_of(own).items():
        value.copy_(parameters_of(ours)[name])
    assert set(parameters_of(own)) == set(parameters_of(ours))
    tokens = torch.randint(9, (3, 6))
    with torch.no_grad():
        assert torch.allclose(own(tokens), ours(tokens), atol=1e-5)
    for one, other in zip(training.maps_of(own, tokens, 2, mask), training.maps_of(ours, tokens, 2, mask)):
        assert torch.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("kind", ["own", "torch's"])
def test_without_attention_or_positions_tokens_stay_alone_or_alike(kind: str) -> None:
    task = training.Reverse()
    solved_6 = solved(LESSON_6)

    def model() -> torch.nn.Module:
        return solved_6["small_transformer"](task, 1) if kind == "own" else training.TorchTransformer(10, 16, 32, 1, 2, mask=False)

    draw = torch.Generator().manual_seed(0)
    alone, alike = training.without_attention(model()), training.without_positions(model())
    for one in (alone, alike):
        solved_6["train_model"](one, (task.batch(8, draw) for _ in range(5)), 1e-2)
    tokens, _ = task.batch(4, draw)
    other = torch.cat([tokens[:, :3], (tokens[:, 3:4] + 1) % 10, tokens[:, 4:]], dim=1)
    with torch.no_grad():
        moved = (alone(tokens) - alone(other)).abs().amax((0, 2)) > 1e-6
        assert moved.nonzero().flatten().tolist() == [3]
        assert torch.allclose(alike(tokens).flip(1), alike(tokens.flip(1)), atol=1e-5)


def test_hidden_padding_changes_nothing_in_sight_it_does() -> None:
    task = training.ReverseLengths()
    solved_6 = solved(LESSON_6)
    torch.manual_seed(0)
    plain, hidden = (solved_6["small_transformer"](task, 2) for _ in range(2))
    training.without_padding(hidden, solved_6["padded_weights"], task.padding, heads=2)
    tokens, targets = task.batch(20, torch.Generator().manual_seed(1))
    wider, asked = torch.nn.functional.pad(tokens, (0, 5), value=task.padding), targets != -100
    with torch.no_grad():
        assert torch.allclose(hidden(tokens)[asked], hidden(wider)[:, :16][asked], atol=1e-5)
        assert not torch.allclose(plain(tokens)[asked], plain(wider)[:, :16][asked], atol=1e-2)
    loss = torch.nn.functional.cross_entropy(hidden(tokens).flatten(0, 1), targets.flatten())
    loss.backward()
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for block in hidden.blocks for parameter in block.parameters())


def test_another_module_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match="toqueries"):
        training.matrices_of(torch.nn.Linear(3, 3))


def test_heads_that_do_not_divide_are_refused() -> None:
    with pytest.raises(ValueError, match="3 heads"):
        StandIn(8, 3)


def test_functions_of_lesson_7_are_the_learners_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = functions_of_lesson_7(notebook_with(tmp_path, LESSON_7))
    assert [one.__name__ for one in taken] == ["induction_scores", "without_head", "next_probabilities"]
    assert capsys.readouterr().out == "✓ induction_scores, without_head, next_probabilities are yours, from lesson 7.\n"


@pytest.mark.parametrize("name", ["induction_scores", "next_probabilities"])
def test_without_one_of_them_it_says_which_and_why(name: str, tmp_path: Path) -> None:
    with pytest.raises(CheckFailed, match=f"(?s)the check of lesson 7 still says “✗ {name}.*finish that there"):
        functions_of_lesson_7(notebook_with(tmp_path, LESSON_7, **{name: wrong_answer(LESSON_7, name)}))
    with pytest.raises(CheckFailed, match="`induction_scores` is not written yet"):
        functions_of_lesson_7(LESSON_7.released)
