"""`score_variance(d, samples, rng)`: near the truth, and drawn from the generator that it is given."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes.scaling import draws

Answer = Callable[..., Any]

NOT_FROM_RNG = "some of the numbers do not come from `rng`, or something is kept between calls"

NONE_FROM_RNG = "the random numbers do not come from `rng`, or none are drawn, or a result is kept between calls"

MOST_BYTES = 2 * 2**30  # what a call may take

ROUNDING = 1e-5  # what a sum in float32 may differ by in another order


def _few_first(answer: Answer) -> Diagnosis | None:
    """Whether the many samples of the example would take gigabytes, found out with a few."""
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
                or Cause("score_variance.equal_seeds_differ", NOT_FROM_RNG, "draw everything with `rng.normal(...)`, and start fresh in every call")
            ),
        )
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


EXERCISE = Exercise(
    title="the variance of a score, by simulation",
    inputs=[Input("d = 16 and 40 000 samples", [16, 40000, 0]), Input("d = 1", [1, 40000, 1]), Input("d = 50", [50, 40000, 2])],
    call=calls.simulation,
    tolerance=0.08,
    edges={"the given rng": lambda evidence: _uses_its_generator(evidence.answer)},
    before=lambda evidence: _few_first(evidence.answer),
    probes=Probes(first=draws.explain_draws),
)
