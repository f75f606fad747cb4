"""By what a module of attention divides its scores: it is given scores that are known, and the weights are read from what comes out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.probes.modules.construction import Subject, given
from attnlab.reference import Case

SCORES = (0.0, 1.0, -0.5, 0.7, 0.3)
SIZES = [(6, 2, 3), (12, 3, 4), (12, 6, 5), (8, 2, 4), (10, 5, 3)]  # k, heads, tokens
POWERS = (0.0, 0.25, 0.5, 1.0, -0.25, -0.5, -1.0, 1.5, 2.0, -1.5, -2.0)
STEEP = 20.0  # of long vectors a query takes one key, whatever the scale
WRITTEN = {0.25: "⁴√{}", 0.5: "√{}", 1.0: "{}", 1.5: "{}·√{}", 2.0: "{}²"}


def probe_scale(evidence: Evidence, case: Case) -> Cause | None:
    """What the scores are divided by, as a formula of k, heads and T, when that is not what the card has."""
    if float(case.arguments[2].abs().max()) > STEEP:
        return None
    subject = Subject(evidence, case)
    divisors = np.array([_divisor(subject, *size) for size in SIZES])
    right = np.array([k / heads for k, heads, _ in SIZES]) ** 0.5
    if not np.isfinite(divisors).all() or np.allclose(divisors, right, rtol=2e-3):
        return None
    told = next(_formulas(divisors, SIZES), "")
    if not told:
        return None
    root = "√s, with s = k / heads"
    if told == "1":
        return Cause("scales.not_scaled", f"the scores are not scaled: nothing divides them by {root}", "divide them before the softmax")
    return Cause("scales.wrong_divisor", f"your scores are divided by {told}; the card divides them by {root}", _next(told))


def _next(told: str) -> str:
    return (
        "change the sign"
        if told.startswith("−")
        else "put numbers into that line, such as k = 12 and 3 heads: powers come before `*` and `/`, which are read from left to right"
    )


def _divisor(subject: Subject, k: int, heads: int, tokens: int) -> float:
    """What the scores are divided by; nan where the weights are not those of a softmax of them."""
    read = weights_of(subject, k, heads, tokens)
    if not ((read > 0).all() and abs(read.sum() - 1) < 1e-3) or len(np.unique(read)) < tokens:
        return np.nan
    found = np.diff(SCORES[:tokens]) / np.diff(np.log(read))
    return float(found[0]) if np.allclose(found, found[0], rtol=2e-3) else np.nan


def weights_of(subject: Subject, k: int, heads: int, tokens: int, place: int = 0) -> np.ndarray:
    """The weights of the last query for each key, read from what a module makes of values that are 1 for one token at a time: `(tokens,)`.

    Every query meets the keys with the products `SCORES`, in head 0; in all other heads the products are 0. The last query sees all keys, also
    behind a mask.

    Args:
        k, heads: the module's settings; tokens: how many keys there are, less than k.
        place: which component of the values is followed.
    """
    import torch  # here, so that lessons without tensors do not wait for it

    queries, keys, values, last = (torch.zeros(k, k) for _ in range(4))
    queries[0, :tokens] = 1
    keys[0, :tokens] = torch.tensor(SCORES[:tokens])
    values[place, tokens] = 1
    last[0] = 1
    names = subject.layers
    weights = {**{f"{name}.weight": value for name, value in zip(names, (queries, keys, values, last))}, f"{names[-1]}.bias": torch.zeros(k)}
    x = torch.zeros(tokens + 1, tokens, k)
    x[:, torch.arange(tokens), torch.arange(tokens)] = 1
    x[torch.arange(tokens), torch.arange(tokens), tokens] = 1  # in sequence n, the value of token n is 1
    return given(subject.made([k, heads, *subject.settings[2:]], weights), x)[:tokens, -1, 0]


def _formulas(divisors: np.ndarray, sizes: list[tuple[int, int, int]]) -> Iterator[str]:
    """Formulas that give these divisors, simple ones first."""
    k, heads, tokens = (np.array(one, dtype=float) for one in zip(*sizes))
    choices = sorted(itertools.product(POWERS, repeat=3), key=lambda powers: (sum(map(bool, powers)), sum(map(abs, powers))))
    for own, among, long in choices:
        factors = divisors / (k**own * heads**among * tokens**long)
        if not np.allclose(factors, factors[0], rtol=2e-3):
            continue
        square = round(float(factors[0]) ** 2)
        if not (own or among or long) and np.isclose(factors[0], square**0.5, rtol=2e-3) and not np.isclose(factors[0], round(factors[0])):
            yield f"√{square}"
        else:
            yield _words(float(factors[0]), {"k": own, "heads": among, "T": long})


def _words(factor: float, powers: dict[str, float]) -> str:
    """A formula as one writes it: 2·k/√heads."""
    if powers["k"] and powers["heads"] == -powers["k"]:  # s = k / heads
        powers = {"s": powers["k"], "T": powers["T"]}
    above = [_power(name, power) for name, power in powers.items() if power > 0]
    below = [_power(name, -power) for name, power in powers.items() if power < 0]
    size = round(abs(factor), 3)
    if abs(size - 1) > 2e-3:
        under = round(1 / size, 3)
        if size < 1 and under == round(under):
            below.insert(0, f"{under:g}")
        else:
            above.insert(0, f"{size:g}")
    over = "·".join(above) or "1"
    under_line = "·".join(below)
    told = f"{over}/({under_line})" if len(below) > 1 else f"{over}/{under_line}" if below else over
    return f"−{told}" if factor < 0 else told


def _power(name: str, power: float) -> str:
    return WRITTEN[power].replace("{}", name)
