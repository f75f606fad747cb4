"""What stands for a student's things, exceptions among them: each knows its object in the student's kernel by a number, and nothing else of it."""

from __future__ import annotations

import builtins
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nbjudge._wire.errors import WorkFault

MARK = "_from_the_student"
NEVER_RAISED = (StopIteration, StopAsyncIteration)  # raised from a call, they would end a test's loop, not its test
UNICODE_ERRORS = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError)  # cannot be made of a message alone
NOT_FROM = ("nbjudge", "unittest", "pytest", "_pytest", "nbgrader", "builtins", "__main__")  # they mean something to who runs tests


class _Marked(type):
    """Python's own exceptions are what they are, also when a student's code raised them: `type(error) is ValueError` holds."""

    def __instancecheck__(cls, thing: Any) -> bool:
        marked = cls is StudentError and isinstance(thing, Exception) and vars(thing).get(MARK) is True
        return marked or type.__instancecheck__(cls, thing)


class StudentError(Exception, metaclass=_Marked):
    """An exception from the student's own code. `line` is the line of the cell that it came from, if known."""

    line: int | None = None


def rebuild_error(description: Any, arguments: Any = None) -> Exception:
    """The exception that the student's code raised, as the nearest built-in type of the same name, with its message.

    `arguments` is what it was made with, where that is known: made with them again, an OSError knows its file.
    """
    if not isinstance(description, dict):
        return StudentError("Your code raised an exception that cannot be read.")
    names = [name for name in description.get("types") or [] if isinstance(name, str)]
    message = str(description.get("message", ""))[:2000]
    if names and (again := _made_again(names[0], arguments, message)) is not None:
        return with_line(again, description)
    base = next((kind for name in names if (kind := builtin_error(name))), None)
    if base is not None and names[0] == base.__name__:
        error: Exception = base(message)
        error.__dict__[MARK] = True
    elif base is None:
        error = StudentError(f"{names[0][:80] if names else 'An error'}: {message}")
    else:
        error = type(base.__name__, (StudentError, base), {"__module__": "builtins"})(message)
    return with_line(error, description)


def _made_again(name: str, arguments: Any, message: str) -> Exception | None:
    """Python's own exception of this name, if it can be made with these arguments, and says the same then."""
    kind = next((kind for kind in UNICODE_ERRORS if kind.__name__ == name), None) or builtin_error(name)
    if kind is None or type(arguments) is not tuple:
        return None
    try:
        error = kind(*arguments)
        said = str(error.args[0]) if kind is KeyError and error.args else str(error)
    except Exception:  # of arguments that are not such as this kind has
        return None
    error.__dict__[MARK] = True
    return error if type(error) is kind and said[:2000] == message else None


def keep_arguments(error: Any, arguments: tuple[Any, ...]) -> None:
    """Have an exception hold what it was made with, as Python's own do: an OSError has its files beside `args`."""
    if issubclass(type(error), OSError) and len(arguments) > 1:
        for name, place in (("errno", 0), ("strerror", 1), ("filename", 2), ("filename2", 4)):
            if place < len(arguments):
                vars(OSError)[name].__set__(error, arguments[place])
        arguments = arguments[:2]
    error.args = arguments


def with_line(error: Any, description: dict[str, Any]) -> Any:
    """`error`, which now knows the line of the cell that it came from."""
    line = description.get("line")
    error.line = line if type(line) is int and 0 < line < 100_000 else None
    return error


def builtin_error(name: Any) -> type[Exception] | None:
    """Python's own exception of this name, when a student's code may raise it here."""
    kind = getattr(builtins, name, None) if isinstance(name, str) else None
    if not isinstance(kind, type) or not issubclass(kind, Exception) or issubclass(kind, (*NEVER_RAISED, BaseExceptionGroup)):
        return None
    return kind if kind not in (Exception, *UNICODE_ERRORS) else None


def library_error(module: str, name: str) -> type[Exception] | None:
    """A library's exception, such as numpy's LinAlgError, when the grader has imported the library, too. Imports nothing."""
    if module.partition(".")[0] in NOT_FROM or not name.isidentifier():
        return None
    kind = vars(sys.modules[module]).get(name) if module in sys.modules else None
    if not isinstance(kind, type) or not issubclass(kind, Exception) or issubclass(kind, (*NEVER_RAISED, BaseExceptionGroup)):
        return None
    # Under any name: `numpy.testing.SkipTest` is unittest's, and a skipped test is no failed one.
    if any(base.__module__.partition(".")[0] in NOT_FROM for base in kind.__mro__ if base.__module__ != "builtins"):
        return None
    return kind


# What a student's other name for `Exception` or `AssertionError` stands for: all but failed checks.
ANY_ERROR = (
    StudentError,
    *(
        kind
        for kind in Exception.__subclasses__()
        if kind.__module__ == "builtins" and not issubclass(kind, (AssertionError, *NEVER_RAISED, ExceptionGroup))
    ),
)


PLAIN_EXPECTED = "{label} is a {kind}, where a plain value was expected: a number, text, list or array."
NO_TRUTH = "{label} is a {kind}, whose `{name}` cannot be relied upon: a test compares plain values, such as numbers, text or arrays."


class HandleCounts:
    """How many handles there are of each object: of one that has none, the kernel need not keep anything."""

    def __init__(self) -> None:
        self._news: list[tuple[int, int, int]] = []  # handles end at any moment, in any thread
        self._counts: Counter[int] = Counter()
        self._generation = 0

    def note(self, number: int, generation: int, more: int) -> None:
        """There is a handle more, or one less, of an object."""
        self._news.append((number, generation, more))

    def freed(self, generation: int) -> list[int]:
        """The numbers of the kernel's objects that have had handles and have none since the last time."""
        news, self._news = self._news, []
        if generation != self._generation:
            self._counts.clear()
            self._generation = generation
        seen = set()
        for number, of, more in news:
            if of == generation:
                self._counts[number] += more
                seen.add(number)
        gone = sorted(number for number in seen if not self._counts[number])
        for number in gone:
            del self._counts[number]
        return gone


class Asked(Protocol):
    """What stand-ins ask of a `StudentSession`."""

    trusted_comparisons: frozenset[str]
    handles: HandleCounts

    def attribute(self, thing: Any, name: str) -> Any: ...
    def set_attribute(self, thing: Any, name: str, value: Any) -> None: ...
    def delete_attribute(self, thing: Any, name: str) -> None: ...
    def call(self, thing: Any, label: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any: ...
    def call_each(self, thing: Any, label: str, each: Sequence[Sequence[Any]]) -> list[Any]: ...
    def call_methods(self, thing: Any, each: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]: ...
    def special(self, thing: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any: ...
    def next_items(self, thing: Any, count: int) -> tuple[list[Any], Callable[[], None] | None]: ...
    def function_about(self, thing: Any) -> Any: ...
    def plain(self, thing: Any) -> Any: ...
    def derive(self, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> Any: ...


@dataclass(frozen=True)
class Handle:
    """One object in the student's kernel. A kernel that is started again has other objects: then `generation` is another."""

    calls: Asked
    number: int
    generation: int
    kind: str  # "function", "class", or the name of the object's class, for sentences
    label: str  # where it came from, for sentences

    def __post_init__(self) -> None:
        self.calls.handles.note(self.number, self.generation, 1)

    def __del__(self) -> None:
        self.calls.handles.note(self.number, self.generation, -1)

    def not_plain(self, name: str = "") -> WorkFault:
        """The sentence for a test that wanted a plain value."""
        return NotPlain((NO_TRUTH if name else PLAIN_EXPECTED).format(label=self.label, kind=self.kind, name=name))


class NotPlain(WorkFault, TypeError):
    """Something of a student's where a plain value belongs."""


class StandIn:
    """Base of all stand-ins but those of classes."""

    __slots__ = ()


def handle_of(thing: Any) -> Handle | None:
    """The handle of a stand-in, or None for any other value. Asks nobody."""
    kind = type(thing)
    if issubclass(kind, StandIn):
        return object.__getattribute__(thing, "_own")
    if issubclass(kind, type) and getattr(kind, "stands_in", False):
        return type.__getattribute__(thing, "__dict__").get("_handle")
    if issubclass(kind, BaseException):
        return BaseException.__getattribute__(thing, "__dict__").get("_own")
    return None


def owned(thing: Any) -> Handle:
    """The handle of what is known to be a stand-in."""
    handle = handle_of(thing)
    if handle is None:
        raise NotPlain("a class of the student's stands for nothing")
    return handle
