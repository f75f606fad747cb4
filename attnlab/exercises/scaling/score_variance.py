"""`score_variance(d, samples, rng)`: near the truth, and drawn from the generator that it is given."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis import calls, grading
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import draws
from attnlab.diagnosis.results.form import explain_not_finite, type_in_words

Answer = Callable[..., Any]

NOT_FROM_RNG = "some of the numbers do not come from `rng`, or something is kept between calls"

NONE_FROM_RNG = "the random numbers do not come from `rng`, or none are drawn, or a result is kept between calls"

MOST_BYTES = 2 * 2**30  # what a call may take

ROUNDING = 1e-5  # what a sum in float32 may differ by in another order


def _few_first(answer: Answer) -> Diagnosis | None:
    """Whether the many samples of the example would take gigabytes, found out with a few. A grader has a limit of its own."""
    if grading.is_elsewhere(answer):
        return None
    d, samples, _ = reference.cases("score_variance")[0].arguments
    try:
        return foresee_memory(lambda few: calls.simulation(answer, d, few, 0), samples)
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)


def foresee_memory(call: Callable[[int], object], count: int) -> Diagnosis | None:
    """What is wrong when a call with that many samples would take gigabytes, found out with a few.

    Args:
        call: makes the call with as many samples as it is told.
        count: how many the real call has.
    """
    few = 200
    peaks = []
    for number in (few, 2 * few):
        tracemalloc.start()
        try:
            call(number)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    if peaks[1] < 3 * peaks[0]:  # grows as the count does
        return None
    foreseen = peaks[1] * (count / (2 * few)) ** 2
    if foreseen < MOST_BYTES:
        return None
    return Diagnosis(
        f"{few} samples take {peaks[0] / 2**20:.1f} MB, {2 * few} take {peaks[1] / 2**20:.1f} MB, so {count:,} would take about "
        f"{foreseen / 2**30:.0f} GB; the check did not try it",
        "memory that grows in proportion to the number of samples",
        Cause(
            "limits.memory_grows_quadratically",
            "twice as many samples take four times as much: an array has one entry for each *pair* of samples",
            "compute one number for each of the samples: multiply in pairs and sum along the last axis",
        ),
    )


def _differs_again(answer: Answer, first: float, again: float) -> Diagnosis | None:
    if np.isclose(first, again, rtol=ROUNDING):
        return None
    return Diagnosis(
        f"two calls with equal generators give {first:.4f} and {again:.4f}",
        "equal generators give equal results",
        (
            draws.explain_generator(answer)
            or Cause("score_variance.equal_seeds_differ", NOT_FROM_RNG, "draw everything with `rng.normal(...)`, and start fresh in every call")
        ),
    )


def _uses_its_generator(answer: Answer) -> Diagnosis | None:
    try:
        first, again, other = (float(calls.simulation(answer, 4, 100, seed)) for seed in (1, 1, 2))
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    if found := _no_estimate(answer, 4, 100, 1, first) or _differs_again(answer, first, again):
        return found
    if np.isclose(first, other, rtol=ROUNDING):
        return Diagnosis(
            f"two calls with different generators both give {first:.4f}",
            "different random numbers give different estimates",
            (
                draws.explain_generator(answer)
                or Cause("score_variance.seed_without_effect", NONE_FROM_RNG, "draw with the `rng` that was passed in, in every call")
            ),
        )
    return None


def explain_estimates(answer: Answer, seed: int, wider: float = 0.0) -> Diagnosis | None:
    """What is wrong with estimates of few samples, and with those of many: how large they are, and how far apart.

    Args:
        answer: the learner's function.
        seed: of the first generator; the others follow it.
        wider: this share more room for chance, for hidden tests: what the visible check passes narrowly is not refused by them.
    """
    try:
        return _few_samples(answer, seed) or _how_they_spread(answer, seed, wider) or _far_from_the_truth(answer, seed, wider)
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)


def _few_samples(answer: Answer, seed: int) -> Diagnosis | None:
    for d, samples in ((3, 2), (6, 3), (2, 7), (1, 9), (1, 2)):
        found = calls.simulation(answer, d, samples, seed)
        if np.ndim(found) or hasattr(found, "detach") or np.asarray(found).dtype.kind != "f":
            return Diagnosis(
                f"for d = {d} and {samples} samples, your function returns {type_in_words(found)}",
                "one number with decimals",
                Cause("score_variance.tensor", "what torch computes is a tensor, also where it is one number", "make a float of it: `.item()`")
                if hasattr(found, "detach")
                else unknown("score_variance.no_float", "call your function with so few samples, and print what it returns"),
            )
        for more, least in enumerate((found, *_estimates(answer, [(d, samples, seed + more) for more in range(1, 20)]))):
            if none := _no_estimate(answer, d, samples, seed + more, least):
                return none
        if other := _differs_again(answer, found, calls.simulation(answer, d, samples, seed)):
            return replace(other, observed=f"with d = {d} and {samples} samples, {other.observed}")
    return None


def _no_estimate(answer: Answer, d: int, samples: int, seed: int, found: float) -> Diagnosis | None:
    """What is wrong where an estimate is no number above 0, and why nothing can be told of it."""
    if np.isfinite(found) and found > 0:
        return None
    case = replace(reference.cases("score_variance")[0], label="", arguments=[d, samples, None], expected=1.0)
    origin = explain_not_finite(found, case, lambda answer: calls.simulation(answer, d, samples, seed), answer)
    cause = draws.explain_nothing_drawn(answer) or (origin.cause if origin else None)
    return Diagnosis(
        f"for d = {d}, {samples} samples give {found:.4g}",
        "a number above 0",
        cause
        or unknown(
            "score_variance.few_samples",
            "draw as many pairs as `samples` says, and measure how far their scores spread",
            "a variance is never below 0: is it the square of the mean that is subtracted?" if found < 0 else "",
        ),
    )


def _estimates(answer: Answer, inputs: list[tuple[int, int, int]]) -> list[float]:
    """What an answer estimates for each d, number of samples and seed."""
    ready = calls.in_place_of(answer, calls.simulation, inputs)
    return [float(calls.simulation(one, *given)) for one, given in zip(ready, inputs)]


def _how_they_spread(answer: Answer, seed: int, wider: float) -> Diagnosis | None:
    of_many = np.array(_estimates(answer, [(40, 25, seed + place) for place in range(60)])) / 40
    if not _is_between(of_many.mean(), 0.8, 1.2, wider):
        return Diagnosis(
            f"with d = 40 and 25 samples, 60 estimates are on average {of_many.mean():.2f} times as large as the variance",
            "about as large",
            unknown("score_variance.biased", "by what is the sum divided? It has to be the number of the samples, or one less"),
        )
    if not _is_between(of_many.std(), 0.16, 0.47, wider):
        return Diagnosis(
            f"60 estimates with d = 40, from 25 samples each, lie too {_side(of_many.std(), 0.3)}: their standard deviation is {of_many.std():.2f} "
            "times the variance",
            "about 0.3 times the variance",
            unknown("score_variance.spread", "each estimate is made of `samples` scores, one for each pair: how many are there?"),
        )
    spread = np.log(_estimates(answer, [(1, 50, seed + place) for place in range(200)])).std()
    if not _is_between(spread, 0.29, 0.475, wider):
        return Diagnosis(
            f"200 estimates with d = 1, from 50 samples each, lie too {_side(spread, 0.39)}: "
            f"the standard deviation of their logarithms is {spread:.2f}",
            "about 0.39",
            unknown("score_variance.not_normal", "a score is a product of a query and a key, both new for each sample, with *normal* components"),
        )
    return None


def _far_from_the_truth(answer: Answer, seed: int, wider: float) -> Diagnosis | None:
    for d, samples in ((1, 20000), (9, 20000), (50, 20000), (300, 4000)):
        found, error = float(calls.simulation(answer, d, samples, seed)), d * ((2 + 6 / d) / samples) ** 0.5
        if abs(found - d) > 5 * (1 + wider) * error:
            return Diagnosis(
                f"for d = {d} and {samples:,} samples, the estimate is {found:.4g}",
                f"about {d}, and chance makes a difference of {error:.2g}",
                unknown("score_variance.far_from_the_truth", "compare d = 1 with other d: what does the estimate do?"),
            )
    return None


def _is_between(number: float, lower: float, upper: float, wider: float) -> bool:
    return lower / (1 + wider / 4) < number < upper * (1 + wider / 4)


def _side(number: float, right: float) -> str:
    return "close together" if number < right else "far apart"


EXERCISE = Exercise(
    title="the variance of a score, by simulation",
    inputs=[Input("d = 16 and 40 000 samples", [16, 40000, 0]), Input("d = 1", [1, 40000, 1]), Input("d = 50", [50, 40000, 2])],
    call=calls.simulation,
    tolerance=0.08,
    edges={
        "the given rng": lambda evidence: _uses_its_generator(evidence.answer),
        "many estimates": lambda evidence: explain_estimates(evidence.answer, seed=100),
    },
    before=lambda evidence: _few_first(evidence.answer),
    probes=Probes(first=draws.explain_draws),
)
