"""The numbers of the course are those of `tests/reference_values.json`, to the last digit that is kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from attnlab import reference

OWN = Path(__file__).parent.parent / "reference_values.json"
VALUES = json.loads(OWN.read_text(encoding="utf-8"))
INTEGER = VALUES["integer_example"]


def test_lesson_1_weights_are_the_exact_ones_of_the_integer_example() -> None:
    shown = reference.cases("softmax")[0]
    assert np.array_equal(shown.arguments[0], INTEGER["scores"])
    assert np.allclose(shown.expected, INTEGER["weights_exact"], rtol=1e-11, atol=0)


def test_lesson_1_knows_the_global_softmax_by_its_values() -> None:
    known = {known.name: known.value for known in reference.cases("softmax")[0].mistakes}
    assert np.allclose(known["over_all_entries"], INTEGER["weights_global_softmax_mistake"], rtol=1e-11, atol=0)


def test_lesson_1_tokens_are_those_of_the_integer_example() -> None:
    assert np.array_equal(reference.cases("attention_weights")[0].arguments[0], INTEGER["x"])
