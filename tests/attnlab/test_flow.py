"""One query's way through attention: what is printed is what torch computes."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch

from attnlab import figures

DRAWN = np.random.RandomState(4)
Q, K, V = DRAWN.normal(size=(3, 4)), DRAWN.normal(size=(3, 4)), DRAWN.normal(size=(3, 2))
WORDS = ["dog", "eats", "meat"]
PAST = np.tril(np.ones((3, 3), dtype=bool))


def column_under(picture: figures.Picture, title: str) -> list[list[float]]:
    """The numbers of the table with that title, row by row."""
    table = next(table for table in re.findall(r"<table.*?</table>", picture.body) if f">{title}</caption>" in table)
    rows = [re.findall(r"<td[^>]*>([^<]+)</td>", row) for row in re.findall(r"<tr.*?</tr>", table)]
    return [[float(number.replace("−∞", "-inf")) for number in row] for row in rows if row]


@pytest.mark.parametrize("query", [0, 1, 2])
@pytest.mark.parametrize("mask", [None, PAST], ids=["open", "causal"])
@pytest.mark.parametrize("scale", [True, False], ids=["scaled", "plain"])
def test_the_output_is_torchs(query: int, mask: np.ndarray | None, scale: bool) -> None:
    picture = figures.data_flow(Q, K, V, query, scale=scale, mask=mask, tokens=WORDS)
    arrays = [torch.from_numpy(array)[None] for array in (Q, K, V)]
    expected = torch.nn.functional.scaled_dot_product_attention(
        *arrays, attn_mask=None if mask is None else torch.from_numpy(mask), scale=0.5 if scale else 1.0
    )[0, query]
    assert np.allclose(column_under(picture, "6 weight × value")[-1], expected.numpy(), atol=0.006)
    assert column_under(picture, "4 weights (softmax)")[-1] == [1]
    steps = np.array(column_under(picture, "3 scores"))
    assert steps.shape == (3, 1 + scale + (mask is not None)) and np.allclose(steps[:, 0], K @ Q[query], atol=0.006)
    if scale:
        assert np.allclose(steps[:, 1], K @ Q[query] / 2, atol=0.006)
    if mask is not None:
        assert np.array_equal(np.isinf(steps[:, -1]), ~mask[query])


def test_the_words_follow_the_numbers() -> None:
    queries, keys, values = np.array([[2.0, 0, 0, 0]]), np.array([[1.0, 0, 0, 0], [-1, 0, 0, 0]]), np.array([[10.0], [20.0]])
    assert figures.data_flow(queries, keys, values, tokens=["dog", "bone"]).says == (
        "Query 0 has its largest score, 2, with key “dog”; scaled (÷ √4) it is 1; after the softmax the largest weight, 0.88, is on “dog” "
        "(score 1). Output = 0.88 × value of “dog” + 0.12 × value of “bone”."
    )
    only = figures.data_flow(queries, keys, values, mask=np.array([[False, True]]), tokens=["dog", "bone"]).says
    assert "1 key masked; after the softmax the largest weight, 1, is on “bone” (score -1)." in only


def test_a_query_without_keys_is_said_to_be_one() -> None:
    assert figures.data_flow(Q, K, V, 1, mask=np.zeros((3, 3))).says == "Query 1 may look at no key: its weights are 0/0, which is nan."


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"keys": K[:, :3]}, r"queries \(3, 4\), keys \(3, 3\) and values \(3, 2\) do not fit"),
        ({"queries": Q[None]}, "one sequence without a batch"),
        ({"mask": np.ones((2, 3))}, r"a mask of shape \(2, 3\) does not fit 3 queries and 3 keys"),
        ({"query": 3}, "there is no query 3: choose one from 0 to 2"),
    ],
)
def test_what_does_not_fit_is_refused(changed: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        figures.data_flow(**{"queries": Q, "keys": K, "values": V, **changed})
