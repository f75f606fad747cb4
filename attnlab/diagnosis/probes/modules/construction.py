"""What is found out about a module of attention by calls of its own: shared layers, chance, what has no effect, which token sees which."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.reference import Case

TOKENS = 4
ROUNDING = 1e-4
WORD_BY_WORD = "go through `forward` line by line: which layer and which names does each line use?"


class Subject:
    """A module's class, and how to make modules of it: with these settings, with these weights.

    Args:
        evidence: holds the class.
        case: says which settings its modules have, and the names and shapes of their weights.
    """

    def __init__(self, evidence: Evidence, case: Case):
        self.settings, self.weights, _ = case.arguments
        self.answer = evidence.answer
        self.k, self.heads = self.settings[:2]
        self.mask = bool(self.settings[2:] and self.settings[2])

    @property
    def layers(self) -> list[str]:
        """The names of the layers: of queries, keys and values, and the last one."""
        return [name.removesuffix(".weight") for name in self.weights if name.endswith(".weight")]

    def made(self, settings: list[Any], weights: dict[str, Any]) -> Any:
        """A module with these weights."""
        with contextlib.redirect_stdout(io.StringIO()):
            module = self.answer(*settings)
        module.load_state_dict(weights)
        module.eval()
        return module

    def tokens(self, seed: int) -> Any:
        """Three sequences by chance."""
        return drawn(seed, 3, TOKENS, self.k)

    def drawn(self, seed: int) -> dict[str, Any]:
        """Weights by chance, so small that no softmax is steep."""
        return {name: drawn(seed + place, *value.shape) * 0.4 for place, (name, value) in enumerate(self.weights.items())}


def drawn(seed: int, *shape: int) -> Any:
    """A tensor of random numbers."""
    import torch  # here, so that lessons without tensors do not wait for it

    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).astype(np.float32))


def given(module: Any, x: Any) -> np.ndarray:
    """What a module makes of `x`."""
    with contextlib.redirect_stdout(io.StringIO()):
        return as_numpy(module(x.clone())).astype(float)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two results agree up to rounding; nan agrees with nan."""
    largest = np.abs(other[np.isfinite(other)]).max(initial=1e-3)
    return one.shape == other.shape and np.allclose(one, other, rtol=ROUNDING, atol=ROUNDING * largest, equal_nan=True)


def probe_construction(evidence: Evidence, case: Case) -> Cause | None:
    """What the constructor did, and chance: shared layers, copies of weights, random numbers, a setting without effect."""
    subject = Subject(evidence, case)
    weights = subject.drawn(40)
    module = subject.made(subject.settings, weights)
    if found := _shared(module, weights):
        return found
    x = subject.tokens(31)
    first = given(module, x)
    if found := _chance(subject, module, weights, x, first):
        return found
    several = subject.heads > 1 or any(map(evidence.is_right, _of_several(evidence)))
    return _heads(subject, weights, x, first) if several else None  # who begins with one head has not come to several yet


def _of_several(evidence: Evidence) -> list[Case]:
    """The cases with several heads and several tokens: of a single token, all heads give its values."""
    return [case for case in evidence.cases if case.arguments[0][1] > 1 and case.arguments[2].shape[1] > 1]


def probe_module(evidence: Evidence, case: Case) -> Cause | None:
    """The first of the facts about sequences, tokens and parameters that no right module has; nothing where the result has another shape."""
    if np.shape(as_numpy(evidence.result(case))) != np.shape(as_numpy(case.expected)):
        return None
    subject = Subject(evidence, case)
    return next((cause for cause in _facts(subject) if cause), None)


def _facts(subject: Subject) -> Iterator[Cause | None]:
    weights = subject.drawn(40)
    module = subject.made(subject.settings, weights)
    x = drawn(31, 1, TOKENS, subject.k).repeat(TOKENS + 1, 1, 1)
    for token in range(TOKENS):  # in sequence n + 1, token n is another one
        x[token + 1, token] = drawn(32 + token, subject.k)
    first = given(module, x)
    if first.shape != tuple(x.shape) or not np.isfinite(first).all():
        return
    yield _neighbours(given(module, x[:2])[0], first[0], given(module, x.flip(0))[-1])
    yield _seen(subject, np.array([[not same(first[token + 1, i], first[0, i]) for token in range(TOKENS)] for i in range(TOKENS)]))
    yield _idle(subject, module, weights, x, first)
    yield _values_alone(subject, module, weights)


def _shared(module: Any, weights: dict[str, Any]) -> Cause | None:
    """Weights that are not what was loaded, because several names stand for one of them."""
    held = {name: as_numpy(value) for name, value in module.state_dict().items()}
    for name, value in weights.items():
        twins = [other for other in weights if np.array_equal(held[name], held[other])]
        if len(twins) > 1 and not np.array_equal(held[name], as_numpy(value)):
            told = [f"`{one.rpartition('.')[0]}`" for one in twins]
            return Cause(
                "construction.layer_shared",
                f"{', '.join(told[:-1])} and {told[-1]} are the same layer: changing one changes the other",
                "give each layer its own `nn.Linear(...)`",
            )
    return None


def _chance(subject: Subject, module: Any, weights: dict[str, Any], x: Any, first: np.ndarray) -> Cause | None:
    second = given(module, x)
    if not same(second, first):
        return Cause(
            "construction.not_deterministic",
            "two calls with the same input give different results, even in `eval()` mode: something is random, as dropout or a new layer in "
            "`forward` is, or kept",
            "let the result depend only on `x` and the parameters",
        )
    if not same(given(subject.made(subject.settings, weights), x), first):
        return Cause(
            "construction.numbers_outside_parameters",
            "two modules with equal parameters give different results: the constructor drew numbers that loading does not change, "
            "such as a copy of a weight",
            "call the layers in `forward`; a copy of `self.….weight` made in the constructor never changes",
        )
    return None


def _heads(subject: Subject, weights: dict[str, Any], x: Any, first: np.ndarray) -> Cause | None:
    """Whether modules with other numbers of heads give the same."""
    others = [heads for heads in (2, 3, subject.k) if subject.k % heads == 0 and heads != subject.heads]
    if not others or not np.isfinite(first).all():
        return None
    if not same(given(subject.made([subject.k, others[0], *subject.settings[2:]], weights), x), first):
        return None
    return Cause(
        "construction.heads_ignored",
        f"the number of heads has no effect: with the same parameters, {subject.heads} and {others[0]} heads give the same result",
        "where do your lines use `heads`? The constructor stores it in `self`, and `forward` splits with it",
    )


def _neighbours(alone: np.ndarray, in_front: np.ndarray, behind: np.ndarray) -> Cause | None:
    if same(alone, in_front) and same(alone, behind):
        return None
    return Cause(
        "construction.sequences_mixed",
        "the result for a sequence depends on the other sequences of the batch",
        "which line uses axis 0 for something else, or joins it with another axis and splits them in a different order?",
    )


def _seen(subject: Subject, seen: np.ndarray) -> Cause | None:
    """Which token has an effect on which other one."""
    place = np.arange(TOKENS)
    before, after = place[None] < place[:, None], place[None] > place[:, None]
    others = before | after
    wanted = before if subject.mask else others
    if (seen == wanted)[others].all():
        return None
    when = "with `mask=True`, " if subject.mask else "without a mask, " if len(subject.settings) > 2 or subject.layers[0] == "toqueries" else ""
    for rule, words in (
        (np.zeros_like(before), "no token sees another one: the result for a token depends only on that token"),
        (before, "a token sees only those before it, as with a causal mask"),
        (after, "a token sees only those after it, and none before it"),
        (others, "every token sees all others, even those after it"),
        (place[None] <= place[:, None] + 1, "a token sees those before it, and the next one"),
    ):
        if (seen == rule)[others].all():
            return Cause("construction.wrong_mask", f"{when}{words}", _next(subject))
    told = "; ".join(f"token {i} sees {', '.join(str(j) for j in place if j != i and seen[i, j]) or 'no other'}" for i in place)
    return Cause(
        "construction.wrong_tokens_seen", f"{when}tokens do not see exactly the tokens that they should; counted from 0: {told}", _next(subject)
    )


def _next(subject: Subject) -> str:
    if subject.mask:
        return "query i may look at key j only if j ≤ i; all other scores are −∞. Print the scores of four tokens: rows are queries"
    return (
        "score every query against every key: write the shapes of queries, keys and scores beside their lines. Along which axis does the softmax run?"
    )


def _idle(subject: Subject, module: Any, weights: dict[str, Any], x: Any, first: np.ndarray) -> Cause | None:
    """Parameters that have no effect."""
    idle = []
    for place, (name, value) in enumerate(weights.items()):
        module.load_state_dict({**weights, name: 0.4 * drawn(60 + place, *value.shape)})
        if same(given(module, x), first):
            idle.append(f"`{name}`")
    if not idle:
        return None
    have = "has" if len(idle) == 1 else "have"
    return Cause(
        "construction.parameters_without_effect", f"{' and '.join(idle)} {have} no effect: other numbers there give the same result", WORD_BY_WORD
    )


def _values_alone(subject: Subject, module: Any, weights: dict[str, Any]) -> Cause | None:
    """Whether queries and keys matter where they cannot: a token that is alone has the weight 1."""
    x = drawn(71, 2, 1, subject.k)
    module.load_state_dict(weights)
    alone, changing = given(module, x), []
    for place, layer in enumerate(subject.layers[:2]):
        name = f"{layer}.weight"
        module.load_state_dict({**weights, name: 0.4 * drawn(80 + place, *weights[name].shape)})
        if not same(given(module, x), alone):
            changing.append(layer)
    if len(changing) != 1:  # both: the weight of a single token may not be 1
        return None
    values = subject.layers[2]
    return Cause(
        "construction.values_from_wrong_layer",
        f"for a single token, whose weight is 1, the result changes with `{changing[0]}.weight`: what is averaged comes from `{changing[0]}`, "
        f"directly or through another layer",
        f"the values are `{values}` of `x`. Is `x` still the input?",
    )
