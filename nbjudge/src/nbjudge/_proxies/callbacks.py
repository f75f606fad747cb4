"""Which of a test's functions have to run in the test's own process when a student's code calls them.

A function that only computes travels to the student's kernel, where it is quick. One that notes its calls, counts, or gives the next
of some prepared answers would do that to a copy there. The student's kernel gets something that asks back instead.
"""

from __future__ import annotations

import dis
import sys
import types
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from nbjudge._proxies.base import handle_of

CHANGERS = frozenset(
    {
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
        "add",
        "discard",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "appendleft",
        "popleft",
        "extendleft",
        "rotate",
        "fill",
        "put",
        "resize",
        "itemset",
        "shuffle",
        "heappush",
        "heappop",
        "heapify",
        "heapreplace",
        "insort",
        "insort_left",
        "insort_right",
        "fill_diagonal",
        "copyto",
        "put_along_axis",
        "zero_",
        "fill_",
        "add_",
        "sub_",
        "mul_",
        "div_",
        "copy_",
        "clamp_",
    }
)
MUTABLE = (list, dict, set, bytearray, deque)
STORES = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_ATTR")


def has_effects(value: Any) -> bool:
    """Whether calling `value` has to happen here: a mock, a function that changes what lies outside it, or one that is not whole yet."""
    if is_mock(value):
        return callable(value)
    if type(value) is types.BuiltinFunctionType:
        return isinstance(value.__self__, MUTABLE) and value.__name__ in CHANGERS  # `seen.append`
    if type(value) is not types.FunctionType:
        return False
    if value.__code__.co_name in value.__code__.co_names and value.__code__.co_name not in value.__globals__:
        return True  # it calls itself by a name that a student's decorator is yet to give a function
    rebinds, changes, names = _about(value.__code__)
    outside = [value.__globals__[name] for name in names if name in value.__globals__]
    outside += [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)]
    if any(handle_of(one) is not None for one in outside):
        return False  # it calls the student's functions itself, and has to be where they are
    return rebinds or any((isinstance(one, MUTABLE) and changes) or hasattr(type(one), "__next__") for one in outside)


def is_mock(value: Any) -> bool:
    """Whether `value` is one of `unittest.mock`'s."""
    mock = sys.modules.get("unittest.mock")
    return mock is not None and isinstance(value, mock.NonCallableMock)


def _is_filled(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1024)
def _about(code: types.CodeType) -> tuple[bool, bool, frozenset[str]]:
    """Whether a function rebinds outer names, whether it may change outer values in place, and the names that it uses."""
    rebinds, changes, names = False, False, set()
    for part in _parts(code):
        names |= set(part.co_names)
        for step in dis.get_instructions(part):
            is_outer = step.opname == "STORE_DEREF" and step.argval in code.co_freevars
            rebinds = rebinds or is_outer or step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")
            changes = changes or step.opname in STORES
    return rebinds, changes or bool(names & CHANGERS), frozenset(names)


def _parts(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _parts(constant)
