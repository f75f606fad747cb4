"""The numbers of lessons 4 and 5 are those of the sources that the course cites, kept in `tests/reference_values.json`."""

from __future__ import annotations

import json
from functools import cache

import nbformat
import numpy as np
import pytest

from attnlab import reference
from authoring.answers import Namespace
from authoring.lessons import ROOT, Lesson

VALUES = json.loads((ROOT / "tests" / "reference_values.json").read_text(encoding="utf-8"))


@cache
def solved(assignment: str) -> Namespace:
    return Namespace(nbformat.read(Lesson(assignment).solution, as_version=4))


def test_multi_head_columns_shows_the_published_output() -> None:
    case = reference.cases("multi_head_columns")[0]
    published = np.array(VALUES["column_multihead_example"]["output"])
    assert np.allclose(case.expected, published, rtol=1e-9)
    assert np.allclose(solved("2b_columns")["multi_head_columns"](*case.arguments), published, rtol=1e-9)


def test_parameter_counts_are_the_published_ones() -> None:
    published, count = VALUES["parameter_counts"], solved("4_multi_head")["parameter_count"]
    assert count(256, 4, "narrow") == published["narrow k=256 h=4: q,k,v"] + published["unifyheads with bias"]
    assert count(256, 4, "wide") == published["wide k=256 h=4: q,k,v"] + published["wide unifyheads with bias"]
    assert published["one head matrix"] == [256, 256 // 4]


def test_the_module_has_as_many_parameters_as_counted() -> None:
    lesson = solved("4_multi_head")
    module = lesson["MultiHeadSelfAttention"](256, 4)
    assert sum(tensor.numel() for tensor in module.state_dict().values()) == lesson["parameter_count"](256, 4, "narrow")


@pytest.mark.parametrize(("order", "published"), [([0, 1, 2], "outputs"), ([1, 0, 2], "outputs_swapped_1_0_2")])
def test_swapped_tokens_give_the_published_outputs(order: list[int], published: str) -> None:
    lesson, example = solved("5_permutation_test"), VALUES["column_example"]
    assert np.allclose(lesson["three_tokens"].T, example["X"], rtol=1e-12)
    outputs = lesson["unscaled_attention"](lesson["three_tokens"][order])
    assert np.allclose(outputs, example[published], rtol=1e-9)
