"""What a student's code raised, in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from examiner.wire.codec import Encoder
from examiner.wire.errors import Refused
from examiner.wire.requests import ErrorAbout

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
    """Type names from the error's own class upwards, its message, and the line of a student's cell that it left last.

    An error of a student's own class comes with handles of itself and its class, so that a test can catch it and read from it.
    """
    try:
        message = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    except Exception:
        message = ""
    line, trace = None, error.__traceback__
    while trace is not None:
        if CELL_FILE in trace.tb_frame.f_code.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    about: ErrorAbout = {"types": [kind.__name__ for kind in type(error).__mro__], "message": message[:2000], "line": line}
    if isinstance(error, Exception):
        error.__traceback__ = None  # its frames would stay
        about["args"] = _few(error.args)
        about["class"] = number_of(type(error)) if type(error).__module__ != "builtins" else None
        about["handle"] = number_of(error)
    return about
