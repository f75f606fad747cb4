"""What stands for a student's things in a test: each knows its object in the student's kernel by a number, and nothing else of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from examiner.wire.errors import WorkFault

PLAIN_EXPECTED = "{label} is a {kind}, where a plain value was expected: a number, text, list or array."
NO_TRUTH = "{label} is a {kind}, whose `{name}` cannot be relied upon: a test compares plain values, such as numbers, text or arrays."


class Asked(Protocol):
    """What stand-ins ask of a `StudentSession`."""

    trusted_comparisons: frozenset[str]

    def attribute(self, thing: Any, name: str) -> Any: ...
    def set_attribute(self, thing: Any, name: str, value: Any) -> None: ...
    def delete_attribute(self, thing: Any, name: str) -> None: ...
    def call(self, thing: Any, label: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any: ...
    def special(self, thing: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any: ...
    def next_items(self, thing: Any, count: int) -> tuple[list[Any], Callable[[], None] | None]: ...
    def function_about(self, thing: Any) -> Any: ...
    def plain(self, thing: Any) -> Any: ...
    def derive(self, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> Any: ...


@dataclass(frozen=True)
class Handle:
    """One object in the student's kernel. A kernel that is started again has other objects: then `generation` is another."""

    session: Asked
    number: int
    generation: int
    kind: str  # "function", "class", or the name of the object's class, for sentences
    label: str  # where it came from, for sentences

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
