"""The proxies of one notebook's objects: an answer of the student's kernel becomes values and proxies, one proxy for each object."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Protocol

from nbjudge._proxies import base, factories
from nbjudge._proxies.base import Asked, Handle
from nbjudge._proxies.copies import alike, sentence
from nbjudge._proxies.doubtful_values import FUNCTION, IN_ARRAY, THING, Doubts, Place
from nbjudge._proxies.factories import FUNCTIONS, module_named
from nbjudge._wire.codec import Decoder
from nbjudge._wire.coding import is_whole
from nbjudge._wire.errors import Malformed, WorkFault

LAZY = ("iterator", "generator")  # give items, one by one, and judge none
# What is a function among the defaults of a function, or among what a student's code passes to one of the test's, is none among plain values.
NAMED_ONE_BY_ONE = ("a default", "an argument of a test's function")
DEEPEST_CLASS, MOST_BASES, MOST_CLASSES = 40, 50, 2000  # Python takes the cube of the number of bases to put them in order


class _Calls(Asked, Protocol):
    """What proxies ask, and what is asked to make them."""

    @property
    def generation(self) -> int: ...
    def class_about(self, number: int, label: str) -> dict[str, Any]: ...


class ProxyRegistry:
    """Decodes answers. `calls` is what the proxies ask. `doubts` knows what may stand where, `lent` the
    test's own objects. What was of an older kernel is forgotten."""

    def __init__(self, calls: _Calls, doubts: Doubts, lent: Callable[[Any], Any] = lambda number: None) -> None:
        self._calls, self._doubts, self._lent = calls, doubts, lent
        self._things: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()  # as long as they are used
        self._classes: dict[int, type] = {}
        self._generation = 0

    def error(self, description: Any) -> BaseException:
        """What the student's code raised: an object of the class that stands for theirs, if it is one of their own."""
        if not isinstance(description, dict):
            return base.rebuild_error(description)
        arguments = self._arguments(description.get("args"))
        error: Any = base.rebuild_error(description, arguments)
        number, own = description.get("class"), description.get("handle")
        if type(number) is int and type(own) is int:
            kind = None
            try:
                kind = self._class(number, "the exception", 0)
            except Exception as failure:  # a class that cannot be described: its error is told by its name
                if not isinstance(failure, (WorkFault, Malformed, base.StudentError, TypeError, ValueError)):
                    raise
            if kind is not None and issubclass(kind, base.StudentError):
                message = str(description.get("message", ""))[:2000]
                error = factories.make_object(kind, Handle(self._calls, own, self._calls.generation, kind.__name__, "the exception"))
                error.__dict__["_message"] = message
                base.keep_arguments(error, (message,) if arguments is None else arguments)
        return base.with_line(error, description)

    def _arguments(self, node: Any) -> tuple[Any, ...] | None:
        """What an exception was made with, or None where that is not known."""
        try:
            arguments = Decoder([b""], {}, Place(self._doubts, "The exception", "holds")).decode(node) if node else None
        except Malformed:
            return None
        return arguments if type(arguments) is tuple else None

    def decode(self, reply: list[bytes], node: Any, what: str, alias: str = "", containers: list[Any] | None = None) -> Any:
        """The value of one node of an answer. `what` says what it is, for sentences; `alias` by which name a module is known;
        `containers` are the test's own, which the value may be, or have in it; those of the value come to them."""
        label = what.removesuffix(" returned something that").removesuffix(" gave something that")

        def thing(make: Callable[..., Any], is_function: Callable[[Any], bool]) -> Callable[..., Any]:
            def read(number: Any, kind: Any, name: Any) -> Any:
                if is_whole(decoder.stands_in):
                    decoder.doubt(IN_ARRAY)
                elif decoder.stands_in and is_function(kind):
                    decoder.doubt(FUNCTION)
                decoder.note(THING)
                return make(number, kind, sentence(name), label)

            return read

        tags: dict[str, Callable[..., Any]] = {
            "handle": thing(self._thing, lambda role: role not in LAZY and what not in NAMED_ONE_BY_ONE),
            "object": thing(self._object, lambda _: False),
            "module": lambda name: module_named(name, alias),
            "any_error": lambda: base.ANY_ERROR,
            "yours": lambda number, *spare: self._own(decoder, number, spare),
        }
        word = what.removeprefix(label).strip().removesuffix(" something that")
        decoder = Decoder(reply, tags, Place(self._doubts, label, word or "is"))
        decoder.places, decoder.alike = [] if containers is None else containers, alike
        try:
            return decoder.decode(node)
        except Malformed as malformed:
            raise WorkFault(f"{what} cannot be read: {malformed}.") from None
        finally:
            decoder.forget()

    def _own(self, decoder: Decoder, number: Any, spare: tuple[Any, ...]) -> Any:
        """The test's own object, which it has lent; or what stands for the student's copy of it."""
        if (own := self._lent(number)) is not None:
            return own
        if len(spare) != 1:
            raise Malformed("an object that the test does not have")
        return decoder.read(spare[0], 1)

    def _thing(self, number: Any, role: Any, kind: str, label: str) -> Any:
        if role == "class":
            return self._class(number, label, 0)
        make = FUNCTIONS.get(role) if isinstance(role, str) else None
        if make is None:
            raise Malformed("an impossible description of an object")
        return self._one(number, lambda: make(Handle(self._calls, number, self._calls.generation, role if role != "builtin" else "function", label)))

    def _object(self, number: Any, class_number: Any, name: str, label: str) -> Any:
        return self._one(
            number,
            lambda: factories.make_object(self._class(class_number, label, 0), Handle(self._calls, number, self._calls.generation, name, label)),
        )

    def _one(self, number: Any, make: Callable[[], Any]) -> Any:
        """The stand-in of an object: the same one as long as somebody has it, so that `is` works."""
        if type(number) is not int or number < 0:
            raise Malformed("an impossible description of an object")
        self._forget_older()
        thing = self._things.get(number)
        if thing is None:
            thing = make()
            if not isinstance(thing, BaseException):
                self._things[number] = thing
        return thing

    def _class(self, number: Any, label: str, depth: int) -> type:
        """The class that stands for one of the student's, made when it is first met."""
        if type(number) is not int or number < 0 or depth > DEEPEST_CLASS:
            raise Malformed("an impossible description of a class")
        self._forget_older()
        if number not in self._classes:
            about = self._calls.class_about(number, label)
            described = about.get("bases")
            if not isinstance(described, list) or len(described) > MOST_BASES or len(self._classes) >= MOST_CLASSES:
                raise Malformed("an impossible description of a class")
            bases = [parent for node in described if (parent := self._base(node, label, depth))]
            if about.get("module") != "__main__" and (known := base.library_error(str(about.get("module")), str(about.get("name")))):
                bases = [known]
            handle = Handle(self._calls, number, self._calls.generation, "class", label)
            self._classes[number] = factories.make_class(handle, about, bases)
        return self._classes[number]

    def _base(self, node: Any, label: str, depth: int) -> type | None:
        match node:
            case ["handle", int(number), "class", _]:
                return self._class(number, label, depth + 1)
            case ["any_error"]:
                return base.StudentError
            case ["type", str(name)] if (error := base.builtin_error(name)) is not None:
                return error
            case ["type", "StopIteration" | "StopAsyncIteration"]:
                return base.StudentError
        return None

    def _forget_older(self) -> None:
        if self._generation != self._calls.generation:
            self._things.clear()
            self._classes.clear()
            self._generation = self._calls.generation
