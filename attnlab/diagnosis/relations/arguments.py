"""Relations between a result, the expected one and what went in: an argument that came back, a product too many or too few."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from attnlab.diagnosis.relations.patterns import Example, Pair, Pattern, Texts

TEXTS: dict[str, Texts] = {
    "other part": ("what stands here is the expected {}", "put the parts into the order of the card, each at its own place"),
    "unchanged": ("the result is {}, unchanged", "does `return` name what your lines have made, and do they run?"),
    "turned": ("the result is {} with rows and columns exchanged, and nothing more", "which steps of the card come after that?"),
    "reshaped": (
        "the result holds the numbers of {} in the order in which they stand there: only the shape is another one",
        "`reshape` and `view` never move a number; which axes have to change places first?",
    ),
    "moved": ("the result is {}, and nothing more", "the axes are in another order than the expected ones; write the shape beside every line"),
    "product": ("the result is {}, and nothing more", "which steps of the card come after that product?"),
    "missing": ("one product is still missing: {} is the expected result", "which step of the card comes last?"),
    "too many": ("there is one product too many: the result is {}", "which step is the last one of the card? Return what it gives"),
    "added": ("the result is the expected one plus {}", "where does that come in? A total that does not begin at zero, or one addition too many"),
    "subtracted": ("the result is the expected one minus {}", "where is that subtracted, or where should it have been added?"),
    "multiplied": ("the result is the expected one times {}, entry by entry", "which line multiplies by it once too often?"),
}
ENTRY_BY_ENTRY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {"added": np.add, "subtracted": np.subtract, "multiplied": np.multiply}

Value = Callable[[Example], np.ndarray]


def to_arguments(examples: list[Example]) -> Iterator[Pattern]:
    """Every relation with the arguments that all examples have."""
    for name in examples[0].others:
        yield Pattern("other part", f"`{name}`", lambda e, name=name: (e.others[name], e.got))
    names = [name for name in examples[0].arrays if all(name in example.arrays for example in examples)]
    for name in names:
        yield Pattern("unchanged", f"`{name}`", lambda e, name=name: (e.arrays[name], e.got))
    for name in names:
        yield Pattern("turned", f"`{name}`", lambda e, name=name: (_turned(e.arrays[name]), e.got))
    for name in names:
        yield Pattern(
            "reshaped",
            f"`{name}`",
            lambda e, name=name: (
                (e.arrays[name].reshape(e.got.shape), e.got) if e.arrays[name].size == e.got.size and e.arrays[name].shape != e.got.shape else None
            ),
        )
    for name in names:
        for order in _orders(examples, name):
            yield Pattern(
                "moved", f"`{name}` with its axes in the order {order}", lambda e, name=name, order=order: (e.arrays[name].transpose(order), e.got)
            )
    for one, other in itertools.product(names, repeat=2):
        for left, right in itertools.product((False, True), repeat=2):
            if not (left and right):
                yield Pattern(
                    "product",
                    _product(_name(one, left), _name(other, right)),
                    lambda e, one=one, other=other, left=left, right=right: _equal(
                        _times(_turned(e.arrays[one], left), _turned(e.arrays[other], right)), e.got
                    ),
                )
    for name in names:
        yield from _products(name, "missing", "your result", lambda e: e.got, lambda e: e.wanted)
    for name in names:
        yield from _products(name, "too many", "the expected one", lambda e: e.wanted, lambda e: e.got)
    for family, join in ENTRY_BY_ENTRY.items():
        for name in names:
            yield Pattern(family, f"`{name}`", lambda e, name=name, join=join: _equal(_joined(join, e.wanted, e.arrays[name]), e.got))


def _products(name: str, family: str, what: str, value: Value, target: Value) -> Iterator[Pattern]:
    """The products of a value with an argument, on either side of it, that may be the target."""
    for turned in (False, True):

        def argument(e: Example, turned: bool = turned) -> np.ndarray:
            return _turned(e.arrays[name], turned)

        yield Pattern(family, f"{what} @ {_name(name, turned)}", lambda e, argument=argument: _equal(_times(value(e), argument(e)), target(e)))
        yield Pattern(family, f"{_name(name, turned)} @ {what}", lambda e, argument=argument: _equal(_times(argument(e), value(e)), target(e)))


def _name(name: str, turned: bool) -> str:
    return f"{name}ᵀ" if turned else name


def _product(left: str, right: str) -> str:
    return f"the product {left} @ {right}"


def _turned(array: np.ndarray, really: bool = True) -> np.ndarray:
    return np.swapaxes(array, -1, -2) if really and array.ndim > 1 else array


def _times(left: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    fits = left.ndim and right.ndim and left.shape[-1] == right.shape[max(right.ndim - 2, 0)] and left.shape[:-2] == right.shape[:-2]
    return left @ right if fits else None


def _joined(join: Callable[[np.ndarray, np.ndarray], np.ndarray], one: np.ndarray, other: np.ndarray) -> np.ndarray | None:
    try:
        return join(one, other) if np.broadcast_shapes(one.shape, other.shape) == one.shape else None
    except ValueError:
        return None


def _equal(made: np.ndarray | None, target: np.ndarray) -> Pair | None:
    return None if made is None else (made, target)


def _orders(examples: list[Example], name: str) -> list[tuple[int, ...]]:
    """The orders of an argument's axes, apart from its own, where they are three or four in all examples."""
    ranks = {example.arrays[name].ndim for example in examples}
    return list(itertools.permutations(range(max(ranks))))[1:] if len(ranks) == 1 and 2 < max(ranks) < 5 else []
