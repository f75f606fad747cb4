"""What stand-ins ask of a student's kernel, and how the answers become values and stand-ins."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

from nbjudge._analysis.answering_classes import JUDGING
from nbjudge._proxies import base, factories, functions, pickling, truth_values
from nbjudge._proxies.base import Handle, handle_of, owned
from nbjudge._proxies.call_context import NO_EFFECTS, NO_GRADIENTS, CallContext, taking_turns
from nbjudge._proxies.callbacks import has_effects
from nbjudge._proxies.copies import Copies, put_back_arguments, sentence, take_states
from nbjudge._proxies.factories import FUNCTIONS, module_named
from nbjudge._proxies.files import Exchange
from nbjudge._wire.codec import READ_AT_ONCE, Decoder, Encoder
from nbjudge._wire.errors import KernelGone, Malformed, Unsendable, WorkFault
from nbjudge._wire.limits import MB, Limits
from nbjudge._wire.requests import Call, CallSpecial, Pyplot, Request

DEEPEST_CLASS, MOST_BASES, MOST_CLASSES = 40, 50, 2000  # Python takes the cube of the number of bases to put them in order
_files = itertools.count(1)  # names for the sources of functions


@taking_turns
class RemoteCalls:
    """The part of a session that answers stand-ins. The session gives `_ask`, `generation` and its limits."""

    generation: int
    traffic: CallContext
    trusted_comparisons: frozenset[str]
    exchange: Exchange
    _limits: Limits

    def __init__(self) -> None:
        self._things: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()  # one stand-in for each object while it is used
        self._classes: dict[int, type] = {}
        self._copies = Copies()
        self._about: dict[str, Any] = {}  # the last answer, with what came besides its value
        self._cached_generation = 0

    def _ask(self, request: Request, encoder: Encoder, label: str = "") -> tuple[Any, list[bytes]]:
        raise NotImplementedError

    def attribute(self, thing: Any, name: str) -> Any:
        """The value of `thing.name` in the student kernel. Raises `NotPlain` for what judges: see `objects`."""
        if name in JUDGING and f".{name}" not in self.trusted_comparisons:
            return getattr(truth_values.plain_to_judge(thing, name), name)
        answer, reply = self._ask({"do": "attribute", "handle": self._number(thing), "name": name}, self._encoder())
        return self._copies.keep(self._about.get("own"), self._decode(reply, answer, f"`{name}`"), is_read=True)

    def set_attribute(self, thing: Any, name: str, value: Any) -> None:
        """`thing.name = value` in the student kernel, with a copy of the value."""
        encoder = self._encoder()
        self._ask({"do": "set", "handle": self._number(thing), "name": name, "value": encoder.encode(value)}, encoder, f"`{name}`")

    def delete_attribute(self, thing: Any, name: str) -> None:
        """`del thing.name` in the student kernel."""
        self._ask({"do": "delete", "handle": self._number(thing), "name": name}, self._encoder(), f"`{name}`")

    def call(self, thing: Any, label: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call `thing` in the student kernel with copies of the arguments and return a copy of the result."""
        return self._call({"do": "call", "handle": self._number(thing)}, label, arguments, keywords)

    def special(self, thing: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """What the special method `name` of `thing` gives in the student kernel."""
        return self._call({"do": "special", "handle": self._number(thing), "name": name}, f"`{name}`", arguments, keywords)

    def next_items(self, thing: Any, count: int) -> tuple[list[Any], Callable[[], None] | None]:
        """Up to `count` items of an iterator, and what raises the error that came after them, or `StopIteration`, or None."""
        answer, reply = self._ask({"do": "next", "handle": self._number(thing), "count": count}, self._encoder(), owned(thing).label)
        label = owned(thing).label
        nodes = answer.get("items") if isinstance(answer, dict) else None
        if not isinstance(nodes, list) or len(nodes) > count:
            raise WorkFault(f"{label} gave an answer that cannot be read.")
        owns = self._about.get("owns")
        items = [self._decode(reply, node, f"{label} gave something that") for node in nodes]
        self._copies.keep_parts(owns, items)
        if "error" in answer or answer.get("refused"):
            return items, lambda: self._open(answer, label)
        if answer.get("end") or not items:
            return items, functions.stop
        return items, None

    def function_about(self, thing: Any) -> functions.FunctionAbout:
        """Names, parameters and source of a function or class."""
        answer, reply = self._ask({"do": "function", "handle": self._number(thing)}, self._encoder())
        if not isinstance(answer, dict):
            raise WorkFault(f"{owned(thing).label} cannot be read.")
        try:
            about = {
                **answer,
                "parameters": functions.read_parameters(answer.get("parameters"), lambda node: self._decode(reply, node, "a parameter")),
                "returns": [self._decode(reply, node, "an annotation") for node in answer.get("returns") or []],
                "annotations": [
                    [name, [self._decode(reply, node, "an annotation") for node in nodes]] for name, nodes in answer.get("annotations") or []
                ],
                "defaults": self._decode(reply, answer.get("defaults"), "a default"),
                "kwdefaults": self._decode(reply, answer.get("kwdefaults"), "a default"),
            }
            if isinstance(code := answer.get("code"), dict):
                about["code"] = {**code, "consts": self._decode(reply, code.get("consts"), "a constant")}
            return functions.FunctionAbout(about, f"<student's code {next(_files)}>")
        except (Malformed, ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise WorkFault(f"{owned(thing).label} cannot be looked at: its description makes no sense ({type(error).__name__}).") from None

    def pyplot(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """What a function of `matplotlib.pyplot` gives in the student kernel."""
        encoder = self._encoder()
        request: Pyplot = {"do": "pyplot", "name": name, "arguments": encoder.encode(list(arguments))}
        answer, reply = self._ask(request, encoder, f"`{name}`")
        return self._decode(reply, answer, f"`{name}`")

    def plain(self, thing: Any) -> Any:
        """The plain part of an object: the list in an object of a class derived from list. Never a stand-in."""
        answer, reply = self._ask({"do": "plain", "handle": self._number(thing)}, self._encoder())
        value = self._decode(reply, answer, owned(thing).label)
        if handle_of(value) is not None:
            raise owned(thing).not_plain()
        return value

    def derive(self, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> Any:
        """A class that a test derives from a student's, made in the student's kernel."""
        encoder = self._encoder()
        encoder.buffers.append(pickling.dumps((name, bases, dict(body)), self.generation))
        if any(map(has_effects, body.values())):
            self.traffic.not_kept = NO_EFFECTS.format(name=name)
        handle = next(handle for base in bases if (handle := handle_of(base)) is not None)
        answer, reply = self._ask({"do": "derive", "handle": handle.number, "arguments": ["pickle", 1]}, encoder, f"`{name}`")
        return self._decode(reply, answer, f"`{name}`")

    def _call(self, request: Call | CallSpecial, label: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        encoder = self._encoder()
        try:
            request["arguments"], request["keywords"] = encoder.encode(list(arguments)), encoder.encode(keywords)
        except Unsendable as unsendable:
            self.traffic.unsendable = unsendable
            raise
        request["may_change"] = may_change = f"{label.strip('`')}()" in self.trusted_comparisons
        self.exchange.passes(label, [*arguments, *keywords.values()], self.trusted_comparisons)
        if self.traffic.backward and any(getattr(value, "requires_grad", False) is True for value in arguments if handle_of(value) is None):
            self.traffic.not_kept = NO_GRADIENTS
        answer, reply = self._ask(request, encoder, label)
        own, kept, places = self._about.get("own"), self._about.get("kept"), dict(enumerate(arguments, 1)) | keywords
        self._copies.keep_arguments(kept, places, lambda place: f"{label.strip('`')}({place}) kept" in self.trusted_comparisons)
        take_states(
            places,
            self._about,
            lambda place: f"{label.strip('`')}({place})" in self.trusted_comparisons,
            lambda node: self._decode(reply, node, f"a part of an argument of {label}"),
        )
        if may_change:
            if not isinstance(answer, list) or len(answer) != 3:
                raise WorkFault(f"{label} gave an answer that cannot be read.")
            answer, *changed = answer
            put_back_arguments(label, changed, places, self.trusted_comparisons, lambda node, what: self._decode(reply, node, what))
        return self._copies.keep(own, self.traffic.noted(label, self._decode(reply, answer, f"{label} returned something that")), is_read=False)

    def _number(self, thing: Any) -> int:
        handle = owned(thing)
        if handle.generation != self.generation:
            raise KernelGone("The program was started again in the middle of this test.")
        return handle.number

    def _encoder(self) -> Encoder:
        return Encoder(
            self._encode_argument,
            self._limits.message_mb * MB,
            rest_of=lambda items: self.traffic.number_of(lambda: list(itertools.islice(items, READ_AT_ONCE))),
        )

    def _encode_argument(self, value: Any, buffers: list[Any]) -> list[Any]:
        """What is not a plain value goes by pickle, by its number when it is the student's own, or is called back when it has effects."""
        if handle_of(value) is not None:
            return ["ref", self._number(value)]
        if has_effects(value):
            return ["callback", self.traffic.number_of(value)]
        try:
            buffers.append(pickling.dumps(value, self.generation))
        except Exception as error:
            raise Unsendable(f"the test cannot send a {type(value).__name__}: {error}") from error
        return ["pickle", len(buffers) - 1]

    def _call_back(self, call: list[bytes]) -> list[bytes]:
        """Answer a call of the student's code to a function of the test's. Raises `TestStopped` where such calls bring too much."""
        encoder = self._encoder()
        self.traffic.count(call, self._limits.message_mb * MB)
        try:
            document = Decoder(call, {}).document()
            arguments = self._decode(call, document["arguments"], "an argument of a test's function")
            keywords = self._decode(call, document["keywords"], "an argument of a test's function")
            return encoder.finish({"value": encoder.encode(self.traffic.answer(document, list(arguments), dict(keywords)))})
        except Exception as error:  # the student's code may catch it; the test will notice
            is_check = isinstance(error, AssertionError) and not isinstance(error, WorkFault)  # whose text says what is expected
            return Encoder(self._encode_argument, MB).finish({"error": type(error).__name__, "text": "" if is_check else str(error)[:2000]})

    def _open(self, document: Any, label: str) -> Any:
        if not isinstance(document, dict):
            raise WorkFault(f"{label or 'The notebook'} gave an answer that cannot be read.")
        if document.get("refused"):
            raise WorkFault(f"{label or 'The value'} cannot be checked: {sentence(document['refused'])}.")
        if "error" in document:
            raise self._error(document["error"])
        if changed := document.get("changed"):
            raise WorkFault(
                f"{label} changed its argument {sentence(changed[0] if isinstance(changed, list) else '')}. "
                "Work on a copy, so that the caller's data stays as it was."
            )
        return document.get("value")

    def _error(self, description: Any) -> BaseException:
        """What the student's code raised: an object of the class that stands for theirs, if it is one of their own."""
        error: Any = base.rebuild_error(description)
        if not isinstance(description, dict):
            return error
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
                error = factories.make_object(kind, Handle(self, own, self.generation, kind.__name__, "the exception"))
                error.__dict__["_message"] = message
                error.args = (message,)
        if description.get("args"):
            try:
                arguments = Decoder([b""], {}).decode(description["args"])
                error.args = arguments if type(arguments) is tuple else error.args
            except Malformed:
                pass
        return base.with_line(error, description)

    def _decode(self, reply: list[bytes], node: Any, what: str, alias: str = "") -> Any:
        label = what.removesuffix(" returned something that").removesuffix(" gave something that")
        tags: dict[str, Callable[..., Any]] = {
            "handle": lambda number, role, kind: self._thing(number, role, sentence(kind), label),
            "object": lambda number, kind, name: self._object(number, kind, sentence(name), label),
            "module": lambda name: module_named(name, alias),
            "any_error": lambda: base.ANY_ERROR,
        }
        try:
            return Decoder(reply, tags).decode(node)
        except Malformed as malformed:
            raise WorkFault(f"{what} cannot be read: {malformed}.") from None

    def _thing(self, number: Any, role: Any, kind: str, label: str) -> Any:
        if role == "class":
            return self._class(number, label, 0)
        make = FUNCTIONS.get(role) if isinstance(role, str) else None
        if make is None:
            raise Malformed("an impossible description of an object")
        return self._one(number, lambda: make(Handle(self, number, self.generation, role if role != "builtin" else "function", label)))

    def _object(self, number: Any, class_number: Any, name: str, label: str) -> Any:
        return self._one(
            number, lambda: factories.make_object(self._class(class_number, label, 0), Handle(self, number, self.generation, name, label))
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
            about, _ = self._ask({"do": "class", "handle": number}, self._encoder(), label)
            if not isinstance(about, dict):
                raise Malformed("an impossible description of a class")
            described = about.get("bases")
            if not isinstance(described, list) or len(described) > MOST_BASES or len(self._classes) >= MOST_CLASSES:
                raise Malformed("an impossible description of a class")
            bases = [parent for node in described if (parent := self._base(node, label, depth))]
            if about.get("module") != "__main__" and (known := base.library_error(str(about.get("module")), str(about.get("name")))):
                bases = [known]
            handle = Handle(self, number, self.generation, "class", label)
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
        if self._cached_generation != self.generation:
            self._things.clear()
            self._classes.clear()
            self._cached_generation = self.generation
