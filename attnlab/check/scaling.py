"""The visible checks of lesson 3."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis, unknown
from attnlab.diagnosis.evidence import Evidence, Probes
from attnlab.diagnosis.examine import examine
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.limits import NOT_ENDED, foresee_memory
from attnlab.diagnosis.probes.scaling import draws, overflow, scales
from attnlab.diagnosis.results.compare import same_value
from attnlab.diagnosis.results.properties import Everywhere
from attnlab.reference import Case

Answer = Callable[..., Any]
NOT_FROM_RNG = "some of the numbers do not come from `rng`, or something goes on from call to call"
NONE_FROM_RNG = "the numbers that are drawn do not come from `rng`, or none is drawn, or a result is kept from call to call"
ROUNDING = 1e-5  # what a sum in float32 may differ by in another order


def attention_entropy(answer: Answer) -> None:
    """Check `attention_entropy(weights)`: one number per query, in nats, also where a weight is 0."""
    examine("attention_entropy", answer, probes=Probes(first=_moved_away_from_zero))


def smallest_overflow(answer: Answer) -> None:
    """Check `smallest_overflow(float_type)`: the smallest whole number whose exponential is infinite."""
    try:
        examine("smallest_overflow", answer, probes=Probes(first=overflow.explain_numbers))
    except CheckFailed as error:
        if error.diagnosis.cause.id in NOT_ENDED and (found := overflow.explain_endless(answer, error.diagnosis)):
            raise CheckFailed(error.headline, found) from None
        raise


def score_variance(answer: Answer) -> None:
    """Check `score_variance(d, samples, rng)`: near the truth, and drawn from the generator that it is given."""
    examine(
        "score_variance",
        answer,
        edges={"the given rng": lambda: _uses_its_generator(answer)},
        before=lambda: _few_first(answer),
        probes=Probes(first=draws.explain_draws),
    )


def softmax_jacobian(answer: Answer) -> None:
    """Check `softmax_jacobian(p)`: how much each weight moves with each score."""
    examine("softmax_jacobian", answer, {"columns": _columns_cancel})


def scaled_dot_product_attention(answer: Answer) -> None:
    """Check `scaled_dot_product_attention(q, k, v)` in torch, for any number of axes before the last two."""
    examine("scaled_dot_product_attention", answer, probes=Probes(first=scales.explain_scale))


def attention_gradients(answer: Answer) -> None:
    """Check `attention_gradients(q, k, v, g)`: the gradients at queries, keys and values."""
    examine("attention_gradients", answer)


def repaired_scaling(answer: Answer) -> None:
    """Check the repaired function of the clinic."""
    examine("repaired_scaling", answer, probes=Probes(first=scales.explain_scale))


def _moved_away_from_zero(evidence: Evidence, _: Case) -> Cause | None:
    """A small number against the logarithm of 0 that is large enough to change the result."""
    results = [(case, np.asarray(case.arguments[0], dtype=float), evidence.result(case)) for case in evidence.cases]
    if all(result is None or same_value(result, case.expected, case) for case, _, result in results):
        return None
    for digits, ten in itertools.product((1, 2, 5), range(1, 9)):
        number = digits * 10.0**-ten
        for words, changed in _AGAINST_ZERO:
            with np.errstate(all="ignore"):
                same = [same_value(result, changed(weights, number), case) for case, weights, result in results if result is not None]
            if same and all(same):
                return Cause(
                    "scaling.changes_result",
                    f"{words.format(f'{number:g}')}, and that changes the result",
                    "put 1 in place of the zeros only, or leave them out of the sum",
                )
    return None


_AGAINST_ZERO: tuple[tuple[str, Callable[[np.ndarray, float], np.ndarray]], ...] = (
    ("{} is added to the weights before the logarithm", lambda w, e: -(w * np.log(w + e)).sum(axis=-1)),
    ("{} is added to the weights, before the logarithm and beside it", lambda w, e: -((w + e) * np.log(w + e)).sum(axis=-1)),
    ("weights below {} are raised to it before the logarithm", lambda w, e: -(w * np.log(np.maximum(w, e))).sum(axis=-1)),
    (
        "weights below {} are raised to it, before the logarithm and beside it",
        lambda w, e: -(np.maximum(w, e) * np.log(np.maximum(w, e))).sum(axis=-1),
    ),
    ("small weights are left out", lambda w, e: -(w * np.log(np.where(w > e, w, 1))).sum(axis=-1)),
    ("weights of 0 are replaced by {}", lambda w, e: -(np.where(w > 0, w, e) * np.log(np.where(w > 0, w, e))).sum(axis=-1)),
)


def _few_first(answer: Answer) -> Diagnosis | None:
    """Whether the many samples of the example would take gigabytes, found out with a few."""
    d, samples, _ = reference.cases("score_variance")[0].arguments
    try:
        return foresee_memory(lambda few: calls.simulation(answer, d, few, 0), samples, "samples")
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)


def _uses_its_generator(answer: Answer) -> Diagnosis | None:
    try:
        first, again, other = (float(calls.simulation(answer, 4, 100, seed)) for seed in (1, 1, 2))
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    if not np.isclose(first, again, rtol=ROUNDING):
        return Diagnosis(
            f"two calls with equal generators give {first:.4f} and {again:.4f}",
            "equal generators give equal results",
            (
                draws.explain_generator(answer)
                or Cause("scaling.uses_its_generator", NOT_FROM_RNG, "draw everything with `rng.normal(...)`, and begin anew in every call")
            ),
        )
    if np.isclose(first, other, rtol=ROUNDING):
        return Diagnosis(
            f"two calls with different generators both give {first:.4f}",
            "other random numbers give another estimate",
            (
                draws.explain_generator(answer)
                or Cause("scaling.uses_its_generator_2", NONE_FROM_RNG, "draw with the `rng` that was passed in, in every call")
            ),
        )
    return None


def _columns_cancel(jacobian: np.ndarray, _: Everywhere) -> Diagnosis | None:
    """What one weight gains the others lose, so every column of a Jacobian of the softmax sums to zero."""
    sums = jacobian.sum(axis=0)
    if np.allclose(sums, 0, atol=1e-6):
        return None
    return Diagnosis(
        f"columns sum to {sums.min():.3f} to {sums.max():.3f}",
        "every column sums to 0: what one weight gains, the others lose",
        _jacobian_cause(jacobian),
    )


def _jacobian_cause(jacobian: np.ndarray) -> Cause:
    off_diagonal = jacobian[~np.eye(len(jacobian), dtype=bool)]
    if not off_diagonal.any():
        return Cause(
            "scaling.only_diagonal_entries_beside",
            "only the diagonal is there: all entries beside it are 0",
            "subtract p_i p_j everywhere, also off the diagonal",
        )
    if (off_diagonal > 0).all():
        return unknown(
            "scaling.entries_beside_diagonal_positive",
            "it is the diagonal matrix of p, minus the matrix of products p_i p_j; print both",
            "all entries beside the diagonal are positive, and the right ones are negative",
        )
    return unknown("scaling.jacobian_cause", "it is the diagonal matrix of p, minus the matrix of products p_i p_j")
