"""Reads pickles of arrays, and YAML, for a test: numpy believes what a pickle says of a type of arrays, and YAML can name what to call.

A type whose field lies outside of its records reads and writes memory that is not the array's. So while a test runs, `pickle.loads` and its
like are Python's own in the place of those in C, and each type that a pickle describes is compared with the one that numpy makes of the
same names and sizes. `yaml.Loader` and `yaml.unsafe_load` make plain values.
"""

from __future__ import annotations

import contextlib
import io
import pickle
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar

import numpy as np

InPython: Any = pickle._Unpickler  # the one in C cannot be looked into


class Careful(InPython):
    """Makes only types of arrays that numpy makes, too."""

    dispatch: ClassVar[dict[int, Any]] = dict(InPython.dispatch)

    def load_build(self) -> None:
        """What a pickle says of an object after it is made. Raises `UnpicklingError`."""
        made, state = self.stack[-2:]
        super().load_build()
        if isinstance(made, np.dtype) and made.__reduce__() != _checked(made, state).__reduce__():
            raise pickle.UnpicklingError("a type of arrays that is not what it says")

    dispatch[pickle.BUILD[0]] = load_build


def _checked(made: np.dtype, state: Any) -> np.dtype:
    """The type as numpy makes it, which looks whether its fields fit. Raises `ValueError` and `TypeError`."""
    if state[3] is None:
        return np.dtype(made.str)
    names, fields = state[3], state[4]
    return np.dtype(
        {"names": list(names), "formats": [fields[name][0] for name in names], "offsets": [fields[name][1] for name in names], "itemsize": state[5]}
    )


def _load(file: BinaryIO, **options: Any) -> Any:
    return Careful(file, **options).load()


def _loads(data: Any, /, **options: Any) -> Any:
    if isinstance(data, str):
        raise TypeError("Can't load pickle from unicode string")
    return _load(io.BytesIO(data), **options)


@contextlib.contextmanager
def careful() -> Iterator[None]:
    """Have `pickle.load`, `pickle.loads`, `pickle.Unpickler` and the loaders of YAML, where it is loaded, do so meanwhile."""
    ours: dict[str, Any] = {"load": _load, "loads": _loads, "Unpickler": Careful}
    before = {name: getattr(pickle, name) for name in ours}
    for name, own in ours.items():
        setattr(pickle, name, own)
    unsafe = getattr(sys.modules.get("yaml.constructor"), "UnsafeConstructor", None)
    finders = {name: vars(unsafe)[name] for name in ("find_python_name", "find_python_module")} if unsafe else {}
    for name in finders:
        setattr(unsafe, name, _refuse)
    try:
        yield
    finally:
        for name, theirs in before.items():
            setattr(pickle, name, theirs)
        for name, finder in finders.items():
            setattr(unsafe, name, finder)


def _refuse(_: Any, name: str, mark: Any) -> Any:
    raise sys.modules["yaml.constructor"].ConstructorError(None, None, f"it names {name[:100]} of Python's, and not a plain value", mark)
