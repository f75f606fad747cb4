"""The relations that are looked for, family by family, with what is said of them.

A relation is told when it holds on every input that comes out wrong, by more numbers than chance explains.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from attnlab.diagnosis.cause import Cause, enumerated
from attnlab.diagnosis.results.form import close

Pair = tuple[np.ndarray, np.ndarray]  # two arrays that are equal where a relation holds


Texts = tuple[str, str]  # what to say of a relation, and the next step; `{}` stands for what differs between its patterns


RESULT = "the result"  # what texts call the part that is wrong


@dataclass(frozen=True)
class Example:
    """One result of an answer beside the expected one, and what went in.

    Attributes:
        tolerance: the relative difference that is only rounding.
        arrays: the arguments that are arrays, by name.
        sizes: numbers that belong to the input, by what to call them: the lengths of axes, settings.
        others: the expected values of the other parts, when the result is a tuple.
    """

    got: np.ndarray
    wanted: np.ndarray
    tolerance: float = 1e-5
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    sizes: dict[str, float] = field(default_factory=dict)
    others: dict[str, np.ndarray] = field(default_factory=dict)


class Pattern(NamedTuple):
    """One relation that may hold.

    Attributes:
        family: its key in a table of texts.
        word: what stands in these texts for `{}`.
        test: gives two arrays that have to be equal; None where the relation cannot hold.
        tells: whether an example is large enough for the relation to mean something; None for all that have three numbers to show.
    """

    family: str
    word: str
    test: Callable[[Example], Pair | None]
    tells: Callable[[Example], bool] | None = None


def find(patterns: Iterator[Pattern], texts: Mapping[str, Texts], examples: list[Example], result: str) -> Cause | None:
    """The first family of patterns in which one is established: all of the family that are, joined by "or".

    Args:
        patterns: what may hold.
        texts: what to say, and the next step, for each family.
        examples: the results that are wrong.
        result: what to call them.
    """
    with np.errstate(all="ignore"):
        for family, members in itertools.groupby(patterns, key=lambda pattern: pattern.family):
            words = list(dict.fromkeys(member.word for member in members if holds(member, examples)))
            if words:
                told, next_step = (text.replace("{}", " or ".join(words[:2])).replace(RESULT, result) for text in texts[family])
                return Cause(f"relation.{family.replace(' ', '_')}", told, next_step)
    return None


def holds(pattern: Pattern, examples: list[Example]) -> bool:
    """Whether a relation holds for all examples, and one of them is large enough to show it."""
    shown, large, numbers = False, False, set()
    for example in examples:
        try:
            pair = pattern.test(example)
        except (ValueError, IndexError):  # the shapes of these arrays do not fit the relation
            return False
        if pair is None or not agree(pair, example):
            return False
        enough = pattern.tells is None or pattern.tells(example)
        large |= enough
        shown |= enough and distinct(pair[1]) >= 3 and not (pair[1] is example.got and close(pair[0], example.wanted, example.tolerance))
        if pair[1].size == 1:
            numbers.add(round(float(pair[1].item()), 9))
    return shown or (large and len(numbers - {-1.0, 0.0, 1.0}) > 1 and all(example.got.size == 1 for example in examples))


def agree(pair: Pair, example: Example) -> bool:
    """Whether two arrays hold the same finite numbers."""
    return all(np.isfinite(array).all() for array in pair) and close(*pair, example.tolerance)


def distinct(array: np.ndarray) -> int:
    """How many different numbers stand in an array."""
    return len(np.unique(np.round(array, 9)))


def axes_of(examples: list[Example]) -> tuple[range, int]:
    """The axes of the expected results, by numbers that mean the same in every example, and how many there are; 0 where that differs."""
    ranks = {example.wanted.ndim for example in examples}
    return (range(max(ranks)), max(ranks)) if len(ranks) == 1 else (range(-1, -min(ranks) - 1, -1), 0)


def line(axis: int, rank: int) -> str:
    """What to call one index of an axis."""
    return ("row", "column")[axis] if rank == 2 else "entry" if rank == 1 else f"entry along axis {axis}"


def lines(axis: int, rank: int) -> str:
    """What to call several indices of an axis."""
    return f"{line(axis, rank)}s" if rank == 2 else line(axis, rank).replace("entry", "entries")


def long_enough(axis: int, least: int) -> Callable[[Example], bool]:
    """Whether an axis of the expected result is long enough to tell one pattern from another."""
    return lambda example: -example.wanted.ndim <= axis < example.wanted.ndim and example.wanted.shape[axis] >= least


# What to say of one index of an axis, of several, of several that are not always as many, all at one end; and of others.


Way = tuple[tuple[int, ...], tuple[int, ...]]  # the axes that are cut in two, and the order of all axes then


def recut(examples: list[Example]) -> Iterator[Pattern]:
    """The expected numbers after some axes were cut in two, moved and joined again: one way for all examples."""
    ranks = {e.wanted.ndim for e in examples}
    if len(ranks) > 1 or max(ranks) > 4 or not all(map(_same_set, examples)):
        return
    ways = {id(e): _ways(e) for e in examples}
    if shared := set.intersection(*map(set, ways.values())):
        way = min(shared, key=lambda way: (len(way[0]), way))
        first = ways[id(examples[0])][way].ravel()[:4]
        word = ", ".join(_place(np.unravel_index(place, examples[0].wanted.shape)) for place in first)
        yield Pattern("recut", word, lambda e: (e.wanted.ravel()[ways[id(e)][way]], e.got), _is_various)


def _ways(e: Example) -> dict[Way, np.ndarray]:
    """The ways in which the expected numbers give the result, and where these stand in the expected array."""
    places, rank = np.arange(e.wanted.size).reshape(e.wanted.shape), e.wanted.ndim
    found: dict[Way, np.ndarray] = {}
    for cut in [(), *((axis,) for axis in range(rank)), *([(0, 1)] if rank == 2 else [])]:
        pieces = [_two_factors(length) if axis in cut else [(length,)] for axis, length in enumerate(e.wanted.shape)]
        for parts in itertools.product(*pieces):
            lengths = [length for part in parts for length in part]
            for order in itertools.permutations(range(len(lengths))):
                moved = places.reshape(lengths).transpose(order).reshape(e.got.shape)
                if (cut, order) not in found and close(e.wanted.ravel()[moved], e.got, e.tolerance):
                    found[cut, order] = moved
    return found


def _two_factors(length: int) -> list[tuple[int, int]]:
    return [(n, length // n) for n in range(1, length + 1) if length % n == 0]


def _same_set(e: Example) -> bool:
    """Whether the result holds the expected numbers, each as often."""
    return e.got.size == e.wanted.size and close(np.sort(e.got, axis=None), np.sort(e.wanted, axis=None), e.tolerance)


def _is_various(e: Example) -> bool:
    """Whether there are enough different numbers to tell places apart."""
    return distinct(e.wanted[(e.wanted != 0) & (np.abs(e.wanted) != 1)]) > 3


POWERS: list[tuple[str, Callable[[float], float]]] = [
    ("{n}", lambda n: n),
    ("√{n}", lambda n: n**0.5),
    ("{n}²", lambda n: n**2),
    ("{n}·√{n}", lambda n: n**1.5),
    ("1/{n}", lambda n: 1 / n),
    ("1/√{n}", lambda n: n**-0.5),
    ("1/{n}²", lambda n: n**-2),
]
PAIRS: list[tuple[str, Callable[[float, float], float]]] = [
    ("{n}/{m}", lambda n, m: n / m),
    ("√({n}/{m})", lambda n, m: (n / m) ** 0.5),
    ("{n}·{m}", lambda n, m: n * m),
    ("√({n}·{m})", lambda n, m: (n * m) ** 0.5),
    ("1/({n}·{m})", lambda n, m: 1 / (n * m)),
    ("1/√({n}·{m})", lambda n, m: (n * m) ** -0.5),
]
LOOK = "look for one factor too many or too few, or a sum that is divided by another number"


NOTHING = 2e-3


def explain_factor(examples: list[Example], right: list[Example], result: str) -> Cause | None:
    """What to say where every entry is the expected one times one number.

    Args:
        examples: the results that are wrong.
        right: those that are right: there, whatever the factor follows has to give 1.
        result: what to call results that are one number each.
    """
    found = [_factor(example) for example in examples]
    factors = [factor for factor in found if factor]
    large = [example for example in examples if distinct(example.wanted) > 1 and np.count_nonzero(example.wanted) > 2]
    if len(factors) < len(found) or not (large or len({round(float(e.wanted.ravel()[0]), 9) for e in examples}) > 1):
        return None
    are_numbers = all(example.wanted.ndim == 0 for example in examples)
    entry = result if are_numbers else "every entry"
    if all(abs(factor - 1) < NOTHING for factor in factors):  # rounding of some kind, and no factor
        return None
    if np.allclose(factors, factors[0], rtol=1e-4):
        if not are_numbers and f"{factors[0]:.4g}" == "-1":
            return Cause(
                "relation.opposite_sign",
                "every entry has the opposite sign",
                "look for one minus too many or too few, or a difference taken the wrong way round",
            )
        return Cause("relation.constant_factor", f"{entry} is {factors[0]:.4g} times the expected one", LOOK)
    fitting = list(dict.fromkeys(following(factors + [1.0] * len(right), [example.sizes for example in examples + right])))
    if len(fitting) == 1:
        power, where = fitting[0]
        return Cause(
            "relation.factor_of_length", f"{entry} is {power} times the expected one, {where}", f"{LOOK}; what is it divided or multiplied by?"
        )
    if not large:  # single numbers always have a factor each
        return None
    if all(np.isclose(np.sqrt(np.square(example.got).sum()), 1) for example in examples):
        return Cause(
            "relation.length_one",
            "the squares of the numbers sum to 1: they are divided by the root of the sum of their squares, as `normalize` does",
            "divide by their sum",
        )
    told = ", ".join(dict.fromkeys(f"{factor:.4g}" for factor in factors[:3]))
    return Cause("relation.factor_per_input", f"{entry} is the expected one times one factor, and this factor differs between inputs: {told}", LOOK)


def _factor(example: Example) -> float | None:
    if example.got.shape != example.wanted.shape or not example.wanted.any():
        return None
    where = example.wanted != 0
    factor = float(np.median(example.got[where] / example.wanted[where]))
    return factor if factor and close(example.got / factor, example.wanted, example.tolerance) else None


def following(factors: list[float], sizes: list[dict[str, float]]) -> Iterator[tuple[str, str]]:
    """What the factors are in the lengths of the inputs, and which length that is; lengths that are always equal go by the first one's name."""
    names: dict[tuple[float, ...], str] = {}
    for name in sizes[0]:
        if all(held.get(name, 0) > 0 for held in sizes):
            names.setdefault(tuple(held[name] for held in sizes), name)
    single = [
        (text, name, lengths)
        for lengths, name in names.items()
        for text, power in POWERS
        if np.allclose([power(n) for n in lengths], factors, rtol=1e-4)
    ]
    for text, name, lengths in single:
        told = ", ".join(dict.fromkeys(f"{length:g}" for length in lengths))
        yield text.format(n="n"), f"where n is {name}: {told}"
    if single:
        return
    for (first, one), (second, other) in itertools.permutations(names.items(), 2):
        for text, pair in PAIRS:
            if ("·" not in text or one < other) and np.allclose([pair(n, m) for n, m in zip(first, second)], factors, rtol=1e-4):
                yield text.format(n="n", m="m"), f"where n is {one} and m is {other}"


POWER_TEXTS: dict[str, Texts] = {
    "base": ("the result is a softmax with powers of {} instead of powers of e", "use `np.exp`: it takes powers of e, with all digits of e"),
    "factor": ("the result is a softmax of the scores times a factor: {}", "what multiplies or divides the scores before `exp`?"),
}
SMALLEST = 1e-12  # of a weight, so that its logarithm is exact
BASES = (2.0, 3.0, 10.0, 2.7, 2.71, 2.72, 2.718, 2.7183)


def to_a_power(examples: list[Example]) -> Iterator[Pattern]:
    """The expected weights to a power, and divided by their sum again: one power for all examples, or one that follows a length of the input."""
    found = [(power, example) for example in examples if (power := _power(example))]
    powers = [power for power, _ in found]
    if not powers or not all(0.01 < power < 100 and abs(power - 1) > 1e-6 for power in powers):
        return
    if np.allclose(powers, powers[0], rtol=1e-6):
        named = [base for base in BASES if np.isclose(np.exp(powers[0]), base, rtol=2e-6)]
        family, word = ("base", f"{named[0]:g}") if named else ("factor", f"{powers[0]:.4g}")
        yield Pattern(family, word, lambda e: _to_the(powers[0], e))
    elif len(fits := list(dict.fromkeys(following(powers, [example.sizes for _, example in found])))) == 1:
        yield Pattern("factor", ", ".join(fits[0]), lambda e: _to_the(_power(e) or powers[0], e))


def _are_weights(e: Example) -> bool:
    return bool(
        e.got.shape == e.wanted.shape
        and e.wanted.ndim
        and (e.got >= 0).all()
        and (e.wanted >= 0).all()
        and np.allclose(e.wanted.sum(-1), 1, atol=1e-4)
        and np.allclose(e.got.sum(-1), 1, atol=1e-4)
    )


def _power(e: Example) -> float:
    """The power that fits, from all pairs of weights of a row; 0 where nothing shows it."""
    if not _are_weights(e):
        return 0.0
    seen = (e.got > SMALLEST) & (e.wanted > SMALLEST)
    above, below = 0.0, 0.0
    for got, wanted, both in zip(*(array.reshape(-1, e.got.shape[-1]) for array in (e.got, e.wanted, seen))):
        if both.sum() > 1:
            one, other = (np.log(weights[both]) - np.log(weights[both]).mean() for weights in (wanted, got))
            above, below = above + one @ other, below + one @ one
    return above / below if below > 1e-9 else 0.0


def _to_the(power: float, e: Example) -> Pair | None:
    if not _are_weights(e):
        return None
    powers = e.wanted**power
    return powers / powers.sum(-1, keepdims=True), e.got


ARGUMENT_TEXTS: dict[str, Texts] = {
    "other part": ("this is the expected {}, in the wrong place", "return the parts in the order of the card"),
    "unchanged": ("the result is {}, unchanged", "print what each line makes of it: which one should have changed it, and does it run?"),
    "turned": ("the result is only {} with rows and columns swapped", "which steps of the card come after that?"),
    "reshaped": (
        "the result holds the numbers of {} in their original order; only the shape is different",
        "`reshape` and `view` never move a number; which axes do you need to swap first?",
    ),
    "moved": ("the result is only {}", "this is not the expected order of the axes; write the shape beside every line"),
    "product": ("the result is only {}", "which steps of the card come after that product?"),
    "missing": ("one product is missing: {} is the expected result", "which step of the card comes last?"),
    "too many": ("there is one product too many: the result is {}", "which step of the card comes last? Return what it gives"),
    "added": ("the result is the expected one plus {}", "where is it added? Look for a total that does not start at zero, or one addition too many"),
    "subtracted": ("the result is the expected one minus {}", "where is it subtracted, or where should it have been added?"),
    "multiplied": ("the result is the expected one times {}, entry by entry", "which line multiplies by it one time too many?"),
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


NUMBER_TEXTS: dict[str, Texts] = {
    "plus": ("every entry is off by the same amount", "look for a constant that is added or left out"),
    "function": ("the result is {} the expected one", "which line does one step too many? Or is the step that undoes it missing?"),
    "one minus": ("the result is 1 minus the expected one", "what you keep and what you leave out are swapped"),
    "reversed": ("the result is the expected one in reverse order along {}", "which loop, index or step of -1 sets the order?"),
    "shifted": ("the result is the expected one shifted by {}", "which line decides where each row goes? An order that is not undone does that, too"),
    "sorted": ("the result holds the expected numbers sorted along {}", "which line sorts? Keep the order of the input"),
    "order": ("the {}", "which loop, index or stack sets their order?"),
    "recut": (
        "the numbers are the expected ones, but in other places, as when `reshape` or `view` joins or cuts axes that stand in the wrong order: "
        "yours begin with the expected {}",
        "write the shape beside every line: which axes does `reshape` or `view` join or cut, and in which order?",
    ),
    "places": ("the numbers are the expected ones, but in other places{}", "which loop, index, transpose or `reshape` decides where each goes?"),
    "same everywhere": ("every {}", "which index should change? An array that you fill again is still the same array"),
    "summed everywhere": ("every {}", "does each of them have its own total that starts at zero?"),
    "running": (
        "the result is a running total of the expected one along {}: each entry also contains the sum of those before it",
        "reset the total to zero for each of them",
    ),
    "differences": (
        "each entry along {} lacks the ones before it: a running total of the result is the expected one",
        "do you subtract something that belongs to the entry before, or should the total continue?",
    ),
    "only filled": ("only {} is filled; all others are zero", "does the loop stop in its first round, or do you write only one index?"),
    "left at zero": ("{} is zero; everything else is right", "where do your loops, ranges and slices begin and end?"),
    "part at zero": ("{}; everything else is right", "which pairs of indices do your loops, conditions or `k=1` leave out?"),
    "diagonal times": (
        "the diagonal is 2 times the expected one; everything else is right",
        "what is added twice to the entries with equal indices?",
    ),
    "diagonal wrong": ("{}", "how do your lines treat entries with equal indices, and how the others?"),
    "mirrored": (
        "everything {} the diagonal is right, and the other side is its mirror image, as if the table were symmetric",
        "entry [m, n] and entry [n, m] are two different numbers here: where do you make one of them from the other?",
    ),
    "lines at zero": ("some {}s are zero; all others are right", "print every intermediate array: from which line on are these zero?"),
    "own factor": ("each {} is the expected one times a factor of its own", "what is it divided or multiplied by, and what should it be?"),
    "own amount": ("each {} is the expected one plus an amount of its own", "what is added to it as a whole, or left out?"),
}
EDGES = ((0, "first"), (-1, "last"))
MOST_LINES = 8  # whose order is told
FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the square of": np.square,
    "the square root of": np.sqrt,
    "the exponential of": np.exp,
    "the logarithm of": np.log,
    "the logarithm to base 2 of": np.log2,
    "1 divided by": np.reciprocal,
    "the absolute value of": np.abs,
    "minus the exponential of": lambda a: -np.exp(a),
    "minus the logarithm of": lambda a: -np.log(a),
    "minus the square of": lambda a: -np.square(a),
}


def with_other_numbers(examples: list[Example]) -> Iterator[Pattern]:
    """The relations of numbers at the same places, or at other places of the same shape."""
    axes, rank = axes_of(examples)
    yield from _entry_by_entry()
    yield from _along(examples, axes, rank)
    yield from _in_a_matrix()
    yield from _of_its_own()


def _entry_by_entry() -> Iterator[Pattern]:
    yield Pattern("one minus", "", lambda e: (1 - e.wanted, e.got))
    yield Pattern("plus", "", lambda e: (e.wanted + (e.got - e.wanted).ravel()[0], e.got) if e.got.shape == e.wanted.shape else None, _many)
    for word, function in FUNCTIONS.items():
        yield Pattern("function", word, lambda e, function=function: (function(e.wanted), e.got))


def _along(examples: list[Example], axes: range, rank: int) -> Iterator[Pattern]:
    for axis in axes:
        yield Pattern("reversed", f"axis {axis}", lambda e, axis=axis: (np.flip(e.wanted, axis), e.got), long_enough(axis, 3))
    for axis, (step, which) in itertools.product(axes, ((1, "end"), (-1, "beginning"))):
        yield Pattern(
            "shifted",
            f"one towards the {which} along axis {axis}",
            lambda e, axis=axis, step=step: (np.roll(e.wanted, step, axis), e.got),
            long_enough(axis, 3),
        )
    for axis in axes:
        yield Pattern("sorted", f"axis {axis}", lambda e, axis=axis: (np.sort(e.wanted, axis), e.got), long_enough(axis, 3))
    for axis in axes if rank > 1 else ():
        word = f"{lines(axis, rank)} are the expected ones in a different order{_as_ordered(examples[0], axis)}"
        yield Pattern("order", word, lambda e, axis=axis: (_in_order(e.wanted, axis), _in_order(e.got, axis)), long_enough(axis, 2))
    yield from recut(examples)
    yield Pattern(
        "places", _moved(examples[0]), lambda e: (np.sort(e.wanted, axis=None), np.sort(e.got, axis=None)) if same_shape(e) else None, _is_various
    )
    if rank != 1:
        yield from _over_lines(axes, rank)
    for axis in axes:
        yield Pattern("running", f"axis {axis}", lambda e, axis=axis: (np.cumsum(e.wanted, axis), e.got), long_enough(axis, 2))
    for axis in axes:
        yield Pattern("differences", f"axis {axis}", lambda e, axis=axis: (np.cumsum(e.got, axis), e.wanted), long_enough(axis, 3))
    for axis, (at, which) in itertools.product(axes, EDGES):
        yield Pattern(
            "only filled", f"the {which} {line(axis, rank)}", lambda e, axis=axis, at=at: (_only(e.wanted, at, axis), e.got), long_enough(axis, 3)
        )
    for axis, (at, which) in itertools.product(axes, EDGES):
        yield Pattern(
            "left at zero",
            f"the {which} {line(axis, rank)}",
            lambda e, axis=axis, at=at: (e.wanted - _only(e.wanted, at, axis), e.got),
            long_enough(axis, 3),
        )


def _over_lines(axes: range, rank: int) -> Iterator[Pattern]:
    for axis, (at, which) in itertools.product(axes, EDGES):
        yield Pattern(
            "same everywhere",
            f"{line(axis, rank)} is the {which} expected {line(axis, rank)}",
            lambda e, axis=axis, at=at: (np.broadcast_to(np.take(e.wanted, [at], axis), e.wanted.shape), e.got),
            long_enough(axis, 2),
        )
    for axis, (word, reduced) in itertools.product(axes, (("sum", np.sum), ("mean", np.mean))):
        yield Pattern(
            "summed everywhere",
            f"{line(axis, rank)} is the {word} of all the expected ones",
            lambda e, axis=axis, do=reduced: (np.broadcast_to(do(e.wanted, axis=axis, keepdims=True), e.wanted.shape), e.got),
            long_enough(axis, 2),
        )


def _in_a_matrix() -> Iterator[Pattern]:
    for word, keep in PARTS.items():
        yield Pattern(
            "part at zero", word, lambda e, keep=keep: (np.where(keep(e.wanted), e.wanted, 0), e.got) if _square(e) else None, long_enough(-1, 3)
        )
    yield Pattern("diagonal times", "", lambda e: _diagonal_times(e, 2.0), long_enough(-1, 3))
    for word, keep in (("above", np.triu), ("below", np.tril)):
        yield Pattern("mirrored", word, lambda e, keep=keep: _mirrored(e, keep), lambda e: len(e.wanted) > 2)
    for word, beside in (
        ("everything off the diagonal is right; entries on it are wrong", True),
        ("the diagonal is right; entries off it are wrong", False),
    ):
        yield Pattern(
            "diagonal wrong",
            word,
            lambda e, beside=beside: _right_there(e, beside),
            lambda e, beside=beside: len(e.wanted) > 2 and not _is_right_elsewhere(e, beside),
        )


def _mirrored(e: Example, keep: Callable[[np.ndarray], np.ndarray]) -> Pair | None:
    """One side of the expected matrix, and the same on the other side."""
    if not _square(e) or e.got.shape != e.wanted.shape or close(e.wanted, e.wanted.T, e.tolerance):
        return None
    kept = keep(e.wanted)
    return kept + kept.T - np.diag(np.diag(e.wanted)), e.got


def _zero_lines(example: Example, rows: bool) -> Pair | None:
    """The expected numbers with zeros in those rows or columns that are zero."""
    if example.got.ndim < 2 or example.got.shape != example.wanted.shape:
        return None
    zero = ~example.got.any(axis=-1 if rows else -2, keepdims=True)
    return (np.where(zero, 0, example.wanted), example.got) if zero.any() and not zero.all() else None


def _of_its_own() -> Iterator[Pattern]:
    for word, rows in (("row", True), ("column", False)):
        yield Pattern("lines at zero", word, lambda e, rows=rows: _zero_lines(e, rows))
    for word, rows in (("row", True), ("column", False)):  # of a batch: along the last axis
        yield Pattern("own factor", word, lambda e, rows=rows: _scaled_lines(e, rows), lambda e, rows=rows: _constraints(e, rows) >= 4)
    for word, rows in (("row", True), ("column", False)):
        yield Pattern("own amount", word, lambda e, rows=rows: _moved_lines(e, rows), lambda e, rows=rows: _constraints(e, rows) >= 4)


PARTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "the last row and the last column are zero": lambda a: _line_of(a, -1, -2) & _line_of(a, -1, -1),
    "the first row and the first column are zero": lambda a: _line_of(a, 0, -2) & _line_of(a, 0, -1),
    "the diagonal is zero": lambda a: ~np.eye(len(a), dtype=bool),
    "only the diagonal is filled": lambda a: np.eye(len(a), dtype=bool),
    "everything above the diagonal is zero": lambda a: np.tri(len(a), dtype=bool),
    "everything below the diagonal is zero": lambda a: np.tri(len(a), dtype=bool).T,
    "the diagonal and everything above it are zero": lambda a: np.tri(len(a), k=-1, dtype=bool),
    "the diagonal and everything below it are zero": lambda a: np.tri(len(a), k=-1, dtype=bool).T,
}


def _many(e: Example) -> bool:
    return e.got.size > 1


def _is_matrix(e: Example) -> bool:
    return e.got.shape == e.wanted.shape and e.got.ndim == 2


def _square(e: Example) -> bool:
    return e.wanted.ndim == 2 and e.wanted.shape[0] == e.wanted.shape[1]


def _line_of(array: np.ndarray, at: int, axis: int) -> np.ndarray:
    """True everywhere but at one index of an axis."""
    kept = np.ones(array.shape, dtype=bool)
    np.moveaxis(kept, axis, 0)[at] = False
    return kept


def _only(array: np.ndarray, at: int, axis: int) -> np.ndarray:
    return np.where(_line_of(array, at, axis), 0, array)


def _in_order(array: np.ndarray, axis: int) -> np.ndarray:
    rows = np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1)
    return rows[np.lexsort(np.round(rows, 6).T)] if rows.size else rows


def _moved(e: Example) -> str:
    """Where a number stands that is missing at its own place, in words; "" where it stands at several places."""
    if not same_shape(e):
        return ""
    for place in np.argwhere(where_wrong(e)):
        there = np.argwhere(np.isclose(e.got, e.wanted[tuple(place)], rtol=e.tolerance))
        if len(there) == 1:
            return f"; the one for {_place(place)} stands at {_place(there[0])}"
    return ""


def _as_ordered(e: Example, axis: int) -> str:
    """Which expected row, column or the like stands at each place, in words; "" where these are many, or where one stands nowhere."""
    if not same_shape(e) or not 1 < e.wanted.shape[axis] <= MOST_LINES:
        return ""
    left, order = list(range(e.wanted.shape[axis])), []
    for one in np.moveaxis(e.got, axis, 0):
        at = next((at for at in left if close(one, np.take(e.wanted, at, axis), e.tolerance)), None)
        if at is None:
            return ""
        left.remove(at)
        order.append(at)
    return f": yours are number {enumerated(order)}, counted from 0"


def _place(place: Iterable[int]) -> str:
    return str([int(index) for index in place])


def same_shape(e: Example) -> bool:
    """Whether the result has the expected shape."""
    return e.got.shape == e.wanted.shape


def where_wrong(e: Example) -> np.ndarray:
    """Where the numbers are others than the expected ones."""
    return ~np.isclose(e.got, e.wanted, rtol=e.tolerance, atol=e.tolerance * 1e-2 * np.abs(e.wanted).max(initial=1.0))


def _others(e: Example, rows: bool) -> tuple[int, ...]:
    """The axes that one row, or one column, runs along."""
    return (-1,) if rows else tuple(range(e.wanted.ndim - 1))


def _scaled_lines(e: Example, rows: bool) -> Pair | None:
    """The expected result with every row, or every column, times the factor that fits best."""
    if e.got.shape != e.wanted.shape or e.wanted.ndim < 2:
        return None
    squares = (e.wanted**2).sum(_others(e, rows), keepdims=True)
    fits = (e.got * e.wanted).sum(_others(e, rows), keepdims=True) / np.where(squares > 0, squares, 1)
    return fits * e.wanted, e.got


def _moved_lines(e: Example, rows: bool) -> Pair | None:
    if e.got.shape != e.wanted.shape or e.wanted.ndim < 2:
        return None
    return e.wanted + (e.got - e.wanted).mean(_others(e, rows), keepdims=True), e.got


def _constraints(e: Example, rows: bool) -> int:
    """How many numbers are left to show that each row, or each column, has a number of its own; 0 where expected ones have that to one another."""
    lines = e.wanted.reshape(-1, e.wanted.shape[-1])
    lines = lines if rows else lines.T
    around = lines - lines.mean(axis=1, keepdims=True)
    scaled = lines / np.where(lines[:, :1] == 0, 1, lines[:, :1])
    if any(np.allclose(alike, alike[0], atol=1e-6) for alike in (around, scaled)):
        return 0
    return sum(max(distinct(one[one != 0]) - 1, 0) for one in lines)


def _diagonal_times(e: Example, factor: float) -> Pair | None:
    return (np.where(np.eye(len(e.wanted), dtype=bool), factor, 1.0) * e.wanted, e.got) if _square(e) else None


def _right_there(e: Example, beside: bool) -> Pair | None:
    """The entries beside the diagonal, or on it."""
    if not _square(e) or e.got.shape != e.wanted.shape:
        return None
    there = np.eye(len(e.wanted), dtype=bool) != beside
    return e.wanted[there], e.got[there]


def _is_right_elsewhere(e: Example, beside: bool) -> bool:
    """Whether one of the other entries is right, too."""
    elsewhere = np.eye(len(e.wanted), dtype=bool) == beside
    return bool(np.isclose(e.got[elsewhere], e.wanted[elsewhere], rtol=e.tolerance, atol=e.tolerance).any())
