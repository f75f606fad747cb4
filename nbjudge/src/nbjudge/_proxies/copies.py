"""Lists, dicts, sets and arrays that a test has as copies while a student's kernel has the originals: kept alike.

`x.items.append(1)` in a test has to reach the object, and `x.add(2)` the `x.items` that the test has read before. What was read from an
attribute goes both ways. What a test passed, or a call returned, and the student's code has kept, goes to the kernel only: a student's
code changes nothing of a test's by itself, unless the solution keeps and changes it (see `nbjudge._analysis.mutations`).
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbjudge._proxies import generators, pickling
from nbjudge._proxies.base import handle_of
from nbjudge._wire import arrays
from nbjudge._wire.codec import Encoder
from nbjudge._wire.copied_values import is_container, put_back, state_of
from nbjudge._wire.errors import Refused, WorkFault
from nbjudge._wire.limits import MB
from nbjudge._wire.unchanged import Look, is_same, look_at

MOST_COPIES = 40
MOST_BYTES = 4 * MB  # of one


def content_of(value: Any) -> list[bytes] | None:
    """What a value holds now, to compare with later; None where that cannot be written down."""
    if handle_of(value) is not None:
        return None
    if (quick := arrays.content(value)) is not None:
        return quick
    encoder = Encoder(_by_number, 64 * MB)
    try:
        return encoder.finish(encoder.encode(value))
    except Refused:
        return None


def _by_number(value: Any, buffers: list[Any]) -> list[Any]:
    if handle_of(value) is None:
        try:
            buffers.append(pickling.dumps(value))
        except Exception as error:
            raise Refused(str(error)) from error
    return ["object", id(value)]


@dataclass
class _Copy:
    number: int  # of the original in the student's kernel
    value: Any
    content: list[bytes]  # as both have it
    is_read: bool  # whether the original's changes come back
    is_passed: bool = False  # then only with a call of what changes it in the solution
    _look: Look | None = None  # at an array, when it held this content

    def new_content(self) -> list[bytes] | None:
        """What the test has made of it; None where that is what both have, or cannot be written down."""
        if self._look is not None and is_same(self.value, *self._look):
            return None
        content = content_of(self.value)
        if content != self.content:
            return content
        look = look_at(self.value)  # None for what has no gradient to ask for
        self._look = look if look and getattr(self.value, "grad", None) is None else None
        return None


class Copies:
    """The copies of the test that runs now, the last ones that it got."""

    def __init__(self) -> None:
        self._copies: dict[tuple[int, int], _Copy] = {}  # by original and copy
        self._watched: list[_Copy] = []  # whose originals' changes the last request asked for
        self._generation = 0

    def keep(self, number: Any, value: Any, is_read: bool, is_passed: bool = False) -> Any:
        """Remember that `value` is a copy of the object of this number, and return the copy that the test has of it.

        What is large, or no container, is left alone.
        """
        if type(number) is not int or number < 0 or not is_container(value):
            return value
        for known in self._copies.values():
            if is_read and not is_passed and known.is_read and known.number == number and put_back(known.value, value):
                known.content = content_of(known.value) or []
                return known.value
        content = content_of(value)
        for known in self._copies.values() if content is not None and not is_passed else ():
            if known.number == number and type(known.value) is type(value) and content_of(known.value) == content:
                return known.value  # what the test has of it, or has passed: one list for the student's code, so one here
        if content is not None and sum(map(len, content)) <= MOST_BYTES:
            self._copies[number, id(value)] = _Copy(number, value, content, is_read, is_passed)
            while len(self._copies) > MOST_COPIES:
                del self._copies[next(iter(self._copies))]
        return value

    def keep_arguments(self, kept: Any, places: dict[Any, Any], is_read: Callable[[Any], bool]) -> None:
        """What the test changes of an argument that the student's code has kept changes there, too; and the other way where `is_read`."""
        for place, number in _of_places(kept, places):
            self.keep(number, places[place], is_read(place), is_passed=True)

    def keep_parts(self, owns: Any, items: list[Any]) -> None:
        """What the test changes of a network's parameter that an iterator gave, alone or in a tuple, changes there, too. It takes their places."""
        for about in owns[-MOST_COPIES:] if isinstance(owns, list) else []:
            if not isinstance(about, list) or len(about) != 3:
                continue
            place, part, number = about
            if type(place) is int and 0 <= place < len(items):
                parts = items[place] if isinstance(items[place], tuple) else (items[place],)
                if type(part) is int and 0 <= part < len(parts):
                    kept = self.keep(number, parts[part], is_read=False)
                    items[place] = (*parts[:part], kept, *parts[part + 1 :]) if isinstance(items[place], tuple) else kept

    def has(self, number: int) -> bool:
        """Whether there is a copy of the object of this number."""
        return any(known == number for known, _ in self._copies)

    def of(self, generation: int) -> Copies:
        """Itself, without what was of an older kernel."""
        if generation != self._generation:
            self._copies.clear()
            self._generation = generation
        return self

    def additions(self, encoder: Encoder, is_call: bool, moves: bool) -> dict[str, Any]:
        """What goes with a request: the new content of what the test has changed, and what is to be told when it changes there."""
        self._watched = []
        if not self._copies:
            return {}
        write = []
        for copy in self._copies.values():
            if (content := copy.new_content()) is None:
                continue
            try:
                write.append([copy.number, encoder.encode(copy.value)])
            except Refused:
                continue
            copy.content = content
        if is_call:
            self._watched = [copy for copy in self._copies.values() if copy.is_read and (moves or not copy.is_passed)]
        watch = [copy.number for copy in self._watched]
        return {key: numbers for key, numbers in (("write", write), ("watch", watch)) if numbers}

    def are_changed(self) -> bool:
        """Whether the kernel has to be told of something."""
        return any(copy.new_content() is not None for copy in self._copies.values())

    def take(self, answer: Any, decode: Callable[[Any], Any]) -> None:
        """Put in what has changed in the kernel, of what was asked for only."""
        for number, node in _of_places(answer, {copy.number for copy in self._watched}):
            new = decode(node)
            for copy in [copy for copy in self._watched if copy.number == number]:
                if put_back(copy.value, new):
                    copy.content = content_of(copy.value) or []


def alike(one: Any, other: Any) -> bool:
    """Whether two containers hold the same."""
    content = content_of(one)
    return content is not None and content == content_of(other)


def as_view(view: Any, places: dict[Any, Any], value: Any) -> Any:
    """An array that shows a part of an argument's memory, where a function says so and there is the same in it; else `value`."""
    if not isinstance(view, list) or len(view) != 3 or type(view[0]) not in (int, str) or type(own := places.get(view[0])) is not np.ndarray:
        return value
    try:
        shown = np.ndarray(value.shape, own.dtype, own, view[1], view[2])
    except (TypeError, ValueError, OverflowError):  # outside of it
        return value
    return shown if shown.dtype == value.dtype and shown.tobytes() == value.tobytes() else value


def _of_places(answer: Any, places: Container[Any]) -> list[tuple[Any, Any]]:
    """The pairs of an answer that begin with one of these places: the last one of each, for each costs a look at a whole value."""
    pairs = [pair for pair in answer if isinstance(pair, list) and len(pair) == 2] if isinstance(answer, list) else []
    return list({pair[0]: pair[1] for pair in pairs if type(pair[0]) in (int, str) and pair[0] in places}.items())


def take_states(places: dict[Any, Any], about: dict[str, Any], decode: Callable[[Any], Any]) -> None:
    """What a call did to generators of random numbers."""
    for place, node in _of_places(about.get("states"), places):
        if state_of(places[place]) is not None:
            generators.go_on_with(places[place], decode(node))


def put_back_arguments(label: str, changed: list[Any], own: dict[Any, Any], trusted: frozenset[str], decode: Callable[[Any, str], Any]) -> None:
    """The new contents of the arguments that a function changed, as its solution does. Raises `WorkFault`."""
    places, nodes = changed
    if not isinstance(places, list) or not isinstance(nodes, list) or len(places) != len(nodes):
        raise WorkFault(f"{label} gave an answer that cannot be read.")
    for place, node in zip(places, nodes, strict=True):
        if f"{label.strip('`')}({place})" not in trusted:
            raise WorkFault(f"{label} changed its argument {sentence(place)}, which the exercise leaves as it is. Work on a copy of it.")
        new = decode(node, f"argument {sentence(place)} of {label}")
        if type(place) not in (int, str) or place not in own or not put_back(own[place], new):
            raise WorkFault(f"{label} changed its argument {sentence(place)} in a way that cannot be brought back to the test.")


def sentence(text: Any) -> str:
    """Text from a student kernel, made harmless: one short printable line."""
    return "".join(character for character in str(text)[:200] if character.isprintable())
