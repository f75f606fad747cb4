"""`is_permutation_invariant(f, x)`, a test for f(Px) = f(x): on functions that must pass and functions that must not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from attnlab.diagnosis.cause import Diagnosis, unknown
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes.functions.trials import Trials
from attnlab.diagnosis.probes.functions.verdicts import verdicts
from attnlab.exercises.permutation_test import FOUR, edges_of_tests, explain_verdicts, never_ends


def _any_shape(trials: Trials) -> Diagnosis | None:
    """What is wrong with verdicts on functions whose results have no axis, or some."""
    own = trials.own
    for shape in ((), (4, 2), (2, 3, 2)):
        what = f"results of shape {shape}" if shape else "results that are a single number, a float"
        for more, expected in ((0.0, True), (1.0, False)):
            tried = trials.ask(lambda order, shape=shape, more=more: 0.5 * (np.ones(shape) if shape else 1.0) + more * (order != own))
            if tried.error is not None:
                found = explain_error(tried.error, trials.test)
                return replace(found, observed=f"with {what}, {found.observed}")
            if tried.says is not expected:
                return Diagnosis(
                    f"with {what}, {'equal except for one' if more else 'all equal'}: your test says {tried.verdict}",
                    str(expected),
                    unknown(
                        "is_permutation_invariant.wrong_for_other_shapes",
                        "compare number by number, however many axes the results have",
                        "results with one axis come out right",
                    ),
                )
    return None


EXERCISE = Exercise(
    title="a test for f(Px) = f(x)",
    inputs=[Input("ten functions on four tokens", ["KLMNOPQRST", FOUR])],
    call=verdicts,
    is_yes_or_no=True,
    properties={"verdicts": lambda given, evidence: explain_verdicts(given, evidence, evidence.cases[0], pooled=True)},
    edges={**edges_of_tests(pooled=True), "results of any shape": lambda evidence: _any_shape(Trials(evidence.answer, pooled=True))},
    stops=partial(never_ends, pooled=True),
)
