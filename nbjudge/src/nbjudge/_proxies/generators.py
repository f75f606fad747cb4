"""The generators of random numbers that functions of modules draw from: one in a notebook's kernel, two here, which are kept alike.

What the student's code has drawn takes the test's own generator further, along its own numbers and nowhere else: of the state that a
student's kernel tells, no number is used but the place.
"""

from __future__ import annotations

import ctypes
import random
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nbjudge._wire import copied_values

WORDS = 624  # of a Mersenne Twister
MOST_BLOCKS = 400
MOST_BACK = 64  # words since a pair of normal numbers was drawn of which one is left
TORCH_LEFT, TORCH_WORDS = slice(8, 12), slice(24, 24 + 8 * WORDS)  # of the state that torch writes


@dataclass(frozen=True)
class _Twister:
    """How to handle the Mersenne Twister of one library.

    Args:
        get: the state of the one that the functions of its module draw from.
        set: sets that.
        place: where a state stands: its words, and how many of these are drawn.
        copy: a generator of its own with a state: (its state, draw words, draw a normal number, the place of its state).
    """

    get: Callable[[], Any]
    set: Callable[[Any], Any]
    place: Callable[[Any], tuple[bytes, int]]
    copy: Callable[[Any], tuple[Callable[[], Any], Callable[[int], object], Callable[[], object], Callable[[], tuple[bytes, int]]]]


def _python() -> _Twister:
    def place(state: Any) -> tuple[bytes, int]:
        *words, place = state[1]
        return struct.pack(f"<{len(words)}I", *words), place

    def copy(state: Any) -> Any:
        own = random.Random()
        own.setstate(state)
        return (
            own.getstate,
            lambda words: own.getrandbits(32 * words) if words else 0,
            lambda: own.gauss(0.0, 1.0),
            lambda: place(own.getstate()),
        )

    return _Twister(random.getstate, random.setstate, place, copy)


def _numpy(numpy: Any, one: Any = None) -> _Twister:
    def copy(state: Any) -> Any:
        own = numpy.random.RandomState()
        own.set_state(state)
        bits = own._bit_generator
        memory = (ctypes.c_uint32 * (WORDS + 1)).from_address(bits.ctypes.state_address)  # numpy's `get_state` takes a hundred times as long
        return own.get_state, bits.random_raw, own.standard_normal, lambda: (bytes(memory)[: 4 * WORDS], memory[WORDS])

    one = numpy.random if one is None else one
    return _Twister(one.get_state, one.set_state, lambda state: (state[1].astype("<u4").tobytes(), int(state[2])), copy)


def _torch(torch: Any, one: Any = None) -> _Twister:
    def place(state: Any) -> tuple[bytes, int]:
        text = state.numpy().tobytes()
        return text[TORCH_WORDS], WORDS + 1 - int.from_bytes(text[TORCH_LEFT], "little")

    def copy(state: Any) -> Any:
        own = torch.Generator()
        own.set_state(state)
        return (
            own.get_state,
            lambda words: torch.empty(words, dtype=torch.int32).random_(generator=own),
            lambda: torch.empty(1, dtype=torch.float64).normal_(generator=own),
            lambda: place(own.get_state()),
        )

    one = torch.default_generator if one is None else one
    return _Twister(one.get_state, one.set_state, place, copy)


def _twister(name: str) -> _Twister:
    return _python() if name == "random" else {"numpy": _numpy, "torch": _torch}[name](sys.modules[name])


def loaded() -> list[str]:
    """The libraries with such a generator that are loaded."""
    return [name for name in ("random", "numpy", "torch") if name in sys.modules]


def states() -> dict[str, Any]:
    """The states of the generators of the libraries that are loaded."""
    return {name: _twister(name).get() for name in loaded()}


def go_on(name: str, told: Any) -> bool:
    """Take the generator of this library to where the student's stands, and say whether that lies ahead. What is told may be anything."""
    return _go_on(_twister(name), told)


def go_on_with(own: Any, told: Any) -> bool:
    """As `go_on`, for a generator that a test has made itself and passed."""
    if type(own).__module__.startswith("torch"):
        return _go_on(_torch(sys.modules["torch"], own), told)
    if type(own).__name__ == "RandomState":
        return _go_on(_numpy(sys.modules["numpy"], own), told)
    return copied_values.go_on(own, told)


def _go_on(library: _Twister, told: Any) -> bool:
    try:
        before = library.get()
        found = _ahead(library, before, *library.place(told))
        if found is None:
            return False
        drawn, state = found
        library.set(state)
        if copied_values.comparable(told) != copied_values.comparable(state):
            _with_pairs(library, before, drawn, copied_values.comparable(told))
    except Exception:  # what is told is no state
        return False
    return True


def _ahead(library: _Twister, before: Any, words: bytes, place: int) -> tuple[int, Any] | None:
    """How many words lead from a state to a place, and the state there; None where none do."""
    own, draw, _, standing = library.copy(before)
    drawn, (here, at) = 0, library.place(before)
    for _ in range(MOST_BLOCKS):
        rest = place - at if here == words else WORDS - at + 1  # to the first word of the next block
        if rest < 0 or place > WORDS:
            return None
        draw(rest)
        drawn += rest
        if here == words:
            return drawn, own()
        here, at = standing()
    return None


def _with_pairs(library: _Twister, before: Any, drawn: int, told: bytes) -> None:
    """Normal numbers are drawn in pairs: the other one of a pair comes next, until it is used. Both ends may stand in the middle of one."""
    wanted = library.place(library.get())
    own, _, normal, _ = library.copy(before)
    normal()
    starts = [before, *([own()] if library.place(own()) == library.place(before) else [])]  # that one was left, and is used
    for start in starts:
        for back in range(min(MOST_BACK, drawn) + 1):
            own, draw, normal, _ = library.copy(start)
            draw(drawn - back)
            if back:
                normal()
            here, place = library.place(own())
            if here == wanted[0] and place < wanted[1]:
                draw(wanted[1] - place)
            if copied_values.comparable(own()) == told:
                library.set(own())
                return
