"""What looks unchanged is: each way to change an object, or something in it, is seen; and without a change nothing looks new."""

from __future__ import annotations

import collections
import copy
import math
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from nbjudge._wire.lent_parts import snapshot_of_thing
from nbjudge._wire.limits import MB
from nbjudge._wire.unchanged import Looks, Unchanged


class Thing:
    """An object of a test's."""

    def __init__(self) -> None:
        self.number, self.word, self.decimals = 1, "one", 1.5
        self.nothing: Any = None
        self.items, self.pairs, self.empty, self.none = [1, [2]], {"a": [1], "b": {}}, [], {}
        self.ordered = collections.OrderedDict(a=1, b=2)
        self.names, self.both = {"a"}, ([1], 2)
        self.array, self.view = np.zeros((2, 3)), np.arange(6.0).reshape(2, 3).T
        self.tensor, self.learned = torch.zeros(2, 3), torch.ones(2, requires_grad=True)
        self.learned.grad = torch.ones(2)
        self.sine = math.sin


def _in_memory(tensor: torch.Tensor) -> None:
    tensor.detach().numpy()[0] = 7


CHANGES: dict[str, Callable[[Any], object]] = {
    "an attribute": lambda one: setattr(one, "number", 2),
    "another attribute": lambda one: setattr(one, "more", 2),
    "one less": lambda one: delattr(one, "number"),
    "all of them": lambda one: setattr(one, "__dict__", dict(vars(one))),
    "decimals": lambda one: setattr(one, "decimals", -0.0),
    "an item": lambda one: one.items.append(3),
    "a deeper item": lambda one: one.items[1].append(3),
    "an item again": lambda one: one.items.__setitem__(0, 1.0),
    "what was empty": lambda one: one.empty.append(1),
    "a dict that was empty": lambda one: one.none.update(a=1),
    "a deeper dict that was empty": lambda one: one.pairs["b"].update(a=1),
    "a pair": lambda one: one.pairs["a"].append(2),
    "another name": lambda one: one.pairs.update(c=one.pairs.pop("a")),
    "an order": lambda one: one.ordered.move_to_end("a"),
    "a set": lambda one: one.names.add("b"),
    "a tuple's list": lambda one: one.both[0].append(2),
    "an array": lambda one: one.array.__setitem__((0, 0), 1),
    "an array's sign": lambda one: one.array.__imul__(-1.0),
    "an array's shape": lambda one: setattr(one.array, "shape", (3, 2)),
    "through a view": lambda one: one.view.base.__setitem__(0, 9),
    "a tensor": lambda one: one.tensor.add_(1),
    "a tensor's memory": lambda one: _in_memory(one.tensor),
    "a tensor's data": lambda one: setattr(one.tensor, "data", torch.zeros(2, 3)),
    "a tensor's shape": lambda one: one.tensor.t_(),
    "whether it learns": lambda one: one.tensor.requires_grad_(),
    "a gradient": lambda one: one.learned.grad.add_(1),
    "another gradient": lambda one: setattr(one.learned, "grad", torch.ones(2)),
    "no gradient": lambda one: setattr(one.learned, "grad", None),
    "a first gradient": lambda one: setattr(one.tensor, "grad", torch.ones(2, 3)),
    "a function": lambda one: setattr(one, "sine", math.cos),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_is_seen(change: Callable[[Any], object]) -> None:
    thing = Thing()
    looked = Unchanged(thing, lambda _: None)
    assert looked.holds(thing)
    change(thing)
    assert not looked.holds(thing)
    assert Unchanged(thing, lambda _: None).holds(thing)


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model.weight.data.add_(1),
        lambda model: _in_memory(model.weight),
        lambda model: setattr(model, "weight", torch.nn.Parameter(model.weight.detach().clone())),
        lambda model: model.eval(),
        lambda model: model.register_buffer("more", torch.zeros(1)),
        lambda model: model.register_forward_hook(print),
        lambda model: model(torch.ones(1, 2)).sum().backward(),
        lambda model: model.weight.requires_grad_(False),
        lambda model: model.half(),
    ],
)
def test_a_change_of_a_network_is_seen(change: Callable[[Any], object]) -> None:
    model = torch.nn.Linear(2, 2)
    looked = Unchanged(model, lambda _: None)
    assert looked.holds(model)
    change(model)
    assert not looked.holds(model)


@pytest.mark.parametrize(
    "change", [lambda one: one.detach().add_(1), lambda one: setattr(one, "grad", torch.ones(2)), lambda one: one.requires_grad_(False)]
)
def test_a_tensor_that_learns_is_looked_at_and_not_held(change: Callable[[Any], object]) -> None:
    tensor = torch.ones(2, requires_grad=True)
    looked = Unchanged(tensor, lambda _: None)
    assert looked.holds(tensor) and not looked.holds(torch.ones(2, requires_grad=True)) and not looked.holds(Thing())
    change(tensor)
    assert not looked.holds(tensor)


FACTOR = 2


def _scaled(by: list[float], other: float) -> tuple[Callable[[float], float], Callable[[float | None], None]]:
    def scale(x: float, more: tuple[int, list[int]] = (1, [2])) -> float:
        return sum(by) * x * FACTOR + other

    def change(new: float | None) -> None:
        nonlocal other
        if new is None:
            del other
        else:
            other = new

    return scale, change


@pytest.mark.parametrize(
    "make_new",
    [
        lambda scale, by, change, patch: by.append(3.0),
        lambda scale, by, change, patch: change(5.0),
        lambda scale, by, change, patch: change(None),
        lambda scale, by, change, patch: scale.__defaults__[0][1].append(3),
        lambda scale, by, change, patch: setattr(scale, "__defaults__", ((1, [2]),)),
        lambda scale, by, change, patch: setattr(scale, "__code__", _scaled([], 0)[0].__code__.replace(co_name="other")),
        lambda scale, by, change, patch: setattr(scale, "note", 1),
        lambda scale, by, change, patch: patch.setitem(globals(), "FACTOR", 3),
    ],
)
def test_a_change_of_what_a_function_refers_to_is_seen(make_new: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    thing, by = Thing(), [1.0]
    scale, change = _scaled(by, 2.0)
    thing.nothing = scale
    looked = Unchanged(thing, lambda _: None)
    assert looked.holds(thing)
    make_new(scale, by, change, monkeypatch)
    assert not looked.holds(thing)


def test_a_function_around_which_a_name_stands_for_nothing_always_looks_new() -> None:
    thing, (scale, change) = Thing(), _scaled([1.0], 2.0)
    change(None)
    thing.nothing = scale
    assert not Unchanged(thing, lambda _: None).holds(thing)
    assert snapshot_of_thing(thing, lambda _: None) is None


class OwnState(Thing):
    """One that says itself what belongs to it."""

    def __getstate__(self) -> dict[str, Any]:
        return {"number": len(self.items)}


class Asked:
    """What stands for a student's object: whoever reads an attribute asks the student's code."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"asked for {name}")


def test_an_object_of_a_students_is_asked_nothing() -> None:
    thing = Thing()
    thing.nothing = Asked()
    assert not Unchanged(thing, lambda _: None).holds(thing)


@pytest.mark.parametrize(
    "part",
    [
        object(),
        [object()],
        {"a": iter([1])},
        {1, 2},
        bytearray(b"a"),
        torch.ones(2, requires_grad=True) * 2,
        np.array([[1]], object),
        np.zeros(MB // 4),
    ],
)
def test_what_has_something_in_it_that_cannot_be_told_always_looks_new(part: object) -> None:
    thing = Thing()
    thing.nothing = part
    assert not Unchanged(thing, lambda _: None).holds(thing)
    assert not Unchanged(OwnState(), lambda _: None).holds(OwnState())
    assert not Unchanged(object(), lambda _: None).holds(object())


def test_looks_end_with_what_they_were_made_for() -> None:
    """Of cycles memory would be free only when Python looks for them."""

    class Lender:
        def __init__(self) -> None:
            self.looks = Looks()

        def number_of(self, value: object) -> None:
            return None

    lender, thing = Lender(), Thing()
    made = [lender.looks.of(1, thing, lender.number_of, lambda: ["made"]) for _ in range(2)]
    assert made[0] is made[1]
    thing.items.append(3)
    assert lender.looks.of(1, thing, lender.number_of, lambda: ["again"]) == ["again"]
    gone = weakref.ref(lender)
    del lender
    assert gone() is None


def test_of_what_is_gone_no_look_is_kept() -> None:
    alive = weakref.WeakValueDictionary[int, Thing]()
    looks, around = Looks(), Thing()
    alive[1], alive[2] = around, Thing()  # the second one ends here
    around.nothing = alive[3] = Thing()
    for number, thing in [*alive.items()]:
        looks.of(number, thing, lambda _: None, list)
    del around, thing
    looks.keep_only(alive)
    assert not alive


def test_what_is_lent_itself_is_looked_at_by_itself() -> None:
    thing = Thing()
    other = thing.nothing = Thing()
    looked = Unchanged(thing, lambda one: 1 if one is other else None)
    other.items.append(3)
    assert looked.holds(thing)
    thing.nothing = copy.copy(other)
    assert not looked.holds(thing)
