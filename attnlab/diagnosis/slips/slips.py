"""Slips that are known by the numbers that come out: each right answer of the course with one thing changed, tried beforehand by `make build`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import starmap
from typing import Any

from attnlab import reference
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence, parts_of
from attnlab.diagnosis.slips.claims import Words, words_for
from attnlab.diagnosis.slips.marks import TOLERANCE, Mark, mark_of, same_mark
from attnlab.reference import Case

OTHERWISE = "; in your lines that has another form: look for what comes to the same"


@dataclass(frozen=True)
class Slip:
    """What a slip is said to be, and the mark of what comes out for each case of its exercise."""

    said: list[Words]
    marks: list[Mark]


def explain_slip(evidence: Evidence, case: Case, is_in_lines: bool = False) -> Cause | None:
    """The slip in a right answer that gives the same results as this answer, for all inputs, or for all that say something about a case.

    Args:
        evidence: what the answer gives.
        case: the input at which something is wrong.
        is_in_lines: whether words have to fit the answer's lines.
    """
    results = list(map(evidence.result, evidence.cases))
    coarse = any(str(getattr(part, "dtype", "")).endswith("float32") for result in results for part in parts_of(result))
    marks, right = list(map(mark_of, results)), [mark_of(one.expected) for one in evidence.cases]
    found = slip_with(evidence.exercise, evidence.answer, marks, right, coarse, is_in_lines)
    beside = evidence.beside(case)
    if found or len(beside) == len(evidence.cases):
        return found
    asked = [mark if one in beside else ... for one, mark in zip(evidence.cases, marks)]
    return slip_with(evidence.exercise, evidence.answer, asked, right, coarse, is_in_lines, of="of this part")


def slip_with(
    exercise: str,
    answer: Any,
    got: list[Mark],
    expected: list[Mark],
    float32: bool = False,
    is_in_lines: bool = False,
    of: str = "of this check",
) -> Cause | None:
    """The slip that gives the same as an answer does on every input, and is not right on one where the answer is wrong; None when there is none.

    Args:
        exercise: its name.
        answer: the learner's function or class.
        got: the marks of what the answer gave for each case; None where it raised, `...` where it was not asked.
        expected: the marks of what is right.
        float32: whether the results are coarse.
        is_in_lines: whether words have to fit the answer's lines; else they come with a remark where they do not.
        of: whose inputs they are, for the message.
    """
    tolerance = TOLERANCE["float32"] if float32 else TOLERANCE["float64"]
    wrong = sum(one not in (None, ...) and not same_mark(one, right, tolerance) for one, right in zip(got, expected))
    if wrong < (2 if got[0] is None else 1):  # where the example raises, one other result is too little: that many slips may give
        return None
    for slip in _slips(exercise):
        if all(one is ... or same_mark(one, other, tolerance) for one, other in zip(got, slip.marks)):
            same = "the same numbers and errors come" if None in got else "the same numbers come"
            told, fits = words_for(slip.said, answer)
            if is_in_lines and not fits:
                return None
            words = f"{same} out, on every input {of}, when {'; or '.join(one.words for one in told)}"
            claims = tuple(dict.fromkeys(claim for one in told for claim in one.claims))
            return Cause(f"slip.{told[0].id}", words if fits else words + OTHERWISE, told[0].next, claims=claims if fits else ())
    return None


@cache
def _slips(exercise: str) -> list[Slip]:
    for lesson in reference.lessons():
        file = resources.files("attnlab") / "data" / "variations" / f"{lesson}.jsonl"
        if file.is_file():
            lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
            found = [Slip(list(starmap(_read, said)), marks) for name, said, marks in lines if name == exercise]
            if found:
                return found
    return []


def _read(id: str, words: str, next: str, claims: list[list[str]]) -> Words:
    return Words(id, words, next, tuple(map(frozenset, claims)))
