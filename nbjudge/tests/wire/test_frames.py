"""Tables of pandas survive the wire exactly; what is not what it says is refused."""

import json

import numpy as np
import pandas as pd
import pytest

from helpers.travelling import refuse, travel
from nbjudge._wire.codec import Decoder, Encoder
from nbjudge._wire.errors import Malformed, Refused

ZONED = pd.date_range("2024-03-30", periods=3, freq="D", tz="Europe/Berlin")
FRAMES = {
    "numbers": pd.DataFrame({"a": [1, 2, 3], "b": [1.5, np.nan, np.inf], "c": np.array([1, 2, 3], dtype="uint8"), "d": [True, False, True]}),
    "text": pd.DataFrame({"new": ["x", None, "naïve"], "old": np.array(["x", None, 3.5], dtype=object)}),
    "strings": pd.DataFrame({"a": pd.array(["x", None], dtype="string"), "b": pd.array(["x", None], dtype=pd.StringDtype("python"))}),
    "with gaps": pd.DataFrame(
        {
            "i": pd.array([1, None, 2**62 + 1], dtype="Int64"),
            "f": pd.array([1.5, None, 2], dtype="Float32"),
            "b": pd.array([True, None, False], dtype="boolean"),
            "u": pd.array([None, None, None], dtype="UInt8"),
        }
    ),
    "categories": pd.DataFrame({"c": pd.Categorical(["u", None, "v"], ["v", "u", "w"], ordered=True), "n": pd.Categorical([3, 1, 3])}),
    "times": pd.DataFrame(
        {
            "n": pd.date_range("2024", periods=3),
            "z": ZONED,
            "d": pd.to_timedelta([1, 2, None], unit="h"),
            "s": pd.array(np.array(["2024-01-01", "NaT", "1900-01-01"], dtype="M8[s]")),
        }
    ),
    "fixed offset": pd.DataFrame({"z": pd.to_datetime(["2024-01-01T00:00+02:00"])}),
    "periods": pd.DataFrame({"p": pd.period_range("2024-01", periods=3, freq="M"), "i": pd.interval_range(0, 3)}),
    "no rows": pd.DataFrame({"a": pd.Series([], dtype=float), "s": pd.Series([], dtype="str"), "i": pd.Series([], dtype="Int64")}),
    "no columns": pd.DataFrame(index=[3, 4]),
    "nothing": pd.DataFrame(),
    "one name twice": pd.DataFrame([[1, 2.5], [3, 4.5]], columns=["a", "a"]),
    "named columns": pd.DataFrame([[1, 2]], columns=pd.Index(["a", "b"], name="letters")),
    "numbers as columns": pd.DataFrame(np.arange(6.0).reshape(2, 3)),
    "text as index": pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="who")),
    "two levels": pd.DataFrame({"a": [1, 2, 3]}, index=pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)], names=["k", None])),
    "two levels of columns": pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_product([["a"], [1.5, 2.5]])),
    "a day each": pd.DataFrame({"a": range(3)}, index=ZONED),
    "hours": pd.DataFrame({"a": [1, 2]}, index=pd.timedelta_range("1h", periods=2, freq="h")),
    "months": pd.DataFrame({"a": [1, 2]}, index=pd.period_range("2024-01", periods=2, freq="M", name="month")),
    "kinds as index": pd.DataFrame({"a": [1, 2]}, index=pd.CategoricalIndex(["u", "v"], ordered=True)),
    "steps": pd.DataFrame({"a": [1, 2]}, index=pd.RangeIndex(10, 4, -3, name="down")),
    "intervals": pd.DataFrame({"a": [1, 2]}, index=pd.IntervalIndex.from_breaks([0.5, 1.5, 2.5], closed="left")),
    "lists in cells": pd.DataFrame({"a": [[1, 2], [3]], "b": [{"k": 1}, (1, 2)]}),
    "grouped": pd.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]}).groupby("k").agg(["mean", "count"]),
    "joined": pd.DataFrame({"k": [1, 2]}).merge(pd.DataFrame({"k": [2, 3], "w": [4, 5]}), how="outer", indicator=True),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_tables_come_back_the_same(frame):
    frame.attrs["source"] = {"year": 2024}
    back = travel(frame)
    assert type(back) is pd.DataFrame
    pd.testing.assert_frame_equal(
        back, frame, check_exact=True, check_index_type="exact", check_column_type="exact", check_freq=True, check_flags=True
    )
    assert [str(kind) for kind in back.dtypes] == [str(kind) for kind in frame.dtypes] and list(back.dtypes) == list(frame.dtypes)
    assert back.index.names == frame.index.names and back.columns.names == frame.columns.names and back.attrs == frame.attrs
    for name in range(frame.shape[1]):
        pd.testing.assert_series_equal(travel(frame.iloc[:, name]), frame.iloc[:, name], check_exact=True, check_freq=True)
    for index in (frame.index, frame.columns):
        pd.testing.assert_index_equal(travel(index), index, exact=True, check_exact=True)
    back["new column"] = 1  # it can be worked with


VALUES = [
    pd.Timestamp("2024-03-31 02:30:00.123456789"),
    pd.Timestamp("2024-10-27 00:30", tz="UTC").tz_convert("Europe/Berlin"),
    pd.Timestamp("2024", tz="UTC"),
    pd.Timedelta("1 days 00:00:00.000000001"),
    pd.Period("2024-05", freq="M"),
    pd.Interval(0, 1.5, closed="both"),
    pd.Int64Dtype(),
    pd.StringDtype("python"),
    pd.CategoricalDtype(["a", "b"], ordered=True),
    pd.DatetimeTZDtype("ns", "UTC"),
    np.dtype(object),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_single_values_come_back_the_same(value):
    back = travel(value)
    assert type(back) is type(value) and back == value and repr(back) == repr(value) and getattr(back, "unit", 0) == getattr(value, "unit", 0)


def test_what_is_missing_stays_the_one_value_it_is():
    assert travel(pd.NaT) is pd.NaT and travel(pd.NA) is pd.NA


@pytest.mark.parametrize("dtype", ["Int64", "string", "category", "boolean", "datetime64[ns, UTC]"])
def test_pandas_arrays_come_back_the_same(dtype):
    array = pd.array([], dtype=dtype)
    pd.testing.assert_extension_array_equal(travel(array), array)


def test_values_in_lists_and_dicts():
    back = travel({"a": [pd.Series([1, 2]), pd.Timestamp("2024")], "b": (FRAMES["numbers"],)})
    assert back["a"][0].sum() == 3 and back["a"][1].year == 2024 and back["b"][0].equals(FRAMES["numbers"])


class OwnFrame(pd.DataFrame):
    def equals(self, other):
        return True


class OwnIndex(pd.Index):
    pass


@pytest.mark.parametrize(
    "value",
    [
        OwnFrame({"a": [1]}),
        pd.DataFrame({"a": [object()]}),
        pd.DataFrame({"a": pd.arrays.SparseArray([0, 1])}),
        pd.Series([1], index=pd.Index([object()])),
    ],
    ids=["subclass", "objects", "sparse", "objects as index"],
)
def test_others_are_refused(value):
    with pytest.raises(Refused, match=r"."):
        travel(value)


def test_large_tables_are_refused_before_they_are_copied():
    encoder = Encoder(refuse, 1000)
    with pytest.raises(Refused, match="too large"):
        encoder.encode(pd.DataFrame({"a": np.zeros(1000)}))
    assert encoder.buffers == [b""]


COLUMN = ["plain", ["array", "<i8", [2], 1]]
INDEX = ["pd_index", "range", [None], [0, 2, 1]]
LABELS = ["pd_index", "range", [None], [0, 1, 1]]
NONE = ["dict", []]
HOSTILE = [
    ["pd_frame"],
    ["pd_frame", [COLUMN], LABELS, ["list", []], NONE],
    ["pd_frame", [COLUMN], INDEX, INDEX, NONE],
    ["pd_frame", [COLUMN], LABELS, ["pd_index", "range", [None], [0, 10**9, 1]], NONE],
    ["pd_frame", [COLUMN], LABELS, INDEX, 5],
    ["pd_frame", [["plain", ["list", [1, 2]]]], LABELS, INDEX, NONE],
    ["pd_frame", [["plain", INDEX]], LABELS, INDEX, NONE],
    ["pd_series", ["strings", "python", "nan", [1, 2]], INDEX, None, NONE],
    ["pd_series", ["strings", "os", "nan", []], INDEX, None, NONE],
    ["pd_series", ["numbers", "Int64", ["array", "<i8", [2], 1], ["array", "<i8", [2], 1]], INDEX, None, NONE],
    ["pd_series", ["numbers", "object", ["array", "<i8", [2], 1], ["array", "<i8", [2], 1]], INDEX, None, NONE],
    ["pd_series", ["category", ["array", "<i8", [2], 1], ["pd_index", "range", [None], [0, 1, 1]], True], INDEX, None, NONE],
    ["pd_series", ["moments", ["array", "<i8", [2], 1], "../../etc/passwd"], INDEX, None, NONE],
    ["pd_series", ["moments", ["array", "<i8", [2], 1], "/etc/passwd"], INDEX, None, NONE],
    ["pd_series", ["periods", ["array", "<i8", [2], 1], "nonsense"], INDEX, None, NONE],
    ["pd_series", ["periods", ["array", "<i8", [2], 1], "M" * 1000], INDEX, None, NONE],
    ["pd_series", ["intervals", INDEX, INDEX, "up"], INDEX, None, NONE],
    ["pd_series", COLUMN, INDEX, ["list", []], NONE],
    ["pd_series", COLUMN, ["pd_index", "levels", ["a"], [INDEX], [["array", "<i8", [2], 1]]], None, NONE],
    ["pd_index", "range", [None], [0, 1, 0]],
    ["pd_index", "range", [], [0, 1, 1]],
    ["pd_index", "values", [None], COLUMN, "D"],
    ["pd_index", "no such", [None]],
    ["pd_missing", "read_pickle"],
    ["pd_moment", "now", None],
    ["pd_moment", ["dict", []], None],
    ["pd_period", 1, "x"],
    ["pd_interval", 2, 1, "left"],
    ["pd_interval", "a", None, "left"],
    ["pd_dtype", ["plain", 3]],
    ["pd_array", 3],
]


@pytest.mark.parametrize("node", HOSTILE, ids=lambda node: json.dumps(node)[:60])
def test_hostile_tables_are_malformed(node):
    with pytest.raises(Malformed):
        Decoder([json.dumps(node).encode(), np.array([7, 2**40]).tobytes()], {}).decode(node)
