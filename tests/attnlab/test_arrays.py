"""Arrays of NumPy and torch alike."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

from attnlab.arrays import as_numpy, deep_copy, same_numbers

TENSOR, ARRAY = torch.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
LEARNED = torch.nn.Parameter(torch.ones(2))
CASES: dict[str, Any] = {
    "numbers": [1, 2.5, None, True, "text", (3,)],
    "tensors": [[4, 2], {"weight": TENSOR, "bias": torch.ones(3)}, TENSOR],
    "arrays": [ARRAY, ARRAY.T, [ARRAY, {"x": ARRAY}]],
    "a view": [TENSOR.T, TENSOR[0], TENSOR.expand(4, 2, 3)],
    "a parameter": [LEARNED, {"w": LEARNED}],
    "another order in memory": [torch.ones(2, 3).T.contiguous().T],
    "a generator": [np.random.RandomState(3)],
}


def _leaves(value: Any) -> list[Any]:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    return [value] if items is None else [leaf for item in items for leaf in _leaves(item)]


@pytest.mark.parametrize("value", CASES.values(), ids=CASES.keys())
def test_a_deep_copy_is_what_python_s_own_is(value: Any) -> None:
    before, own, usual = _leaves(value), _leaves(deep_copy(value)), _leaves(copy.deepcopy(value))
    assert [type(one) for one in own] == [type(one) for one in usual]
    assert [[one is other for other in own] for one in own] == [[one is other for other in usual] for one in usual]
    for first, one, other in zip(before, own, usual, strict=True):
        if isinstance(one, (torch.Tensor, np.ndarray)):
            assert same_numbers(one, other) and one.dtype == other.dtype
            assert getattr(one, "requires_grad", None) == getattr(other, "requires_grad", None)
            assert _steps(one) == _steps(other)
            assert not np.shares_memory(as_numpy(one), as_numpy(first))


def _steps(array: Any) -> tuple[int, ...]:
    return tuple(array.stride() if isinstance(array, torch.Tensor) else array.strides)


def test_what_is_shared_stays_shared() -> None:
    inner = [TENSOR]
    made = deep_copy([inner, inner, {"a": inner, "b": TENSOR}])
    assert made[0] is made[1] is made[2]["a"] and made[0] is not inner and made[2]["b"] is made[0][0] is not TENSOR
