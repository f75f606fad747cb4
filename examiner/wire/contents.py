"""Puts the content of a copy into the value that it is a copy of: a list stays that list, whoever else has it sees the change."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

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
    elif is_container(own) and own.shape == new.shape and own.dtype == new.dtype:
        own.detach().copy_(new.detach())
    else:
        return False
    return True


def _goes_into(before: Any, after: Any) -> bool:
    """Whether a part keeps being the object that it is, with new content."""
    return type(before) is type(after) and is_container(before) and put_back(before, after)
