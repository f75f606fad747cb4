"""Plain values that can pass for what they are not: masked arrays, missing values, functions among plain values, names of named tuples.

A masked array equals whatever it hides, and a named tuple's field `equals` can hold a function of the student's, which says what it likes.
Such a value is what it is only where the instructor's own solution gives such a value, too: in the same test, at the same place. That is
known from running the solution (see `nbjudge._execution.solution_values`), because no text tells what a library returns. Elsewhere a
plainer value that says the same takes its place; where there is none, a `Withheld`, which ends the test when it is used. Either is
itself again in calls of the student's functions.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from nbjudge._analysis.answering_classes import JUDGING
from nbjudge._proxies.copies import content_of
from nbjudge._wire import arrays, tables
from nbjudge._wire.containers import FIELD
from nbjudge._wire.errors import WorkFault

FUNCTION, IN_ARRAY, THING = "function", "in array", "thing"  # the last one: any function, class or object of the student's
MOST_ORIGINALS = 1000
MASKED = "a masked array, which equals whatever it hides: give a plain array, for example its `.filled(0)`"
NA = "a missing value (`pd.NA`), which comparisons leave out: give a plain column, for example its `.to_numpy(float, na_value=np.nan)`"
WORDS = {
    arrays.HIDDEN: MASKED,
    arrays.ALL_HIDDEN: MASKED,
    tables.MISSING: NA,
    tables.ALL_MISSING: NA,
    FUNCTION: "a function or class, where the test looks for plain values: give the values themselves",
    IN_ARRAY: "an array or table that holds functions or objects: put numbers or text in it",
}
STRONGER = {arrays.HIDDEN: arrays.ALL_HIDDEN, tables.MISSING: tables.ALL_MISSING}  # whoever gives this one may give that one
SAYS = "{place} {word} {kind}. No solution is known that gives something of that kind here."

Doubt = tuple[str, str, str]  # test cell, place, kind


@dataclass
class Doubts:
    """What the values of one notebook are that its tests have met, and what they may be.

    Args:
        given: what the solution's are; None where this is the solution itself, which may be anything.
        trusted: see `nbjudge._analysis.answering_classes`.
        test: the test cell that runs now.
        met: what was there, of the solution; what may not be there, of a student.
    """

    given: frozenset[Doubt] | None = frozenset()
    trusted: frozenset[str] = frozenset()
    test: str = ""
    met: set[Doubt] = field(default_factory=set)
    _originals: dict[int, tuple[weakref.ref[Any], Any, list[bytes] | None]] = field(default_factory=dict)

    def may(self, place: str, kind: str) -> bool:
        """Whether there may be something of this kind at this place."""
        enough = {(self.test, place, one) for one in self._enough(kind)}
        if self.given is None:
            self.met.add((self.test, place, kind))
            return True
        if enough & self.given:
            return True
        self.met |= enough
        return False

    def has(self, place: str, kind: str) -> None:
        """There is something of this kind in the solution."""
        if self.given is None:
            self.met.add((self.test, place, kind))

    def _enough(self, kind: str) -> list[str]:
        """The kinds of which the solution has to give one."""
        name = kind.removeprefix(FIELD)
        like_object = kind in (FUNCTION, IN_ARRAY) or (name != kind and (name not in JUDGING or f".{name}" in self.trusted))
        return [kind, *([STRONGER[kind]] if kind in STRONGER else []), *([THING] if like_object else [])]

    def plainer(self, value: Any, original: Any) -> Any:
        """`value`, which stands for `original` in the test."""
        if isinstance(value, tuple):
            vars(value)["_original"] = original
            return value
        self._originals[id(value)] = weakref.ref(value), original, content_of(value)
        while len(self._originals) > MOST_ORIGINALS:
            del self._originals[next(iter(self._originals))]
        return value

    def unwrapped(self, value: Any) -> Any:
        """What the student's code gave, where it is withheld; else `value`."""
        return self.original_of(value) if type(value) is Withheld else value

    def original_of(self, value: Any) -> Any:
        """What the student's code gave, where `value` stands for it and the test has not changed it; else `value`."""
        if type(value) is Withheld:
            return object.__getattribute__(value, "_original")
        if type(value) is not tuple and issubclass(type(value), tuple):
            return getattr(value, "__dict__", {}).get("_original", value)
        known, original, content = self._originals.get(id(value), (None, None, None))
        return original if known is not None and known() is value and content is not None and content_of(value) == content else value


@dataclass(frozen=True)
class Place:
    """Where a value stands: what a function returned, what a name is. A `nbjudge._wire.coding.Judge`.

    Args:
        label: what it has the value from, for sentences.
        word: what that did with the value: it "returned" or "gave" it, or "is" it.
    """

    doubts: Doubts
    label: str
    word: str

    def may(self, kind: str) -> bool:
        """See `Doubts`."""
        return self.doubts.may(f"{self.label} {self.word}", kind)

    def has(self, kind: str) -> None:
        """See `Doubts`."""
        self.doubts.has(f"{self.label} {self.word}", kind)

    def plainer(self, value: Any, original: Any) -> Any:
        """See `Doubts`."""
        return self.doubts.plainer(value, original)

    def withheld(self, kind: str, value: Any, is_part: bool) -> Any:
        """What ends the test that uses it."""
        word = f"{self.word} something that holds" if is_part and self.word in ("returned", "gave") else "holds" if is_part else self.word
        return Withheld(value, SAYS.format(place=self.label, word=word, kind=WORDS[kind]))


def _stop(self: Any, *_: Any, **__: Any) -> NoReturn:
    raise WorkFault(object.__getattribute__(self, "_why"))


class Withheld:
    """In the place of a value that may not be there. Whatever a test does with it ends the test with a sentence, but to pass it on."""

    __slots__ = ("__weakref__", "_original", "_why")

    def __init__(self, original: Any, why: str):
        object.__setattr__(self, "_original", original)
        object.__setattr__(self, "_why", why)

    def __repr__(self) -> str:
        return "<a value of the student's>"

    def __hash__(self) -> int:
        if type(object.__getattribute__(self, "_original")).__hash__ is None:
            _stop(self)
        return object.__hash__(self)

    __class__ = property(_stop)  # what isinstance asks


_NAMES: tuple[str, ...] = (
    *("getattribute", "setattr", "delattr", "bool", "len", "iter", "next", "reversed", "contains", "getitem", "setitem", "delitem", "call"),
    *("eq", "ne", "lt", "le", "gt", "ge", "int", "float", "complex", "index", "bytes", "format", "round", "trunc", "floor", "ceil", "abs", "neg"),
    *("pos", "invert", "enter", "exit", "copy", "deepcopy", "reduce", "reduce_ex", "array", "array_ufunc", "array_function", "dir", "fspath"),
    *(
        f"{sign}{name}"
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "divmod", "and", "or", "xor", "lshift", "rshift")
        for sign in ("", "r", "i")
    ),
)
_stops: Callable[..., NoReturn] = _stop
for _name in _NAMES:
    setattr(Withheld, f"__{_name}__", _stops)
