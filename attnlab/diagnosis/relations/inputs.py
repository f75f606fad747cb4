"""What went into a call, by name: its arrays, and numbers such as the lengths of their axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy
from attnlab.diagnosis import calls
from attnlab.reference import Case


def measures(exercise: str, case: Case, call: Callable[..., Any]) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """The arrays of a case by the names of their parameters, and its sizes by what to call them."""
    arrays: dict[str, np.ndarray] = {}
    sizes: dict[str, float] = {}
    for name, value in _named(exercise, case, call):
        if type(value) in (int, float) and value > 0:
            sizes[f"`{name}`"] = value
        elif hasattr(value, "shape") and value.shape:
            arrays[name] = as_numpy(value).astype(float)
            sizes |= {f"the length of axis {axis} of `{name}`": length for axis, length in enumerate(value.shape)}
        elif isinstance(value, (list, tuple)):
            sizes[f"the length of `{name}`"] = len(value)
    return arrays, sizes


def _named(exercise: str, case: Case, call: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    parameters = next((item.parameters for item in reference.asking_for(exercise) if item.parameters), ())
    if call is calls.module:
        settings, _, x = case.arguments
        yield from [*zip(parameters, settings), ("x", x)]
    else:
        yield from ((name, value) for name, value in zip(parameters, case.arguments) if name != "rng")
