"""Results that are a tuple: every level looks at one part after the other and says which one it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.reference import Case

KINDS = {"ndarray": "a NumPy array", "Tensor": "a torch tensor", "NoneType": "None"}


def explain_form(result: Any, case: Case) -> Diagnosis | None:
    """None when `result` is a tuple or list with as many parts as expected, or when one value is expected."""
    if not isinstance(case.expected, tuple):
        return None
    count, names = len(case.expected), ", ".join(case.parts)
    expected = f"{count} arrays in this order: {names}"
    if not isinstance(result, (tuple, list)):
        got = KINDS.get(type(result).__name__, type(result).__name__)
        return Diagnosis(
            f"your function returns {got}",
            expected,
            Cause(
                "parts.parts_missing_they_were",
                "one of the parts is missing, or they were joined into one array",
                f"end the function with `return {names}`",
            ),
        )
    if len(result) != count:
        return Diagnosis(
            f"your function returns {len(result)} parts",
            expected,
            Cause("parts.part_too_many_too", "a part too many or too few is returned", f"end the function with `return {names}`"),
        )
    return None


def part_by_part(explain: Callable[[Any, Case], Diagnosis | None], result: Any, case: Case) -> Diagnosis | None:
    """What `explain` finds in the result, or in the first part of it that is not right."""
    if not isinstance(case.expected, tuple):
        return explain(result, case)
    for place, name in enumerate(case.parts):
        found = explain(result[place], _part(case, place))
        if found:
            return replace(found, observed=f"part `{name}`: {found.observed}")
    return None


def _part(case: Case, place: int) -> Case:
    """The case as it looks for one part alone."""
    mistakes = [
        replace(mistake, value=mistake.value[place])
        for mistake in case.mistakes
        if isinstance(mistake.value, tuple) and len(mistake.value) == len(case.expected)
    ]
    return replace(case, expected=case.expected[place], mistakes=mistakes, parts=())
