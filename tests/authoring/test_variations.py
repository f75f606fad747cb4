"""Slips that nobody wrote down are known by their numbers, and nothing else is taken for them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.slips.slips import mark_of, noise_in, same_mark, without_noise
from authoring.answer_files import Answer, find_answers
from authoring.lessons import Lesson, find_lessons, read_text
from authoring.references import described_by
from authoring.variations.making import STEP_BY_STEP, vary, write_variations

LESSONS = find_lessons()
# Two whole numbers; a model that is trained, not step by step; one that is too large to be run hundreds of times.
FEW_NUMBERS = {"smallest_overflow", "train_model", "learn_to_rearrange", "probability_by_layer"}


def kept(lesson: Lesson) -> list[list]:
    return list(map(json.loads, lesson.variations.read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.assignment)
def test_every_exercise_has_slips_and_none_of_them_is_right(lesson: Lesson) -> None:
    lines = kept(lesson)
    for name, described in described_by(lesson).items():
        own = [marks for exercise, _, marks in lines if exercise == name]
        if described.is_yes_or_no or described.call is calls.simulation or name in FEW_NUMBERS:
            assert not own, name
            continue
        assert len(own) >= 5, f"{name} has {len(own)}: is there a right answer called step_by_step or by_loops?"
        right = [mark_of(case.expected) for case in reference.cases(name)]
        for marks in own:
            assert any(one is not None and not same_mark(one, other) for one, other in zip(marks, right)), name
    assert {line[0] for line in lines} <= described_by(lesson).keys()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.assignment)
def test_no_slip_can_show_memory_that_nobody_has_written(lesson: Lesson) -> None:
    """A loop that leaves out a round leaves such memory in `np.empty`, and each build would write other numbers."""
    for answer in find_answers(lesson):
        if answer.right and answer.name in STEP_BY_STEP:
            assert not re.search(r"\b(empty|empty_like|new_empty)\(.*\)\s*$", answer.source, re.MULTILINE), f"{answer.exercise}: {answer.name}"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.assignment)
def test_their_words_are_words(lesson: Lesson) -> None:
    for id, likely, next_step, _ in (one for _, words, _ in kept(lesson) for one in words):
        assert re.fullmatch(r"[a-z]+\.[a-z_]+", id), id
        assert not re.search(r"\{|\}|(?<!is )(?<!is not )None|  |``|\bthe the\b", f"{likely} {next_step}"), likely
        assert likely[0].islower() or likely[0] in "`1234567890", likely
        assert next_step and not likely.endswith("."), likely


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.assignment)
def test_claims_speak_of_what_the_words_speak_of(lesson: Lesson) -> None:
    for _, words, _, claims in (one for _, said, _ in kept(lesson) for one in said):
        assert claims == sorted(map(sorted, claims)), words
        for token in {token for claim in claims for token in claim}:
            name, _, how = token.partition("(")
            names = token.split(" @ ") if " @ " in token else [name] if how else []
            assert all(f"`{name}`" in words for name in names), (words, token)
            assert "=" not in how or f"axis {how[5:-1]}" in words, (words, token)
            assert not re.fullmatch(r"-?[\d.e+-]+", token) or f"the number {token} is used" in words, (words, token)


def test_the_same_words_have_the_same_id_and_claims() -> None:
    said: dict[str, list] = {}
    for id, words, _, claims in (one for lesson in LESSONS for _, said, _ in kept(lesson) for one in said):
        assert said.setdefault(words, [id, claims]) == [id, claims], words
    assert len(said) > 2000


def test_an_id_and_its_terms_say_all_that_the_words_do() -> None:
    """Nothing has to look at the words: two slips that have these in common are told with the same ones, and each name stands in them."""
    words: dict[tuple, str] = {}
    answers = [answer for answer in find_answers(LESSONS[1]) if answer.right and answer.name in ("step_by_step", "by_loops")]
    for one in (variation.said for answer in answers for variation in vary(answer)):
        if one.more_than:
            assert one.words.startswith(f"{one.more_than[0].words}, ") and one.claims >= one.more_than[0].claims, one
        else:
            assert words.setdefault((one.id, *(term.text for term in one.terms)), one.words) == one.words
        assert all(name in one.words for name in one.names), one
    assert len(words) > 200


def test_a_second_build_changes_nothing(tmp_path: Path) -> None:
    lesson = LESSONS[0]
    copy = Lesson(lesson.assignment, tmp_path)
    copy.variations.parent.mkdir(parents=True)
    write_variations_for(lesson, copy)
    assert copy.variations.read_text(encoding="utf-8") == lesson.variations.read_text(encoding="utf-8")


def test_numbers_that_differ_in_the_last_digits_stay_as_they_were(tmp_path: Path) -> None:
    lesson = LESSONS[0]
    copy = Lesson(lesson.assignment, tmp_path)
    copy.variations.parent.mkdir(parents=True)
    lines = kept(lesson)
    numbers = next(mark["numbers"] for line in lines for mark in line[2] if isinstance(mark, dict) and mark["numbers"][0] > 1)
    numbers[0] *= 1 + 1e-7
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    copy.variations.write_text(text, encoding="utf-8")
    write_variations_for(lesson, copy)
    assert copy.variations.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.assignment)
def test_nothing_is_said_twice(lesson: Lesson) -> None:
    for _, words, _ in kept(lesson):
        kinds = [re.sub(r"axis -?\d", "axis", likely) for _, likely, _, _ in words]
        assert len(set(kinds)) == len(kinds) and sum("rounded down to a whole number" in kind for kind in kinds) < 2, kinds


def write_variations_for(lesson: Lesson, copy: Lesson) -> None:
    """Write a lesson's variations to where a copy of it has them."""
    (copy.root / "source").symlink_to(lesson.root / "source")
    (copy.root / "attnlab" / "exercises").symlink_to(lesson.root / "attnlab" / "exercises")
    write_variations(copy, read_text(lesson))


def test_every_variation_differs_from_the_answer_and_leaves_it_as_it_was() -> None:
    source = "def total(x):\n    powers = np.exp(x)\n    return powers.sum(axis=0) / np.sqrt(len(x))"
    answer = Answer("", "total", True, "step_by_step", source)
    texts = [variation.source for variation in vary(answer)]
    assert source not in texts and len(set(texts)) > 20
    assert "def total(x):\n    powers = np.exp(x)\n    return powers.mean(axis=0) / np.sqrt(len(x))" in texts
    assert "def total(x):\n    powers = x\n    return powers.sum(axis=0) / np.sqrt(len(x))" in texts
    assert [variation.source for variation in vary(answer)] == texts


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3) * (1 + 1e-9), True),
        (np.arange(6.0).reshape(2, 3), np.arange(6.0), False),
        (np.arange(6.0), np.arange(6.0)[::-1], False),
        (np.array([1.0, np.nan]), np.array([1.0, np.inf]), False),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        ((np.ones(2), np.zeros(2)), (np.zeros(2), np.ones(2)), False),
        (np.zeros(3), np.full(3, 1e-3), False),
        (True, 1.0, False),
        ("a", "a", True),
        (None, None, True),
        (None, 0.0, False),
    ],
)
def test_a_mark_tells_results_apart(one: object, other: object, same: bool) -> None:
    first, second = mark_of(one), json.loads(json.dumps(mark_of(other)))
    assert same_mark(first, second) is same and same_mark(second, first) is same


def test_what_differs_with_other_rounding_is_left_out_of_a_mark() -> None:
    sums = np.array([1e-17, 0.5])
    steady, noise, moved = mark_of(np.arange(4.0)), mark_of(np.ones(2) / sums), mark_of(np.ones(2) / (sums + 1e-17))
    assert without_noise(steady, mark_of(np.arange(4.0) * (1 + 1e-9))) == steady
    assert without_noise([steady, noise], [steady, moved]) == [steady, {"shape": [2], "numbers": None}]
    assert noise_in(without_noise([steady, noise], [steady, moved])) == [False, True]
    assert same_mark(noise, without_noise(noise, moved)) and not same_mark(mark_of(np.ones(3)), without_noise(noise, moved))
    for other in (None, mark_of(np.ones(3)), "text"):  # an exception, another shape, another kind
        with pytest.raises(ValueError, match="depends on rounding"):
            without_noise(steady, other)


def test_a_division_by_a_sum_of_about_nothing_is_no_fingerprint() -> None:
    """The row that two processors wrote differently."""
    lesson = next(lesson for lesson in LESSONS if lesson.assignment == "3_scaling")
    words = [one[1] for name, words, _ in kept(lesson) if name == "scaled_dot_product_attention" for one in words]
    assert len(words) > 50 and "the mean is subtracted from every row of the powers" not in words
