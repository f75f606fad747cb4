"""Containers on the wire: lists, tuples, sets, dicts and their kin of `collections`.

Whoever chooses the numbers in a set chooses their hashes, too: `hash(k * (2**61 - 1))` is 0 for each whole `k`, and 2**n tuples of
n numbers that are -1 or -2 have one hash. Thousands of such keys make each look-up a walk through all of them, so they are counted first.
"""

from __future__ import annotations

import collections
import decimal
import fractions
import functools
from collections.abc import Iterable
from typing import Any

from nbjudge._wire.coding import BaseDecoder, BaseEncoder, Reader
from nbjudge._wire.errors import Malformed, Refused, WorkFault

MOST_ALIKE = 100  # different keys with one hash; by chance there are hardly ever two
MOST_FIELDS = 255
FIELD = "field "  # kinds of values that can pass for what they are not, see `Judge`: a function in a field `equals` would judge itself
NO_FIELD = (
    "Your code gives a named tuple with a field `{name}`, where the exercise has another kind of value, whose `{name}` the test asks for. "
    "Give the kind of value that the exercise names."
)
FACTORIES = {kind.__name__: kind for kind in (int, float, complex, str, list, tuple, set, dict, bool)}
CHOSEN = (int, tuple, frozenset, fractions.Fraction, decimal.Decimal)  # values whose hash is easily chosen
KEYS, VALUES, ITEMS = (
    (type(view({})), type(view(collections.OrderedDict()))) for view in (lambda d: d.keys(), lambda d: d.values(), lambda d: d.items())
)
NAMED_TUPLE_METHODS = {
    "_make",
    "_replace",
    "_asdict",
    "_fields",
    "_field_defaults",
    "__getnewargs__",
    "__new__",
    "__repr__",
    "__slots__",
    "__match_args__",
    "__doc__",
    "__module__",
    "__annotations__",
    "__orig_bases__",
    "__replace__",
    "__dict__",
    "__static_attributes__",
    "__firstlineno__",
    "__weakref__",
}


def encode(encoder: BaseEncoder, value: Any, kind: type, depth: int) -> list[Any] | None:
    """The JSON form of a container, or None for any other value. Raises `Refused`."""
    if kind is collections.Counter:
        return ["Counter", _pairs(encoder, value, depth)]
    if kind is collections.defaultdict:
        factory = value.default_factory
        return ["defaultdict", _factory(encoder, factory, depth), _pairs(encoder, value, depth)]
    if kind is collections.deque:
        return ["deque", value.maxlen, encoder.items(value, depth)]
    if kind in KEYS or kind in VALUES:
        return ["keys" if kind in KEYS else "values", encoder.items(value, depth)]
    if kind in ITEMS:
        return ["items", [[encoder.encode(k, depth + 1), encoder.encode(v, depth + 1)] for k, v in value]]
    if is_plain_named_tuple(kind):
        return ["namedtuple", kind.__name__, list(kind._fields), encoder.items(tuple.__iter__(value), depth)]  # type: ignore[attr-defined]
    return None


def _factory(encoder: BaseEncoder, factory: Any, depth: int) -> Any:
    """What makes the missing values of a defaultdict: by its name, or as the function that it is; nothing where that cannot travel."""
    if isinstance(factory, type) and FACTORIES.get(name := str(factory.__name__)) is factory:
        return name
    try:
        return encoder.encode(factory, depth + 1)
    except Refused:
        return None


def is_plain_named_tuple(kind: type) -> bool:
    """Whether `kind` is a named tuple with nothing of its own but names."""
    if kind.__mro__[1:] != (tuple, object) or not isinstance(fields := getattr(kind, "_fields", None), tuple):
        return False
    if not all(type(field) is str for field in fields) or len(fields) > MOST_FIELDS:
        raise Refused(f"a named tuple may have at most {MOST_FIELDS} fields, with plain names")
    return vars(kind).keys() <= NAMED_TUPLE_METHODS | set(fields)


def _pairs(encoder: BaseEncoder, value: dict[str, Any], depth: int) -> list[Any]:
    return [[encoder.encode(key, depth + 1), encoder.encode(item, depth + 1)] for key, item in value.items()]


def checked(keys: list[Any]) -> list[Any]:
    """`keys`, when no more than a hundred different ones have the same hash. Raises `Malformed`."""
    if len(keys) > MOST_ALIKE:
        counts = collections.Counter(map(hash, keys))
        different: dict[int, list[Any]] = {number: [] for number, count in counts.items() if count > MOST_ALIKE}
        for key in keys if different else ():
            known = different.get(hash(key))
            if known is not None and not any(key is other or key == other for other in known):
                known.append(key)
                if len(known) > MOST_ALIKE:
                    raise Malformed(f"more than {MOST_ALIKE} different values share one hash, which makes sets and dicts slow")
    return keys


def plausible(items: list[Any]) -> list[Any]:
    """`items` of a list, which a test may well put into a set: see `checked`. Of small numbers and text nobody chooses the hash."""
    if len(items) > MOST_ALIKE:
        small = 2**53
        checked([item for item in items if issubclass(type(item), CHOSEN) and not (type(item) is int and abs(item) < small) and _is_hashable(item)])
    return items


def _is_hashable(item: Any) -> bool:
    try:
        hash(item)
    except TypeError:
        return False
    return True


@functools.lru_cache(maxsize=256)
def named_tuple(name: str, fields: tuple[str, ...]) -> type:
    """A named tuple's class. `collections.namedtuple` itself refuses names that are no identifiers, before it uses them."""
    return collections.namedtuple(name, fields)


def _read_named_tuple(decoder: BaseDecoder, rest: list[Any], depth: int) -> tuple[Any, ...]:
    name, fields, nodes = rest
    if not all(type(word) is str and len(word) <= 100 and word.isascii() for word in [name, *fields]) or len(fields) > MOST_FIELDS:
        raise Malformed("an impossible named tuple")
    value = named_tuple(name, tuple(fields))(*decoder.items(nodes, depth))
    barred = [field for field in fields if not decoder.may(FIELD + field)]
    return decoder.plainer(_without_names(tuple(barred))(value), value) if barred else value


@functools.lru_cache(maxsize=256)
def _without_names(barred: tuple[str, ...]) -> type:
    """A tuple without the names of its fields, which says so to whoever asks for one of these. What a tuple has by itself stays.

    Not `__slots__`: it knows the named tuple that it was.
    """

    def __getattr__(self: Any, name: str) -> Any:
        if name in barred:
            raise WorkFault(NO_FIELD.format(name=name))
        raise AttributeError(f"'tuple' object has no attribute '{name}'")

    return type("tuple", (tuple,), {"__module__": "builtins", "__getattr__": __getattr__})


def _read_pairs(decoder: BaseDecoder, nodes: Any, depth: int) -> Iterable[tuple[Any, Any]]:
    pairs = [(decoder.read(key, depth + 1), decoder.read(value, depth + 1)) for key, value in nodes]
    checked([key for key, _ in pairs])
    return pairs


def _read_default_dict(decoder: BaseDecoder, rest: list[Any], depth: int) -> dict[str, Any]:
    name, nodes = rest
    factory = FACTORIES[name] if isinstance(name, str) else decoder.read(name, depth + 1)
    return collections.defaultdict(factory, _read_pairs(decoder, nodes, depth))


def _read_deque(decoder: BaseDecoder, rest: list[Any], depth: int) -> collections.deque[Any]:
    longest, nodes = rest
    if longest is not None and (type(longest) is not int or longest < 0):
        raise Malformed("an impossible deque")
    return collections.deque(decoder.items(nodes, depth), longest)


READERS: dict[str, Reader] = {
    "list": lambda decoder, rest, depth: plausible(decoder.items(rest[0], depth)),
    "tuple": lambda decoder, rest, depth: tuple(plausible(decoder.items(rest[0], depth))),
    "long_list": lambda decoder, rest, depth: decoder.long(rest),
    "long_tuple": lambda decoder, rest, depth: tuple(decoder.long(rest)),
    "iterator": lambda decoder, rest, depth: iter(plausible(decoder.items(rest[0], depth))),
    "set": lambda decoder, rest, depth: set(checked(decoder.items(rest[0], depth))),
    "frozenset": lambda decoder, rest, depth: frozenset(checked(decoder.items(rest[0], depth))),
    "dict": lambda decoder, rest, depth: dict(_read_pairs(decoder, rest[0], depth)),
    "OrderedDict": lambda decoder, rest, depth: collections.OrderedDict(_read_pairs(decoder, rest[0], depth)),
    "Counter": lambda decoder, rest, depth: collections.Counter(dict(_read_pairs(decoder, rest[0], depth))),
    "keys": lambda decoder, rest, depth: dict.fromkeys(checked(decoder.items(rest[0], depth))).keys(),
    "values": lambda decoder, rest, depth: dict(enumerate(decoder.items(rest[0], depth))).values(),
    "items": lambda decoder, rest, depth: dict(_read_pairs(decoder, rest[0], depth)).items(),
    "defaultdict": _read_default_dict,
    "deque": _read_deque,
    "namedtuple": _read_named_tuple,
}
