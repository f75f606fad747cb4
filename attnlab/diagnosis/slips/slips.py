"""Slips that are known by the numbers that come out: each right answer of the course with one thing changed, tried beforehand by `make build`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from attnlab import reference
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.slips.claims import words_for
from attnlab.diagnosis.slips.marks import TOLERANCE, Mark, same_mark


@dataclass(frozen=True)
class Slip:
    """Words for a slip, each with the next step, and the mark of what comes out for each case of its exercise."""

    words: list[Cause]
    marks: list[Mark]


def slip_with(exercise: str, answer: Any, got: list[Mark], expected: list[Mark], float32: bool = False, is_in_lines: bool = False) -> Cause | None:
    """The slip that gives the same as an answer does on every input, and is not right on one where the answer is wrong; None when there is none.

    Args:
        exercise: its name.
        answer: the learner's function or class.
        got: the marks of what the answer gave for each case; None where it raised, `...` where it was not asked.
        expected: the marks of what is right.
        float32: whether the results are coarse.
        is_in_lines: whether words have to fit the answer's lines; else they come with a remark where they do not.
    """
    tolerance = TOLERANCE["float32"] if float32 else TOLERANCE["float64"]
    wrong = sum(one not in (None, ...) and not same_mark(one, right, tolerance) for one, right in zip(got, expected))
    if wrong < (2 if got[0] is None else 1):  # where the example raises, one other result is too little: that many slips may give
        return None
    for slip in _slips(exercise):
        if all(one is ... or same_mark(one, other, tolerance) for one, other in zip(got, slip.marks)):
            same = "the same numbers and errors come" if None in got else "the same numbers come"
            likely, next_step, fits = words_for(slip.words, answer)
            if is_in_lines and not fits:
                return None
            return f"{same} out, on every input of this check, when {likely}", next_step
    return None


@cache
def _slips(exercise: str) -> list[Slip]:
    for lesson in reference.lessons():
        file = resources.files("attnlab") / "data" / "variations" / f"{lesson}.jsonl"
        if file.is_file():
            lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
            found = [Slip([(likely, after) for likely, after in words], marks) for name, words, marks in lines if name == exercise]
            if found:
                return found
    return []
