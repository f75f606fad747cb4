"""Plain values survive the wire exactly; everything else is refused with a sentence."""

import collections
import json
import math

import numpy as np
import pytest
import torch

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
]  # fmt: skip


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
]  # fmt: skip


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
           torch.tensor([True]), torch.tensor([1 + 2j]).conj(), torch.ones(2, requires_grad=True) * 2]  # fmt: skip


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


def test_named_tuples_arrive_as_tuples():
    back = travel(collections.namedtuple("Pair", "a b")(1, 2))
    assert type(back) is tuple and back == (1, 2)


class Odd(float):
    pass


loop: list = []
loop.append(loop)
REFUSED = [object(), Odd(1), np.array([object()]), np.ma.masked_array([1]), np.zeros(2, dtype="i4,f4"), loop,
           torch.ones(2).to_sparse(), torch.ones(2, device="meta"), 10**5000, iter([1])]  # fmt: skip


@pytest.mark.parametrize("value", REFUSED, ids=lambda value: type(value).__name__)
def test_other_values_are_refused(value):
    with pytest.raises(Refused, match="."):
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
    ["array", "x" * 100, [1], 1], ["tensor", "float32", [4], 1], ["tensor", "load", [1], 1], ["tensor", "float32", [-1], 1], ["scalar", "<f8", [1], 1],
    ["int", "zz"], ["int", "0x" + "f" * 9000], ["float", "1e9"], ["range", [0, 10**15, 1]], ["range", [0, 1, 0]], ["dict", [[1]]],
    ["dict", [[["list", []], 1]]], ["set", [["list", []]]], ["list", 3], ["list", None], ["tuple"], ["pickle", 1], ["handle", 1, "function", "f"],
    ["size", ["x"]], ["torch_dtype", "load"], ["complex", "a", 1], ["bytes", "1"], ["dtype", "O"],
]  # fmt: skip


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
