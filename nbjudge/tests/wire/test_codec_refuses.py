"""What does not travel, what is too much, and what an enemy writes: refused with a sentence, before anything is done with it."""

import array
import decimal
import fractions
import json

import numpy as np
import pytest
import torch

from helpers.travelling import encode, read, travel
from nbjudge._wire import containers
from nbjudge._wire.codec import DEEPEST, Decoder
from nbjudge._wire.errors import Malformed, Refused

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
REFUSED = [
    object(),
    Odd(1),
    np.array([object()]),
    np.ma.masked_array([object()]),
    np.zeros(2, dtype="i4,O"),
    np.array([1]).view(OwnArray),
    loop,
    torch.ones(2).to_sparse(),
    torch.ones(2, device="meta"),
    10**5000,
    decimal.Decimal("1e999999"),
    Exception,
    AssertionError,
    Odd,
]


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
    {},
    {"a": 1},
    [],
    ["no such tag"],
    [["array"]],
    ["array", "<f8", [2], 1],
    ["array", "<f8", [10**15], 1],
    ["array", "O", [1], 1],
    ["array", "i4,f4", [1], 1],
    ["array", "<f8", [1], 9],
    ["array", "<f8", [1], 0],
    ["array", "<f8", [1], -1],
    ["array", "<f8", [True], 1],
    ["array", "x" * 100, [1], 1],
    ["tensor", "float32", [4], 1],
    ["tensor", "load", [1], 1],
    ["tensor", "float32", [-1], 1],
    ["scalar", "<f8", [1], 1],
    ["int", "zz"],
    ["int", "0x" + "f" * 9000],
    ["float", "1e9"],
    ["range", [0, 10**15, 1]],
    ["range", [0, 1, 0]],
    ["dict", [[1]]],
    ["dict", [[["list", []], 1]]],
    ["set", [["list", []]]],
    ["list", 3],
    ["list", None],
    ["tuple"],
    ["pickle", 1],
    ["handle", 1, "function", "f"],
    ["size", ["x"]],
    ["torch_dtype", "load"],
    ["complex", "a", 1],
    ["bytes", "1"],
    ["dtype", "i4,f4"],
    2**60,
    ["list", [2**53]],
    ["list"],
    ["set", None],
    ["Fraction", "0x1", "0x0"],
    ["Decimal", "1e999999"],
    ["Decimal", "x"],
    ["Decimal", 1],
    ["date", 2024, 13, 1],
    ["date"],
    ["datetime", [2024, 1, 1], 0, None],
    ["datetime", [2024, 1, 1, 0, 0, 0, 0], 5, None],
    ["time", [1, 2, 3, 4], 0, "no such"],
    ["time", [1, 2, 3, 4], 0, "../../../etc/passwd"],
    ["timezone", [10**9, 0]],
    ["timedelta", 10**12, 0, 0],
    ["UUID", "zz"],
    ["UUID", 7],
    ["type", "BaseException"],
    ["type", "Exception"],
    ["type", "eval"],
    ["path", "PosixPath", "/"],
    ["path", "PurePosixPath", 5],
    ["constant", "x"],
    ["defaultdict", "eval", []],
    ["deque", -1, []],
    ["deque", "a", []],
    ["namedtuple", "P", ["a"], []],
    ["namedtuple", "P", ["a b"], [1]],
    ["namedtuple", "P", ["a, b=print()"], [1]],
    ["namedtuple", "class", ["a"], [1]],
    ["namedtuple", "P", ["_a"], [1]],
    ["namedtuple", "P", ["a", "a"], [1, 2]],
    ["namedtuple", "P", [f"a{k}" for k in range(1000)], [0] * 1000],
    ["namedtuple", 5, ["a"], [1]],
    ["scalar_type", "load"],
    ["scalar_type", "x" * 99],
    ["objects", [2], [1]],
    ["records", [[], 8], [1], 1],
    ["records", [[["a", "<i4", 4]], 4], [1], 1],
    ["records", [[["a", "O", 0]], 8], [1], 1],
    ["records", [[["a", "<i8", 0]], 10**9], [1], 1],
    ["matrix", ["list", []]],
    ["masked", ["list", []], 1],
    ["sparse", "csr_matrix", [2, 2], [1, 2, 3]],
    ["sparse", "load_npz", [2, 2], []],
    ["keys", [["list", []]]],
    ["Counter", [[1]]],
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


def numbers(code, *items):
    return array.array(code, items).tobytes()


LONG = {
    "a number that is too large": (["long_list", "int", 1], numbers("q", 2**53)),
    "half a number": (["long_list", "float", 1], b"1234567"),
    "texts that are too short": (["long_list", "str", 1, 2], numbers("q", 1, 2), b"ab"),
    "a negative length": (["long_tuple", "str", 1, 2], numbers("q", 3, -1), b"ab"),
    "no texts": (["long_list", "str", 1], numbers("q", 1)),
    "texts of numbers": (["long_list", "int", 1, 2], numbers("q", 1), b"a"),
    "no text": (["long_list", "str", 1, 2], numbers("q", 1), b"\xff"),
    "another kind": (["long_list", "set", 1], b""),
    "more than there may be": (["long_list", "bool", 1], bytes(4_000_001)),
    "the same bytes twice": (["list", [["long_list", "int", 1], ["long_list", "int", 1]]], numbers("q", 1)),
}


@pytest.mark.parametrize(("node", "buffers"), [(node, buffers) for node, *buffers in LONG.values()], ids=LONG.keys())
def test_an_impossible_long_list_is_refused(node, buffers):
    with pytest.raises(Malformed):
        read(node, *buffers)


def test_the_truths_of_a_long_list_are_truths():
    assert read(["long_list", "bool", 1], bytes([0, 1, 2, 255])) == [False, True, True, True]
    assert {type(item) for item in read(["long_list", "bool", 1], bytes([2, 0]))} == {bool}
