"""What tests ask of a student's kernel through proxies: names, attributes, calls; with what goes along and what comes back."""

from __future__ import annotations

import itertools
import threading
import types
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from nbjudge._analysis.answering_classes import JUDGING, SEEING
from nbjudge._proxies import functions, pickling, truth_values
from nbjudge._proxies.base import HandleCounts, handle_of, owned
from nbjudge._proxies.call_context import NO_EFFECTS, NO_GRADIENTS, NOT_BACK, CallContext, taking_turns
from nbjudge._proxies.callbacks import has_effects
from nbjudge._proxies.copies import Copies, as_view, put_back_arguments, sentence, take_states
from nbjudge._proxies.doubtful_values import Doubt, Doubts
from nbjudge._proxies.files import Exchange
from nbjudge._proxies.lent_objects import LentObjects
from nbjudge._proxies.overrides import MOST, in_sentences
from nbjudge._proxies.proxy_registry import ProxyRegistry
from nbjudge._wire import lent_parts
from nbjudge._wire.codec import READ_AT_ONCE, Decoder, Encoder
from nbjudge._wire.errors import KernelGone, Malformed, Refused, Unsendable, WorkFault
from nbjudge._wire.limits import MB
from nbjudge._wire.requests import Call, CallSpecial, Pyplot, Request

_files = itertools.count(1)  # names for the sources of functions


class Kernel(Protocol):
    """Where requests go: a `StudentSession`."""

    @property
    def generation(self) -> int:
        """Grows with each new kernel; a proxy of an older one is dead."""
        ...

    def check_test(self) -> None:
        """Raises `TestStopped` where the test that runs now cannot pass any more."""
        ...

    def send(self, message: list[bytes], on_call: Callable[[list[bytes]], list[bytes]], free: Sequence[int]) -> list[bytes]:
        """The answer to a message. `on_call` answers what the student's code asks of the test meanwhile. `free`: see `nbjudge._wire.messages.Ask`."""
        ...


@taking_turns
class RemoteCalls:
    """Asks one notebook's kernel.

    Args:
        kernel: where requests go.
        message_mb: the largest answer, in MB.
        trusted_comparisons: see `nbjudge._analysis.answering_classes`.
        given: what the solution's values are, see `nbjudge._proxies.doubtful_values`.
    """

    def __init__(self, kernel: Kernel, message_mb: int, trusted_comparisons: frozenset[str], given: frozenset[Doubt] | None = frozenset()) -> None:
        self.turn, self.is_asking = threading.RLock(), False  # for threads of a test
        self._kernel, self._most_bytes, self.trusted_comparisons = kernel, message_mb * MB, trusted_comparisons
        self.traffic = CallContext()  # of the test that runs now
        self.exchange = Exchange()  # of files, for tests that need it
        self.doubts = Doubts(given, trusted_comparisons)
        self._registry = ProxyRegistry(self, self.doubts, lambda number: self._lent.thing(number))
        self._copies, self._lent_then = Copies(), LentObjects(0)
        self._about: dict[str, Any] = {}  # the last answer, with what came besides its value
        self.handles, self._freed = HandleCounts(), list[int]()  # what the next request tells

    @property
    def generation(self) -> int:
        """Of the kernel that is asked now."""
        return self._kernel.generation

    def names(self, wanted: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
        """The student's values of these names, and sentences about those that cannot travel. A missing name is left out."""
        if not wanted and not self.exchange.is_on:
            return {}, {}
        request: Request = {"do": "get", "names": wanted}
        answer, reply = self._ask(request, self._encoder())
        found, refused = {}, {}
        containers: list[Any] = []  # so far: names may stand for one and the same
        for name in wanted:
            entry = answer.get(name) if isinstance(answer, dict) else None
            try:
                if not isinstance(entry, dict):
                    raise WorkFault(f"`{name}` could not be read from the notebook.")
                if entry.get("refused"):
                    raise WorkFault(f"`{name}` cannot be checked: {sentence(entry['refused'])}.")
                if "value" in entry:
                    found[name] = self._registry.decode(reply, entry["value"], f"`{name}`", alias=name, containers=containers)
            except WorkFault as fault:
                refused[name] = str(fault)
        return found, refused

    def send_changes(self) -> None:
        """Tell the student's kernel what `mirror` has for it, when there is anything."""
        encoder = self._encoder()
        changes = self.traffic.mirror(encoder) if self.traffic.mirror is not None else {}
        has_files = self.exchange.is_on
        if changes or has_files or self._copies.of(self._kernel.generation).are_changed():
            self.traffic.mirror = None
            self._ask({**changes, "do": "get", "names": []}, encoder)

    def attribute(self, thing: Any, name: str) -> Any:
        """The value of `thing.name` in the student kernel. Raises `NotPlain` for what judges: see `objects`."""
        is_trusted = f".{name}" in self.trusted_comparisons
        if not is_trusted and (name in JUDGING or (name in SEEING and self._may_not_see(thing, name))):
            return getattr(truth_values.plain_to_judge(thing, name), name)
        answer, reply = self._ask({"do": "attribute", "handle": self._number(thing), "name": name}, self._encoder())
        return self._copies.keep(self._about.get("own"), self._registry.decode(reply, answer, f"`{name}`"), is_read=True)

    def _may_not_see(self, thing: Any, name: str) -> bool:
        return truth_values.is_object(thing) and not self.doubts.may(owned(thing).label, f"asked for {name}")

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

    def call_each(self, thing: Any, label: str, each: Sequence[Sequence[Any]]) -> list[Any]:
        """What `thing` gives for each list of arguments, up to the first call that fails: of calls that travel together.

        A call that fails has no result here, and neither has one whose arguments or result are too much for one message. Called alone, it
        says why. A generator of random numbers among the arguments stays where it was.
        """
        number = self._number(thing)
        return self._calls([({"do": "call", "handle": number, "is_last": True}, label, arguments) for arguments in each], label)

    def call_methods(self, thing: Any, each: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        """As `call_each`, for methods of an object, by their names; `__call__` is the object itself."""
        number, label, calls = self._number(thing), owned(thing).label, list[tuple[Call, str, Sequence[Any]]]()
        for name, arguments in each:
            if name == "__call__":
                calls.append(({"do": "call", "handle": number}, label, arguments))
            elif name.startswith("__") or name in JUDGING or name in SEEING:
                break  # alone it is asked for where it is decided whether it may judge
            else:
                calls.append(({"do": "call", "handle": number, "method": name}, f"`{name}`", arguments))
        return self._calls(calls, label)

    def _calls(self, calls: list[tuple[Call, str, Sequence[Any]]], label: str) -> list[Any]:
        encoder, sent, containers = self._encoder(), list[Call](), list[list[Any]]()
        places = [dict(enumerate(map(self.doubts.unwrapped, arguments), 1)) for _, _, arguments in calls]
        for (call, of, _), own in zip(calls, places):
            try:
                containers.append(self._put_arguments(call, of, own, encoder))
                sent.append(call)
            except Refused:
                break
        found: list[Any] = []
        if not sent:
            return found
        try:
            answer, reply = self._ask({"do": "calls", "calls": sent}, encoder, label)
        except WorkFault:
            return found
        for (_, of, _), own, inside, about in zip(calls, places, containers, answer if isinstance(answer, list) else []):
            if not isinstance(about, dict) or about.get("changed"):
                break
            self._met(about)
            found.append(self._result(of, own, inside, about, about.get("value"), reply))
        return found

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
        items = [self._registry.decode(reply, node, f"{label} gave something that") for node in nodes]
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
                "parameters": functions.read_parameters(answer.get("parameters"), lambda node: self._registry.decode(reply, node, "a parameter")),
                "returns": [self._registry.decode(reply, node, "an annotation") for node in answer.get("returns") or []],
                "annotations": [
                    [name, [self._registry.decode(reply, node, "an annotation") for node in nodes]] for name, nodes in answer.get("annotations") or []
                ],
                "defaults": self._registry.decode(reply, answer.get("defaults"), "a default"),
                "kwdefaults": self._registry.decode(reply, answer.get("kwdefaults"), "a default"),
            }
            if isinstance(code := answer.get("code"), dict):
                about["code"] = {**code, "consts": self._registry.decode(reply, code.get("consts"), "a constant")}
            return functions.FunctionAbout(about, f"<student's code {next(_files)}>")
        except (Malformed, ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise WorkFault(f"{owned(thing).label} cannot be looked at: its description makes no sense ({type(error).__name__}).") from None

    def pyplot(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """What a function of `matplotlib.pyplot` gives in the student kernel."""
        encoder = self._encoder()
        request: Pyplot = {"do": "pyplot", "name": name, "arguments": encoder.encode(list(arguments))}
        answer, reply = self._ask(request, encoder, f"`{name}`")
        return self._registry.decode(reply, answer, f"`{name}`")

    def plain(self, thing: Any) -> Any:
        """The plain part of an object: the list in an object of a class derived from list. Never a stand-in."""
        answer, reply = self._ask({"do": "plain", "handle": self._number(thing)}, self._encoder())
        value = self._registry.decode(reply, answer, owned(thing).label)
        if handle_of(value) is not None:
            raise owned(thing).not_plain()
        return value

    def derive(self, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> Any:
        """A class that a test derives from a student's, made in the student's kernel."""
        encoder = self._encoder()
        encoder.buffers.append(pickling.dumps((name, bases, dict(body)), self._kernel.generation))
        if any(map(has_effects, body.values())):
            self.traffic.not_kept = NO_EFFECTS.format(name=name)
        handle = next(handle for base in bases if (handle := handle_of(base)) is not None)
        answer, reply = self._ask({"do": "derive", "handle": handle.number, "arguments": ["pickle", 1]}, encoder, f"`{name}`")
        return self._registry.decode(reply, answer, f"`{name}`")

    def empty_request(self) -> list[bytes]:
        """A message that asks for nothing: a kernel that obeys answers it at once."""
        return self._encoder().finish({"do": "get", "names": []})

    def class_about(self, number: int, label: str) -> dict[str, Any]:
        """The description of the class of this number."""
        about, _ = self._ask({"do": "class", "handle": number}, self._encoder(), label)
        if not isinstance(about, dict):
            raise Malformed("an impossible description of a class")
        return about

    @property
    def _lent(self) -> LentObjects:
        if self._lent_then.generation != self._kernel.generation:
            self._lent_then = LentObjects(self._kernel.generation)
        return self._lent_then

    def _ask(self, request: Request, encoder: Encoder, label: str = "") -> tuple[Any, list[bytes]]:
        """Send one request and return the answer's value, still undecoded. Raises what the student's code raised."""
        self._kernel.check_test()
        complete = self.traffic.additions(request, encoder)
        heard = complete.get("hear", [])
        copies = self._copies.of(self._kernel.generation)
        complete.update(copies.additions(encoder, request["do"] != "get", f"{label.strip('`')} moves" in self.trusted_comparisons))
        complete.update(self.exchange.additions(encoder, self._kernel.generation))
        if request["do"] != "get":
            complete.update(self._lent.additions(encoder))
        complete["most_bytes"] = self._most_bytes
        reply = self._kernel.send(encoder.finish(complete), self._call_back, self._told_as_freed(copies))
        try:
            document = Decoder(reply, {}).document()
        except Malformed as malformed:
            raise WorkFault(f"{label or 'The notebook'} gave an answer that cannot be read: {malformed}.") from None
        self.traffic.take(document, heard, lambda node, name: self._registry.decode(reply, node, f"`{name}`", alias=name))
        self._about = document if isinstance(document, dict) else {}
        copies.take(self._about.get("watched"), lambda node: self._registry.decode(reply, node, "a list"))
        self._lent.take(
            self._about,
            lambda part: self.doubts.may(f"{label} changed", part),
            lambda node: self._registry.decode(reply, ["list", [node]], f"what {label} changed")[0],
        )
        if self._lent.lost and self.doubts.given is None:
            self.traffic.not_kept = NOT_BACK.format(label=label, kind=self._lent.lost)
        self._lent.lost = ""
        self.exchange.take(self._about, lambda node: self._registry.decode(reply, node, "a file"))
        self.traffic.warn()
        return self._open(document, label), reply

    def _begin_turn(self) -> None:
        """Note which objects nothing stands for any more. No answer that may name them is still to be read."""
        self._freed = self.handles.freed(self._kernel.generation)

    def _told_as_freed(self, copies: Copies) -> list[int]:
        freed, self._freed = self._freed, []
        return [number for number in freed if not copies.has(number)]

    def _call(self, request: Call | CallSpecial, label: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        encoder = self._encoder()
        places = {place: self.doubts.unwrapped(value) for place, value in [*enumerate(arguments, 1), *keywords.items()]}
        containers = self._put_arguments(request, label, places, encoder)
        answer, reply = self._ask(request, encoder, label)
        return self._result(label, places, containers, self._about, answer, reply)

    def _put_arguments(self, request: Call | CallSpecial, label: str, places: dict[Any, Any], encoder: Encoder) -> list[Any]:
        """Complete the request of a call with its arguments, by places from 1 or keywords. Gives the containers in them."""
        encoder.same_as([])
        arguments = [value for place, value in places.items() if type(place) is int]
        keywords = {place: value for place, value in places.items() if type(place) is not int}
        try:
            request["arguments"], request["keywords"] = encoder.encode(arguments), encoder.encode(keywords)
        except Unsendable as unsendable:
            self.traffic.unsendable = unsendable
            raise
        request["may_change"] = f"{label.strip('`')}()" in self.trusted_comparisons
        self.exchange.passes(label, [*places.values()], self.trusted_comparisons)
        if self.traffic.backward and any(getattr(value, "requires_grad", False) is True for value in arguments if handle_of(value) is None):
            self.traffic.not_kept = NO_GRADIENTS
        encoder.known = None  # what else goes with the request is none of the arguments
        return [*encoder.places]

    def _result(self, label: str, places: dict[Any, Any], containers: list[Any], about: dict[str, Any], answer: Any, reply: list[bytes]) -> Any:
        """What a call gave, with all that came with it."""
        name = label.strip("`")
        self._copies.keep_arguments(about.get("kept"), places, lambda place: f"{name}({place}) kept" in self.trusted_comparisons)
        take_states(
            places,
            about,
            lambda node: self._registry.decode(reply, node, f"a part of an argument of {label}"),
        )
        if f"{name}()" in self.trusted_comparisons:
            if not isinstance(answer, list) or len(answer) != 3:
                raise WorkFault(f"{label} gave an answer that cannot be read.")
            answer, *changed = answer
            put_back_arguments(label, changed, places, self.trusted_comparisons, lambda node, what: self._registry.decode(reply, node, what))
        found = self._registry.decode(reply, answer, f"{label} returned something that", containers=containers)
        if self.traffic.backward and self.doubts.given is None and type(found).__name__ == "Tensor":
            self.traffic.not_kept = NO_GRADIENTS  # should the solution fail here: its network has parameters that the test does not pass
        if type(found) is np.ndarray and "view" in about:
            found = as_view(about["view"], places, found)
        return self._copies.keep(about.get("own"), self.traffic.noted(label, found), is_read=False)

    def _number(self, thing: Any) -> int:
        handle = owned(thing)
        if handle.generation != self._kernel.generation:
            raise KernelGone("The program was started again in the middle of this test.")
        return handle.number

    def _encoder(self) -> Encoder:
        encoder = Encoder(
            self._encode_argument,
            self._most_bytes,
            rest_of=lambda items: self.traffic.number_of(lambda: list(itertools.islice(items, READ_AT_ONCE))),
        )
        encoder.original_of, encoder.lend = self.doubts.original_of, self._lend_tensor
        return encoder

    def _lend_tensor(self, value: Any) -> int | None:
        return self._lent.lend(value) if lent_parts.is_learned(value) else None

    def _encode_argument(self, value: Any, buffers: list[Any]) -> list[Any]:
        """What is not a plain value goes by pickle, by its number when it is the student's own, or is called back when it has effects."""
        if handle_of(value) is not None:
            return ["ref", self._number(value)]
        if has_effects(value):
            return ["callback", self.traffic.number_of(value), *((value.__name__, value.__doc__) if type(value) is types.FunctionType else ())]
        try:
            buffers.append(pickling.dumps(value, self._kernel.generation, self._lent.reduced))
        except WorkFault:  # it refers to something of the student's that may not be there
            raise
        except Exception as error:
            raise Unsendable(f"the test cannot send a {type(value).__name__}: {error}") from error
        return ["pickle", len(buffers) - 1]

    def _call_back(self, call: list[bytes]) -> list[bytes]:
        """Answer a call of the student's code to a function of the test's. Raises `TestStopped` where such calls bring too much."""
        encoder = self._encoder()
        self.traffic.count(call, self._most_bytes)
        try:
            document = Decoder(call, {}).document()
            arguments = self._registry.decode(call, document["arguments"], "an argument of a test's function")
            keywords = self._registry.decode(call, document["keywords"], "an argument of a test's function")
            return encoder.finish({"value": encoder.encode(self.traffic.answer(document, list(arguments), dict(keywords)))})
        except Exception as error:  # the student's code may catch it; the test will notice
            is_check = isinstance(error, AssertionError) and not isinstance(error, WorkFault)  # whose text says what is expected
            return Encoder(self._encode_argument, MB).finish({"error": type(error).__name__, "text": "" if is_check else str(error)[:2000]})

    def _met(self, description: Any) -> None:
        self.traffic.overrides = list(dict.fromkeys([*self.traffic.overrides, *in_sentences(description)]))[:MOST]

    def _open(self, document: Any, label: str) -> Any:
        if not isinstance(document, dict):
            raise WorkFault(f"{label or 'The notebook'} gave an answer that cannot be read.")
        if document.get("refused"):
            raise WorkFault(f"{label or 'The value'} cannot be checked: {sentence(document['refused'])}.")
        if "error" in document:
            self._met(document["error"])
            raise self._registry.error(document["error"])
        self._met(document)
        if changed := document.get("changed"):
            raise WorkFault(
                f"{label} changed its argument {sentence(changed[0] if isinstance(changed, list) else '')}. "
                "Work on a copy, so that the caller's data stays as it was."
            )
        return document.get("value")
