"""All that checks know of a grader.

In a notebook, a check is handed the learner's function. In grading it runs in another process than the learner's code, and is handed a stand-in,
which is called as the function is. A stand-in has no code, no lines and no names; what is read from these is empty there, and whoever reads it
has to do without. Arguments and results travel, so an object that the function changes stays as it was here; a function of a check that appends
to a list of its own is called back, others travel. The grader may raise exceptions of its own in the place of the learner's.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType, MappingProxyType
from typing import Any


def is_here(answer: object) -> bool:
    """Whether an answer is the learner's function or class itself, which works on the objects that it is given, and not a stand-in."""
    return any(type(answer) is kind for kind in (FunctionType, type))  # the class of a stand-in equals what it stands for


def is_elsewhere(answer: object) -> bool:
    """Whether an answer is a stand-in for a function: it says that it is one, and Python knows no kind of function but one. It gets copies."""
    return isinstance(answer, FunctionType) and type(answer) is not FunctionType


def has_no_code(answer: object) -> bool:
    """Whether an answer is a stand-in for a function or a class; what a class holds, its stand-in has to ask for, name by name."""
    return is_elsewhere(answer) or (isinstance(answer, type) and type(vars(answer)) is not MappingProxyType)


def makes_calls_together(answer: object) -> bool:
    """Whether an answer is a stand-in of which a grader makes many calls in one go."""
    return hasattr(type(answer), "__call_each__")


def together(answer: Any, each: Sequence[Sequence[Any]]) -> list[Any]:
    """What such a stand-in gives for each list of arguments, up to the first call that fails, which tells why when it is made alone."""
    return type(answer).__call_each__(answer, each)


def in_turn(thing: Any, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
    """What methods of an object give, one after the other.

    Args:
        thing: the object.
        calls: the name of each method, and its arguments.

    Raises:
        Exception: what the first call that fails raises. Of a stand-in, that call is made twice.
    """
    ready = in_one_go(thing, calls)
    return [*ready, *(getattr(thing, name)(*arguments) for name, arguments in calls[len(ready) :])]


def in_one_go(thing: Any, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
    """What methods of a stand-in give, up to the first call that fails, which tells why when it is made alone; [] for an object that is here."""
    several = getattr(type(thing), "__call_methods__", None)
    return [] if several is None else several(thing, calls)


def is_nobodys(error: BaseException) -> bool:
    """Whether a grader says that something went wrong that no answer can help, such as a process that was lost: it goes on as it is."""
    return bool(getattr(error, "is_nobodys", False))


def is_explained(error: BaseException) -> bool:
    """Whether a grader says in words for the learner why there is no result, such as a limit that was reached."""
    return bool(getattr(error, "is_explained", False))


def line_of(error: BaseException) -> int | None:
    """The line of the learner's cell that raised an exception, where a grader knows it; the traceback does not lead there."""
    return getattr(error, "line", None)
