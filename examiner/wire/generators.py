"""Generators of random numbers that a test passes: a student's function that draws from one takes it further, for the test, too.

The state that comes back is taken only when it lies ahead of the test's own on the way that the generator itself goes. Another one could
make what the test draws later whatever its author likes.
"""

from __future__ import annotations

import random
import sys
from typing import Any

MOST_DRAWN = 10**8
MOST_BLOCKS = 5000  # of 624 numbers
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of PCG64, O'Neill 2014, "PCG: a family of simple fast ... generators", for 128 bits
MASK = 2**128 - 1


def state_of(value: Any) -> Any:
    """The state of a generator that can be taken further, or None."""
    if type(value) is random.Random:
        return value.getstate()
    numpy = sys.modules.get("numpy")
    if numpy is not None and type(value) is numpy.random.Generator and type(value.bit_generator) is numpy.random.PCG64:
        return value.bit_generator.state
    return None


def go_on(own: Any, new: Any) -> bool:
    """Take `own` to the state `new`, and say whether that lies ahead of it."""
    try:
        return _go_on_random(own, new) if type(own) is random.Random else _go_on_numpy(own, new)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError):
        return False


def _go_on_numpy(own: Any, new: dict[str, Any]) -> bool:
    before = own.bit_generator.state
    here, there, step = before["state"]["state"], new["state"]["state"], before["state"]["inc"]
    if type(there) is not int or not 0 <= there <= MASK or new["state"]["inc"] != step:
        return False
    drawn = distance(here, there, step)
    if drawn > MOST_DRAWN:
        return False
    if drawn:
        own.bit_generator.advance(drawn - 1)
        half = int(own.bit_generator.random_raw()) >> 32  # what is left of the last number where only half of it was needed
        if new["has_uint32"] == 1 and new["uinteger"] == half:
            own.bit_generator.state = {**own.bit_generator.state, "has_uint32": 1, "uinteger": half}
    elif before["has_uint32"] == 1 and new["has_uint32"] == 0:
        own.bit_generator.state = {**before, "has_uint32": 0, "uinteger": 0}
    return True


def distance(here: int, there: int, step: int) -> int:
    """How many steps of PCG64's linear congruential generator lead from one state to another (O'Neill 2014, section 4.3.1)."""
    multiplier, bit, found = MULTIPLIER, 1, 0
    while here != there:
        if (here & bit) != (there & bit):
            here = (here * multiplier + step) & MASK
            found |= bit
        bit <<= 1
        step = (multiplier + 1) * step & MASK
        multiplier = multiplier * multiplier & MASK
    return found


def _go_on_random(own: random.Random, new: tuple[Any, ...]) -> bool:
    (version, (*numbers, place), following), before = new, own.getstate()
    if version != before[0] or type(place) is not int or not 0 < place <= 624 or any(type(number) is not int for number in numbers):
        return False
    ahead = random.Random()
    ahead.setstate(before)
    for _ in range(MOST_BLOCKS):
        state = ahead.getstate()
        if list(state[1][:-1]) == numbers:
            if state[1] == before[1] and place < before[1][-1]:
                return False
            own.setstate((version, (*numbers, place), following if following == before[2] else None))
            return True
        ahead.getrandbits(32 * 624)
    return False
