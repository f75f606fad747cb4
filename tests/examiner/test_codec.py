"""Plain values survive the wire exactly; everything else is refused with a sentence."""

import collections
import datetime
import decimal
import fractions
import itertools
import json
import math
import pathlib
import typing
import uuid
import zoneinfo

import numpy as np
import pytest
import torch
from scipy import sparse

from examiner.wire import containers
from examiner.wire.codec import DEEPEST, Decoder, Encoder
from examiner.wire.errors import Malformed, Refused


def refuse(value, buffers):
    raise Refused(f"it is a {type(value).__name__}")


def encode(value, most=10**7):
    encoder = Encoder(refuse, most)
    return encoder.finish({"value": encoder.encode(value)})


def travel(value):
    decoder = Decoder(encode(value), {})
    return decoder.decode(decoder.document()["value"])


def read(node, *buffers):
    return Decoder([json.dumps({"value": node}).encode(), *buffers], {}).decode(node)


PLAIN = [
    None, True, False, 0, -7, 2**53, -(2**200), 1.5, -0.0, math.inf, -math.inf, "", "naïve 文字 \ud800", b"\0\1",
    bytearray(b"x"), 3 + 4j, [], [1, [2, "x"]], (), (1, (2,)), {}, {"a": 1, 2: (3,), (1, 2): None}, {1, 2}, frozenset({3}),
    range(1, 10, 3), slice(None, 3, -1), ...,
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_come_back_the_same(value):
    back = travel(value)
    assert type(back) is type(value) and back == value
    if isinstance(value, float):
        assert math.copysign(1, back) == math.copysign(1, value)


def test_nan_comes_back_as_nan():
    assert math.isnan(travel(math.nan))


ARRAYS = [
    np.arange(6).reshape(2, 3), np.zeros((0, 4)), np.array(3.0), np.ones((2, 2), dtype=">f4"), np.array([True, False]),
    np.array(["ab", "c"]), np.array([b"ab"]), np.array(["2024-01-01"], dtype="datetime64[D]"), np.arange(4, dtype=np.float16),
    np.array([1 + 2j]), np.arange(12).reshape(3, 4).T, np.arange(10)[::-2], np.array([np.nan, np.inf]),
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


TENSORS = [torch.arange(6).reshape(2, 3), torch.zeros(0, 3), torch.tensor(2.0), torch.ones(2, 2).t(), torch.ones(3).bfloat16(),
           torch.tensor([True]), torch.tensor([1 + 2j]).conj(), torch.ones(2, requires_grad=True) * 2]


@pytest.mark.parametrize("value", TENSORS, ids=lambda t: f"{t.dtype}{tuple(t.shape)}")
def test_tensors_keep_type_shape_and_content(value):
    back = travel(value)
    assert type(back) is torch.Tensor and back.dtype == value.dtype and back.shape == value.shape
    assert torch.equal(back, value.detach())


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
    collections.Counter("abca"), collections.OrderedDict([("b", 1), ("a", 2)]), collections.deque([1, 2], maxlen=3), collections.deque("ab"),
    collections.defaultdict(list, {"a": [1]}), fractions.Fraction(-3, 7), decimal.Decimal("1.10"), decimal.Decimal("-Infinity"), uuid.UUID(int=7),
    datetime.date(2024, 2, 29), datetime.datetime(2024, 1, 1, 10, 5, 6, 7, datetime.UTC), datetime.time(1, 2, fold=1), datetime.timedelta(-1, 5, 6),
    datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")), datetime.timezone(datetime.timedelta(hours=2)),
    pathlib.PurePosixPath("a/b.txt"), pathlib.PureWindowsPath("c:/a"), int, dict, ValueError, ZeroDivisionError, collections.Counter,
    type(None), NotImplemented,
    np.float64, np.int8, np.str_,
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


P = 2**61 - 1
FLOODS = {
    "multiples": lambda n: ["set", [["int", hex(k * P)] for k in range(1, n + 1)]],
    "keys of a dict": lambda n: ["dict", [[["int", hex(k * P)], 1] for k in range(1, n + 1)]],
    "keys of a Counter": lambda n: ["Counter", [[["int", hex(k * P)], 1] for k in range(1, n + 1)]],
    "items": lambda n: ["items", [[["int", hex(k * P)], 1] for k in range(1, n + 1)]],
    "keys": lambda n: ["keys", [["int", hex(k * P)] for k in range(1, n + 1)]],
    "fractions": lambda n: ["frozenset", [["Fraction", hex(k * P), "0x7"] for k in range(1, 7 * n) if k % 7][:n]],
    "tuples of -1 and -2": lambda n: ["set", [["tuple", [-1 if k >> bit & 1 else -2 for bit in range(18)]] for k in range(n)]],
    "tuples of multiples": lambda n: ["set", [["tuple", ["x", ["int", hex(k * P)]]] for k in range(1, n + 1)]],
    "decimals": lambda n: ["set", [["Decimal", str(k * P)] for k in range(1, n + 1)]],
    "a list that a test makes a set of": lambda n: ["list", [["int", hex(k * P)] for k in range(1, n + 1)]],
    "a list of tuples": lambda n: ["list", [["tuple", [-1 if k >> bit & 1 else -2 for bit in range(18)]] for k in range(n)]],
    "a list of fractions": lambda n: ["list", [["Fraction", hex(k * P), "0x7"] for k in range(1, 7 * n) if k % 7][:n]],
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS.keys())
def test_values_with_one_hash_are_few(flood):
    with pytest.raises(Malformed, match="hash"):
        read(flood(20_000))
    assert len(read(flood(containers.MOST_ALIKE))) == containers.MOST_ALIKE


def test_equal_values_are_no_flood():
    value = [fractions.Fraction(1, 2)] * 5000 + [(1, 2)] * 5000 + [2**70] * 5000
    assert travel(value) == value
    assert travel({-1, -2, *range(5000)}) == {-1, -2, *range(5000)}
    assert travel([([], 1)] * 200) == [([], 1)] * 200


def test_the_work_of_counting_hashes_does_not_grow_as_their_square():
    compared = 0

    class Counted(tuple):
        def __eq__(self, other):
            nonlocal compared
            compared += 1
            return tuple.__eq__(self, other)

        def __hash__(self):
            return 7

    with pytest.raises(Malformed):
        containers.checked([Counted((k,)) for k in range(100_000)])
    assert compared <= containers.MOST_ALIKE**2


class Odd(float):
    pass


class OwnArray(np.ndarray):
    pass


loop: list = []
loop.append(loop)
REFUSED = [object(), Odd(1), np.array([object()]), np.ma.masked_array([object()]), np.zeros(2, dtype="i4,O"), np.array([1]).view(OwnArray), loop,
           torch.ones(2).to_sparse(), torch.ones(2, device="meta"), 10**5000, decimal.Decimal("1e999999"), Exception, AssertionError, Odd]


@pytest.mark.parametrize("value", REFUSED, ids=lambda value: type(value).__name__)
def test_other_values_are_refused(value):
    with pytest.raises(Refused, match=r"."):
        encode(value)


def test_size_is_limited_on_the_way_out():
    for value in ("x" * 2000, b"x" * 2000, np.zeros(1000), torch.zeros(1000), ["x" * 100] * 50):
        with pytest.raises(Refused, match="too large"):
            encode(value, most=1000)
    with pytest.raises(Refused, match="parts"):
        encode((0 for _ in iter(int, 1)), most=10**9)


HOSTILE = [
    {}, {"a": 1}, [], ["no such tag"], [["array"]], ["array", "<f8", [2], 1], ["array", "<f8", [10**15], 1], ["array", "O", [1], 1],
    ["array", "i4,f4", [1], 1], ["array", "<f8", [1], 9], ["array", "<f8", [1], 0], ["array", "<f8", [1], -1], ["array", "<f8", [True], 1],
    ["array", "x" * 100, [1], 1], ["tensor", "float32", [4], 1], ["tensor", "load", [1], 1], ["tensor", "float32", [-1], 1],
    ["scalar", "<f8", [1], 1],
    ["int", "zz"], ["int", "0x" + "f" * 9000], ["float", "1e9"], ["range", [0, 10**15, 1]], ["range", [0, 1, 0]], ["dict", [[1]]],
    ["dict", [[["list", []], 1]]], ["set", [["list", []]]], ["list", 3], ["list", None], ["tuple"], ["pickle", 1], ["handle", 1, "function", "f"],
    ["size", ["x"]], ["torch_dtype", "load"], ["complex", "a", 1], ["bytes", "1"], ["dtype", "i4,f4"], 2**60, ["list", [2**53]],
    ["list"], ["set", None], ["Fraction", "0x1", "0x0"], ["Decimal", "1e999999"], ["Decimal", "x"], ["Decimal", 1], ["date", 2024, 13, 1],
    ["date"], ["datetime", [2024, 1, 1], 0, None], ["datetime", [2024, 1, 1, 0, 0, 0, 0], 5, None], ["time", [1, 2, 3, 4], 0, "no such"],
    ["time", [1, 2, 3, 4], 0, "../../../etc/passwd"], ["timezone", [10**9, 0]], ["timedelta", 10**12, 0, 0], ["UUID", "zz"], ["UUID", 7],
    ["type", "BaseException"], ["type", "Exception"], ["type", "eval"], ["path", "PosixPath", "/"], ["path", "PurePosixPath", 5],
    ["constant", "x"], ["defaultdict", "eval", []], ["deque", -1, []], ["deque", "a", []], ["namedtuple", "P", ["a"], []],
    ["namedtuple", "P", ["a b"], [1]],
    ["namedtuple", "P", ["a, b=print()"], [1]], ["namedtuple", "class", ["a"], [1]], ["namedtuple", "P", ["_a"], [1]],
    ["namedtuple", "P", ["a", "a"], [1, 2]],
    ["namedtuple", "P", [f"a{k}" for k in range(1000)], [0] * 1000], ["namedtuple", 5, ["a"], [1]], ["scalar_type", "load"],
    ["scalar_type", "x" * 99],
    ["objects", [2], [1]], ["records", [[], 8], [1], 1], ["records", [[["a", "<i4", 4]], 4], [1], 1],
    ["records", [[["a", "O", 0]], 8], [1], 1], ["records", [[["a", "<i8", 0]], 10**9], [1], 1], ["matrix", ["list", []]], ["masked", ["list", []], 1],
    ["sparse", "csr_matrix", [2, 2], [1, 2, 3]], ["sparse", "load_npz", [2, 2], []], ["keys", [["list", []]]], ["Counter", [[1]]],
]


@pytest.mark.parametrize("node", HOSTILE, ids=lambda node: json.dumps(node)[:40])
def test_hostile_messages_are_malformed(node):
    with pytest.raises(Malformed):
        read(node, b"12345678"[:7])


def test_deep_and_long_messages_are_malformed():
    deep = 1
    for _ in range(DEEPEST + 2):
        deep = ["list", [deep]]
    with pytest.raises(Malformed):
        read(deep)
    for text in (b"[" * 10**6, b"", b"{", b'{"a": NaN', b"x" * (9 * 2**20), b"9" * 10_000):
        with pytest.raises(Malformed):
            Decoder([text], {}).document()
    with pytest.raises(Malformed):
        Decoder([], {}).document()


def test_sparse_indices_outside_the_matrix_are_malformed():
    parts = [["array", "<f8", [1], 1], ["array", "<i8", [1], 2], ["array", "<i8", [3], 3]]
    rows = np.array([0, 1, 1]).tobytes()
    for column, fits in ((1, True), (2, False), (-1, False), (2**40, False)):
        message = ["sparse", "csr_matrix", [2, 2], parts], np.array([5.0]).tobytes(), np.array([column]).tobytes(), rows
        if fits:
            assert read(*message)[0, 1] == 5
        else:
            with pytest.raises(Malformed):
                read(*message)
    places = [["array", "<f8", [1], 1], ["array", "<i8", [1], 2], ["array", "<i8", [1], 2]]
    with pytest.raises(Malformed):
        read(["sparse", "coo_array", [2, 2], places], np.array([5.0]).tobytes(), np.array([7]).tobytes())
