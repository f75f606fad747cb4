"""Objects that a test has made and lends to a student's code: of which parts they consist, so that both ends can keep their copies alike."""

from __future__ import annotations

import collections
import copyreg
import functools
import io
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from nbjudge._wire import arrays
from nbjudge._wire.codec import Encoder
from nbjudge._wire.errors import Refused

STREAMS = (io.StringIO, io.BytesIO)
CONTENT, DATA, GRADIENT, LEARNS = "content", "data", "grad", "requires_grad"
NOT_LENT = ("builtins", "unittest.mock")

CONSTANT = (types.NoneType, bool, int, str, bytes)
SEQUENCES, MAPPINGS = (list, tuple), (dict, collections.OrderedDict)
OF_LIBRARIES = (types.FunctionType, types.BuiltinFunctionType, type)  # by identity: a stand-in's type says that it equals what it stands for
DEEPEST = 8

Snapshot = tuple[Any, ...]  # what a part holds, to compare with later: where they are equal, nothing has changed
Contents = dict[str, "Snapshot | list[bytes] | None"]  # of each part what it holds; None where that cannot be written down


def is_learned(value: Any) -> bool:
    """Whether it is a tensor that something changes in place: a parameter, or one that gets gradients."""
    torch = sys.modules.get("torch")
    if torch is None or type(value) not in (torch.Tensor, torch.nn.Parameter):
        return False
    return (
        value.is_leaf and (value.requires_grad or type(value) is torch.nn.Parameter) and value.layout == torch.strided and value.device.type == "cpu"
    )


def state_of_object(value: Any) -> dict[str, Any] | None:
    """What pickle would write of an object that is its class and its attributes and nothing else; None for any other value."""
    kind: Any = type(value)
    if (
        kind.__reduce_ex__ is not object.__reduce_ex__
        or kind.__reduce__ is not object.__reduce__
        or not (kind.__dictoffset__ and kind.__weakrefoffset__)
    ):
        return None
    if isinstance(value, type) or any(base.__module__ in NOT_LENT for base in kind.__mro__[:-1]):
        return None
    reduced: Any = object.__reduce_ex__(value, 4)
    make, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
    if make is not copyreg.__newobj__ or arguments != (kind,) or items is not None or pairs is not None:  # type: ignore[attr-defined]
        return None
    return {} if state is None else state if type(state) is dict else None


def parts_of(value: Any) -> dict[str, Any]:
    """What an object that is lent consists of."""
    if type(value) in STREAMS:
        return {CONTENT: value.__getstate__()}
    if is_learned(value):
        return {DATA: value.detach(), GRADIENT: value.grad, LEARNS: value.requires_grad}
    return {name: part for name, part in vars(value).items() if type(name) is str}


def contents_of(value: Any, number_of: Callable[[Any], int | None], most_bytes: int) -> Contents:
    """What the parts of an object that is lent hold now."""
    return {name: _content(part, number_of, most_bytes) for name, part in parts_of(value).items()}


def snapshot_of_thing(value: Any, number_of: Callable[[Any], int | None]) -> Snapshot | None:
    """All that an object which is lent consists of; None where something is in it that has no snapshot."""
    if is_learned(value):
        return _snapshot_of_items(type(value), (value.detach(), value.grad, value.requires_grad), number_of, 0)
    if type(value) in STREAMS:
        return None if value.closed else value.__getstate__()
    return snapshot_of(value.__getstate__(), number_of)


def snapshot_of(part: Any, number_of: Callable[[Any], int | None], depth: int = 0) -> Snapshot | None:
    """What is often in an object, in a fraction of the time of a message: plain values, functions of libraries, arrays, numbers of what is lent, and
    lists and dicts of these; None for anything else."""
    kind = type(part)
    if kind in CONSTANT:
        return kind, part
    if kind is float:
        return kind, repr(part)
    if kind in MAPPINGS:
        return _snapshot_of_items(kind, [*part.keys(), *part.values()], number_of, depth) if part else (kind,)
    if kind in SEQUENCES:
        return _snapshot_of_items(kind, part, number_of, depth) if part else (kind,)
    if kind is set and all(type(item) is str for item in part):
        return kind, frozenset(part)
    if (number := number_of(part)) is not None:
        return "lent", number
    if (content := arrays.content(part)) is not None:
        return "array", *content
    if kind is types.ModuleType or (any(kind is one for one in OF_LIBRARIES) and is_of_a_library(part)):
        return kind, part
    if kind is functools.partial and not vars(part):
        return _snapshot_of_items(kind, (part.func, part.args, part.keywords), number_of, depth)
    if kind is types.FunctionType and (found := made_by_a_library(part)) is not None:
        held, used = found
        about = _snapshot_of_items(kind, (*held, *used, *used.values(), *(part.__defaults__ or ())), number_of, depth)
        return None if about is None else (*about, part.__code__)
    return None


def _snapshot_of_items(kind: type, items: Iterable[Any], number_of: Callable[[Any], int | None], depth: int) -> Snapshot | None:
    found: list[Any] = [kind]
    if depth < DEEPEST:
        for item in items:
            if (snapshot := snapshot_of(item, number_of, depth + 1)) is None:
                return None
            found.append(snapshot)
        return tuple(found)
    return None


def is_of_a_library(function: Any) -> bool:
    """Whether it is what a module, but the notebook's own, has under its name."""
    module = getattr(function, "__module__", None)
    return isinstance(module, str) and module != "__main__" and getattr(sys.modules.get(module), function.__name__, None) is function


def made_by_a_library(function: Any) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """What is in the cells of a function that a library's function has made, and which of the library's names it uses; None for any other."""
    if function.__module__ == "__main__" or vars(function) or function.__kwdefaults__ or (held := in_cells(function)) is None:
        return None
    names = function.__globals__
    return held, {name: names[name] for name in _names_in(function.__code__) if name in names}


def in_cells(function: Any) -> tuple[Any, ...] | None:
    """What the names of functions around a function stand for in it; None where one of them stands for nothing."""
    try:
        return tuple(cell.cell_contents for cell in function.__closure__ or ())
    except ValueError:
        return None


@functools.lru_cache(maxsize=1000)
def _names_in(code: types.CodeType) -> tuple[str, ...]:
    inner = (name for part in code.co_consts if isinstance(part, types.CodeType) for name in _names_in(part))
    return tuple(sorted({*code.co_names, *inner}))


def _content(part: Any, number_of: Callable[[Any], int | None], most_bytes: int) -> Snapshot | list[bytes] | None:
    if (quick := snapshot_of(part, number_of)) is not None:
        return quick
    encoder = Encoder(lambda thing, _: ["object", id(thing)], most_bytes, lazy=True)
    encoder.number_of = number_of
    try:
        return encoder.finish(encoder.encode(part))
    except Refused:
        return None
