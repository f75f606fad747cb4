"""Values that both sides have a copy of: lists and arrays get the other side's content, and generators of random numbers its state."""

from __future__ import annotations

import collections
import marshal
import random
import sys
import types
from typing import Any

import numpy as np

FIXED = (int, float, complex, str, bytes, types.NoneType)  # nothing changes these in place
TABLES = ("DataFrame", "Series")
PARTS = (list, dict, set, collections.deque, bytearray)


def is_container(value: Any) -> bool:
    """Whether `value` is one of those whose content can be replaced."""
    kind = type(value)
    return issubclass(kind, (*PARTS, np.ndarray)) or (kind.__module__ in ("torch", "torch.nn.parameter") and hasattr(kind, "copy_"))


def put_back(own: Any, new: Any) -> bool:
    """Give `own` the content of `new`, and say whether that was possible."""
    if type(own) is not type(new):
        return False
    if isinstance(own, list) and len(own) == len(new):
        for place, (before, after) in enumerate(zip(own, new, strict=True)):
            if not _goes_into(before, after):
                own[place] = after
    elif isinstance(own, list):
        own[:] = new
    elif isinstance(own, dict):
        kept = {key: value for key, value in own.items() if key in new}
        own.clear()
        for key, after in new.items():
            own[key] = kept[key] if key in kept and _goes_into(kept[key], after) else after
    elif isinstance(own, set):
        own.clear()
        own.update(new)
    elif isinstance(own, collections.deque):
        own.clear()
        own.extend(new)
    elif isinstance(own, bytearray):
        own[:] = new
    elif isinstance(own, np.ndarray) and own.shape == new.shape and own.flags.writeable:
        own[...] = new
    elif type(own).__module__.partition(".")[0] == "pandas" and type(own).__name__ in TABLES:
        own.__init__(new, copy=True)  # what pandas has no public way for: the same object with other columns and rows
    elif is_container(own) and own.shape == new.shape and own.dtype == new.dtype:
        own.detach().copy_(new.detach())
    else:
        return False
    return True


def _goes_into(before: Any, after: Any) -> bool:
    """Whether a part keeps being the object that it is, with new content."""
    return type(before) is type(after) and is_container(before) and put_back(before, after)


PLAIN_MARSHAL = 2  # the last version that writes what is equal in the same way, whoever else refers to it
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
    if numpy is not None and type(value) is numpy.random.RandomState:
        return value.get_state()
    torch = sys.modules.get("torch")
    if torch is not None and type(value) is getattr(torch, "Generator", None) and value.device.type == "cpu":
        return value.get_state()
    return None


def comparable(state: Any) -> bytes:
    """A generator's state as bytes, which are the same where the state is. The pickle of a tensor is another one each time."""
    if hasattr(state, "numpy"):
        return bytes(state.numpy().tobytes())
    return b"".join(part.tobytes() if hasattr(part, "tobytes") else marshal.dumps(part, PLAIN_MARSHAL) for part in state)


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
