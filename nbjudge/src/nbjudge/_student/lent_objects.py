"""Objects of a test's that the student's code has: one copy of each, however often the test passes it, so that `is` holds here, too."""

import weakref
from typing import Any

from nbjudge._wire import lent_parts
from nbjudge._wire.codec import Encoder
from nbjudge._wire.errors import Refused
from nbjudge._wire.limits import MB
from nbjudge._wire.requests import Reply
from nbjudge._wire.unchanged import Looks

MOST_REMEMBERED, MOST_BYTES = 10_000, 64 * MB
_here: "weakref.WeakValueDictionary[int, Any]" = weakref.WeakValueDictionary()  # as long as something of the student's keeps them
_numbers: dict[int, int] = {}  # by the id of a copy, which may be another thing's by now
_before: dict[int, tuple[Any, lent_parts.Contents]] = {}  # what they held when the student's code began to run
_looks = Looks()
_changed: dict[int, list[str]] = {}
_is_over = False  # whether the student's code has run since the last look at what it changed


def number_of(value: Any) -> int | None:
    """The number of a copy; None for anything else."""
    number = _numbers.get(id(value))
    return number if number is not None and _here.get(number) is value else None


def adopt(number: int, kind: type) -> Any:
    """The copy of this number, which gets its state next. Pickles of the grader call this, and what follows."""
    known = _here.get(number)
    return known if type(known) is kind else _remember(number, object.__new__(kind))


def fill(thing: Any, state: dict[str, Any]) -> None:
    """The whole state of an object, as the test has it now."""
    vars(thing).clear()
    if hasattr(type(thing), "__setstate__"):
        thing.__setstate__(state)
    else:
        vars(thing).update(state)


def adopt_stream(number: int, kind: type, state: Any) -> Any:
    """A text or bytes in memory."""
    known = _here.get(number)
    stream: Any = known if type(known) is kind else _remember(number, kind())
    stream.__setstate__(state)
    return stream


def adopt_tensor(number: int, data: Any, slope: Any, learns: bool, is_parameter: bool) -> Any:
    """A tensor that is changed in place."""
    import torch

    tensor: Any = _here.get(number)
    if tensor is None or (type(tensor) is torch.nn.Parameter) != is_parameter:
        tensor = _remember(number, torch.nn.Parameter(data, learns) if is_parameter else data.detach().requires_grad_(learns))
    else:
        tensor.data = data
        tensor.requires_grad_(learns)
    tensor.grad = slope
    return tensor


def _remember(number: int, thing: Any) -> Any:
    if len(_numbers) > MOST_REMEMBERED:
        _numbers.clear()
        _numbers.update({id(one): known for known, one in _here.items()})
    _here[number] = thing
    _numbers[id(thing)] = number
    return thing


def forget_changes() -> None:
    """A new request begins."""
    global _is_over
    _is_over = False
    _before.clear()
    _changed.clear()


def begin() -> None:
    """The student's code runs next: what changes from now on is its work."""
    for number, thing in [*_here.items()]:
        if number not in _before:
            _before[number] = thing, _contents(number, thing)


def _contents(number: int, thing: Any) -> lent_parts.Contents:
    """What its parts hold now: the same dict as the last time where nothing has changed."""
    return _looks.of(number, thing, number_of, lambda: lent_parts.contents_of(thing, number_of, MOST_BYTES))


def end() -> None:
    """The student's code has run. What it changed is looked at when that is asked for: mostly once for all calls of a request."""
    global _is_over
    _is_over = True


def _look() -> None:
    global _is_over
    if not _is_over:
        return
    _is_over = False
    for number, (thing, before) in _before.items():
        if (now := _contents(number, thing)) is not before:
            _changed[number] = [name for name in {**before, **now} if before.get(name, b"") != now.get(name, b"")]


def is_changed(number: int) -> bool:
    """Whether the student's code has changed it in this request."""
    _look()
    return bool(_changed.get(number))


def news(encoder: Encoder) -> Reply:
    """Which of them the student's code keeps, and the new parts of those that it changed: names and, where there is one, a node each."""
    _look()
    changes = [[number, written] for number, names in _changed.items() if names and (written := _written(number, names, encoder))]
    _before.clear()
    _looks.keep_only(_here)
    found: Reply = {"held": sorted(_here.keys())} if _numbers else {}
    if changes:
        found["lent"] = changes
    return found


def _written(number: int, names: list[str], encoder: Encoder) -> list[list[Any]]:
    parts, written = lent_parts.parts_of(_before[number][0]), []
    for name in names:
        try:
            written.append([name, encoder.encode(parts[name])] if name in parts else [name])
        except Refused:
            written.append([name, ["refused"]])
    return written
