"""What goes with a request of a test besides arguments and result: what the test sets, hears and answers, and what changes.

In a notebook's own kernel a test and the student's functions share names, standard output, `input` and the data of a call. Here
each of these is carried over where the test cell or the instructor's solution shows that it matters, and nowhere else.
"""

from __future__ import annotations

import builtins
import functools
import sys
import types
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, TypeVar

from nbjudge._proxies.base import handle_of
from nbjudge._proxies.generators import loaded
from nbjudge._wire.codec import Encoder
from nbjudge._wire.errors import TestStopped, Unsendable
from nbjudge._wire.requests import Additions, Request

T = TypeVar("T")
INPUT = builtins.input  # unless a test puts a mock in its place
NO_GRADIENTS = "it asks for gradients through the student's function, which do not come back with its result: compare with finite differences"
NO_EFFECTS = (
    "its class `{name}` is derived from one of the student's and changes what lies outside of it, which does not come back: "
    "let the objects of the class remember it"
)
NOT_BACK = "{label} changes what the test passes in a way that does not come back ({kind}): let it make one, and return what the test looks at"
MOST_PRINTED = 1_000_000
MOST_WARNED = 1000
MOST_CALLED_BACK = 4  # times the largest answer: what calls of a test's functions may bring in one test, which may keep it all
TOO_MUCH = "Your code calls a function of the test with more data than can be kept. Look for a loop that never ends."


@dataclass
class CallContext:
    """Of the test that runs now."""

    mirror: Callable[[Encoder], Additions] | None = None  # what has to go with the next request: see `nbjudge._execution.namespace`
    volatile: list[str] = field(default_factory=list)  # names that the student's functions may change
    on_name: Callable[[str, Any], None] = lambda name, value: None  # what is done with their new values
    generators: bool = False  # whether the test is to go on with random numbers where the student's functions left them
    on_random: Callable[[str, Any], None] = lambda name, state: None  # what is done with the states of generators
    own: dict[str, Any] = field(default_factory=dict)  # what stands where a test may listen, unless it does: see `listening_places`
    warned: list[tuple[type[Warning], str, int]] = field(default_factory=list)  # of the call that has just been made
    once: dict[Any, Any] = field(default_factory=dict)  # what `warnings` knows of those that were shown
    callbacks: list[Callable[..., Any]] = field(default_factory=list)  # functions of tests that students' code may call
    patches: dict[tuple[str, str], tuple[Any, Any]] = field(default_factory=dict)  # by module and attribute: the original, and what was sent
    called_back: int = 0  # bytes that calls of these have brought
    backward: bool = False  # whether the test asks for gradients
    not_kept: str = ""  # what the test needs besides and cannot have, whatever the student wrote
    not_judged: str = ""  # what the test's own text wanted to do with a student's text, and may not
    unsendable: Unsendable | None = None  # what the test tried to pass to the student's code
    returned: tuple[str, Any] | None = None  # which function gave something plain last, and what
    overrides: list[str] = field(default_factory=list)  # what the student's code met: see `nbjudge._proxies.overrides`

    def of_next_test(self) -> CallContext:
        """Functions of tests keep their numbers; nothing else is left of the test before."""
        return CallContext(callbacks=self.callbacks)

    @property
    def hears(self) -> list[str]:
        """What the test listens to: where it has put something in the place of what was there."""
        return [name for name, place in listening_places().items() if name in self.own and place != self.own[name]]

    def additions(self, request: Request, encoder: Encoder) -> dict[str, Any]:
        """The request with what goes with it."""
        found: dict[str, Any] = {**request, **(self.mirror(encoder) if self.mirror is not None else {})}
        if hears := self.hears:
            found["hear"] = hears
        if builtins.input is not INPUT:
            found["input"] = self.number_of(builtins.input)
        if patches := [self._patch(place, encoder) for place in self.patches if self._is_news(place)]:
            found["patch"] = patches
        if self.generators:
            found["drawn"] = loaded()
        if self.volatile and request["do"] not in ("get", "class"):
            found["names"] = self.volatile
        return found

    def noted(self, label: str, value: T) -> T:
        """`value`, which the function `label` gave, remembered unless it is a stand-in."""
        if handle_of(value) is None:
            self.returned = label, value
        return value

    def number_of(self, function: Callable[..., Any]) -> int:
        """The number by which the student's kernel calls a function of the test's."""
        for number, known in enumerate(self.callbacks):
            if known is function:
                return number
        self.callbacks.append(function)
        return len(self.callbacks) - 1

    def _is_news(self, place: tuple[str, str]) -> bool:
        return _at(place) is not self.patches[place][1]

    def _patch(self, place: tuple[str, str], encoder: Encoder) -> list[Any]:
        """What the student's kernel has to put into this place of a module: a function of the test's, a value, or its own again."""
        value, original = _at(place), self.patches[place][0]
        self.patches[place] = (original, value)
        if value is original:
            return [*place, []]
        return [*place, [["callback", self.number_of(value)] if callable(value) else encoder.encode(value)]]

    def count(self, call: list[bytes], most_bytes: int) -> None:
        """Take note of what a call of a test's function has brought. Raises `TestStopped` when that is too much in all."""
        self.called_back += sum(map(len, call))
        if self.called_back > MOST_CALLED_BACK * most_bytes:
            raise TestStopped(TOO_MUCH)

    def answer(self, call: dict[str, Any], arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """Call the function of the test's that a student's kernel asks for. Raises what that raises."""
        number = call.get("number")
        if type(number) is not int or not 0 <= number < len(self.callbacks):
            raise ValueError("no such function")
        return self.callbacks[number](*arguments, **keywords)

    def take(self, document: Any, heard: Collection[str], decode: Callable[[Any, str], Any]) -> None:
        """Take from an answer what came with it. Nothing in it is trusted."""
        if not isinstance(document, dict):
            return
        printed, warned = document.get("printed"), document.get("warned")
        for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr)):
            if name in heard and isinstance(printed, dict) and isinstance(text := printed.get(name), str):
                stream.write(text[:MOST_PRINTED])
        for one in warned[:MOST_WARNED] if "warnings" in heard and isinstance(warned, list) else []:
            match one:
                case [str(name), str(text), int(line)] if isinstance(kind := getattr(builtins, name, None), type) and issubclass(kind, Warning):
                    self.warned.append((kind, text[:MOST_PRINTED], line))
        drawn = document.get("drawn") if self.generators else None
        for entry in drawn[:3] if isinstance(drawn, list) else []:
            if isinstance(entry, list) and len(entry) == 2 and entry[0] in loaded():
                self.on_random(entry[0], decode(entry[1], "the state of a generator"))
        answer = document.get("names")
        for name in self.volatile:
            entry = answer.get(name) if isinstance(answer, dict) else None
            if isinstance(entry, dict) and "value" in entry:
                self.on_name(name, decode(entry["value"], name))

    def warn(self) -> None:
        """Give the test the warnings of the call: its own filters say what becomes of them. Raises what a filter makes an error of."""
        warned, self.warned = self.warned, []
        for kind, text, line in warned:
            warnings.warn_explicit(text, kind, "<student's code>", line, "__main__", self.once)


def listening_places() -> dict[str, Any]:
    """What stands where a test may listen."""
    return {
        "stdout": sys.stdout,
        "stderr": sys.stderr,
        "warnings": (warnings.showwarning, vars(warnings).get("_showwarnmsg_impl"), [*warnings.filters]),
    }


def taking_turns(kind: type[T]) -> type[T]:
    """A class whose questions hold `turn`, a lock of each object's, until their answer has been read: its public methods and `_call`.

    `_begin_turn` is called before a question that is not asked while another one is.
    """

    def in_turn(question: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(question)
        def asked(self: Any, *arguments: Any, **keywords: Any) -> Any:
            with self.turn:
                is_outermost, self.is_asking = not self.is_asking, True
                try:
                    if is_outermost:
                        self._begin_turn()
                    return question(self, *arguments, **keywords)
                finally:
                    self.is_asking = not is_outermost

        return asked

    for name, question in [*vars(kind).items()]:
        if isinstance(question, types.FunctionType) and (name == "_call" or not name.startswith("_")):
            setattr(kind, name, in_turn(question))
    return kind


def _at(place: tuple[str, str]) -> Any:
    return getattr(sys.modules.get(place[0]), place[1], None)
