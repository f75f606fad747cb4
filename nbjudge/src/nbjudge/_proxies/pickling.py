"""Pickles what a test passes into a student kernel, functions of the test cell included.

By cloudpickle, whose search for the submodules that a function uses goes through all imported modules, for every function and
every module that it names: half of the time of a test that passes functions. Here the same search has an index.
"""

import io
import pickle
import random
import sys
import types
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import cloudpickle
from cloudpickle import cloudpickle as inner

from nbjudge._proxies.base import handle_of
from nbjudge._student.agent import resolve
from nbjudge._wire.arrays import bytes_of_storage, storage_of, without_neighbours
from nbjudge._wire.errors import KernelGone

# Nothing of these kinds is lent, and most of what is in a function is of one.
OF_CODE = frozenset({type, types.FunctionType, types.BuiltinFunctionType, types.CodeType, types.ModuleType, types.CellType})


class _Pickler(cloudpickle.CloudPickler):
    """Writes what stands for a student's thing as the thing's number."""

    def __init__(self, file: io.BytesIO, generation: int | None, lend: Callable[[Any], Any]):
        super().__init__(file)
        self._generation, self._lend = generation, lend

    def reducer_override(self, thing: Any) -> Any:
        """How `thing` is written; as pickle's method of this name."""
        if (handle := handle_of(thing)) is not None:
            if self._generation not in (None, handle.generation):
                raise KernelGone("The program was started again in the middle of this test.")
            return resolve, (handle.number,)
        if type(thing) in OF_CODE:
            return super().reducer_override(thing)
        if (lent := self._lend(thing)) is not None:
            return lent
        if (plain := bytes_of_storage(thing)) is not None:
            return storage_of, plain
        if (own := without_neighbours(thing)) is not None:
            return own.__reduce_ex__(2)
        return super().reducer_override(thing)


class _Names:
    """In the place of the module `uuid`: names for the classes of test cells, drawn by a seed, so that the same notebook gives the same pickles."""

    draw = random.Random()

    @classmethod
    def uuid4(cls) -> uuid.UUID:
        """A name that nothing else has."""
        return uuid.UUID(int=cls.draw.getrandbits(128))


def seed(number: int) -> None:
    """From now on names of classes come in the order of this seed."""
    _Names.draw.seed(number)


def dumps(value: Any, generation: int | None = None, lend: Callable[[Any], Any] = lambda _: None) -> bytes:
    """`value` as cloudpickle writes it. What stands for a student's thing has to belong to the kernel `generation`, if that is given.

    `lend` says how objects are written of which the kernel keeps a copy; it gives None for any other.
    """
    if type(value).__module__.startswith("numpy.random."):  # a generator, in which is nothing of a student's or a test's
        return pickle.dumps(value)
    file = io.BytesIO()
    before = inner._find_imported_submodules, inner.uuid
    inner._find_imported_submodules, inner.uuid = imported_submodules, _Names
    try:
        _Pickler(file, generation, lend).dump(value)
    finally:
        inner._find_imported_submodules, inner.uuid = before
    return file.getvalue()


def imported_submodules(code: types.CodeType, dependencies: Iterable[Any]) -> list[types.ModuleType]:
    """The imported submodules of the packages among `dependencies` that `code` can reach by its names."""
    names, found = set(code.co_names), []
    for package in dependencies:
        if isinstance(package, types.ModuleType) and getattr(package, "__package__", None):
            children = _children(package.__name__, len(sys.modules))
            found += [
                sys.modules[name] for first in names & children.keys() for words, name in children[first] if words <= names and name in sys.modules
            ]
    return found


@lru_cache(maxsize=256)
def _children(package: str, _modules: int) -> dict[str, list[tuple[frozenset[str], str]]]:
    """Imported modules below `package` by the first word of their names, while there are as many modules as now."""
    found = defaultdict(list)
    for name in list(sys.modules):
        if name is not None and name.startswith(f"{package}."):
            words = name[len(package) + 1 :].split(".")
            found[words[0]].append((frozenset(words), name))
    return found
