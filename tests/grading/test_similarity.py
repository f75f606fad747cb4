"""Kept answers, drawn as a class would write them: nobody is listed as unusually alike but a copy that was made on purpose."""

from __future__ import annotations

import pytest

from authoring.lessons import find_lessons
from benchmarks.similarity import CHANGES, draw_class, flagged, plant

SEEDS = range(2)


@pytest.mark.parametrize("name", ["basic_attention", "queries_keys_values"])
def test_who_wrote_apart_is_not_listed_and_a_copy_is(name: str) -> None:
    [lesson] = [lesson for lesson in find_lessons() if lesson.name == name]
    for seed in SEEDS:
        assert flagged(draw_class(lesson, 30, seed)) == set()
        drawn = draw_class(lesson, 60, seed)
        planted = plant(drawn, CHANGES["statements reordered"], seed)
        assert flagged(drawn) == {planted}
