"""Wrong answers that are known by the numbers that come out, on every input.

Some are kept beside the right ones, with words of their own. Many more are right answers with one thing changed, tried by `make build`: a few numbers
of each result tell it from others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import starmap
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence, parts_of
from attnlab.diagnosis.results.form import same_value
from attnlab.diagnosis.slips.claims import Words, words_for
from attnlab.reference import Case, Mistake

MORE = "; for another input this gives other numbers than yours, so there may be more to it"
AT_MOST = 30  # words of several texts for one cause


def explain_known(evidence: Evidence, case: Case) -> Cause | None:
    """The known mistakes that give this result, and what speaks against them."""
    known = _known(evidence, case)
    if not known:
        return None
    words = "; or ".join(_shortly(list(dict.fromkeys(mistake.likely for mistake in known[:2]))))
    if _against(evidence, known[0], case, evidence.cases):
        words = f"the numbers for this input say: {words}; those for another do not, so there may be more to it"
    return Cause(f"known.{evidence.name}.{known[0].name}", words, known[0].next)


def _shortly(words: list[str]) -> list[str]:
    """As many of several texts for one cause as are short together, and one at least."""
    return words if len(" ".join(words).split()) <= AT_MOST else words[:1]


def is_contradicted(evidence: Evidence, case: Case) -> bool:
    """Whether a known mistake gives this result, and others for other inputs than the answer does."""
    known = _known(evidence, case)
    return bool(known) and bool(_against(evidence, known[0], case, evidence.beside(case)))


def _known(evidence: Evidence, case: Case) -> list[Mistake]:
    return evidence.once(f"known mistakes for {case.label}", lambda: _known_mistakes(evidence, case))


def _known_mistakes(evidence: Evidence, case: Case) -> list[Mistake]:
    """The known mistakes that give this result and those for the other inputs, too; else the only one that gives several of them."""
    result, beside = evidence.result(case), evidence.beside(case)
    known = [mistake for mistake in case.mistakes if result is not None and same_value(result, mistake.value, case)]
    everywhere = [mistake for mistake in known if not _against(evidence, mistake, case, beside)]
    if everywhere or len({(mistake.likely, mistake.next) for mistake in known}) != 1:
        most = max((len(_agreeing(evidence, mistake, evidence.cases)) for mistake in everywhere), default=0)
        return [mistake for mistake in everywhere if len(_agreeing(evidence, mistake, evidence.cases)) == most]
    return [mistake for mistake in known if _is_likely(evidence, _agreeing(evidence, mistake, beside), _against(evidence, mistake, case, beside))]


def _is_likely(evidence: Evidence, agreeing: list[Case], against: list[Case]) -> bool:
    """Whether a mistake that not all inputs speak for is told all the same: more speak for it than against it, and none of these is right."""
    return len(set(map(_lengths, agreeing))) > 1 and len(agreeing) > len(against) and not any(map(evidence.is_right, against))


def _agreeing(evidence: Evidence, mistake: Mistake, among: list[Case]) -> list[Case]:
    """The inputs for which the answer gives what the mistake does, and that is wrong."""
    return [
        case
        for case in among
        for one in case.mistakes
        if one.name == mistake.name and evidence.result(case) is not None and same_value(evidence.result(case), one.value, case)
    ]


def _against(evidence: Evidence, mistake: Mistake, case: Case, among: list[Case]) -> list[Case]:
    """The other inputs for which the answer gives something else than the mistake does."""
    return [other for other in among if other is not case and _contradicts(evidence, mistake, other)]


def _contradicts(evidence: Evidence, mistake: Mistake, other: Case) -> bool:
    expected = next((one.value for one in other.mistakes if one.name == mistake.name), None)
    result = evidence.result(other)
    if expected is None:  # the mistake is right for this input, or raises: it gives no wrong numbers
        return evidence.is_plainly_wrong(other)
    if result is None or same_value(result, expected, other):
        return False
    return all(np.isfinite(as_numpy(part).astype(float)).all() for part in parts_of(result) if hasattr(part, "shape"))


def _lengths(case: Case) -> str:
    """The shapes of what goes in: inputs that share them agree by one and the same chance."""
    return str([getattr(one, "shape", None if isinstance(one, (list, dict)) else one) for one in case.arguments])


OTHERWISE = "; your lines write that differently: look for something equivalent"


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
    results = evidence.results(evidence.cases)
    coarse = is_coarse(results)
    marks, right = list(map(mark_of, results)), [mark_of(one.expected) for one in evidence.cases]
    found = slip_with(evidence.name, evidence.answer, marks, right, coarse, is_in_lines)
    beside = evidence.beside(case)
    if found or len(beside) == len(evidence.cases):
        return found
    asked = [mark if one in beside else ... for one, mark in zip(evidence.cases, marks)]
    in_part = slip_with(evidence.name, evidence.answer, asked, right, coarse, is_in_lines, where="in this part, ")
    tolerance = TOLERANCE["float32"] if coarse else TOLERANCE["float64"]
    is_wrong_elsewhere = any(
        one is ... and mark is not None and not same_mark(mark, wanted, tolerance) for one, mark, wanted in zip(asked, marks, right)
    )
    if in_part and is_wrong_elsewhere:
        return replace(in_part, words=f"{in_part.words}{MORE}")
    return in_part


def is_coarse(results: list[Any]) -> bool:
    """Whether results are compared as float32."""
    return any(str(getattr(part, "dtype", "")).endswith("float32") for result in results for part in parts_of(result))


def slip_with(
    exercise: str,
    answer: Any,
    got: list[Mark],
    expected: list[Mark],
    float32: bool = False,
    is_in_lines: bool = False,
    where: str = "",
) -> Cause | None:
    """The slip that gives the same as an answer does on every input, and is not right on one where the answer is wrong; None when there is none.

    Args:
        exercise: its name.
        answer: the learner's function or class.
        got: the marks of what the answer gave for each case; None where it raised, `...` where it was not asked.
        expected: the marks of what is right.
        float32: whether the results are coarse.
        is_in_lines: whether words have to fit the answer's lines; else they come with a remark where they do not.
        where: what the words begin with.
    """
    tolerance = TOLERANCE["float32"] if float32 else TOLERANCE["float64"]
    wrong = [one not in (None, ...) and not same_mark(one, right, tolerance) for one, right in zip(got, expected)]
    least = 2 if got[0] is None else 1  # where the example raises, one other result is too little: that many slips may give
    for slip in _slips(exercise) if sum(wrong) >= least else ():
        seen = sum(one and _tells(mark, right, other, tolerance) for one, mark, right, other in zip(wrong, got, expected, slip.marks))
        if seen >= least and all(one is ... or same_mark(one, other, tolerance) for one, other in zip(got, slip.marks)):
            same = "same numbers and errors as when" if None in got else "same numbers as when"
            told, fits = words_for(slip.said, answer)
            if not fits and (is_in_lines or any("For" in claim for one in told for claim in one.claims)):
                return None  # of a loop nobody is told who wrote none
            words = f"{where}{same} {'; or '.join(_shortly([one.words for one in told]))}"
            claims = tuple(dict.fromkeys(claim for one in told for claim in one.claims))
            return Cause(f"slip.{told[0].id}", words if fits else words + OTHERWISE, told[0].next, claims=claims if fits else (), fits_lines=fits)
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


# None for an exception; a list of marks for a tuple; {"shape", "numbers"} for an array, without numbers (None) where they are rounding noise;
# anything else for itself.
Mark = Any
_IRRATIONAL = (0.6180339887498949, 0.41421356237309515)  # the fractional parts of their multiples are spread evenly and never repeat
PLACES = 8
TOLERANCE = {"float64": 2e-5, "float32": 2e-4}


def mark_of(result: Any) -> Mark:
    """The mark of a result, as it is written to JSON.

    An array's is its shape and four sums: two with a weight for each place, one of absolute values, one that says where nan and infinities are.
    """
    if isinstance(result, (tuple, list)):
        return [mark_of(part) for part in result]
    if result is None or isinstance(result, (str, bool)):
        return None if result is None else str(result)
    try:
        values = as_numpy(result).astype(float)
    except (TypeError, ValueError):
        return type(result).__name__
    flat = values.ravel()
    finite = np.where(np.isfinite(flat), flat, 0)
    counted = np.arange(1, flat.size + 1)
    weights = [np.modf(counted * factor)[0] for factor in _IRRATIONAL]
    odd = weights[0] @ (np.isnan(flat) + 2.0 * np.isposinf(flat) + 3.0 * np.isneginf(flat))
    numbers = [weights[0] @ finite, weights[1] @ finite, np.abs(finite).sum(), odd]
    return {"shape": list(values.shape), "numbers": [float(f"{number:.{PLACES}g}") for number in numbers]}


def same_mark(one: Mark, other: Mark, tolerance: float = TOLERANCE["float64"]) -> bool:
    """Whether two marks are those of the same result, up to rounding. Of an array whose numbers are rounding noise, only the shape counts."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one["shape"] != other["shape"] or None in (one["numbers"], other["numbers"]):
            return one["shape"] == other["shape"]
        first, second = np.array(one["numbers"]), np.array(other["numbers"])
        return bool((np.abs(first - second) <= tolerance * max(first[2], second[2], 1e-12) + 1e-12).all())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same_mark(*pair, tolerance) for pair in zip(one, other))
    return type(one) is type(other) and one == other


def _says_little(mark: Mark) -> bool:
    """Whether many slips leave such a mark: all its numbers are rounding noise, or some are nan or inf."""
    if isinstance(mark, list):
        return all(map(_says_little, mark))
    return isinstance(mark, dict) and (mark["numbers"] is None or mark["numbers"][3] != 0)


def _tells(got: Mark, right: Mark, slip: Mark, tolerance: float) -> bool:
    """Whether a wrong mark of an answer can be told from others by that of a slip: in a part that is right, or says little, it cannot."""
    if all(isinstance(mark, list) for mark in (got, right, slip)):
        return any(_tells(*parts, tolerance) for parts in zip(got, right, slip))
    return not same_mark(got, right, tolerance) and not _says_little(slip)


def without_noise(mark: Mark, other: Mark, tolerance: float = TOLERANCE["float64"]) -> Mark:
    """A mark without the numbers that are others in a mark of the same result with other rounding.

    Raises:
        ValueError: it is not even an array of the same shape, or a result where the other is an exception.
    """
    if isinstance(mark, list) and isinstance(other, list) and len(mark) == len(other):
        return [without_noise(*pair, tolerance) for pair in zip(mark, other)]
    if same_mark(mark, other, tolerance):
        return mark
    if isinstance(mark, dict) and isinstance(other, dict) and mark["shape"] == other["shape"]:
        return {**mark, "numbers": None}
    raise ValueError("the kind of result depends on rounding")


def noise_in(mark: Mark) -> Any:
    """Where in a mark numbers are missing because they are rounding noise: False or True, or a list of that for a tuple."""
    return list(map(noise_in, mark)) if isinstance(mark, list) else isinstance(mark, dict) and mark["numbers"] is None
