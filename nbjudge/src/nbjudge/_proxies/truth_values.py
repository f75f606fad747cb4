"""Yes and no about students' objects. An object is asked itself only where the instructor's own solution lets such objects answer.

Otherwise two objects are equal when they are one and the same, an object is true, and a plain value is compared with the plain part
of an object (the list in an object of a class derived from list), here. A class that says that it decides by itself, where the
solution's does not, is not asked: the test ends with a sentence.
"""

from __future__ import annotations

import operator
import secrets
from collections.abc import Callable
from typing import Any

from nbjudge._proxies.base import Handle, StudentError, handle_of, owned
from nbjudge._wire import special_methods
from nbjudge._wire.errors import GraderError

PLAIN_KINDS = ("int", "float", "complex", "str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset")
PATHS = ("PosixPath", "WindowsPath")


def spaces(kind: type) -> list[Any]:
    """What a class and its bases define here, without asking."""
    return [type.__dict__["__dict__"].__get__(base) for base in type.__dict__["__mro__"].__get__(kind)]


def claims(kind: type, name: str) -> bool:
    """Whether a student's class says that it defines a special method."""
    return any(name in space["_claims"] for space in spaces(kind) if "_claims" in space)


def has_plain(kind: type) -> bool:
    """Whether objects of a student's class have a plain part."""
    return any(space.get("_plain") for space in spaces(kind)) or kind.__name__ in PATHS


def trusts(thing: Any, *names: str) -> bool:
    """Whether the instructor's solution has a class of the name of this object's class, or of a base's, that defines one of these."""
    trusted = owned(thing).calls.trusted_comparisons
    return any(f"{base.__name__}.{name}" in trusted for base in type.__dict__["__mro__"].__get__(type(thing)) for name in names)


def is_object(thing: Any) -> bool:
    """Whether `thing` stands for an object of a student's, and not for a function or class."""
    return handle_of(thing) is not None and any("_claims" in space for space in spaces(type(thing)))


def _decides(thing: Any, other: Any, *names: str) -> bool:
    """Whether one of two things may be asked how they compare; with a plain value only where the solution compares with such, too."""
    if handle_of(other) is None:
        return trusts(thing, *(f"{name} plain" for name in names))
    if trusts(thing, *names) or (is_object(other) and trusts(other, *names)):
        return True
    known = {entry.partition(".")[2] for entry in owned(thing).calls.trusted_comparisons}
    return is_object(other) and any(name in known for name in names)


def _ask(thing: Any, name: str, *arguments: Any) -> Any:
    return owned(thing).calls.special(thing, name, arguments, {})


def plain_of(thing: Any) -> Any:
    """The plain part of a student's object, or the thing itself."""
    return owned(thing).calls.plain(thing) if is_object(thing) and has_plain(type(thing)) else thing


def plain_to_judge(thing: Any, name: str) -> Any:
    """The plain part of an object whose method `name` would judge. Raises `NotPlain` where there is none."""
    if is_object(thing) and has_plain(type(thing)):
        return plain_of(thing)
    raise owned(thing).not_plain(name)


def equal(thing: Any, other: Any) -> Any:
    """`thing == other`. Raises `NotPlain`."""
    if _decides(thing, other, "__eq__"):
        answer = _ask(thing, "__eq__", other)
        return answer if answer is False else _unless_it_equals_everything(thing, other, answer)
    if _same(thing, other):
        return True
    if other is None or _never_plain(thing, other):
        return False
    if has_plain(type(thing)):
        return plain_of(thing) == plain_of(other)
    if handle_of(other) is not None or isinstance(other, type):
        if claims(type(thing), "__eq__"):
            raise owned(thing).not_plain("__eq__")
        return NotImplemented if is_object(other) and has_plain(type(other)) else False
    raise owned(thing).not_plain("__eq__" if claims(type(thing), "__eq__") else "")


def _unless_it_equals_everything(thing: Any, other: Any, answer: Any) -> Any:
    """`answer`, when the object does not say the same of a value that nobody could expect. Raises `NotPlain`."""
    number = secrets.randbelow(10**9) + 10**9
    strange = str(number) if isinstance(other, str) else number if type(other) is int else number / 7
    try:
        equals_everything = _ask(thing, "__eq__", strange) is True
    except Exception as error:  # it looks for attributes that a number does not have
        if not isinstance(error, StudentError):
            raise
        equals_everything = False
    if equals_everything:
        raise owned(thing).not_plain("__eq__")
    return answer


def _never_plain(thing: Any, other: Any) -> bool:
    """Whether `other` is a plain value and the solution's class compares its objects, but with objects only."""
    return handle_of(other) is None and trusts(thing, "__eq__") and not has_plain(type(thing))


def unequal(thing: Any, other: Any) -> Any:
    """`thing != other`. An object whose class leaves that to Python is no plain value, so it differs from each. Raises `NotPlain`."""
    if _decides(thing, other, "__eq__", "__ne__"):
        return _ask(thing, "__ne__", other)
    if _never_plain(thing, other):
        return True
    if not has_plain(type(thing)) and not claims(type(thing), "__eq__") and not claims(type(thing), "__ne__"):
        return not _same(thing, other)
    answer = equal(thing, other)
    return answer if answer is NotImplemented else not answer


def _same(thing: Any, other: Any) -> bool:
    theirs: Handle | None = handle_of(other)
    return theirs is not None and (theirs.number, theirs.generation) == (owned(thing).number, owned(thing).generation)


def ordering(name: str) -> Callable[[Any, Any], Any]:
    """The method `name`, one of the four that put things in order."""
    mirrored = {"__lt__": "__gt__", "__gt__": "__lt__", "__le__": "__ge__", "__ge__": "__le__"}[name]
    operation = getattr(operator, name)

    def method(thing: Any, other: Any) -> Any:
        if _decides(thing, other, name, mirrored):
            return _ask(thing, name, other)
        if claims(type(thing), name) and not has_plain(type(thing)):
            raise owned(thing).not_plain(name)
        return operation(plain_of(thing), plain_of(other)) if has_plain(type(thing)) else NotImplemented

    return method


def operated(name: str) -> Callable[[Any, Any], Any]:
    """The method `name`, an operator with another operand: a student's object that sees a plain one could answer with what is expected."""
    core = name.strip("_")
    cores = {core, *([core[1:]] if f"__{core[1:]}__" in special_methods.OPERATORS else [])}
    names = [f"__{sign}{one}__" for one in cores for sign in ("", "r", "i")]

    def method(thing: Any, /, other: Any, *more: Any) -> Any:
        if handle_of(other) is not None or trusts(thing, *names):
            return _ask(thing, name, other, *more)
        if has_plain(type(thing)):
            return special_methods.OPERATORS[name](plain_of(thing), other, *more)
        raise owned(thing).not_plain(name)

    method.__name__ = name
    return method


def true(thing: Any) -> bool:
    """`bool(thing)`. Raises `NotPlain`."""
    kind = type(thing)
    asks = "__bool__" if claims(kind, "__bool__") else "__len__"
    if not claims(kind, asks):
        return True
    if trusts(thing, asks):
        return _ask(thing, "__bool__")
    if has_plain(kind):
        return bool(plain_of(thing))
    raise owned(thing).not_plain(asks)


def contains(thing: Any, item: Any) -> bool:
    """`item in thing`: asked, or found among the items that the object gives. Raises `NotPlain`."""
    if trusts(thing, "__contains__"):
        return _ask(thing, "__contains__", item)
    if has_plain(type(thing)):
        return plain_of(item) in plain_of(thing)
    if not claims(type(thing), "__iter__"):
        raise owned(thing).not_plain("__contains__")
    return any(item is own or item == own for own in thing)


def leave(thing: Any, kind: Any, error: Any, _: Any) -> Any:
    """The end of a `with` statement. What the object says of an error counts only where the solution's class says it, too.

    A failed check of the test stays one, whatever the object says, and its message, which may quote what is expected, stays here.
    """
    if error is None:
        _ask(thing, "__exit__", None, None, None)
        return False
    if not isinstance(error, Exception):
        return False
    if handle_of(error) is not None:
        handled = _ask(thing, "__exit__", kind, error, None)
    else:
        handled = _ask(thing, "__exit__", *((kind, kind(), None) if kind.__module__ == "builtins" else (Exception, Exception(), None)))
    return trusts(thing, "__exit__") and not isinstance(error, (AssertionError, GraderError)) and handled is True
