"""Students' functions, methods and iterators as a test sees them: to call, to read, to look at with `inspect`."""

from __future__ import annotations

import inspect
import linecache
import numbers
import types
from collections.abc import Callable, Sequence
from typing import Any

from nbjudge._proxies.base import Handle, StandIn, handle_of, owned
from nbjudge._wire.errors import Malformed
from nbjudge._wire.special_methods import READABLE

MOST_PARAMETERS, MOST_NAMES, LONGEST_NAME, LONGEST_TEXT = 255, 2000, 200, 100_000
DESCRIBED = ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__defaults__", "__kwdefaults__", "__code__", "__signature__")
PARAMETER_KINDS = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
)
READ_AHEAD_AFTER, MOST_READ_AHEAD = 64, 256
KNOWN_FLAGS = (
    inspect.CO_OPTIMIZED
    | inspect.CO_NEWLOCALS
    | inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
    | inspect.CO_NESTED
    | inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ITERABLE_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
)


class _FunctionClass(type):
    """Of the classes of stand-ins for functions, which say that they are what they stand for: `type(f) == types.FunctionType`."""

    claimed: type | None

    def __eq__(cls, other: object) -> bool:
        return cls is other or (other is not None and other is cls.claimed)

    def __hash__(cls) -> int:
        return hash(cls.claimed)

    def __repr__(cls) -> str:
        return repr(cls.claimed)


class StudentFunction(StandIn, metaclass=_FunctionClass):
    """A student's function, or another thing of theirs that can only be called."""

    __slots__ = ("__weakref__", "_about", "_own")
    claimed: type | None = types.FunctionType

    def __init__(self, handle: Handle):
        object.__setattr__(self, "_own", handle)
        object.__setattr__(self, "_about", None)

    @property  # type: ignore[misc]  # nobody sets it
    def __class__(self) -> type:  # what isinstance and inspect ask
        claimed = object.__getattribute__(self, "claimed")
        return claimed or type(self)

    def __getattribute__(self, name: str) -> Any:
        if name in DESCRIBED:
            return getattr(_described(self), name)
        if name.startswith("__") and name not in READABLE:
            return object.__getattribute__(self, name)
        return owned(self).calls.attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        owned(self).calls.set_attribute(self, name, value)

    def __delattr__(self, name: str) -> None:
        owned(self).calls.delete_attribute(self, name)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        handle = owned(self)
        return handle.calls.call(self, handle.label, arguments, keywords)

    def __call_each__(self, each: Sequence[Sequence[Any]]) -> list[Any]:
        """What it gives for each list of arguments, in one message, up to the first call that fails: see docs/writing_tests.md."""
        handle = owned(self)
        return handle.calls.call_each(self, handle.label, each)

    def __repr__(self) -> str:
        return f"<the student's {owned(self).kind}>"

    def __deepcopy__(self, _: Any) -> StudentFunction:
        return self

    def __copy__(self) -> StudentFunction:
        return self

    def __bool__(self) -> bool:
        return True

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not is_plain(other):
            return (theirs := handle_of(other)) is not None and theirs.number == owned(self).number
        raise owned(self).not_plain()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> Any:
        raise TypeError("a student's function is pickled by the grader only")

    def _not_plain(self, *_: Any) -> Any:
        raise owned(self).not_plain()

    __array_ufunc__ = None
    __lt__ = __le__ = __gt__ = __ge__ = __array__ = __float__ = __int__ = __index__ = __complex__ = _not_plain
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __mod__ = __rmod__ = _not_plain
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = __neg__ = __abs__ = __contains__ = _not_plain


StudentFunction.__name__ = StudentFunction.__qualname__ = "function"


class StudentMethod(StudentFunction):
    """A bound method of a student's object."""

    __slots__ = ()
    claimed = types.MethodType


class StudentBuiltin(StudentFunction):
    """A function that the student took from Python or a library, such as `math.sin`, or the `append` of a list."""

    __slots__ = ()
    claimed = types.BuiltinFunctionType


StudentMethod.__name__, StudentBuiltin.__name__ = "method", "builtin_function_or_method"


class StudentIterator(StandIn):
    """An iterator in the student's kernel, asked for one item after the other: it may be without end.

    After the first items it is asked for several at once, as many as it has given so far at most.
    """

    __slots__ = ("__weakref__", "_given", "_own", "_ready", "_then")
    claimed: type | None = None

    def __init__(self, handle: Handle):
        for name, value in {"_own": handle, "_ready": [], "_given": 0, "_then": None}.items():
            object.__setattr__(self, name, value)

    def __iter__(self) -> StudentIterator:
        return self

    def __next__(self) -> Any:
        mine = object.__getattribute__
        ready, given = mine(self, "_ready"), mine(self, "_given")
        if not ready:
            if (then := mine(self, "_then")) is not None:
                object.__setattr__(self, "_then", None)
                then()  # raises what came after the items
            count = 1 if given < READ_AHEAD_AFTER else min(given // 4, MOST_READ_AHEAD)
            items, then = owned(self).calls.next_items(self, count)
            if not items:
                (then or stop)()
            ready.extend(reversed(items))
            object.__setattr__(self, "_then", then)
        object.__setattr__(self, "_given", given + 1)
        return ready.pop()

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") and name not in READABLE:
            return object.__getattribute__(self, name)
        return owned(self).calls.attribute(self, name)

    @property  # type: ignore[misc]  # nobody sets it
    def __class__(self) -> type:
        return object.__getattribute__(self, "claimed") or type(self)

    def __repr__(self) -> str:
        return f"<the student's {owned(self).kind}>"

    def __eq__(self, other: object) -> bool:
        if self is other or not is_plain(other):
            return self is other
        raise owned(self).not_plain()

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = object.__hash__
    __array_ufunc__ = None

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise owned(self).not_plain()

    def __reduce__(self) -> Any:
        raise TypeError("a student's iterator is pickled by the grader only")


class StudentGenerator(StudentIterator):
    """A generator in the student's kernel."""

    __slots__ = ()
    claimed = types.GeneratorType


StudentIterator.__name__, StudentGenerator.__name__ = "iterator", "generator"


def is_plain(value: Any) -> bool:
    """Whether it is a value that a result could be expected to equal: no function, and no mark of a library's for "nothing given"."""
    if value is None or value is ... or value is NotImplemented or handle_of(value) is not None or callable(value):
        return False
    kind = type(value)
    return (
        isinstance(value, numbers.Number)
        or (kind.__module__ in ("builtins", "datetime", "collections") and kind is not object)
        or any(hasattr(kind, name) for name in ("__array__", "__len__", "__iter__"))
    )


def stop() -> None:
    """The end of an iterator."""
    raise StopIteration


def _described(function: StudentFunction) -> FunctionAbout:
    about = object.__getattribute__(function, "_about")
    if about is None:
        about = owned(function).calls.function_about(function)
        object.__setattr__(function, "_about", about)
    return about


class FunctionAbout:
    """The description of a function, checked: it raises `AttributeError` for what the function does not have."""

    def __init__(self, description: Any, file: str):
        """Raises `Malformed`. `description` is the decoded answer of the kernel; `file` the name under which its source is kept."""
        if not isinstance(description, dict):
            raise Malformed("an impossible description of a function")
        for key in ("name", "qualname", "doc", "module"):
            if (text := _text(description.get(key))) is not None:
                setattr(self, f"__{key}__", text)
        self.__doc__ = _text(description.get("doc"))
        source = _text(description.get("source"))
        parameters = description.get("parameters")
        if parameters is not None:
            self.__signature__ = signature_of(parameters, description.get("returns"))
        if isinstance(description.get("code"), dict):
            self.__code__ = code_of(description["code"], file)
            self.__defaults__, self.__kwdefaults__ = _kind(description.get("defaults"), tuple), _kind(description.get("kwdefaults"), dict)
            self.__annotations__ = {name: value for name, [value] in description.get("annotations") or [] if type(name) is str}
        if source is not None:
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)


def read_parameters(nodes: Any, read: Callable[[Any], Any]) -> Any:
    """The parameters of a description with their defaults and annotations read. Raises `Malformed`."""
    if nodes is None:
        return None
    if not isinstance(nodes, list) or len(nodes) > MOST_PARAMETERS:
        raise Malformed("an impossible list of parameters")
    return [[name, kind, list(map(read, default)), list(map(read, annotation))] for name, kind, default, annotation in nodes]


def signature_of(parameters: Any, returns: Any) -> inspect.Signature:
    """The signature of a description; raises `Malformed`, or `ValueError` for an impossible one."""
    if not isinstance(parameters, list) or len(parameters) > MOST_PARAMETERS:
        raise Malformed("an impossible list of parameters")
    made = []
    for name, kind, default, annotation in parameters:
        if type(name) is not str or len(name) > LONGEST_NAME or type(kind) is not int or not 0 <= kind < len(PARAMETER_KINDS):
            raise Malformed("an impossible parameter")
        made.append(
            inspect.Parameter(
                name,
                PARAMETER_KINDS[kind],
                default=default[0] if default else inspect.Parameter.empty,
                annotation=annotation[0] if annotation else inspect.Parameter.empty,
            )
        )
    return inspect.Signature(made, return_annotation=returns[0] if returns else inspect.Signature.empty)


def code_of(about: dict[str, Any], file: str) -> types.CodeType:
    """A code object that has the names and counts of a student's, and does nothing: nothing of theirs is compiled here."""
    names = {key: _names(about.get(key)) for key in ("varnames", "names", "freevars", "cellvars")}
    given = [about.get(key) for key in ("argcount", "posonlyargcount", "kwonlyargcount", "flags")]
    counts = [count for count in given if type(count) is int and 0 <= count < 2**31]
    if len(counts) != len(given):
        raise Malformed("an impossible code")
    all_arguments, only_by_place, only_by_name, flags = counts
    constants = about.get("consts")
    return _nothing.__code__.replace(
        co_argcount=all_arguments,
        co_posonlyargcount=only_by_place,
        co_kwonlyargcount=only_by_name,
        co_nlocals=len(names["varnames"]),
        co_varnames=names["varnames"],
        co_names=names["names"],
        co_freevars=names["freevars"],
        co_cellvars=names["cellvars"],
        co_filename=file,
        co_firstlineno=1,
        co_flags=(flags & KNOWN_FLAGS) | inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS,
        co_name=_text(about.get("name")) or "",
        co_consts=tuple(constants) if isinstance(constants, list) and constants else (None,),
    )


def _nothing() -> None: ...


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_NAMES or any(type(name) is not str or len(name) > LONGEST_NAME for name in value):
        raise Malformed("an impossible list of names")
    return tuple(value)


def _text(value: Any) -> str | None:
    return value[:LONGEST_TEXT] if isinstance(value, str) else None


def _kind(value: Any, kind: type) -> Any:
    return value if type(value) is kind else None
