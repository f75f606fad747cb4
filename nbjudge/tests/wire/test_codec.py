"""Plain values survive the wire exactly."""

import collections
import datetime
import decimal
import fractions
import itertools
import math
import pathlib
import typing
import uuid
import zoneinfo

import numpy as np
import pytest
import torch
from scipy import sparse

from helpers.travelling import read, travel
from nbjudge._wire.codec import Encoder
from nbjudge._wire.errors import Malformed, Refused
from nbjudge._wire.limits import MB

PLAIN = [
    None,
    True,
    False,
    0,
    -7,
    2**53,
    -(2**200),
    1.5,
    -0.0,
    math.inf,
    -math.inf,
    "",
    "naïve 文字 \ud800",
    b"\0\1",
    bytearray(b"x"),
    3 + 4j,
    [],
    [1, [2, "x"]],
    (),
    (1, (2,)),
    {},
    {"a": 1, 2: (3,), (1, 2): None},
    {1, 2},
    frozenset({3}),
    range(1, 10, 3),
    slice(None, 3, -1),
    ...,
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_come_back_the_same(value):
    back = travel(value)
    assert type(back) is type(value) and back == value
    if isinstance(value, float):
        assert math.copysign(1, back) == math.copysign(1, value)


LONG = {
    "whole numbers": [*range(-100, 100), 2**53 - 1, -(2**53) + 1],
    "larger ones among them": [*range(100), 2**53, -(2**70)],
    "numbers": [number / 7 for number in range(100)] + [math.inf, -0.0],
    "two kinds": [*range(100), 1.0],
    "truths": [number % 3 == 0 for number in range(100)],
    "texts": ["naïve", "", "文字 \ud800", "\0"] * 50,
    "lists of their own": [[*range(1000)] for _ in range(1000)],
    "a tuple": tuple(range(100)),
    "numpy's numbers": [*np.arange(100.0)],
    "more than a million": list(range(1_234_567)),
    "a book": ["word", "of", "a book"] * 100_000,
}


@pytest.mark.parametrize("value", LONG.values(), ids=LONG.keys())
def test_a_long_list_comes_back_the_same(value):
    back = travel(value, 64 * MB)
    assert type(back) is type(value) and back == value and list(map(type, back)) == list(map(type, value))
    assert repr(back) == repr(value)  # -0.0, and truths that are numbers


def test_lists_of_too_many_items_are_refused():
    with pytest.raises(Refused, match="use an array"):
        travel([[0] * 1_000_000] * 5, 64 * MB)


def test_nan_comes_back_as_nan():
    assert math.isnan(travel(math.nan))


ARRAYS = [
    np.arange(6).reshape(2, 3),
    np.zeros((0, 4)),
    np.array(3.0),
    np.ones((2, 2), dtype=">f4"),
    np.array([True, False]),
    np.array(["ab", "c"]),
    np.array([b"ab"]),
    np.array(["2024-01-01"], dtype="datetime64[D]"),
    np.arange(4, dtype=np.float16),
    np.array([1 + 2j]),
    np.arange(12).reshape(3, 4).T,
    np.arange(10)[::-2],
    np.array([np.nan, np.inf]),
]


@pytest.mark.parametrize("value", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_arrays_keep_type_shape_and_content(value):
    back = travel(value)
    assert type(back) is np.ndarray and back.dtype == value.dtype and back.shape == value.shape
    np.testing.assert_array_equal(back, value)
    assert back.flags.writeable


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)], ids=str)
def test_the_order_of_axes_in_memory_is_kept(axes):
    array = np.arange(24).reshape(2, 3, 4).transpose(axes)
    assert travel(array).strides == array.strides
    np.testing.assert_array_equal(travel(array), array)
    tensor = torch.arange(24).reshape(2, 3, 4).permute(axes)
    assert travel(tensor).stride() == tensor.stride()
    assert torch.equal(travel(tensor), tensor)
    parameter = torch.nn.Parameter(tensor.float())
    assert type(travel(parameter)) is torch.nn.Parameter and travel(parameter).stride() == tensor.stride()


def test_what_has_gaps_in_memory_comes_back_without():
    assert travel(np.arange(10)[::2]).strides == (8,)
    assert travel(torch.ones(3).expand(2, 3)).stride() == (3, 1)


@pytest.mark.parametrize("order", [[0, 0], [0], [1, 2], [1, 0, 2], ["1", 0], [True, False], 1, [[1, 0]]], ids=str)
def test_an_impossible_order_of_axes_is_refused(order):
    for tag, name in (("array", "<i8"), ("tensor", "int64")):
        with pytest.raises(Malformed):
            read([tag, name, [1, 2], 1, order], bytes(16))


def test_numpy_scalars_and_dtypes_keep_their_type():
    for value in (np.float32(1.5), np.int64(3), np.bool_(True), np.str_("x")):
        assert type(travel(value)) is type(value) and travel(value) == value
    assert travel(np.dtype("f4")) == np.dtype("f4")


TENSORS = [
    torch.arange(6).reshape(2, 3),
    torch.zeros(0, 3),
    torch.tensor(2.0),
    torch.ones(2, 2).t(),
    torch.ones(3).bfloat16(),
    torch.tensor([True]),
    torch.tensor([1 + 2j]).conj(),
    torch.ones(2, requires_grad=True) * 2,
]


@pytest.mark.parametrize("value", TENSORS, ids=lambda t: f"{t.dtype}{tuple(t.shape)}")
def test_tensors_keep_type_shape_and_content(value):
    back = travel(value)
    assert type(back) is torch.Tensor and back.dtype == value.dtype and back.shape == value.shape
    assert torch.equal(back, value.detach())


def test_a_tensor_says_whether_it_gets_gradients_and_gives_none() -> None:
    weights = torch.ones(2, requires_grad=True)
    frozen = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    for value in (weights, weights * 2, (weights * 2).detach(), torch.nn.Parameter(torch.ones(2)), frozen, torch.ones(2)[:1]):
        back = travel(value)
        assert (type(back), back.requires_grad, back.is_leaf) == (type(value), value.requires_grad, value.is_leaf)
    back = travel(weights * 2)
    back += 1  # as with the student's own: a leaf would refuse it
    with pytest.raises(RuntimeError, match="another process"):
        back.sum().backward()
    computed = weights * 2
    with torch.no_grad():
        assert travel(computed).requires_grad


def test_parameters_sizes_and_state_dicts():
    state = torch.nn.Linear(2, 3).state_dict()
    back = travel(state)
    assert type(back) is collections.OrderedDict and list(back) == ["weight", "bias"]
    assert all(torch.equal(back[name], state[name]) for name in state)
    assert type(travel(torch.nn.Parameter(torch.ones(2)))) is torch.nn.Parameter
    assert travel(torch.ones(2, 3).shape) == torch.Size([2, 3])
    assert travel(torch.float32) is torch.float32


def test_generators_arrive_as_iterators():
    back = travel(n * n for n in range(3))
    assert next(back) == 0 and list(back) == [1, 4]


def test_iterators_are_objects_where_they_are_asked_lazily():
    for value in ((n for n in [1]), iter([1]), zip([1], [2]), map(abs, [1]), itertools.count(), enumerate("a"), reversed([1])):
        encoder = Encoder(lambda *_: ["handle"], 10**7, lazy=True)
        assert encoder.encode([value]) == ["list", [["handle"]]] and next(value) is not None


def test_named_tuples_keep_their_names():
    back = travel(collections.namedtuple("Pair", "a b")(1, [2]))
    assert back == (1, [2]) and (back.a, back.b) == (1, [2]) and type(back).__name__ == "Pair" and back._fields == ("a", "b")
    assert repr(back) == "Pair(a=1, b=[2])" and type(back) is type(travel(collections.namedtuple("Pair", "a b")(3, 4)))


class Point(typing.NamedTuple):
    x: float
    y: float = 0.0


class OwnPoint(Point):
    def __eq__(self, other):
        return True


def test_a_named_tuple_with_methods_of_its_own_is_no_plain_value():
    assert travel(Point(1.0)).y == 0.0
    with pytest.raises(Refused):
        travel(OwnPoint(1.0))


KIN = [
    collections.Counter("abca"),
    collections.OrderedDict([("b", 1), ("a", 2)]),
    collections.deque([1, 2], maxlen=3),
    collections.deque("ab"),
    collections.defaultdict(list, {"a": [1]}),
    fractions.Fraction(-3, 7),
    decimal.Decimal("1.10"),
    decimal.Decimal("-Infinity"),
    uuid.UUID(int=7),
    datetime.date(2024, 2, 29),
    datetime.datetime(2024, 1, 1, 10, 5, 6, 7, datetime.UTC),
    datetime.time(1, 2, fold=1),
    datetime.timedelta(-1, 5, 6),
    datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")),
    datetime.timezone(datetime.timedelta(hours=2)),
    pathlib.PurePosixPath("a/b.txt"),
    pathlib.PureWindowsPath("c:/a"),
    int,
    dict,
    ValueError,
    ZeroDivisionError,
    collections.Counter,
    type(None),
    NotImplemented,
    np.float64,
    np.int8,
    np.str_,
]


@pytest.mark.parametrize("value", KIN, ids=repr)
def test_kin_of_the_plain_values_come_back_the_same(value):
    back = travel(value)
    assert type(back) is type(value) and back == value and repr(back) == repr(value)


def test_decimals_and_moments_keep_what_equality_does_not_see():
    assert str(travel(decimal.Decimal("1.10"))) == "1.10" and travel(decimal.Decimal("NaN")).is_nan()
    assert travel(datetime.datetime(2024, 10, 27, 2, 30, fold=1)).fold == 1
    assert travel(collections.defaultdict(int))["missing"] == 0
    assert travel(collections.defaultdict(lambda: 3, a=1)).default_factory is None


@pytest.mark.parametrize("view", ["keys", "values", "items"])
def test_views_of_dicts_stay_views(view):
    for kind in (dict, collections.OrderedDict):
        value = getattr(kind(a=1, b=[2]), view)()
        back = travel(value)
        assert type(back) is type(getattr({}, view)()) and list(back) == list(value) and len(back) == 2 and (view == "values" or back == value)


def test_arrays_of_other_kinds():
    matrix, masked = travel(np.matrix([[1, 2]])), travel(np.ma.MaskedArray([1.0, 2.0], [True, False]))
    assert type(matrix) is np.matrix and matrix.tolist() == [[1, 2]] and type(masked) is np.ma.MaskedArray and masked.sum() == 2.0
    assert travel(np.ma.masked) is np.ma.masked
    records = np.array([(1, 2.5, "x")], dtype=[("a", "i4"), ("b", "f8"), ("c", "U3")])
    assert travel(records).dtype == records.dtype and travel(records).tolist() == records.tolist() and travel(records["b"]) == 2.5
    packed = np.zeros(2, dtype=np.dtype("i1,f8", align=True))
    assert travel(packed).dtype == packed.dtype
    objects = np.array([[1, "x"], [None, [1, 2]]], dtype=object)
    assert travel(objects).dtype == object and travel(objects).tolist() == objects.tolist() and travel(objects).shape == (2, 2)
    assert travel(np.array({"a": 1}, dtype=object))[()] == {"a": 1}


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array", "coo_matrix", "csr_array"])
def test_sparse_matrices_come_back_the_same(kind):
    value = getattr(sparse, kind)(np.array([[0, 1.5, 0], [2, 0, 0]]))
    back = travel(value)
    assert type(back) is type(value) and back.dtype == value.dtype and (back.toarray() == value.toarray()).all()
