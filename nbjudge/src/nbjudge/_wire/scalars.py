"""Single values of exact types on the wire: numbers, bytes, dates, paths, and the types that Python brings."""

from __future__ import annotations

import builtins
import collections
import datetime
import decimal
import fractions
import pathlib
import types
import uuid
import zoneinfo
from typing import Any

from nbjudge._wire.coding import BaseDecoder, BaseEncoder, Reader
from nbjudge._wire.errors import Malformed, Refused

MOST_DIGITS = 5000
LONGEST_RANGE = 200_000
PATHS = {kind.__name__: kind for kind in (pathlib.PurePosixPath, pathlib.PureWindowsPath)}
# Whoever catches one of these catches the failures of a test; the others are what they are.
BROAD_ERRORS = (Exception, AssertionError)
PLAIN_TYPES = {
    kind.__name__: kind
    for kind in (
        bool,
        int,
        float,
        complex,
        str,
        bytes,
        bytearray,
        list,
        tuple,
        dict,
        set,
        frozenset,
        range,
        slice,
        object,
        type,
        collections.Counter,
        collections.OrderedDict,
        collections.defaultdict,
        collections.deque,
        fractions.Fraction,
        decimal.Decimal,
        datetime.date,
        datetime.datetime,
        datetime.time,
        datetime.timedelta,
        types.NoneType,
        types.FunctionType,
        types.GeneratorType,
        types.MethodType,
    )
}
PLAIN_TYPES |= {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and kind not in BROAD_ERRORS and kind.__name__ == name
}


def encode(encoder: BaseEncoder, value: Any, kind: type, depth: int) -> list[Any] | None:
    """The JSON form of one of these values, or None for any other. Raises `Refused`."""
    if kind is complex:
        return ["complex", encoder.encode(value.real), encoder.encode(value.imag)]
    if kind in (range, slice):
        return [kind.__name__, encoder.items((value.start, value.stop, value.step), depth)]
    if kind in (bytes, bytearray):
        return [kind.__name__, encoder.buffer(bytes(value))]
    if value is Ellipsis or value is NotImplemented:
        return ["constant", "Ellipsis" if value is Ellipsis else "NotImplemented"]
    if kind is fractions.Fraction:
        return ["Fraction", encoder.big(value.numerator), encoder.big(value.denominator)]
    if kind is decimal.Decimal:
        return ["Decimal", _decimal_text(value)]
    if kind is uuid.UUID:
        return ["UUID", value.hex]
    if kind.__name__ in PATHS and kind is PATHS[kind.__name__]:
        return ["path", kind.__name__, encoder.encode(str(value))]
    if kind.__module__ == "datetime":
        return _encode_date(value, kind)
    if isinstance(value, type) and kind is type and value.__name__ in PLAIN_TYPES and value is PLAIN_TYPES[value.__name__]:
        return ["type", value.__name__]
    return None


def _decimal_text(value: decimal.Decimal) -> str:
    text = str(value)
    if len(text) > MOST_DIGITS or (value.is_finite() and abs(value.adjusted()) > MOST_DIGITS):
        raise Refused(f"a Decimal of more than {MOST_DIGITS} digits is too large to send")
    return text


def _encode_date(value: Any, kind: type) -> list[Any] | None:
    if kind is datetime.date:
        return ["date", value.year, value.month, value.day]
    if kind is datetime.timedelta:
        return ["timedelta", value.days, value.seconds, value.microseconds]
    if kind is datetime.timezone:
        return ["timezone", encode_zone(value)]
    if kind in (datetime.datetime, datetime.time):
        day = [value.year, value.month, value.day] if kind is datetime.datetime else []
        parts = [*day, value.hour, value.minute, value.second, value.microsecond]
        return [kind.__name__, parts, value.fold, encode_zone(value.tzinfo)]
    return None


def encode_zone(zone: datetime.tzinfo | None) -> str | list[Any] | None:
    """A time zone by its name, or its seconds and microseconds from UTC. Raises `Refused`."""
    if zone is None:
        return None
    if type(zone) is zoneinfo.ZoneInfo and zone.key:
        return str(zone.key)
    if type(zone) is datetime.timezone:
        offset = zone.utcoffset(None)
        return [offset.days * 86400 + offset.seconds, offset.microseconds]
    raise Refused("a time zone other than those of zoneinfo and datetime.timezone cannot be sent")


def read_zone(node: Any) -> datetime.tzinfo | None:
    """The time zone that `encode_zone` wrote; raises `Malformed`."""
    match node:
        case None:
            return None
        case [int(seconds), int(microseconds)]:
            return datetime.timezone(datetime.timedelta(seconds=seconds, microseconds=microseconds))
        case str(name) if len(name) <= 64 and name.replace("/", "").replace("_", "").replace("-", "").replace("+", "").isalnum():
            try:
                return zoneinfo.ZoneInfo(name)
            except (zoneinfo.ZoneInfoNotFoundError, OSError):
                pass
    raise Malformed("an unknown time zone")


def _read_date(_: BaseDecoder, rest: list[Any], depth: int) -> datetime.date:
    match rest:
        case [int(year), int(month), int(day)]:
            return datetime.date(year, month, day)
    raise Malformed("an impossible date")


def _read_moment(rest: list[Any], kind: type, parts_wanted: int) -> Any:
    match rest:
        case [list(parts), (0 | 1) as fold, zone] if len(parts) == parts_wanted and all(type(part) is int for part in parts):
            return kind(*parts, tzinfo=read_zone(zone), fold=fold)
    raise Malformed("an impossible time")


def _read_time_delta(_: BaseDecoder, rest: list[Any], depth: int) -> datetime.timedelta:
    match rest:
        case [int(days), int(seconds), int(microseconds)]:
            return datetime.timedelta(days, seconds, microseconds)
    raise Malformed("an impossible time difference")


def _read_fraction(_: BaseDecoder, rest: list[Any], depth: int) -> fractions.Fraction:
    match rest:
        case [str(above), str(below)] if len(above) < 2100 and len(below) < 2100:
            return fractions.Fraction(int(above, 16), int(below, 16))
    raise Malformed("an impossible fraction")


def _read_decimal(_: BaseDecoder, rest: list[Any], depth: int) -> decimal.Decimal:
    match rest:
        case [str(text)] if len(text) <= MOST_DIGITS:
            value = decimal.Decimal(text)
            if not value.is_finite() or abs(value.adjusted()) <= MOST_DIGITS:
                return value
    raise Malformed("an impossible decimal number")


def _read_range(decoder: BaseDecoder, rest: list[Any], depth: int) -> range:
    match decoder.items(rest[0], depth):
        case [int(start), int(stop), int(step)] if len(span := range(start, stop, step)) <= LONGEST_RANGE:
            return span
    raise Malformed("an impossible range")


def _read_complex(decoder: BaseDecoder, rest: list[Any], depth: int) -> complex:
    real, imaginary = decoder.items(rest, depth)
    return complex(float(real), float(imaginary))


def _read_graded(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    """A tensor with its gradient: torch itself refuses one of another shape or type."""
    value, slope = decoder.items(rest, depth)
    value.requires_grad_(True).grad = slope
    return value


READERS: dict[str, Reader] = {
    "complex": _read_complex,
    "range": _read_range,
    "graded": _read_graded,
    "slice": lambda decoder, rest, depth: slice(*decoder.items(rest[0], depth)),
    "bytes": lambda decoder, rest, depth: bytes(decoder.raw(rest[0])),
    "bytearray": lambda decoder, rest, depth: bytearray(decoder.raw(rest[0])),
    "constant": lambda decoder, rest, depth: {"Ellipsis": Ellipsis, "NotImplemented": NotImplemented}[rest[0]],
    "Fraction": _read_fraction,
    "Decimal": _read_decimal,
    "UUID": lambda decoder, rest, depth: uuid.UUID(hex=rest[0]),
    "path": lambda decoder, rest, depth: PATHS[rest[0]](decoder.read(rest[1], depth + 1)),
    "date": _read_date,
    "timedelta": _read_time_delta,
    "timezone": lambda decoder, rest, depth: read_zone(rest[0]),
    "datetime": lambda decoder, rest, depth: _read_moment(rest, datetime.datetime, 7),
    "time": lambda decoder, rest, depth: _read_moment(rest, datetime.time, 4),
    "type": lambda decoder, rest, depth: PLAIN_TYPES[rest[0]],
}
