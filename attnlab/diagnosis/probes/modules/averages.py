"""What a module of attention makes of values that are known: which weights they get, what is done to them, and where they come out."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.probes.modules.construction import TOKENS, Subject, given
from attnlab.diagnosis.probes.modules.scale import SCORES, weights_of
from attnlab.reference import Case

NEXT = "follow one head through your lines: what shape does each array have, and where in it is that head?"
EVEN = 1e-3


def probe_values(evidence: Evidence, case: Case) -> Cause | None:
    """What is unusual about the way of the values, where weights and parameters are what they should be."""
    if np.shape(evidence.result(case)) != np.shape(case.expected):
        return None
    subject = Subject(evidence, case)
    return _heads_apart(subject) or _in_proportion(subject) or _places(subject) or _no_softmax(subject)


def _heads_apart(subject: Subject) -> Cause | None:
    """Whether each component is averaged with the weights of its own head."""
    k, heads, tokens = 12, 3, 4
    s = k // heads
    if subject.heads == 1:
        return None
    own, mate, other = (weights_of(subject, k, heads, tokens, place) for place in (0, 1, s))
    if np.ptp(own) < EVEN or not all(np.isclose(one.sum(), 1, atol=EVEN) for one in (own, mate, other)):
        return None
    if np.allclose(own, other, atol=EVEN):
        return Cause(
            "averages.weights_shared_by_heads",
            "the components of head 1 are averaged with the weights of head 0: several heads share one row of weights",
            "each head has its own scores and weights: split queries, keys and values before you compute scores",
        )
    if np.ptp(mate) < EVEN:
        return Cause(
            "averages.weights_differ_within_head",
            "the components of head 0 are not averaged with one row of weights: components 0 and 1 get different ones",
            "s neighbouring components belong to one head and share its weights",
        )
    return None


def _in_proportion(subject: Subject) -> Cause | None:
    """Whether the output doubles with the tokens, with the matrix of the values and with the last one, when all weights are equal."""
    *_, values, last = subject.layers
    weights = {**subject.drawn(50), f"{subject.layers[0]}.weight": 0 * subject.weights[f"{subject.layers[0]}.weight"]}
    weights[f"{last}.bias"] = 0 * weights[f"{last}.bias"]
    x = subject.tokens(51)
    first = given(subject.made(subject.settings, weights), x)
    for name in (f"{last}.weight", f"{values}.weight"):
        twice = given(subject.made(subject.settings, {**weights, name: 2 * weights[name]}), x)
        if not np.allclose(twice, 2 * first, rtol=EVEN, atol=EVEN) and np.allclose(twice, 4 * first, rtol=EVEN, atol=EVEN):
            return Cause(
                "averages.layer_applied_twice",
                f"`{name}` counts twice: when the matrix is doubled, the result is four times as large",
                "apply each layer once; which line applies it again?",
            )
    if np.abs(first).max() > EVEN and np.allclose(given(subject.made(subject.settings, weights), 2 * x), first, rtol=1e-2, atol=EVEN):
        return Cause(
            "averages.tokens_normalised",
            "tokens twice as long give the same result: something divides by their length or spread, as a normalisation does",
            "leave the tokens as they are: nothing on the card normalises them",
        )
    return None


def _places(subject: Subject) -> Cause | None:
    """What becomes of one component of the values, when every query looks at all keys alike."""
    s = subject.k // subject.heads
    for head, component in dict.fromkeys([(0, 0), (0, min(1, s - 1)), (min(1, subject.heads - 1), 0)]):
        if told := _followed(subject, head * s + component):
            return Cause("averages.value_arrives_wrong", f"a value that is 1 for every token, component {component} of head {head}, {told}", NEXT)
    return None


def _followed(subject: Subject, place: int) -> str:
    """What is unusual about one component's way; "" when it arrives at its place in every token."""
    import torch  # here, so that lessons without tensors do not wait for it

    weights: dict[str, Any] = {name: torch.zeros(*value.shape) for name, value in subject.weights.items()}
    *_, values, last = subject.layers
    weights[f"{values}.weight"][place, 0] = 1
    for row in range(min(3, subject.k)):  # how much arrives, and where
        weights[f"{last}.weight"][row] = torch.arange(1.0, subject.k + 1) ** row
    x = torch.zeros(1, TOKENS, subject.k)
    x[..., 0] = 1
    arrived = given(subject.made(subject.settings, weights), x)[0]
    amounts = arrived[:, 0]
    if not np.isfinite(arrived).all():
        return ""
    if not np.allclose(amounts, amounts[0], atol=EVEN):
        told = ", ".join(f"{amount:.3g}" for amount in amounts)
        return f"arrives at the last layer as {told} in the {TOKENS} tokens: heads and tokens are mixed"
    if abs(amounts[0]) < EVEN:
        return "does not arrive at the last layer"
    if not np.isclose(amounts[0], 1, atol=EVEN):
        return (
            f"adds up to {amounts[0]:.3g} instead of 1 at the last layer: it is there several times, has a factor, something is added, "
            "or the weights do not sum to 1"
        )
    found = round(float(arrived[0, 1])) - 1 if subject.k > 2 else place
    if subject.k < 3 or found == place or not np.allclose(arrived, arrived[:1], atol=EVEN):
        return ""
    if not np.allclose(arrived[0, 1:3], [found + 1, (found + 1) ** 2], rtol=1e-4):
        return f"arrives at the last layer in several places of the row; it belongs only at place {place}"
    return f"arrives at place {found} of the row that the last layer gets; it belongs at place {place}"


def _no_softmax(subject: Subject) -> Cause | None:
    """Weights that no softmax of these scores gives, whatever divides them."""
    k, heads, tokens = 12, 3, 4
    read = weights_of(subject, k, heads, tokens)
    if not ((read > 0).all() and np.isclose(read.sum(), 1, atol=EVEN)) or np.ptp(read) < EVEN:
        return None
    with np.errstate(divide="ignore"):  # two equal weights, for products that are not equal
        found = np.diff(SCORES[:tokens]) / np.diff(np.log(read))
    if np.allclose(found, found[0], rtol=1e-2):
        return None
    scores, told = (", ".join(f"{one:.3g}" for one in numbers) for numbers in (SCORES[:tokens], read))
    return Cause(
        "averages.weights_not_softmax",
        f"when query times key gives {scores}, your weights are {told}; no softmax gives those, whatever the scores are divided by: "
        "something else changes the scores, or replaces the softmax",
        "which line does more than products, division and softmax?",
    )
