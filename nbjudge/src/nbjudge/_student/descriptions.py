"""What a student's functions, classes and exceptions are, in plain words. Sent when a test asks."""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Callable
from typing import Any

from nbjudge._student.overrides import overrides
from nbjudge._wire import special_methods
from nbjudge._wire.codec import Encoder
from nbjudge._wire.errors import Refused
from nbjudge._wire.requests import ClassAbout, CodeAbout, ErrorAbout, FunctionAbout

CELL_FILE = "ipykernel_"  # IPython names the file of a cell after the kernel


def _few(arguments: tuple[Any, ...]) -> Any:
    """What an error was made with, when that is short and plain."""
    encoder = Encoder(_refuse, 10_000)
    try:
        encoded = encoder.encode(arguments)
    except Exception:
        return None
    return encoded if len(encoder.buffers) == 1 else None


def _refuse(value: Any, _: list[Any]) -> Any:
    raise Refused(f"it is a {type(value).__name__}")


def describe_error(error: BaseException, number_of: Callable[[Any], int]) -> ErrorAbout:
    """Type names from the error's own class upwards, its message, the line of a student's cell that it left last, and what it met there.

    An error of a student's own class comes with handles of itself and its class, so that a test can catch it and read from it.
    """
    try:
        message = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    except Exception:
        message = ""
    cell, trace = None, error.__traceback__
    while trace is not None:
        if CELL_FILE in trace.tb_frame.f_code.co_filename:
            cell = trace
        trace = trace.tb_next
    about: ErrorAbout = {
        "types": [kind.__name__ for kind in type(error).__mro__],
        "message": message[:2000],
        "line": cell.tb_lineno if cell is not None else None,
    }
    with contextlib.suppress(Exception):  # whatever a student has put in the place of what is asked there
        about["overrides"] = overrides(error, cell)
    if isinstance(error, Exception):
        error.__traceback__ = None  # its frames would stay
        made: Any = OSError.__reduce__(error) if issubclass(type(error), OSError) else (None, error.args)  # its files are not in `args`
        about["args"] = _few(made[1])
        about["class"] = number_of(type(error)) if type(error).__module__ != "builtins" else None
        about["handle"] = number_of(error)
    return about


LONGEST_TEXT = 100_000
PLAIN_BASES: dict[type, Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    complex: lambda value: complex(value.real, value.imag),
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytearray.__getitem__(value, slice(None)),
    list: lambda value: list(list.__iter__(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
}
IGNORED_BASES = (object,)
MOST_NAMES = 2000

Encode = Callable[[Any], Any]


def describe_class(kind: type, encode: Encode) -> ClassAbout:
    """What the grader needs to make a class of the same names that stands for `kind`."""
    defined = [name for name in (*special_methods.VALUES, *special_methods.TRUTHS) if _defines(kind, name)]
    bases = [base for base in kind.__bases__ if base not in IGNORED_BASES]
    return {
        "name": str(kind.__name__)[:200],
        "qualname": str(kind.__qualname__)[:400],
        "module": str(kind.__module__)[:200],
        "bases": [_base(base, encode) for base in bases],
        "specials": defined,
        "names": [name for name in vars(kind) if type(name) is str][:MOST_NAMES],
        "fields": _fields(kind),
        "plain": next((base.__name__ for base in kind.__mro__[1:] if base in PLAIN_BASES), None),
    }


def _fields(kind: type) -> list[Any] | None:
    fields = getattr(kind, "_fields", None)
    return [str(field) for field in fields][:MOST_NAMES] if issubclass(kind, tuple) and isinstance(fields, tuple) else None


def _base(base: type, encode: Encode) -> Any:
    """A base as it travels; one of Python's own that is no exception as none, because it says nothing of the student's."""
    return None if base.__module__ == "builtins" and not issubclass(base, BaseException) else encode(base)


def _defines(kind: type, name: str) -> bool:
    """Whether a class or one of its bases, but for `object`, has the special method."""
    for base in kind.__mro__[:-1]:
        if name in vars(base):
            return vars(base)[name] is not None
    return False


def plain(value: Any) -> Any:
    """The part of `value` that is a builtin's: the list in an object of a class derived from list. Raises `Refused`."""
    for base in type(value).__mro__[1:]:
        if base in PLAIN_BASES:
            return PLAIN_BASES[base](value)
        if base.__module__ == "pathlib" and base.__name__ in ("PurePosixPath", "PureWindowsPath"):
            return base(str(value))
    raise Refused(f"it is a {type(value).__name__}")


def describe_function(function: Any, encode: Encode) -> FunctionAbout:
    """Names, parameters, code and source of a function, method or other callable object."""
    described: FunctionAbout = {
        "name": _text(function, "__name__"),
        "qualname": _text(function, "__qualname__"),
        "doc": _text(function, "__doc__"),
        "module": _text(function, "__module__"),
        "source": None,
        "parameters": None,
        "code": None,
    }
    try:
        signature = inspect.signature(function)
        described["parameters"] = [_parameter(parameter, encode) for parameter in signature.parameters.values()]
        described["returns"] = _annotation(signature.return_annotation, encode)
    except (ValueError, TypeError):
        pass
    own = getattr(function, "__func__", function)
    if isinstance(own, types.FunctionType):
        described["code"] = _code(own.__code__, encode)
        described["defaults"], described["kwdefaults"] = _value(own.__defaults__, encode), _value(own.__kwdefaults__, encode)
        described["annotations"] = [[str(name), _annotation(kind, encode)] for name, kind in own.__annotations__.items()]
    try:
        described["source"] = inspect.getsource(function)[:LONGEST_TEXT]
    except Exception:  # whatever a function without a text gives
        pass
    return described


def _text(function: Any, name: str) -> str | None:
    value = getattr(function, name, None)
    return value[:LONGEST_TEXT] if isinstance(value, str) else None


def _parameter(parameter: inspect.Parameter, encode: Encode) -> list[Any]:
    default = [] if parameter.default is parameter.empty else [_value(parameter.default, encode)]
    return [parameter.name, int(parameter.kind), default, _annotation(parameter.annotation, encode)]


def _annotation(annotation: Any, encode: Encode) -> list[Any]:
    """`[]` for none, `[value]` for a type or text, the text of any other."""
    if annotation is inspect.Parameter.empty:
        return []
    if isinstance(annotation, (type, str, types.NoneType)) and not isinstance(annotation, types.GenericAlias):
        return [_value(annotation, encode)]
    return [str(annotation)[:1000]]


def _value(value: Any, encode: Encode) -> Any:
    try:
        return encode(value)
    except Refused:
        return str(type(value).__name__)


def _code(code: types.CodeType, encode: Encode) -> CodeAbout:
    constants = [constant for constant in code.co_consts if isinstance(constant, (int, float, complex, str, bytes, types.NoneType))]
    return {
        "argcount": code.co_argcount,
        "posonlyargcount": code.co_posonlyargcount,
        "kwonlyargcount": code.co_kwonlyargcount,
        "flags": code.co_flags,
        "name": code.co_name,
        "varnames": list(code.co_varnames),
        "names": list(code.co_names),
        "freevars": list(code.co_freevars),
        "cellvars": list(code.co_cellvars),
        "consts": _value(constants, encode),
    }
