"""One slip costs its own points: what the later exercises of a lesson call is the solution's where the learner's own failed its test."""

from __future__ import annotations

import copy

import pytest

from authoring.answer_files import answers_to
from authoring.answers import fill_in
from authoring.lessons import find_lessons, read_text
from nbjudge import Course
from nbjudge.testing.steps import Instructor, WarmKernels, execute

from .test_parity import solved

SLIPS = [  # an exercise, a wrong answer to it, and the exercises after it that call it and would lose their points
    ("1_basic_attention", "softmax", "over_all_entries", ["attention_weights"]),
    ("1_basic_attention", "softmax", "without_maximum", ["attention_weights", "self_attention_loops"]),
    pytest.param("4_multi_head", "split_heads", "", ["MultiHeadSelfAttention"], marks=pytest.mark.slow),
    pytest.param("6_transformer", "train_model", "", ["learn_to_rearrange"], marks=pytest.mark.slow),
]


@pytest.fixture(scope="module")
def warm_with_lessons():
    with WarmKernels(("attnlab",)) as kernels:
        yield kernels


@pytest.mark.parametrize(("assignment", "exercise", "answer", "later"), SLIPS)
def test_only_the_slips_own_points_are_lost(warm_with_lessons: WarmKernels, assignment: str, exercise: str, answer: str, later: list[str]) -> None:
    lesson = next(lesson for lesson in find_lessons() if lesson.assignment == assignment)
    wrong = next(one for key, one in answers_to(lesson, exercise).items() if key == f"wrong/{answer}" or (not answer and not one.right))
    handed_in = fill_in(copy.deepcopy(solved(lesson)), {exercise: wrong.source})
    limits = Course(lesson.root).executor().chosen_limits()
    found = {}
    for follow_through in (False, True):
        instructor = Instructor(read_text(lesson), follow_through=follow_through)
        verdicts = execute(handed_in, instructor, warm_with_lessons, limits).verdicts
        found[follow_through] = {verdict.grade_id.removesuffix("_test") for verdict in verdicts if verdict.points < verdict.max_points}
    assert found[False] - {exercise} == set(later)
    assert found[True] == {exercise}
