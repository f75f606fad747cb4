"""Whether an object that is lent still holds what it held, told in a fraction of the time that comparing all of it takes."""

from __future__ import annotations

import collections
import functools
import operator
import types
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

import numpy as np

from nbjudge._wire import arrays
from nbjudge._wire.lent_parts import CONSTANT, DEEPEST, MAPPINGS, OF_LIBRARIES, in_cells, is_learned, is_of_a_library, made_by_a_library
from nbjudge._wire.limits import MB

T = TypeVar("T")
NumberOf = Callable[[Any], int | None]
Form = tuple[Any, ...]
Look = tuple[np.ndarray, Form, bytes]  # its memory, all else of it, and its numbers

MOST_BYTES = MB  # of the arrays of one object, which are there once more then


class Unchanged:
    """What an object held when this was made: which things, by identity, and of those that change in place what is in them.

    Something may look new that is equal: then whoever asks compares. What looks unchanged is. An object with anything in it of which that
    cannot be told, or with large arrays, always looks new: `is_known` is False.

    Args:
        value: the object that is lent.
        number_of: of another object that is lent, which has one of these itself.
    """

    def __init__(self, value: Any, number_of: NumberOf):
        self._kind, self._bytes_left = type(value), MOST_BYTES
        self._mappings: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = []
        self._lists: list[tuple[list[Any], tuple[Any, ...]]] = []
        self._empty: list[Any] = []
        self._sets: list[tuple[set[str], frozenset[str]]] = []
        self._arrays: list[tuple[Any, Look]] = []
        self._functions: list[tuple[Any, types.CodeType, Any, tuple[Any, ...], dict[str, Any]]] = []
        self._state: dict[str, Any] | None = None
        self._own: Look | None = None
        if is_learned(value):  # which is not held itself, so that it ends with whoever else holds it
            self._own = self._look(value)
            self.is_known = self._own is not None and (value.grad is None or self._knows_array(value.grad))
        else:
            self._state = getattr(value, "__dict__", None)
            self.is_known = self._state is not None and _is_its_attributes(self._kind) and self._knows(self._state, number_of)

    def holds(self, value: Any) -> bool:
        """Whether nothing of the object has changed."""
        return (
            self.is_known
            and type(value) is self._kind
            and (is_same(value, *self._own) if self._own is not None else vars(value) is self._state)
            and not any(self._empty)
            and all(_are_same(now, names) and all(map(operator.is_, now.values(), items)) for now, names, items in self._mappings)
            and all(_are_same(now, items) for now, items in self._lists)
            and all(now == before for now, before in self._sets)
            and all(is_same(array, *before) for array, before in self._arrays)
            and all(
                now.__code__ is code
                and now.__defaults__ is defaults
                and not (vars(now) or now.__kwdefaults__)
                and _are_same(in_cells(now), held)
                and all(now.__globals__.get(name) is one for name, one in used.items())
                for now, code, defaults, held, used in self._functions
            )
        )

    def _knows(self, part: Any, number_of: NumberOf, depth: int = 0) -> bool:
        """Note a part, and say whether its changes can be told."""
        kind = type(part)
        if kind in CONSTANT or kind is float:
            return True
        if kind in MAPPINGS or kind in (list, tuple):
            return depth < DEEPEST and self._knows_items(part, kind, number_of, depth + 1)
        if kind is set and all(type(item) is str for item in part):
            self._sets.append((part, frozenset(part)))
            return True
        if number_of(part) is not None:
            return True
        if any(kind is one for one in OF_LIBRARIES):
            return is_of_a_library(part) or (kind is types.FunctionType and depth < DEEPEST and self._knows_function(part, number_of, depth + 1))
        if kind is functools.partial:
            return depth < DEEPEST and self._knows_items((part.func, part.args, part.keywords, vars(part)), tuple, number_of, depth + 1)
        return kind is types.ModuleType or self._knows_array(part)

    def _knows_items(self, part: Any, kind: type, number_of: NumberOf, depth: int) -> bool:
        if kind is not tuple and not part:
            self._empty.append(part)
        elif kind is list:
            self._lists.append((part, tuple(part)))
        elif kind in (dict, collections.OrderedDict):
            self._mappings.append((part, tuple(part), tuple(part.values())))
            return all(type(name) in CONSTANT for name in part) and all(self._knows(item, number_of, depth) for item in part.values())
        return all(self._knows(item, number_of, depth) for item in part)

    def _knows_function(self, function: Any, number_of: NumberOf, depth: int) -> bool:
        """The same for a function that a library's function has made: what it refers to goes along with it."""
        if (found := made_by_a_library(function)) is None:
            return False
        held, used = found
        self._functions.append((function, function.__code__, function.__defaults__, held, used))
        return all(self._knows(part, number_of, depth) for part in (*held, *(function.__defaults__ or ()), *used.values()))

    def _look(self, array: Any) -> Look | None:
        if (look := look_at(array)) is not None:
            self._bytes_left -= len(look[2])
        return look if self._bytes_left >= 0 else None

    def _knows_array(self, array: Any) -> bool:
        if (before := self._look(array)) is None:
            return False
        self._arrays.append((array, before))
        return type(array) is np.ndarray or array.grad is None or self._knows_array(array.grad)


class Looks:
    """What was made of each object that is lent, for as long as that holds what it held."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Unchanged, Any]] = {}

    def of(self, number: int, thing: Any, number_of: NumberOf, make: Callable[[], T]) -> T:
        """What `make` gives of the object of this number: the same thing as the last time where nothing has changed."""
        if number in self._kept and self._kept[number][0].holds(thing):
            found: T = self._kept[number][1]
            return found
        looked, made = Unchanged(thing, number_of), make()
        if looked.is_known:
            self._kept[number] = looked, made
        else:
            self._kept.pop(number, None)
        return made

    def keep_only(self, alive: Mapping[int, Any]) -> None:
        """Forget the others. What only these looks have held ends with that, and is not in `alive` any more."""
        while gone := self._kept.keys() - {*alive}:
            for number in gone:
                del self._kept[number]


def _are_same(now: Collection[Any] | None, before: tuple[Any, ...]) -> bool:
    return now is not None and len(now) == len(before) and all(map(operator.is_, now, before))


def _is_its_attributes(kind: Any) -> bool:
    """Whether the state of its objects is made of attributes alone. torch's classes leave some of them out."""
    get = kind.__getstate__
    return get is object.__getstate__ or str(getattr(get, "__module__", "")).startswith("torch.")


def look_at(array: Any) -> Look | None:
    """What an array or tensor is now; None where that cannot be told, or is something else."""
    content = arrays.content(array, slopes=False)
    if content is None or not (type(array) is np.ndarray or array.is_leaf):
        return None
    return array if type(array) is np.ndarray else arrays.memory_of(array.detach()), _form_of(array), content[1]


def is_same(array: Any, memory: np.ndarray, form: Form, before: bytes) -> bool:
    """Whether an array is as it was at a look; what a tensor's gradient holds does not count."""
    return _form_of(array) == form and memory.tobytes() == before


def _form_of(array: Any) -> Form:
    """All of an array but the numbers. A tensor whose memory is another one has another address: the first one's is held, and not free."""
    if type(array) is np.ndarray:
        return array.dtype, array.shape, array.strides
    return array.data_ptr(), array.dtype, array.shape, array.stride(), array.requires_grad, array.is_leaf and id(array.grad)
