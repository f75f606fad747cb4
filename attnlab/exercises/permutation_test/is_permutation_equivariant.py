"""`is_permutation_equivariant(f, x)`, a test for f(Px) = P f(x): on functions that must pass and functions that must not, part by part."""

from __future__ import annotations

from functools import partial
from typing import Any

from attnlab.diagnosis.cause import Diagnosis
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes.functions.verdicts import verdicts
from attnlab.exercises.permutation_test import FOUR, edges_of_tests, explain_verdicts, never_ends

EASY = "seven clear functions on four tokens"


def _clear_cases(evidence: Evidence) -> Diagnosis | None:
    """What is wrong with the verdicts on functions that one order of the tokens is enough to tell apart."""
    case = next(case for case in evidence.cases if case.label == EASY)
    letters, x = case.arguments
    try:
        given: Any = verdicts(evidence.answer, letters, x.copy())
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, evidence.answer)
    return explain_verdicts(given, evidence, case, pooled=False)


EXERCISE = Exercise(
    title="a test for f(Px) = P f(x)",
    inputs=[Input("ten functions on four tokens", ["ABCDEFGHIJ", FOUR]), Input(EASY, ["ABDEFHU", FOUR])],
    call=verdicts,
    is_yes_or_no=True,
    properties={"verdicts": lambda given, evidence: explain_verdicts(given, evidence, evidence.cases[0], pooled=False)},
    edges={"clear cases": _clear_cases, **edges_of_tests(pooled=False)},
    stages={
        "one order compared": ["clear cases", EASY],
        "every order": ["ten functions on four tokens", "every order and number"],
        "data that show nothing refused": ["equal tokens"],
        "many tokens": ["many tokens"],
        "tolerance and nan": ["small differences", "a wider tolerance", "nan"],
    },
    stops=partial(never_ends, pooled=False),
)
