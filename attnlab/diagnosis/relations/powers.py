"""A softmax with another base than e, or of scores that all have one factor too many."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attnlab.diagnosis.relations.factors import following
from attnlab.diagnosis.relations.patterns import Example, Pair, Pattern, Texts

POWER_TEXTS: dict[str, Texts] = {
    "base": ("the result is a softmax with powers of {} in place of powers of e", "use `np.exp`, which takes powers of e, with all its digits"),
    "factor": ("the result is a softmax of scores with a factor: {}", "what multiplies or divides the scores before `exp`?"),
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
