"""One factor in every entry: the same on every input, or one that follows a length of the input."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.relations.patterns import Example, distinct
from attnlab.diagnosis.results.compare import close

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
LOOK = "look for a factor too many or too few, or a mean in place of a sum"


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
    if np.allclose(factors, factors[0], rtol=1e-4):
        if not are_numbers and f"{factors[0]:.4g}" == "-1":
            return Cause(
                "factors.opposite_sign",
                "every entry has the opposite sign",
                "look for a minus too many or too few, or a difference the wrong way round",
            )
        return Cause("factors.one_factor", f"{entry} is {factors[0]:.4g} times the expected one", LOOK)
    fitting = list(dict.fromkeys(following(factors + [1.0] * len(right), [example.sizes for example in examples + right])))
    if len(fitting) == 1:
        power, where = fitting[0]
        return Cause(
            "factors.of_a_length", f"{entry} is {power} times the expected one, {where}", f"{LOOK}; by which number is it divided or multiplied?"
        )
    if not large:  # single numbers always have a factor each
        return None
    told = ", ".join(dict.fromkeys(f"{factor:.4g}" for factor in factors[:3]))
    return Cause("factors.one_for_each_input", f"{entry} is the expected one times one factor, which is another one for another input: {told}", LOOK)


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
                yield text.format(n="n", m="m"), f"where n is {one} and m {other}"
