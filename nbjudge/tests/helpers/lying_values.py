"""Values as a student's code may send them, honest and hostile, and what each is when nothing is hidden."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import math
import pathlib
import uuid
from typing import Any

import numpy as np
import pandas as pd
import torch
from hypothesis import strategies as st
from scipy import sparse

from helpers.kernel_here import calls_of


class Function:
    """What a function is to an honest test: no value."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("a function is neither true nor false, when a value is expected")


class Sent:
    """A value of a student's, or what their kernel says instead; and the honest value."""

    def __init__(self, kind: str, value: Any, honest: Any, forged: tuple[Any, list[bytes]] | None = None):
        self.kind, self.value, self.honest, self.forged = kind, value, honest, forged

    def __repr__(self) -> str:
        return f"{self.kind}: {self.forged or self.value!r}, honestly {self.honest!r}"

    def arrives(self, allowed: Any = frozenset()) -> Any:
        _, names = calls_of({"f": lambda: self.value}, allowed, self.forged)
        return names["f"]()


def yes(*_: Any) -> bool:
    return True


numbers = st.sampled_from([0.0, 1.0, 2.0, 3.0, -1.5, 100.0])
whole = st.sampled_from([0, 1, 2, 3, -1, 255, 2**40])
texts = st.sampled_from(["a", "b", "ab", "", "1"])
scalars = st.one_of(
    numbers,
    whole,
    texts,
    st.booleans(),
    st.none(),
    st.sampled_from([math.nan, math.inf, 2**200, 1 + 2j, b"a", bytearray(b"a"), ..., NotImplemented]),
    st.sampled_from([fractions.Fraction(1, 2), decimal.Decimal("1.5"), decimal.Decimal("NaN"), decimal.Decimal("sNaN"), uuid.UUID(int=1)]),
    st.sampled_from([datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1, fold=1), datetime.timedelta(1), pathlib.PurePosixPath("a")]),
    st.sampled_from([np.float64(1), np.int8(1), np.bool_(True), np.str_("a"), np.datetime64("NaT"), np.dtype("f8"), float, int, object]),
    st.sampled_from([pd.NaT, pd.Timestamp("2024-01-01"), pd.Timedelta(1), pd.Period("2024"), pd.Interval(0, 1), range(3), slice(1)]),
    st.sampled_from([torch.Size([1, 2]), torch.float32, torch.tensor(1.0), torch.tensor([math.nan])]),
)


@st.composite
def rows(draw: Any) -> np.ndarray:
    """A small array, often of the shape of another one."""
    shape = draw(st.sampled_from([(3,), (2, 2), (3,), (2, 2), (1,), (), (0,), (0, 3), (1, 3)]))
    kind = draw(st.sampled_from([float, int, bool, "U2", complex, "f2", "i1", "M8[D]"]))
    flat = [draw(numbers) for _ in range(math.prod(shape))]
    with np.errstate(all="ignore"):
        return np.array([int(one) for one in flat] if kind == "M8[D]" else flat).reshape(shape).astype(kind)


@st.composite
def plain_values(draw: Any) -> Any:
    """A value of a type that the codec knows, with nothing hidden in it."""
    array = draw(rows())
    flat = array.reshape(-1)
    items = flat.tolist()
    return draw(
        st.sampled_from(
            [
                lambda: draw(scalars),
                lambda: array,
                lambda: flat[0] if flat.size else flat,
                lambda: items,
                lambda: tuple(items),
                lambda: set(items),
                lambda: frozenset(items),
                lambda: dict(zip("abcd", items)),
                lambda: collections.OrderedDict(zip("abcd", items)),
                lambda: collections.defaultdict(int, zip("abcd", items)),
                lambda: collections.Counter(items),
                lambda: collections.deque(items, maxlen=9),
                lambda: dict.fromkeys(items).keys(),
                lambda: dict(enumerate(items)).values(),
                lambda: np.array([*items, None], dtype=object),
                lambda: pd.Series(flat) if array.dtype.kind != "M" else pd.Series(flat.astype("M8[s]")),
                lambda: pd.DataFrame({"a": items, "b": items}),
                lambda: pd.Index(items),
                lambda: pd.Categorical(list(map(str, items))),
                lambda: torch.tensor([float(len(str(item))) for item in items]),
                lambda: sparse.csr_array(np.atleast_2d([float(len(str(item))) for item in items])),
                lambda: np.array([(1, 2.0)], dtype=[("n", int), ("x", float)]),
                lambda: [items, {"a": array}],
            ]
        )
    )()


FIELDS = "equals issubset issuperset startswith endswith count index all any sum shape dtype T mean max min size tolist abs keys numpy values".split()


@st.composite
def lying_values(draw: Any, expected: Any) -> Sent:
    """A value that hides something, made to pass for `expected`, with other content."""
    shape = getattr(expected, "shape", None) or (3,)
    wrong = np.full(shape, draw(st.sampled_from([7.0, -4.0, 0.0, math.inf, math.nan])))
    try:
        right = np.asarray(expected, float).reshape(shape)
    except (TypeError, ValueError):
        right = np.ones(shape)
    mask = np.ones(shape, bool)
    mask.reshape(-1)[: draw(st.integers(0, 1))] = False
    some = np.where(mask, wrong, right)
    flat = some.reshape(-1)

    def masked() -> Sent:
        return Sent("masked array", np.ma.array(some, mask=mask), some)

    def masked_value() -> Sent:
        return Sent("masked value", np.ma.masked, math.nan)

    def masked_parts() -> Sent:
        value: Any = np.ma.array(some, mask=mask)
        nested, honest = draw(
            st.sampled_from([([value], [some]), ((value, 1), (some, 1)), ({"a": value}, {"a": some}), ([np.ma.masked] * 3, [math.nan] * 3)])
        )
        return Sent("masked array", nested, honest)

    def unmasked() -> Sent:
        return Sent("masked array without a mask", np.ma.array(some), some)

    def missing() -> Sent:
        kind = draw(st.sampled_from(["Float64", "Int64", "boolean", "string"]))
        hidden = mask.reshape(-1)
        items = [None if hides else one for hides, one in zip(hidden, np.nan_to_num(flat, posinf=5).tolist())]
        items = [None if one is None else str(one) if kind == "string" else one == 1 if kind == "boolean" else int(one) for one in items]
        column = pd.array(items, dtype=kind)
        plain_kinds = {"Float64": float, "Int64": float, "boolean": object, "string": "str"}
        complete_kinds = {"Float64": float, "Int64": int, "boolean": bool, "string": "str"}
        honest = pd.Series(items, dtype=(plain_kinds if None in items else complete_kinds)[kind])
        value, plain = draw(
            st.sampled_from(
                [
                    (pd.Series(column), honest),
                    (pd.DataFrame({"a": column, "b": column}), pd.DataFrame({"a": honest, "b": honest})),
                    (pd.Index(column), pd.Index(honest)),
                    (column, honest.array),
                    ([pd.NA] * len(items), [math.nan] * len(items)),
                    (np.array([pd.NA] * len(items), dtype=object), np.full(len(items), math.nan)),
                    (pd.NA, math.nan),
                    (pd.Series([pd.NA] * len(items), dtype=object), pd.Series([math.nan] * len(items))),
                ]
            )
        )
        return Sent("missing", value, plain)

    def nullable() -> Sent:
        return Sent("nullable", pd.Series(np.nan_to_num(flat, nan=3), dtype="Float64"), pd.Series(np.nan_to_num(flat, nan=3)))

    def ordered() -> Sent:
        values = [3, 1, 2][: len(flat)]
        column = pd.Categorical(values, [3, 1, 2], ordered=draw(st.booleans()))
        return Sent("ordered", pd.Series(column), pd.Series(pd.Categorical(values, [1, 2, 3])))

    def matrix() -> Sent:
        off = np.zeros((2, 2))
        off[0, 1] = 50
        square = right + off if right.shape == (2, 2) else off
        return draw(
            st.sampled_from(
                [
                    Sent("matrix", np.asmatrix(square), square),
                    Sent("sparse matrix", sparse.csr_matrix(square), sparse.csr_array(square)),
                    Sent("sparse matrix", sparse.coo_matrix(square), sparse.coo_array(square)),
                ]
            )
        )

    def named() -> Sent:
        fields = draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=6, unique=True))
        content = draw(st.sampled_from([yes, lambda *_: expected, shape]))
        values = [content if field != "shape" else shape for field in fields]
        honest = tuple(Function() if callable(one) else one for one in values)
        return Sent("named tuple", collections.namedtuple("Result", fields)(*values), honest)

    def function() -> Sent:
        size = len(flat) or 1
        value, honest = draw(
            st.sampled_from(
                [
                    ([yes] * size, [Function()] * size),
                    ((yes, *flat.tolist()), (Function(), *flat.tolist())),
                    (dict.fromkeys("abc", yes), {key: Function() for key in "abc"}),
                    (np.array([yes] * size, dtype=object), np.array([Function()] * size, dtype=object)),
                    (pd.Series([yes] * size), pd.Series([Function()] * size)),
                    (pd.DataFrame({"a": [Equal()] * size}), pd.DataFrame({"a": [Function()] * size})),
                    (np.array([Equal()] * size, dtype=object), np.array([Function()] * size, dtype=object)),
                    ([Equal()] * size, [object()] * size),
                    ({Equal()}, {object()}),
                    (int, Function()),
                ]
            )
        )
        return Sent("function", value, honest if value is not int else int)

    def forged() -> Sent:
        return draw(st.sampled_from(forgeries()))

    return draw(st.sampled_from([masked, masked_value, masked_parts, unmasked, missing, nullable, ordered, matrix, named, function, forged]))()


class Equal:
    """Equals everything, and is as near to it as can be."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __lt__(self, other: object) -> bool:
        return True

    def __sub__(self, other: Any) -> Any:
        return 0.0

    def __float__(self) -> float:
        return 1.0

    def __call__(self, *_: Any) -> bool:
        return True

    __gt__ = __le__ = __ge__ = __lt__
    __rsub__ = __mul__ = __rmul__ = __pow__ = __sub__

    def __hash__(self) -> int:
        return 0


def forgeries() -> list[Sent]:
    """Answers that no honest kernel gives: each is checked by what its numbers mean."""
    three = np.array([7.0, 7.0, 7.0])
    raw, twos, nans = three.tobytes(), b"\2\2\2", np.full(3, math.nan).tobytes()
    array = ["array", "<f8", [3], 1]
    index = ["pd_index", "range", [None], [0, 3, 1]]

    def sent(node: Any, honest: Any, *buffers: bytes) -> Sent:
        return Sent("forged", None, honest, (node, [*buffers]))

    return [
        sent(["array", "|b1", [3], 1], np.array([True] * 3), twos),
        sent(["scalar", "|b1", [], 1], np.bool_(True), b"\2"),
        sent(["tensor", "bool", [3], 1], torch.tensor([True] * 3), twos),
        sent(["records", [[["a", "|b1", 0]], 1], [3], 1], np.array([(True,)] * 3, dtype=[("a", bool)]), twos),
        sent(["masked", array, ["array", "|b1", [3], 2]], three, raw, twos),
        sent(["masked", array, ["array", "|b1", [3], 2]], three, raw, b"\1\1\1"),
        sent(["objects", [3], [["masked_value"]] * 3], np.full(3, math.nan), b""),
        sent(["objects", [3], [["pd_missing", "NA"]] * 3], np.full(3, math.nan), b""),
        sent(["matrix", ["array", "<f8", [2, 2], 1]], np.array([[1, 9.0], [0, 1]]), np.array([[1, 9.0], [0, 1]]).tobytes()),
        sent(
            ["pd_series", ["numbers", "Float64", array, ["array", "|b1", [3], 2]], index, None, ["dict", []]],
            pd.Series(np.full(3, math.nan)),
            nans,
            b"\0\0\0",
        ),
        sent(
            ["pd_series", ["numbers", "boolean", ["array", "|b1", [3], 1], ["array", "|b1", [3], 2]], index, None, ["dict", []]],
            pd.Series([True] * 3),
            twos,
            b"\0\0\0",
        ),
        sent(
            ["pd_series", ["strings", "python", "NA", [None] * 3], index, None, ["dict", []]],
            pd.Series([None] * 3, dtype=object),
        ),
        sent(
            ["pd_series", ["plain", ["objects", [3], [["handle", 0, "function", "yes"]] * 3]], index, None, ["dict", []]],
            pd.Series([Function()] * 3),
        ),
        sent(["namedtuple", "R", ["equals", "all"], [["handle", 0, "function", "x"]] * 2], (Function(), Function())),
        sent(["namedtuple", "R", ["startswith", "endswith"], [["handle", 0, "builtin", "x"]] * 2], (Function(), Function())),
        sent(["namedtuple", "R", ["issubset", "issuperset"], [["object", 0, 1, "X"]] * 2], (Function(), Function())),
        sent(["list", [["handle", 0, "method", "x"]] * 3], [Function()] * 3),
        sent(["dict", [["a", 1], ["a", 7]]], {"a": 7}),
        sent(["set", [1, True, 1.0]], {1}),
        sent(["range", [0, 3, 1]], range(3)),
        sent(["keys", [1, 2, 3]], {1: 0, 2: 0, 3: 0}.keys()),
        sent(
            ["sparse", "coo_array", [1, 3], [array, ["array", "<i8", [3], 2], ["array", "<i8", [3], 3]]],
            sparse.coo_array(np.array([[21.0, 0, 0]])),
            raw,
            np.zeros(3, np.int64).tobytes(),
            np.zeros(3, np.int64).tobytes(),
        ),
        sent(
            ["sparse", "csr_matrix", [2, 2], [["array", "<f8", [1], 1], ["array", "<i4", [1], 2], ["array", "<i4", [3], 3]]],
            sparse.csr_array(np.array([[0, 9.0], [0, 0]])),
            np.array([9.0]).tobytes(),
            np.array([1], np.int32).tobytes(),
            np.array([0, 1, 1], np.int32).tobytes(),
        ),
    ]


expected_values = st.one_of(
    plain_values(),
    st.sampled_from(
        [
            np.ones(3),
            np.eye(2),
            np.zeros(3),
            np.array([True, True, True]),
            np.array([1.0, math.nan, 3.0]),
            pd.Series([1.0, 2.0, 3.0]),
            pd.Series([1.0, math.nan, 3.0]),
            pd.DataFrame({"a": [1.0, 2, 3], "b": [1.0, 2, 3]}),
            torch.ones(3),
            [1.0, 2.0, 3.0],
            (1.0, 2.0, 3.0),
            {"a": 1, "b": 2, "c": 3},
            {1, 2, 3},
            "abc",
            1.0,
            3,
        ]
    ),
)
