"""Plain values that can pass for what they are not: no usual form of test accepts one that it would refuse of the honest value.

A value is drawn and comes over the wire, as the answer of a student's function `f`, whose solution gives plain values. Beside it stands
what it is when nothing is hidden: the data below a mask, NaN for what is missing, a tuple for a named one. Where a form of test accepts
what came over the wire, it accepts that, too.
"""

from __future__ import annotations

import collections
import copy
import math
import unittest
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from helpers.lying_values import Function, Sent, expected_values, lying_values, plain_values, yes
from nbjudge._wire.errors import WorkFault

CASE = unittest.TestCase()
TOLERANCE = 1e-6


def holds(answer: Any) -> None:
    assert answer


def raises_unless(fine: Any) -> None:
    if not fine:
        raise AssertionError


def raises_if(wrong: Any) -> None:
    if wrong:
        raise AssertionError


def each(result: Any, expected: Any) -> None:
    assert len(result) == len(expected)
    for one, other in zip(result, expected):
        assert one == other


FORMS: dict[str, Callable[[Any, Any], Any]] = {
    "assert_allclose": np.testing.assert_allclose,
    "assert_array_equal": np.testing.assert_array_equal,
    "assert_equal": np.testing.assert_equal,
    "assert_almost_equal": np.testing.assert_array_almost_equal,
    "allclose": lambda r, e: holds(np.allclose(r, e)),
    "isclose": lambda r, e: holds(np.isclose(r, e).all()),
    "array_equal": lambda r, e: holds(np.array_equal(r, e)),
    "==": lambda r, e: holds(r == e),
    "== reversed": lambda r, e: holds(e == r),
    "== all": lambda r, e: holds((r == e).all()),
    "np.all ==": lambda r, e: holds(np.all(r == e)),
    "all all": lambda r, e: holds((r == e).all().all()),
    "if !=": lambda r, e: raises_if(r != e),
    "not any !=": lambda r, e: holds(not (r != e).any()),
    "not np.any !=": lambda r, e: holds(not np.any(np.asarray(r) != np.asarray(e))),
    "each item": each,
    "each item differs little": lambda r, e: holds(len(r) == len(e) and all(abs(one - other) < TOLERANCE for one, other in zip(r, e))),
    "norm": lambda r, e: holds(np.linalg.norm(r - e) < TOLERANCE),
    "norm of arrays": lambda r, e: holds(np.linalg.norm(np.asarray(r) - np.asarray(e)) < TOLERANCE),
    "abs": lambda r, e: holds(np.all(abs(r - e) < TOLERANCE)),
    "not >": lambda r, e: raises_if(np.any(abs(r - e) > TOLERANCE)),
    "max abs": lambda r, e: holds(abs(r - e).max() < TOLERANCE),
    "max of a table": lambda r, e: holds((r - e).abs().max().max() < TOLERANCE),
    "mean of squares": lambda r, e: holds(((r - e) ** 2).mean() < TOLERANCE),
    "sum of squares": lambda r, e: raises_unless(((r - e) ** 2).sum() < TOLERANCE),
    "relative": lambda r, e: holds(np.all(abs(r - e) / abs(e) < TOLERANCE)),
    "sum": lambda r, e: holds(abs(r.sum() - e.sum()) < TOLERANCE),
    "builtin sum": lambda r, e: holds(sum(r) == sum(e)),
    ">= and <=": lambda r, e: holds((r >= e).all() and (r <= e).all()),
    "scaled by nothing": lambda r, e: holds(((r * 0) == (e * 0)).all()),
    "in": lambda r, e: holds(r in [e]),
    "in, reversed": lambda r, e: holds(e in [r]),
    "items in": lambda r, e: holds(len(r) == len(e) and all(one in e for one in r)),
    "sorted": lambda r, e: holds(sorted(r) == sorted(e)),
    "list": lambda r, e: holds(list(r) == list(e)),
    "set": lambda r, e: holds(set(r) == set(e)),
    "tolist": lambda r, e: holds(r.tolist() == e.tolist()),
    "isinstance": lambda r, e: holds(isinstance(r, type(e)) and r == e),
    "equals": lambda r, e: holds(r.equals(e)),
    "equals, reversed": lambda r, e: holds(e.equals(r)),
    "torch.equal": lambda r, e: holds(torch.equal(r, e)),
    "torch.allclose": lambda r, e: holds(torch.allclose(r, e)),
    "assert_close": torch.testing.assert_close,
    "assert_series_equal": pd.testing.assert_series_equal,
    "assert_frame_equal": pd.testing.assert_frame_equal,
    "assert_series_equal, roughly": lambda r, e: pd.testing.assert_series_equal(r, e, check_dtype=False, check_names=False),
    "math.isclose": lambda r, e: holds(math.isclose(r, e)),
    "float": lambda r, e: holds(float(r) == float(e)),
    "issubset": lambda r, e: holds(r.issubset(e) and r.issuperset(e)),
    "startswith": lambda r, e: holds(r.startswith(e) and r.endswith(e)),
    "count": lambda r, e: holds(len(r) == len(e) and all(r.count(one) == e.count(one) for one in e)),
    "shape and sum": lambda r, e: holds(r.shape == e.shape and r.dtype == e.dtype and r.sum() == e.sum()),
    "keys": lambda r, e: holds(all(r[key] == e[key] for key in e) and len(r) == len(e)),
    "assertEqual": CASE.assertEqual,
    "assertAlmostEqual": CASE.assertAlmostEqual,
    "assertCountEqual": CASE.assertCountEqual,
    "approx": lambda r, e: holds(r == pytest.approx(e)),
    "text": lambda r, e: holds(str(r) == str(e)),
    "in order": lambda r, e: holds(len(r) == len(e) and r.is_monotonic_increasing),
    "as ordered": lambda r, e: holds(r.sort_values().tolist() == r.tolist() and len(r) == len(e)),
    "all of it": lambda r, e: holds(all(r) and len(r) == len(e)),
    "nothing is left": lambda r, e: holds(not set(e) - set(r)),
    "copied": lambda r, e: holds(np.allclose(copy.deepcopy(r), copy.copy(e))),
}


def accepts(form: str, result: Any, expected: Any) -> bool:
    """Whether a test of this form passes. Libraries' warnings are none of its business."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            FORMS[form](result, expected)
        except Exception:
            return False
    return True


LOOKED_AT = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def accepted_wrongly(sent: Sent, expected: Any, allowed: Any = frozenset()) -> list[str]:
    """The forms of test that accept what came over the wire, and would not accept the honest value."""
    try:
        result = sent.arrives(allowed)
    except WorkFault:
        return []
    return [form for form in FORMS if accepts(form, result, expected) and not accepts(form, sent.honest, expected)]


def test_the_forms_are_thirty_and_more():
    assert len(FORMS) >= 30 and accepts("assert_allclose", np.ones(2), np.ones(2)) and not accepts("==", 1, 2)


@LOOKED_AT
@given(st.data())
def test_no_form_of_test_accepts_a_lie(data: st.DataObject):
    expected = data.draw(expected_values, "expected")
    sent = data.draw(lying_values(expected), "sent")
    assert accepted_wrongly(sent, expected) == []


@LOOKED_AT
@given(plain_values(), expected_values)
def test_plain_values_are_judged_as_beside_the_student(value: Any, expected: Any):
    views = (type({}.keys()), type({}.values()))  # those are not copied
    own = value if isinstance(value, views) else copy.deepcopy(value)
    # What is the same object is in a list without being equal; there is one NaN of Python's, and it does not travel.
    has_nan = "nan" in repr(value).lower()
    result = Sent("plain", value, value).arrives()
    for form in FORMS:
        for wanted in (expected, *([] if has_nan or isinstance(value, views) else [own])):
            assert accepts(form, result, wanted) == accepts(form, value, wanted), (form, wanted)


NAMED = collections.namedtuple("NAMED", ["equals", "startswith", "endswith"])(yes, yes, yes)
LIES = {
    "all of an array masked": (Sent("", np.ma.array([7.0] * 3, mask=True), np.full(3, 7.0)), np.ones(3)),
    "all but one masked": (Sent("", np.ma.array([1.0, 7, 7], mask=[0, 1, 1]), np.array([1.0, 7, 7])), np.ones(3)),
    "masked in a dict": (Sent("", {"a": np.ma.array([7.0], mask=True)}, {"a": np.array([7.0])}), {"a": np.ones(1)}),
    "a masked number": (Sent("", np.ma.masked, math.nan), 1.0),
    "an array that masks what is divided by 0": (Sent("", np.ma.array([7.0, 1.0]), np.array([7.0, 1.0])), np.array([0.0, 1.0])),
    "missing numbers": (Sent("", pd.Series([pd.NA] * 3, dtype="Float64"), pd.Series([math.nan] * 3)), pd.Series([1.0, 2, 3])),
    "missing text": (Sent("", pd.Series([pd.NA] * 3, dtype="string"), pd.Series([None] * 3)), pd.Series(list("abc"))),
    "numbers that may be missing": (Sent("", pd.Series([math.inf] * 3, dtype="Float64"), pd.Series([math.inf] * 3)), pd.Series([0.0] * 3)),
    "an order of their own": (Sent("", pd.Series(pd.Categorical([1, 3, 2], [1, 3, 2], ordered=True)), pd.Series([1, 3, 2])), pd.Series([1, 1, 2])),
    "an order of categories": (Sent("", pd.Series(pd.Categorical([1, 3, 2], [1, 3, 2])), pd.Series([1, 3, 2])), pd.Series([1, 2, 3])),
    "a matrix": (Sent("", np.matrix([[1.0, 9], [0, 1]]), np.array([[1.0, 9], [0, 1]])), np.eye(2)),
    "a sparse matrix": (Sent("", sparse.csr_matrix([[1.0, 9], [0, 1]]), np.array([[1.0, 9], [0, 1]])), np.eye(2)),
    "functions in a named tuple": (Sent("", NAMED, (Function(),) * 3), pd.Series([1.0])),
    "functions in a named tuple, for text": (Sent("", NAMED, (Function(),) * 3), "abc"),
    "functions in a list": (Sent("", [yes] * 3, [Function()] * 3), [True, True, True]),
}


@pytest.mark.parametrize("sent, expected", LIES.values(), ids=LIES.keys())
def test_each_lie_would_be_accepted_if_the_solution_gave_such_a_value(sent: Sent, expected: Any):
    assert accepted_wrongly(sent, expected) == []
    assert accepted_wrongly(sent, expected, None) != []
