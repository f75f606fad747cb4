"""What lessons 5 and 5b say of their outputs is so, and its claims hold for other numbers, too."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from authoring.answers import Namespace
from authoring.lessons import read_text
from tests.lessons.test_statements import function_in, lesson_named, numbers_in, shown_by, softmax

PERMUTATION, ROTARY = "5_permutation_test", "5b_rotary_positions"


def test_one_order_of_24_changes_the_total() -> None:
    total, numbers = function_in(lesson_named(PERMUTATION), "total"), np.array([3.0, 1, 4, 2])
    changed = [order for order in itertools.permutations(range(4)) if total(numbers[list(order)]) != total(numbers)]
    assert changed == [(1, 3, 0, 2)]


def test_a_test_that_tries_one_order_passes_functions_that_are_not_equivariant() -> None:
    lines = shown_by(PERMUTATION, 'check.reveal("predict_identity")').splitlines()
    passes = {(line.split("]")[0], line.split("]")[1].rsplit(maxsplit=1)[0].strip()): line.endswith("True") for line in lines if line.startswith("[")}
    assert all(said for (order, _), said in passes.items() if order == "[0, 1, 2, 3") and sum(passes.values()) == 5
    assert passes["[2, 0, 3, 1", "backwards"] and not passes["[2, 0, 3, 1", "running sum"]


def test_two_of_twelve_wrong_attentions_are_caught() -> None:
    lines = shown_by(PERMUTATION, 'check.reveal("predict_caught")').splitlines()
    caught = [line.split("  ")[0] for line in lines if line.endswith("CAUGHT")]
    assert caught == ["heads split by view", "heads merged by view"] and sum(line.endswith("passes") for line in lines) == 10


def test_a_causal_mask_alone_lets_a_query_count() -> None:
    without, masked = shown_by(PERMUTATION, "first_token").splitlines()
    assert numbers_in(without.replace(".", "")[15:]) == [6] * 6 and numbers_in(masked.replace(".", "")[15:]) == [1, 2, 3, 4, 5, 6]
    lines = shown_by(PERMUTATION, 'check.reveal("predict_masked")').splitlines()
    assert [line.split()[-1] for line in lines if "equivariant:" in line] == ["True", "False"]


def test_true_blocks_in_multihead_attention_and_a_row_without_keys_is_nan() -> None:
    given, opposite = shown_by(PERMUTATION, "torchs = nn.MultiheadAttention").split("~mask:")
    rows = [re.findall(r"nan|\d\.\d*", line) for line in given.splitlines()[1:] if line.strip()]
    assert rows[3] == ["nan"] * 4 and all(float(rows[i][j]) == 0 for i in range(3) for j in range(i + 1))
    causal = np.array([[float(number) for number in re.findall(r"\d\.\d*", line)] for line in opposite.splitlines() if line.strip()])
    assert (np.triu(causal, 1) == 0).all() and (np.tril(causal) > 0).sum() == 10


def test_sine_and_cosine_together_are_rotated_by_a_step() -> None:
    both, sine = ([numbers_in(part) for part in re.split("products", line)] for line in shown_by(PERMUTATION, "np.linalg.lstsq").splitlines())
    assert both[0] == [0.0] and sine[0][0] > 0.1
    lines = shown_by(PERMUTATION, "np.linalg.lstsq").splitlines()
    products = [re.findall(r"\d+\.\d*", line.split(":")[1]) for line in lines]
    assert len(set(products[0])) == 1 and len(set(products[1])) == 3
    encode = Namespace(read_text(lesson_named(PERMUTATION)))["positional_encoding"]
    p = encode(200, 8)
    for step in (1, 3, 10):
        turn = np.linalg.lstsq(p[:-step], p[step:], rcond=None)[0]
        assert np.allclose(p[:-step] @ turn, p[step:]) and np.allclose(turn @ turn.T, np.eye(8), atol=1e-5), "a rotation"


def test_only_a_large_base_tells_a_distance_of_100_from_one_of_1000() -> None:
    lines = shown_by(PERMUTATION, "for base in").splitlines()
    small, usual, large = ([float(number) for number in re.findall(r"-?\d*\.\d*", line.split(":")[1])] for line in lines)
    assert abs(small[2] - small[3]) < 0.01 and usual[2] - usual[3] > 0.2 and large[2] - large[3] > 0.1
    assert small == pytest.approx([np.cos(np.outer(np.arange(d, 2 * d), 10 ** (-np.arange(16) / 16))).mean() for d in (1, 10, 100, 1000)], abs=0.01)


def test_positions_that_are_concatenated_and_projected_are_added() -> None:
    assert [line.split()[-1] for line in shown_by(PERMUTATION, "w_token, w_position").splitlines()] == ["True", "True"]


def test_two_equal_words_differ_by_their_positions_alone() -> None:
    text = shown_by(PERMUTATION, "placed = {")
    without, placed = (re.findall(r"\[(.*?)\]", line) for line in text.splitlines()[:2])
    assert without[0] == without[1] and placed[0] != placed[1] and "positions added: False" in text
    encode = Namespace(read_text(lesson_named(PERMUTATION)))["positional_encoding"](4, 4)
    x, w_query, w_key, w_value = np.random.RandomState(2).normal(size=(4, 4, 4))
    swap = [1, 0, 2, 3]

    def attention(x: np.ndarray) -> np.ndarray:
        return softmax(x @ w_query @ (x @ w_key).T / 2) @ (x @ w_value)

    early = attention(x[swap] + encode) - attention(x + encode)[swap]
    late = attention(x[swap]) + encode - (attention(x) + encode)[swap]
    assert (np.abs(early).max(axis=1) > 1e-4).all(), "added before, every token notices"
    assert np.allclose(late[2:], 0) and (np.abs(late[:2]).max(axis=1) > 0.01).all(), "added after, only those that moved"


def test_the_training_says_at_most_half_without_positions_and_all_with_them() -> None:
    text = shown_by(PERMUTATION, "models, runs = learn()")
    rows = re.findall(r"^(\w+ positions) +(\d+) of 56 right, both orders of two words +(\d+) of 28, equivariant: (\w+)$", text, re.MULTILINE)
    assert [row[0] for row in rows] == ["without positions", "with positions", "learned positions"]
    assert int(rows[0][1]) <= 28 and rows[0][2:] == ("0", "True") and all(row[1:] == ("56", "28", "False") for row in rows[1:])
    later = [int(number) for number in re.findall(r"later: +(\d+) of 56 right", text)]
    assert len(later) == 2 and later[1] < 28
    assert "index out of range" in shown_by(PERMUTATION, "nn.Embedding(3, 32)")


def test_queries_and_keys_are_rotated_and_nothing_else() -> None:
    said = re.findall(r"^(\w+) +rotated: .*: (\w+)$", shown_by(ROTARY, "for roles in"), re.MULTILINE)
    assert said == [("k", "False"), ("qk", "True"), ("qkv", "False")]
    near, far = (re.findall(r"-?\d*\.\d+", line.split(":")[1]) for line in shown_by(ROTARY, "for distance in").splitlines())
    assert len(near) == len(far) == 3 and len({*near}) == len({*far}) == 1 and near != far
    assert [line.split()[-1] for line in shown_by(ROTARY, "positions carried").splitlines()] == ["False", "True"]
    rotary, draw = Namespace(read_text(lesson_named(ROTARY)))["rotary"], np.random.RandomState(0)
    q, k = draw.normal(size=(2, 5, 6))
    here, columns, back = np.array([4, 0, 9, 2, 3]), [0, 2, 4, 1, 3, 5], [0, 3, 1, 4, 2, 5]
    assert np.allclose(rotary(q, here) @ rotary(k, here).T, rotary(q, here + 77) @ rotary(k, here + 77).T)
    assert np.allclose(np.linalg.norm(rotary(q, here), axis=1), np.linalg.norm(q, axis=1))
    first, second = q[:, :3], q[:, 3:]
    angle = here[:, None] / 10000 ** (np.arange(3) / 3)
    by_halves = np.concatenate([first * np.cos(angle) - second * np.sin(angle), first * np.sin(angle) + second * np.cos(angle)], axis=1)
    assert np.allclose(by_halves, rotary(q[:, back], here)[:, columns]), "halves are neighbours with other columns"


def test_scores_are_right_only_where_weights_and_code_pair_alike() -> None:
    wrong = [float(line.split()[-1]) for line in shown_by(ROTARY, "def rotary_halves").splitlines()]
    assert wrong[1] == 0 and wrong[0] > 0.1 and wrong[2] > 0.1


def test_only_added_positions_travel_in_the_tokens() -> None:
    lines = re.findall(r"differ by (\S+) after layer 1; next scores \[(.*?)\]", shown_by(ROTARY, "rotated in layer 1"))
    (added, of_added), (once, of_once), (both, of_both) = lines
    assert float(added) > 0.1 and float(once) == float(both) == 0
    assert [len(set(scores.split())) for scores in (of_added, of_once, of_both)] == [4, 1, 4]


def test_a_model_with_rotary_positions_is_right_later_in_a_text() -> None:
    said = re.findall(r"^at positions (\[.*\]): +(\d+) of 56 right$", shown_by(ROTARY, "rotating, _ = learn_rotary()"), re.MULTILINE)
    assert said[:3] == [(positions, "56") for positions in ("[0, 1, 2]", "[5, 6, 7]", "[1000, 1001, 1002]")]
    assert len(said) == 4 and said[3][0] == "[0, 3, 6]" and int(said[3][1]) < 45


def test_only_minus_infinity_masks_whatever_the_scores_are() -> None:
    weights = [re.findall(r"[01]\.", line) for line in shown_by(PERMUTATION, "-15258.0").splitlines() if "weights" in line]
    assert weights == [["0.", "1."], ["0.", "1."], ["1.", "0."], ["1.", "0."]]


def test_padding_is_masked_at_the_keys() -> None:
    lines = shown_by(PERMUTATION, "padded = ").splitlines()
    assert [line.split("padding: ")[1].split(",")[0] for line in lines] == ["False", "True", "False"]
    assert ["nan" in line for line in lines] == [False, False, True]
