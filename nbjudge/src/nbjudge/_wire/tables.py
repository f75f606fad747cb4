"""pandas on the wire: tables, series and indexes as columns with their types, rebuilt exactly; nothing is pickled.

pandas is imported only where a value is one of its own.
"""

from __future__ import annotations

import operator
import sys
from functools import partial
from typing import Any

import numpy as np

from nbjudge._wire import arrays
from nbjudge._wire.coding import BaseDecoder, BaseEncoder, Reader, is_whole
from nbjudge._wire.errors import Malformed, Refused
from nbjudge._wire.scalars import encode_zone, read_zone

MASKED = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64", "boolean")
UNITS = ("s", "ms", "us", "ns")
LONGEST_FREQUENCY = 24
LONGEST_INDEX = 2**27  # of one that is written as a range; a column of more rows does not travel
# Kinds of tables that can pass for what they are not, see `Judge`; the last one may be there, and whoever has it may have marked it otherwise.
NULLABLE, MISSING, ALL_MISSING, ORDERED, GAPS = "nullable", "missing", "all missing", "ordered", "gaps"
TAGS = ("pd_frame", "pd_series", "pd_index", "pd_array", "pd_moment", "pd_span", "pd_missing", "pd_period", "pd_interval", "pd_dtype")


def encode(encoder: BaseEncoder, value: Any, kind: type, depth: int) -> list[Any] | None:
    """The JSON form of a pandas value, or None for any other. Raises `Refused`, also for subclasses."""
    if not kind.__module__.startswith("pandas") or (pd := sys.modules.get("pandas")) is None:
        return None
    if kind is pd.DataFrame:
        encoder.spend(int(value.memory_usage(index=True).sum()), count=False)
        columns = [encode_column(encoder, pd, value.iloc[:, place].array, depth + 1) for place in range(value.shape[1])]
        return [
            "pd_frame",
            columns,
            _encode_index(encoder, pd, value.columns, depth),
            _encode_index(encoder, pd, value.index, depth),
            encoder.encode(dict(value.attrs), depth + 1),
        ]
    if kind is pd.Series:
        return [
            "pd_series",
            encode_column(encoder, pd, value.array, depth + 1),
            _encode_index(encoder, pd, value.index, depth),
            encoder.encode(value.name, depth + 1),
            encoder.encode(dict(value.attrs), depth + 1),
        ]
    if isinstance(value, pd.Index):
        return _encode_index(encoder, pd, value, depth)
    if isinstance(value, (pd.DataFrame, pd.Series)):
        raise Refused(f"it is a {kind.__name__}: use a plain pandas object")
    if isinstance(value, pd.api.extensions.ExtensionArray):
        return ["pd_array", encode_column(encoder, pd, value, depth + 1)]
    if isinstance(value, pd.api.extensions.ExtensionDtype):
        return ["pd_dtype", encode_column(encoder, pd, pd.array([], dtype=value), depth + 1)]
    return _encode_scalar(encoder, pd, value, kind, depth)


def _encode_scalar(encoder: BaseEncoder, pd: Any, value: Any, kind: type, depth: int) -> list[Any] | None:
    if value is pd.NaT or value is pd.NA:
        return ["pd_missing", "NaT" if value is pd.NaT else "NA"]
    if kind is pd.Timestamp:
        return ["pd_moment", encoder.encode(value.to_datetime64()), encode_zone(value.tzinfo)]
    if kind is pd.Timedelta:
        return ["pd_span", encoder.encode(value.to_timedelta64())]
    if kind is pd.Period:
        return ["pd_period", encoder.encode(value.ordinal), _frequency(_period_frequency(pd.PeriodDtype(value.freq)))]
    if kind is pd.Interval:
        return ["pd_interval", encoder.encode(value.left, depth + 1), encoder.encode(value.right, depth + 1), value.closed]
    return None


def encode_column(encoder: BaseEncoder, pd: Any, column: Any, depth: int) -> list[Any]:
    """One column, by the type of its values. Raises `Refused`."""
    dtype, name = column.dtype, str(column.dtype)
    if type(column) is pd.arrays.NumpyExtensionArray:
        column = column.to_numpy()
        dtype = column.dtype
    if isinstance(dtype, np.dtype):
        if dtype.kind in "mM":
            return ["plain", ["array", *arrays.encode(encoder, column.to_numpy(), np.ndarray, depth)[1:]]]  # type: ignore[index]
        return ["plain", arrays.encode_array(encoder, np.asarray(column), depth)]
    if isinstance(dtype, pd.StringDtype):
        missing = "NA" if dtype.na_value is pd.NA else "nan"
        return ["strings", dtype.storage, missing, encoder.items((None if pd.isna(item) else item for item in column), depth)]
    if name in MASKED:
        mask = np.asarray(column.isna())
        plain = column.to_numpy(dtype=column.dtype.numpy_dtype, na_value=0) if len(column) else np.zeros(0, column.dtype.numpy_dtype)
        return ["numbers", name, arrays.encode_array(encoder, plain, depth), arrays.encode_array(encoder, mask, depth)]
    if isinstance(dtype, pd.CategoricalDtype):
        categories = None if dtype.categories is None else _encode_index(encoder, pd, dtype.categories, depth + 1)
        return ["category", arrays.encode_array(encoder, np.asarray(column.codes), depth), categories, bool(dtype.ordered)]
    if isinstance(dtype, pd.DatetimeTZDtype):
        moments = pd.DatetimeIndex(column).tz_convert("UTC").tz_localize(None).to_numpy()
        return ["moments", arrays.encode_array(encoder, moments, depth), encode_zone(dtype.tz)]
    if isinstance(dtype, pd.PeriodDtype):
        return ["periods", arrays.encode_array(encoder, np.asarray(column.astype("int64")), depth), _frequency(_period_frequency(dtype))]
    if isinstance(dtype, pd.IntervalDtype):
        return ["intervals", _encode_index(encoder, pd, column.left, depth), _encode_index(encoder, pd, column.right, depth), column.closed]
    raise Refused(f"a column of type {name[:60]} cannot be sent")


def _encode_index(encoder: BaseEncoder, pd: Any, index: Any, depth: int) -> list[Any]:
    kind, names = type(index), encoder.items(list(index.names), depth)
    if not kind.__module__.startswith("pandas"):
        raise Refused(f"it has an index that is a {kind.__name__}: use a plain pandas index")
    if kind is pd.RangeIndex:
        return ["pd_index", "range", names, encoder.items((index.start, index.stop, index.step), depth)]
    if kind is pd.MultiIndex:
        levels = [_encode_index(encoder, pd, level.rename(None), depth + 1) for level in index.levels]
        return ["pd_index", "levels", names, levels, [arrays.encode_array(encoder, np.asarray(codes), depth) for codes in index.codes]]
    frequency = getattr(index, "freqstr", None) if kind in (pd.DatetimeIndex, pd.TimedeltaIndex) else None
    return ["pd_index", "values", names, encode_column(encoder, pd, index.array, depth + 1), frequency and _frequency(frequency)]


def _period_frequency(dtype: Any) -> str:
    """A period's frequency, by the name that makes periods: that of its offset is another ("ME" for months, where "M" is wanted)."""
    return str(dtype).removeprefix("period[").removesuffix("]")


def _frequency(text: str) -> str:
    if len(text) > LONGEST_FREQUENCY:
        raise Refused("a frequency with such a long name cannot be sent")
    return text


def read(tag: str, decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    """The pandas value that `encode` wrote; raises `Malformed`, or what pandas says to an impossible one."""
    try:
        import pandas as pd
    except ImportError:
        raise Malformed("it is a pandas value, and pandas is not installed beside the grader. Next: pip install 'nbjudge[tables]'") from None
    value = _read(tag, decoder, pd, rest, depth)
    if not decoder.judges or decoder.stands_in.startswith("pd_") or isinstance(value, pd.api.extensions.ExtensionDtype):
        return value
    plain = _plain(decoder, pd, value)
    return value if plain is value else decoder.plainer(plain, value)


def _read(tag: str, decoder: BaseDecoder, pd: Any, rest: list[Any], depth: int) -> Any:
    match tag, rest:
        case "pd_frame", [list(columns), labels, index, attrs]:
            return _frame(decoder, pd, columns, labels, index, attrs, depth)
        case "pd_series", [column, index, name, attrs]:
            value = pd.Series(read_column(decoder, pd, column, depth + 1), index=_index_at(decoder, pd, index, depth), copy=False)
            value.name = decoder.read(name, depth + 1)
            value.attrs = _attributes(decoder, attrs, depth)
            return value
        case "pd_index", [kind, list(names), *parts]:
            return _read_index(decoder, pd, kind, decoder.items(names, depth), parts, depth)
        case "pd_array", [column]:
            return pd.array(read_column(decoder, pd, column, depth + 1), copy=False)
        case "pd_dtype", [column]:
            return read_column(decoder, pd, column, depth + 1).dtype
    return _read_scalar(decoder, pd, tag, rest, depth)


def _read_scalar(decoder: BaseDecoder, pd: Any, tag: str, rest: list[Any], depth: int) -> Any:
    match tag, rest:
        case "pd_missing", [("NaT" | "NA") as name]:
            if name == "NA":
                decoder.doubt(MISSING if is_whole(decoder.stands_in) else ALL_MISSING)
            return getattr(pd, name)
        case "pd_moment", [moment, zone]:
            value = pd.Timestamp(_scalar(decoder, moment, np.datetime64, depth))
            return value if zone is None else value.tz_localize("UTC").tz_convert(read_zone(zone))
        case "pd_span", [span]:
            return pd.Timedelta(_scalar(decoder, span, np.timedelta64, depth))
        case "pd_period", [ordinal, str(frequency)] if len(frequency) <= LONGEST_FREQUENCY:
            return pd.PeriodIndex.from_ordinals(np.array([decoder.read(ordinal, depth + 1)], dtype=np.int64), freq=frequency)[0]
        case "pd_interval", [left, right, str(closed)]:
            return pd.Interval(decoder.read(left, depth + 1), decoder.read(right, depth + 1), closed)
    raise Malformed("an impossible pandas value")


def _scalar(decoder: BaseDecoder, node: Any, kind: type, depth: int) -> Any:
    value = decoder.read(node, depth + 1)
    if type(value) is not kind:
        raise Malformed("an impossible time")
    return value


def _frame(decoder: BaseDecoder, pd: Any, columns: list[Any], labels: Any, index: Any, attrs: Any, depth: int) -> Any:
    rows = _index_at(decoder, pd, index, depth)
    values = [read_column(decoder, pd, column, depth + 1) for column in columns]
    names = _index_at(decoder, pd, labels, depth)
    if len(names) != len(values) or any(len(value) != len(rows) for value in values):
        raise Malformed("a table whose columns do not fit")
    frame = pd.DataFrame(dict(enumerate(values)), index=rows, copy=False)  # by number first: two columns may have one name
    frame.columns = names
    frame.attrs = _attributes(decoder, attrs, depth)
    return frame


def _attributes(decoder: BaseDecoder, node: Any, depth: int) -> dict[str, Any]:
    attributes = decoder.read(node, depth + 1)
    if type(attributes) is not dict:
        raise Malformed("impossible attributes of a table")
    return attributes


def read_column(decoder: BaseDecoder, pd: Any, node: Any, depth: int) -> Any:
    """One column that `encode_column` wrote; raises `Malformed`, or what pandas says to an impossible one."""
    match node:
        case ["plain", plain]:
            return _values(decoder, plain, depth)
        case ["strings", ("python" | "pyarrow") as storage, ("NA" | "nan") as missing, list(items)]:
            texts = decoder.items(items, depth)
            if any(text is not None and type(text) is not str for text in texts):
                raise Malformed("an impossible column of text")
            return pd.array(texts, dtype=pd.StringDtype(storage, na_value=pd.NA if missing == "NA" else np.nan))
        case ["numbers", str(name), plain, mask] if name in MASKED:
            hidden = _values(decoder, mask, depth)
            if hidden.dtype != bool:
                raise Malformed("an impossible column of numbers")
            column = pd.array(_values(decoder, plain, depth), dtype=name)
            column[hidden] = pd.NA
            return column
        case ["category", codes, categories, bool(ordered)]:
            known = None if categories is None else _index_at(decoder, pd, categories, depth)
            return (
                pd.Categorical.from_codes(_values(decoder, codes, depth), dtype=pd.CategoricalDtype(known, ordered))
                if known is not None
                else pd.Categorical([], ordered=ordered).astype(pd.CategoricalDtype(None, ordered))
            )
        case ["moments", plain, zone] if zone is not None:
            return pd.DatetimeIndex(_values(decoder, plain, depth)).tz_localize("UTC").tz_convert(read_zone(zone)).array
        case ["periods", plain, str(frequency)] if len(frequency) <= LONGEST_FREQUENCY:
            return pd.PeriodIndex.from_ordinals(_values(decoder, plain, depth), freq=frequency).array
        case ["intervals", left, right, ("left" | "right" | "both" | "neither") as closed]:
            return pd.arrays.IntervalArray.from_arrays(_index_at(decoder, pd, left, depth), _index_at(decoder, pd, right, depth), closed)
    raise Malformed("an impossible column")


def _plain(decoder: BaseDecoder, pd: Any, value: Any) -> Any:
    """`value`, or where it may not be what it is and a plainer one says the same, that."""
    if isinstance(value, pd.DataFrame):
        own = [value.iloc[:, place].array for place in range(value.shape[1])] + [value.index, value.columns]
        *plain, index, labels = [*(_plain_column(decoder, pd, column) for column in own[:-2]), *(_plain(decoder, pd, one) for one in own[-2:])]
        if all(map(operator.is_, [*plain, index, labels], own)):
            return value
        frame = pd.DataFrame(dict(enumerate(plain)), index=index)
        frame.columns, frame.attrs = labels, value.attrs
        return frame
    if isinstance(value, pd.Series):
        own, rows = value.array, value.index
        column, index = _plain_column(decoder, pd, own), _plain(decoder, pd, rows)
        if column is own and index is rows:
            return value
        series = pd.Series(column, index=index, name=value.name)
        series.attrs = value.attrs
        return series
    if isinstance(value, pd.MultiIndex):
        own = list(value.levels)
        levels = [_plain(decoder, pd, level) for level in own]
        return value if all(map(operator.is_, levels, own)) else value.set_levels(levels)
    if isinstance(value, pd.Index):
        own = value.array
        column = _plain_column(decoder, pd, own)
        return value if column is own else pd.Index(column, name=value.name)
    return _plain_column(decoder, pd, value) if isinstance(value, pd.api.extensions.ExtensionArray) else value


def _in_natural_order(column: Any) -> Any:
    """Categories without an order of their own: that of what they are, by which pandas sorts them, too."""
    plain = column.as_unordered()
    try:
        return plain.reorder_categories(plain.categories.sort_values())
    except TypeError:  # numbers and text, for example
        return plain


def _plain_column(decoder: BaseDecoder, pd: Any, column: Any) -> Any:
    dtype = column.dtype
    missing = column.isna()
    if missing.any():
        decoder.note(GAPS)
    if isinstance(dtype, pd.CategoricalDtype):
        is_natural = dtype.categories is None or dtype.categories.is_monotonic_increasing
        return column if (is_natural and not dtype.ordered) or decoder.may(ORDERED) else _in_natural_order(column)
    if getattr(dtype, "na_value", None) is not pd.NA:
        return column
    kind = NULLABLE if not missing.any() else ALL_MISSING if missing.all() else MISSING
    if decoder.may(kind):
        return column
    if kind != NULLABLE and not decoder.may(GAPS):
        decoder.doubt(kind)
        return column
    if isinstance(dtype, pd.StringDtype):
        return column.astype(pd.StringDtype(dtype.storage, na_value=np.nan))
    kinds = dtype.numpy_dtype if kind == NULLABLE else object if dtype.kind == "b" else float
    return pd.array(column.to_numpy(dtype=kinds, na_value=np.nan), dtype=np.dtype(kinds))


def _values(decoder: BaseDecoder, node: Any, depth: int) -> np.ndarray:
    values = decoder.read(node, depth + 1)
    if type(values) is not np.ndarray or values.ndim != 1:
        raise Malformed("a column is missing")
    return values


def _index_at(decoder: BaseDecoder, pd: Any, node: Any, depth: int) -> Any:
    value = decoder.read(node, depth + 1)
    if not isinstance(value, pd.Index):
        raise Malformed("an index is missing")
    return value


def _read_index(decoder: BaseDecoder, pd: Any, kind: Any, names: list[Any], parts: list[Any], depth: int) -> Any:
    match kind, parts:
        case "range", [[int(start), int(stop), int(step)]] if len(range(start, stop, step)) <= LONGEST_INDEX:
            return pd.RangeIndex(start, stop, step, name=names[0])
        case "levels", [list(levels), list(codes)] if len(levels) <= arrays.MOST_FIELDS:
            return pd.MultiIndex(
                [_index_at(decoder, pd, level, depth + 1) for level in levels],
                [_values(decoder, numbers, depth) for numbers in codes],
                names=names,
                verify_integrity=True,
            )
        case "values", [column, frequency] if frequency is None or (type(frequency) is str and len(frequency) <= LONGEST_FREQUENCY):
            values = read_column(decoder, pd, column, depth + 1)
            index = pd.Index(values, dtype=values.dtype, name=names[0], copy=False)
            if frequency is not None:
                if not isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)):
                    raise Malformed("an index that cannot have a frequency")
                index.freq = frequency  # pandas compares it with the values
            return index
    raise Malformed("an impossible index")


READERS: dict[str, Reader] = {tag: partial(read, tag) for tag in TAGS}
