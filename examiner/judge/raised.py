"""What a student's code raised, as a test can catch it."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from examiner.wire.errors import Malformed

NEVER_RAISED = (StopIteration, StopAsyncIteration)  # raised from a call, they would end a test's loop, not its test
NOT_FROM = ("examiner", "unittest", "pytest", "_pytest", "nbgrader", "builtins", "__main__")  # they mean something to who runs tests


class StudentError(Exception):
    """An exception from the student's own code. `line` is the line of the cell that it came from, if known."""

    line: int | None = None


def rebuild_error(description: Any) -> Exception:
    """The exception that the student's code raised, as the nearest built-in type of the same name, with its message."""
    if not isinstance(description, dict):
        return StudentError("Your code raised an exception that cannot be read.")
    names = [name for name in description.get("types") or [] if isinstance(name, str)]
    message = str(description.get("message", ""))[:2000]
    base = next((kind for name in names if (kind := builtin_error(name))), None)
    if base is None:
        error: Exception = StudentError(f"{names[0][:80] if names else 'An error'}: {message}")
    else:
        error = type(base.__name__, (StudentError, base), {"__module__": "builtins"})(message)
    return with_line(error, description)


def with_line(error: Any, description: dict) -> Any:
    """`error`, which now knows the line of the cell that it came from."""
    line = description.get("line")
    error.line = line if type(line) is int and 0 < line < 100_000 else None
    return error


def builtin_error(name: Any) -> type[Exception] | None:
    """Python's own exception of this name, when a student's code may raise it here."""
    kind = getattr(builtins, name, None) if isinstance(name, str) else None
    if not isinstance(kind, type) or not issubclass(kind, Exception) or issubclass(kind, (*NEVER_RAISED, BaseExceptionGroup)):
        return None
    return kind if kind not in (Exception, UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError) else None


def library_error(module: str, name: str) -> type[Exception] | None:
    """A library's exception, such as numpy's LinAlgError, when the examiner has imported the library, too. Imports nothing."""
    if module.partition(".")[0] in NOT_FROM or not name.isidentifier():
        return None
    kind = vars(sys.modules[module]).get(name) if module in sys.modules else None
    if not isinstance(kind, type) or not issubclass(kind, Exception) or issubclass(kind, (*NEVER_RAISED, BaseExceptionGroup)):
        return None
    return kind


def check_description(description: Any) -> dict:
    """A description of an error, when it is one; raises `Malformed`."""
    if not isinstance(description, dict):
        raise Malformed("an impossible description of an error")
    return description
