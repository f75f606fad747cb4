"""Objects that a test has made and passes to a student's code: a network, an optimizer, an object of the test's own class.

The student's kernel works on one copy of each, known by a number. Where that copy comes back, the test gets its own object, so `is` holds.
What the student's code changes of the copy reaches the test's object part by part, and only parts that the instructor's solution changes at
the same place; as values, like a result. Nothing that comes back is run.
"""

from __future__ import annotations

import collections
import contextlib
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from nbjudge._proxies import pickling
from nbjudge._proxies.base import handle_of
from nbjudge._student import lent_objects as theirs
from nbjudge._wire import lent_parts
from nbjudge._wire.codec import Encoder
from nbjudge._wire.copied_values import is_container, put_back
from nbjudge._wire.errors import Refused, WorkFault
from nbjudge._wire.limits import MB
from nbjudge._wire.unchanged import Looks

MOST_BYTES = 4 * MB  # of all that is kept, to be sent where it has changed
OBJECTS = ("object", "handle", "module", "any_error")  # tags of what is no plain value


class LentObjects:
    """Of one kernel: with a new kernel begins a new one of these."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self._things: dict[int, weakref.ref[Any]] = {}
        self._numbers: dict[int, int] = {}  # by id
        self._held: dict[int, Any] = {}  # what the student's code keeps
        self._known: Any = None  # what of that the kernel has, to compare with
        self._looks = Looks()
        self._next = 0
        self.lost = ""  # the class of an object that was changed in a way that does not come back

    def number_of(self, value: Any) -> int | None:
        """The number of an object that has one."""
        number = self._numbers.get(id(value))
        return number if number is not None and (known := self._things.get(number)) is not None and known() is value else None

    def thing(self, number: Any) -> Any:
        """The test's own object; None where there is none."""
        known = self._things.get(number) if type(number) is int else None
        return known() if known is not None else None

    def lend(self, value: Any) -> int:
        """The number of an object that is passed now."""
        number = self.number_of(value)
        if number is None:
            number, self._next = self._next, self._next + 1
            self._things[number], self._numbers[id(value)] = weakref.ref(value), number
            if len(self._things) > theirs.MOST_REMEMBERED:
                self._things = {known: ref for known, ref in self._things.items() if ref() is not None}
                self._numbers = {id(ref()): known for known, ref in self._things.items()}
        return number

    def reduced(self, value: Any) -> Any:
        """How pickle writes an object of which the kernel keeps a copy; None for any other."""
        if handle_of(value) is not None:
            return None
        if lent_parts.is_learned(value):
            is_parameter = type(value).__name__ == "Parameter"
            return theirs.adopt_tensor, (self.lend(value), value.detach(), value.grad, value.requires_grad, is_parameter)
        if type(value) in lent_parts.STREAMS:
            return (theirs.adopt_stream, (self.lend(value), type(value), value.__getstate__())) if not value.closed else None
        state = lent_parts.state_of_object(value)
        return None if state is None else (theirs.adopt, (self.lend(value), type(value)), state, None, None, theirs.fill)

    def additions(self, encoder: Encoder) -> dict[str, Any]:
        """What goes with a request: the state of what the student's code keeps, where the test has changed it."""
        if not self._held or (now := self._compared()) == self._known:
            return {}
        written = now if isinstance(now, bytes) else self._written()
        self._known = now
        if not 0 < len(written) <= MOST_BYTES:
            return {}
        encoder.buffers.append(written)
        return {"lend": [len(encoder.buffers) - 1]}

    def _compared(self) -> list[lent_parts.Snapshot | None] | bytes:
        """What is kept, as it is now: snapshots, or, where something has none, a pickle, which takes ten times as long."""
        try:
            found = [self._snapshot(number, thing) for number, thing in self._held.items()]
        except Exception:  # of what tells no state any more nothing is sent
            return b""
        return self._written() if None in found else found

    def _snapshot(self, number: int, thing: Any) -> lent_parts.Snapshot | None:
        return self._looks.of(number, thing, self._number_of_kept, lambda: lent_parts.snapshot_of_thing(thing, self._number_of_kept))

    def _number_of_kept(self, value: Any) -> int | None:
        number = self.number_of(value)
        return number if number in self._held else None

    def _written(self) -> bytes:
        """A pickle of what is kept; nothing where there is something that cannot be written any more."""
        try:
            return pickling.dumps([*self._held.values()], self.generation, self.reduced)
        except Exception:
            return b""

    def take(self, about: dict[str, Any], may: Callable[[str], bool], decode: Callable[[Any], Any]) -> None:
        """Put in what has changed in the kernel, where it `may` change, and remember what is kept there. Nothing in `about` is trusted."""
        changes = [*_pairs(about.get("lent"))]
        for number, parts in changes:
            if (thing := self.thing(number)) is not None and not self._changed(thing, parts, may, decode):
                del self._things[number]  # the test's object stays as it is: from now on it is another one than the kernel's
        kept = about.get("held")
        held = {number: thing for number in kept if (thing := self.thing(number)) is not None} if isinstance(kept, list) else {}
        if changes or held.keys() != self._held.keys():
            if held.keys() != self._held.keys():  # what was the number of a part may be its content now
                self._looks.keep_only({})
            self._held = held
            self._known = self._compared() if held else None

    def _changed(self, thing: Any, parts: Any, may: Callable[[str], bool], decode: Callable[[Any], Any]) -> bool:
        """Whether one of these parts is new now."""
        found = False
        for part in parts if isinstance(parts, list) else []:
            if isinstance(part, list) and len(part) in (1, 2) and type(part[0]) is str and may(f"{type(thing).__name__}.{part[0]}"):
                is_new = False
                with contextlib.suppress(WorkFault, Refused, TypeError, ValueError, RuntimeError):  # what makes no sense changes nothing
                    is_new = self._put(thing, part[0], [decode(node) for node in part[1:]], any(map(self._has_objects, part[1:])))
                if not is_new:
                    self.lost = self.lost or type(thing).__name__
                found |= is_new
        return found

    def _has_objects(self, node: Any) -> bool:
        """Whether there are things of the student's in a value."""
        if not isinstance(node, list) or not node or (node[0] == "yours" and len(node) > 1 and self.thing(node[1]) is not None):
            return False
        return node[0] in OBJECTS or any(map(self._has_objects, node))

    def _put(self, thing: Any, name: str, new: list[Any], has_objects: bool) -> bool:
        if lent_parts.is_learned(thing):
            return bool(new) and _put_into_tensor(thing, name, new[0])
        if type(thing) in lent_parts.STREAMS:
            thing.__setstate__(tuple(new[0]))
            return True
        if has_objects and _is_of_a_library(type(thing)):
            return False  # code of a library's would rely upon what is inside its own objects
        if not new:
            return vars(thing).pop(name, None) is not None
        vars(thing)[name] = _merged(vars(thing).get(name), new[0])
        return True


def _pairs(answer: Any) -> Iterator[tuple[Any, Any]]:
    for pair in answer if isinstance(answer, list) else []:
        if isinstance(pair, list) and len(pair) == 2:
            yield pair[0], pair[1]


def _is_of_a_library(kind: type) -> bool:
    return kind.__module__ != "__main__" and getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind


def _put_into_tensor(own: Any, name: str, new: Any) -> bool:
    torch = sys.modules["torch"]
    if name == lent_parts.LEARNS and type(new) is bool:
        own.requires_grad_(new)
    elif name == lent_parts.DATA and type(new) is torch.Tensor and new.dtype == own.dtype:
        if new.shape == own.shape:
            own.detach().copy_(new)
        else:
            own.data = new
    elif name == lent_parts.GRADIENT and (new is None or type(new) is torch.Tensor):
        own.grad = new
    else:
        return False
    return True


def _merged(before: Any, after: Any) -> Any:
    """`after`, in the containers that there were before, where they are of the same kind: somebody else may have these."""
    if before is after or type(before) is not type(after) or lent_parts.is_learned(after):
        return after
    if type(before) is list:
        before[:] = [_merged(*both) for both in zip(before, after)] + after[len(before) :]
        return before
    if type(before) in (dict, collections.OrderedDict, collections.defaultdict):
        new = {key: _merged(before[key], value) if key in before else value for key, value in after.items()}
        before.clear()
        before.update(new)
        return before
    return before if is_container(before) and put_back(before, after) else after
