"""What the lessons say in words is so: each number and claim that no exercise checks, measured here by code of its own."""

from __future__ import annotations

import ast
import re

import numpy as np
import pytest
import torch

from authoring.answers import Namespace
from authoring.lessons import Lesson, find_lessons, read_text

# Words that promise more than a check of some numbers can hold.
STRONG = re.compile(r"\b(proof|proofs|prove|proves|proved|always|published|guarantee\w*|impossible)\b", re.IGNORECASE)
# Each use of them, looked at: the words around it, and why they are true.
LOOKED_AT = {
    "1_basic_attention": {
        'Choose `"always"` or `"not always"`': "a choice of a prediction", 'predicted_own_score = "not always"': "the same",
        'check.prediction(predicted_own_score, "always", "not always")': "the same", 'check.reveal(predicted_own_score, "not always",': "the same",
        "A published tutorial divides by the sum of the whole array": "the documents of the course hold it",
        "in lesson 5 you prove it": "lesson 5 asks for a proof on paper"},
    "2_queries_keys_values": {"the softmax always runs over the keys": "the definition of attention in both conventions"},
    "3_scaling": {"The second was published in a tutorial": "the documents of the course hold it"},
    "4_multi_head": {
        "This fault is in several published": "found in the code that the documents quote",
        "Four faults of published code": "the same", "What does that prove?": "a question; the answer is: nothing",
        "A proof it is not": "says so", "In lesson 5 you prove it": "lesson 5 asks for a proof on paper"},
    "5_permutation_test": {
        "when tokens change places, and prove it": "the proof on paper", "and then you prove it, on paper": "the same", "## Prove it": "the same",
        "Prove that $f(P X) = P f(X)$": "the same", '"grade_id": "proof"': "its name", "An answer that proves invariance": "of the marking scheme"},
}


@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
def test_words_that_promise_much_were_looked_at(lesson: Lesson) -> None:
    text = " ".join(lesson.text.read_text(encoding="utf-8").split())
    rest = text
    for words in LOOKED_AT[lesson.assignment]:
        assert words in text, f"{words!r} is not there any more: take it off the list"
        rest = rest.replace(words, "")
    found = [rest[max(0, match.start() - 60):match.end() + 20] for match in STRONG.finditer(rest)]
    assert not found, "is it true? Then add it to the list, with the reason"


def softmax(scores: np.ndarray) -> np.ndarray:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def lesson_named(assignment: str) -> Lesson:
    return next(lesson for lesson in find_lessons() if lesson.assignment == assignment)


def test_the_points_away_from_all_others() -> None:
    text = lesson_named("1_basic_attention").text.read_text(encoding="utf-8")
    [rows] = re.findall(r"learned = np\.array\((.*?\]\])\)", text, re.DOTALL)
    table = np.array(ast.literal_eval(re.sub(r"#.*", "", rows)))
    the, *others = table
    assert all(the @ other < -1 for other in others)
    assert (softmax(table @ table.T)[1:, 0] < 0.02).all()


def test_allclose_wants_five_digits() -> None:
    assert np.allclose(1.00001, 1) and not np.allclose(1.00003, 1)


def test_overflow_is_a_matter_of_level_and_saturation_of_differences() -> None:
    assert np.array_equal(np.round(softmax(np.array([1000.0, 1000, 999])), 2), [0.42, 0.42, 0.16])
    assert round(softmax(np.array([10.0, 0]))[0], 5) == 0.99995
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.float32(89))) and np.isinf(np.exp(np.float16(12))) and np.isfinite(np.exp(np.float16(11)))


def test_about_four_in_five_queries_give_more_than_nine_tenths_to_one_key() -> None:
    draw = np.random.RandomState(0)
    largest = [softmax(draw.normal(size=(12, 256)) @ draw.normal(size=256)).max() for _ in range(4000)]
    assert 0.76 < np.mean(np.array(largest) > 0.9) < 0.81


def test_half_of_the_queries_get_next_to_nothing_without_scaling() -> None:
    draw = np.random.RandomState(1)

    def at_query(divisor: float) -> float:
        query, keys, error = (torch.from_numpy(draw.normal(size=size)) for size in (256, (16, 256), 16))
        query.requires_grad_()
        (torch.softmax(keys @ query / divisor, dim=0) @ error).backward()  # by torch's own derivatives
        return float(query.grad.norm())

    plain, scaled = (np.array([at_query(divisor) for _ in range(2000)]) for divisor in (1, 16))
    assert plain.mean() > 3 * scaled.mean() and np.median(plain) < np.median(scaled) / 4
    assert np.quantile(plain, 0.9) > 3.5 and 0.15 < np.quantile(scaled, 0.1) < np.quantile(scaled, 0.9) < 0.46


def test_two_linear_layers_start_with_small_scores() -> None:
    torch.manual_seed(3)
    x = torch.randn(2000, 64)
    q, k = torch.nn.Linear(64, 64)(x), torch.nn.Linear(64, 64)(x)
    assert 0.3 < float((q @ k.T / 8).detach().std()) < 0.38


def test_without_positions_eats_gets_the_same_output_for_any_number_of_heads() -> None:
    names = Namespace(read_text(lesson_named("4_multi_head")))
    words = {word: torch.randn(12, generator=torch.Generator().manual_seed(place)) for place, word in enumerate(("dog", "eats", "meat"))}
    for heads in (1, 2, 3, 4, 6, 12):
        module = names["MultiHeadSelfAttention"](12, heads)
        one, other = (module(torch.stack([words[word] for word in sentence.split()])[None])[0, 1]
                      for sentence in ("dog eats meat", "meat eats dog"))
        assert torch.allclose(one, other, atol=1e-6)


def test_weights_that_differ_tell_the_two_sentences_apart() -> None:
    words = np.eye(3)
    assert not np.allclose([0.7, 0, 0.3] @ words, [0.7, 0, 0.3] @ words[::-1])
    assert np.allclose([0.5, 0, 0.5] @ words, [0.5, 0, 0.5] @ words[::-1])


def test_parts_that_keep_the_order_out_and_truncation_which_does_not() -> None:
    torch.manual_seed(0)
    x, order = torch.randn(5, 8), torch.tensor([3, 0, 4, 1, 2])
    keeps_out = {"linear parts": torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 8)),
                 "LayerNorm": torch.nn.LayerNorm(8)}
    for name, part in keeps_out.items():
        assert torch.allclose(part(x[order]), part(x)[order], atol=1e-6), name
    assert not torch.allclose(x[order][:3].sum(0), x[:3].sum(0)), "cutting to the first three keeps other tokens"
