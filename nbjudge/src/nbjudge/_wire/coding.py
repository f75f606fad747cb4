"""The wire: plain values as JSON plus raw array bytes, rebuilt with exact types.

A message is a list of buffers: the first is JSON, the others are the bytes it refers to. What comes from a student kernel
is checked as if an enemy had written it: nothing is unpickled, no name is imported, sizes are compared before memory is
taken. A value is written as itself (None, bool, str, small int, finite float) or as `[tag, ...]`. This module knows what Python itself
writes in JSON; the other kinds of values have modules of their own, which `codec` puts together.
"""

import array
import collections
import itertools
import json
import math
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from nbjudge._wire.errors import GraderError, Malformed, Refused
from nbjudge._wire.limits import MB

DEEPEST, MOST_PARTS, MOST_JSON = 100, 200_000, 8 * MB
READ = b"bytes that have been read"
READ_AT_ONCE = 1000  # items of an iterator, where the others can be asked for
LONG, MOST_LONG = 64, 4_000_000  # from so many items of one kind on, they travel as bytes; and how many there may be in a message
WORD = re.compile(r"\w{1,64}", re.ASCII)  # a text that is the same object wherever it stands
CODES = {int: "q", float: "d", bool: "b", str: "q"}  # of Python's `array`; of texts, their lengths
# Floats that notebooks call by name are the same object again, as `x is np.nan` and `[1.0, np.nan] == [1.0, np.nan]` ask for.
NAMED_FLOATS = {"numpy.nan": np.nan, "math.nan": math.nan, "numpy.inf": np.inf, "math.inf": math.inf}
_NAMES = {id(value): name for name, value in NAMED_FLOATS.items()}
NAMED_NANS = {0x7FF8_0000_0000_0001: np.nan, 0x7FF8_0000_0000_0002: math.nan}  # by the bits that stand for them among many numbers
_BITS = {id(value): bits for bits, value in NAMED_NANS.items()}
SMALL = 2**53  # whole numbers up to here are written as they are; JSON readers elsewhere have no larger ones
WHOLE = ("objects", "matrix", "masked", "sparse", "graded", "complex", "range")
BUILTIN: tuple[Iterable[Any], ...] = ([], (), "", b"", {}, set(), range(1))
ITERATORS = (
    types.GeneratorType,
    zip,
    map,
    filter,
    enumerate,
    reversed,
    *{type(iter(collection)) for collection in BUILTIN},
    *(kind for kind in vars(itertools).values() if isinstance(kind, type)),
)

# Which containers are one and the same is told, too: `rows = [[0] * 3] * 3`, a result that is an argument. They are counted at both ends in the
# order in which they are complete, but for those inside of values of other kinds.
HOLDING: frozenset[Any] = frozenset(
    {list, tuple, set, frozenset, dict, collections.OrderedDict, collections.Counter, collections.defaultdict, collections.deque, *ITERATORS}
)
HOLDING_TAGS = frozenset({*(kind.__name__ for kind in HOLDING if kind not in ITERATORS), "iterator", "long", "long_list", "long_tuple"})
CONTAINERS = frozenset({"list", "long_list", "dict", "set", "array", "objects", "records", "tensor", "parameter", "graded", "lent"})  # by their tags
SAME = "same"


def is_container(kind: type) -> bool:
    """Whether values of this kind have content that may be changed in place, and are written with one of these tags."""
    return kind in (list, dict, set, np.ndarray) or (kind.__name__ in ("Tensor", "Parameter") and kind.__module__ in ("torch", "torch.nn.parameter"))


OnObject = Callable[[Any, list[Any]], Any]
Writer = Callable[["BaseEncoder", Any, type, int], "list[Any] | None"]  # encoder, value, its type, depth: None for a value that is not its kind
Reader = Callable[["BaseDecoder", list[Any], int], Any]  # decoder, what comes behind the tag, depth


class Judge(Protocol):
    """Decides about values that can pass for what they are not: where a masked array stands, or a missing value, a check finds nothing wrong."""

    def may(self, kind: str) -> bool:
        """Whether a value of this kind may stand where the value is that is read now."""
        ...

    def has(self, kind: str) -> None:
        """Take note that there is something of this kind."""
        ...

    def plainer(self, value: Any, original: Any) -> Any:
        """`value`, which says the same as `original` and is plainer. Remembers the original, which the student's own functions may want."""
        ...

    def withheld(self, kind: str, value: Any, is_part: bool) -> Any:
        """What stands in the place of `value`, which may not be there."""
        ...


class BaseEncoder:
    """Writes one message, with the kinds of values that `writers` write. `on_object(value, buffers)` writes whatever else there is, or raises
    `Refused`.

    Iterators are read to their end, unless `lazy`: then they are objects, too. Where `rest_of` is set, a long one is not: it may have no end.
    """

    writers: ClassVar[tuple[Writer, ...]] = ()

    def __init__(self, on_object: OnObject, most_bytes: int, lazy: bool = False, rest_of: Callable[[Any], int] | None = None):
        self.buffers: list[bytes] = [b""]
        self.slopes = True  # whether gradients go with the tensors that have them
        self.rest_of = rest_of  # gives the number under which more of a long iterator can be asked for
        self.original_of: Callable[[Any], Any] = lambda value: value  # what a value was before a `Judge` had something else in its place
        self.number_of: Callable[[Any], int | None] = lambda value: None  # of an object that the other end has lent
        self.lend: Callable[[Any], int | None] = lambda value: None  # the number of a tensor that the other end may change in place
        self.spare: Callable[[Any, int], bool] = lambda value, number: False  # whether it goes along as a value, too
        self.places: list[Any] = []  # the containers of the values so far
        self.known: dict[int, int] | None = None  # the place of each by its id, where it is told which ones are the same
        self._inside = 0  # of how many values of other kinds
        self._on_object, self._bytes_left, self._parts_left, self._lazy = on_object, most_bytes, MOST_PARTS, lazy
        self._long_left = MOST_LONG

    def allow(self, most_bytes: int) -> None:
        """Let the message, in which nothing is yet, have so many bytes."""
        self._bytes_left = most_bytes

    def finish(self, document: Any) -> list[bytes]:
        """All buffers of the message whose JSON is `document`, made of results of `encode`."""
        self.buffers[0] = json.dumps(document, allow_nan=False).encode()
        if len(self.buffers[0]) > MOST_JSON:
            raise Refused("the value is too large to send: use arrays for large data")
        return self.buffers

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The JSON form of `value`; raises `Refused` with a sentence for the student."""
        self._parts_left -= 1
        if depth > DEEPEST:
            raise Refused(f"the value is nested more than {DEEPEST} levels deep, or contains itself")
        if self._parts_left < 0:
            raise Refused(f"the value has more than {MOST_PARTS} parts: use an array for large data")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            self.spend(len(value))
            return value
        if kind is int:
            return value if abs(value) < SMALL else ["int", self.big(value)]
        if kind is float:
            return value if math.isfinite(value) else ["float", _NAMES.get(id(value), repr(value))]
        return self._encode_rest(value, kind, depth)

    def items(self, values: Any, depth: int) -> list[Any]:
        """The JSON forms of all `values`, which are parts of a value at `depth`."""
        return [self.encode(item, depth + 1) for item in values]

    def _encode_rest(self, value: Any, kind: type, depth: int) -> Any:
        if (original := self.original_of(value)) is not value:
            value, kind = original, type(original)
        if (number := self.number_of(value)) is not None:
            return ["yours", number, *([self._encode_value(value, kind, depth)] if self.spare(value, number) else [])]
        return self._encode_value(value, kind, depth)

    def _encode_value(self, value: Any, kind: type, depth: int) -> Any:
        is_other, is_placed = kind not in HOLDING, is_container(kind) and not self._inside
        self._inside += is_other
        try:
            node = self._encode_parts(value, kind, depth)
        finally:
            self._inside -= is_other
        if is_placed:
            self.places.append(value)
            if self.known is not None and self.known.setdefault(id(value), len(self.places) - 1) != len(self.places) - 1:
                return [SAME, self.known[id(value)], node]
        return node

    def same_as(self, places: list[Any]) -> None:
        """From now on tell where a container is one of these, or one before it."""
        self.places, self.known = [*places], {id(value): place for place, value in reversed([*enumerate(places)])}

    def _encode_parts(self, value: Any, kind: type, depth: int) -> Any:
        if kind in (list, tuple) and len(value) >= LONG and (long := self._long(value, kind)) is not None:
            return long
        if kind in (list, tuple, set, frozenset):
            return [kind.__name__, self.items(value, depth)]
        if kind in (dict, collections.OrderedDict):
            return [kind.__name__, [[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items()]]
        if kind in ITERATORS and not self._lazy:
            first = list(itertools.islice(value, READ_AT_ONCE + 1)) if self.rest_of else value
            if self.rest_of and len(first) > READ_AT_ONCE:
                return ["long", self.items(first, depth), self.rest_of(value)]
            return ["iterator", self.items(first, depth)]
        for write in self.writers:
            if (encoded := write(self, value, kind, depth)) is not None:
                return encoded
        return self._on_object(value, self.buffers)

    def _long(self, value: list[Any] | tuple[Any, ...], kind: type) -> list[Any] | None:
        """A long list or tuple of small whole numbers, of other numbers, of truths or of texts alone, as bytes; None for any other."""
        kinds = set(map(type, value))
        if len(kinds) > 1 or (of := kinds.pop()) not in CODES or (of is int and not -SMALL < min(value) <= max(value) < SMALL):
            return None
        self._long_left -= len(value)
        if self._long_left < 0:
            raise Refused(f"the value has lists of more than {MOST_LONG} items: use an array for large data")
        numbers = array.array(CODES[of], map(len, value) if of is str else value)
        if of is float:
            _mark_nans(np.frombuffer(numbers), value)
        texts = [self.buffer("".join(value).encode("utf-8", "surrogatepass"))] if of is str else []
        return ["long_" + kind.__name__, of.__name__, self.buffer(numbers.tobytes()), *texts]

    def big(self, value: int) -> str:
        """A whole number of any size as text."""
        if value.bit_length() > 8192:
            raise Refused(f"a whole number of {value.bit_length()} bits is too large to send")
        return hex(value)

    def buffer(self, data: bytes) -> int:
        """The number of a new buffer that holds `data`."""
        self.spend(len(data))
        self.buffers.append(data)
        return len(self.buffers) - 1

    def spend(self, amount: int, count: bool = True) -> None:
        """Take `amount` bytes of those that the message may have. Raises `Refused` where there are not so many."""
        if amount > self._bytes_left:
            raise Refused(f"the value is too large to send ({amount / MB:.0f} MB)")
        if count:
            self._bytes_left -= amount


class BaseDecoder:
    """Reads one message, with the kinds of values that `readers` read, by their tags. `tags` adds readers for further tags: each gets the rest
    of the list.

    The bytes of a buffer are read once, by whichever decoder of the message that is, as they are written once: a thousand arrays that
    name one buffer would be a thousand times its size.

    Where a `judge` is given, it is asked about values that can pass for what they are not. Without one they are read as they are.
    """

    readers: ClassVar[Mapping[str, Reader]] = {}

    def __init__(self, buffers: list[bytes], tags: dict[str, Callable[..., Any]], judge: Judge | None = None):
        self._buffers, self._tags, self._parts_left, self._judge = buffers, tags, MOST_PARTS * 2, judge
        self._long_left = MOST_LONG
        self.places: list[Any] = []  # the containers of the values so far
        self.alike: Callable[[Any, Any], bool] = lambda one, other: False  # whether two containers hold the same
        self._inside = 0  # of how many values of other kinds
        self._around: list[str] = []  # tags of the value that is read now, and of what it is a part of
        self._doubts: list[str] = []  # kinds of what may not stand in the value that is read now

    def document(self) -> Any:
        """The message's JSON; raises `Malformed`."""
        try:
            if len(self._buffers[0]) > MOST_JSON:
                raise Malformed("the answer is too large")
            return json.loads(self._buffers[0])
        except (ValueError, RecursionError, IndexError, MemoryError) as error:
            raise Malformed("the answer is not in the form that the grader expects") from error

    def decode(self, node: Any) -> Any:
        """The value that `node` stands for; raises `Malformed`."""
        try:
            return self.read(node, 0)
        except GraderError:
            raise
        except Exception as error:  # libraries have errors of their own, and one that says "ImportError" is none of a test's
            raise Malformed(f"a value is not what it says ({type(error).__name__})") from error

    def read(self, node: Any, depth: int) -> Any:
        """As `decode`, for a part of a value at `depth`; raises whatever is wrong with it."""
        self._parts_left -= 1
        if depth > DEEPEST or self._parts_left < 0:
            raise Malformed("the answer is nested too deeply or has too many parts")
        if not isinstance(node, list):
            if isinstance(node, dict):
                raise Malformed("an object stands where a value belongs")
            if type(node) is int and abs(node) >= SMALL:
                raise Malformed("a large number is not written as one")
            if self._judge is None and type(node) is str and WORD.fullmatch(node):
                return sys.intern(node)  # as in a notebook's own code, where `kind is "mean"` holds
            return node
        tag, *rest = node
        if tag == SAME:
            place, part = rest
            return self._same(place, part, depth)
        if self._judge is None:
            return self._read(tag, rest, depth)
        outside, self._doubts = self._doubts, []
        self._around.append(tag)
        value = self._read(tag, rest, depth)
        found, self._doubts = self._doubts, outside
        if found and is_whole(self.stands_in):
            self._doubts += found
        elif found:
            value = self._judge.withheld(found[0], value, bool(self.stands_in))
        self._around.pop()
        return value

    def forget(self) -> None:
        """Hold no value any more: what reads tags often holds the decoder, and both would stay until Python looks for cycles."""
        self.places, self._tags = [], {}

    @property
    def judges(self) -> bool:
        """Whether somebody is asked what may stand where."""
        return self._judge is not None

    @property
    def stands_in(self) -> str:
        """The tag of what the value that is read now is a part of, or ""."""
        return self._around[-2] if len(self._around) > 1 else ""

    def may(self, kind: str) -> bool:
        """Whether the value that is read now may be of this kind, which can pass for what it is not."""
        return self._judge is None or self._judge.may(kind)

    def doubt(self, kind: str) -> None:
        """The value that is read now is of this kind. Where it may not be, something else takes its place: see `Judge`."""
        if not self.may(kind):
            self._doubts.append(kind)

    def plainer(self, value: Any, original: Any) -> Any:
        """`value`, which stands in the place of `original` for whoever reads it: if it goes back unchanged, it is the original again."""
        return value if self._judge is None else self._judge.plainer(value, original)

    def note(self, kind: str) -> None:
        """The value that is read now has something of this kind in it, for whoever wants to know."""
        if self._judge is not None:
            self._judge.has(kind)

    def _same(self, place: Any, node: Any, depth: int) -> Any:
        """The container that was read, or passed, before, if that holds the same; else another one."""
        value = self.read(node, depth)
        known = self.places[place] if type(place) is int and 0 <= place < len(self.places) - 1 else None
        return known if type(known) is type(value) and is_container(type(value)) and self.alike(known, value) else value

    def _read(self, tag: Any, rest: list[Any], depth: int) -> Any:
        is_other, is_placed = tag not in HOLDING_TAGS, tag in CONTAINERS and not self._inside
        self._inside += is_other
        try:
            value = self._read_parts(tag, rest, depth)
        finally:
            self._inside -= is_other
        if is_placed:
            self.places.append(value)
        return value

    def _read_parts(self, tag: Any, rest: list[Any], depth: int) -> Any:
        if tag in self._tags:
            return self._tags[tag](*rest)
        if tag in self.readers:
            return self.readers[tag](self, rest, depth)
        match tag, rest:
            case "int", [str(text)] if len(text) < 2100:
                return int(text, 16)
            case "float", [("nan" | "inf" | "-inf") as text]:
                return float(text)
            case "float", [str(name)] if name in NAMED_FLOATS:
                return NAMED_FLOATS[name]
        raise Malformed("an unknown kind of value")

    def items(self, nodes: Any, depth: int) -> list[Any]:
        """The values of a list of nodes, which are parts of a value at `depth`."""
        if not isinstance(nodes, list):
            raise Malformed("a list is missing")
        return [self.read(node, depth + 1) for node in nodes]

    def long(self, rest: list[Any]) -> list[Any]:
        """The items of a long list or tuple that travelled as bytes. Raises `Malformed`."""
        match rest:
            case [("int" | "float" | "bool" | "str") as kind, int(number), *texts] if len(texts) == (kind == "str"):
                numbers = array.array(next(code for of, code in CODES.items() if of.__name__ == kind))
                raw = self.raw(number)
                self._long_left -= len(raw) // numbers.itemsize
                if self._long_left < 0:
                    raise Malformed("the answer has too many parts")
                numbers.frombytes(raw)
                if kind == "str":
                    return self._texts(numbers, self.raw(texts[0]))
                items = numbers.tolist()
                if kind == "int" and items and not -SMALL < min(items) <= max(items) < SMALL:
                    raise Malformed("a large number is not written as one")
                if kind == "float":
                    _named_nans(np.frombuffer(numbers), items)
                return [item != 0 for item in items] if kind == "bool" else items
        raise Malformed("an impossible list")

    @staticmethod
    def _texts(lengths: "array.array[int]", raw: bytes) -> list[str]:
        text = raw.decode("utf-8", "surrogatepass")
        if any(length < 0 for length in lengths) or sum(lengths) != len(text):
            raise Malformed("an impossible list")
        ends = itertools.accumulate(lengths)
        return [text[end - length : end] for length, end in zip(lengths, ends, strict=True)]

    def raw(self, number: Any) -> bytes:
        """The bytes of a buffer, which are gone from then on."""
        if type(number) is not int or not 0 < number < len(self._buffers) or self._buffers[number] is READ:
            raise Malformed("bytes are missing")
        data, self._buffers[number] = self._buffers[number], READ
        return data


def _mark_nans(numbers: np.ndarray, values: Sequence[float]) -> None:
    """Writes which of the named NaNs the `values` are into the bits of `numbers` that a NaN leaves free."""
    for index in np.flatnonzero(np.isnan(numbers)).tolist():
        if bits := _BITS.get(id(values[index])):
            numbers.view(np.int64)[index] = bits


def _named_nans(numbers: np.ndarray, values: list[Any]) -> None:
    """Puts the named NaNs among the `values` that these bits of `numbers` stand for."""
    for index in np.flatnonzero(np.isnan(numbers)).tolist():
        values[index] = NAMED_NANS.get(int(numbers.view(np.int64)[index]), values[index])


def is_whole(tag: str) -> bool:
    """Whether what has this tag is one value, whatever its parts are: an array, a table. A part of it cannot be held back alone."""
    return tag in WHOLE or tag.startswith("pd_")


def going_on(first: list[Any], more: Callable[[], list[Any]]) -> Iterator[Any]:
    """A long iterator at the other end: the items that came with a message, and then those that `more` gives, until it gives none."""
    yield from first
    while items := more():
        yield from items
