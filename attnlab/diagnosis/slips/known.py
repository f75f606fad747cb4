"""Wrong answers that are kept beside the right ones, with words of their own: known by their value on every input."""

from __future__ import annotations

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence, parts_of
from attnlab.diagnosis.results.form import same_value
from attnlab.reference import Case, Mistake


def explain_known(evidence: Evidence, case: Case) -> Cause | None:
    """The known mistakes that give this result, and what speaks against them."""
    known = _known(evidence, case)
    if not known:
        return None
    words = "; or ".join(dict.fromkeys(mistake.likely for mistake in known[:2]))
    if _against(evidence, known[0], case, evidence.beside(case)):
        words += "; other inputs show that something else is wrong, too"
    elif _against(evidence, known[0], case, evidence.cases):
        words += "; the parts below it give other numbers than that, so there is something else, too, or instead"
    return Cause(f"known.{evidence.name}.{known[0].name}", words, known[0].next)


def is_contradicted(evidence: Evidence, case: Case) -> bool:
    """Whether a known mistake gives this result, and others for other inputs than the answer does."""
    known = _known(evidence, case)
    return bool(known) and bool(_against(evidence, known[0], case, evidence.beside(case)))


def _known(evidence: Evidence, case: Case) -> list[Mistake]:
    """The known mistakes that give this result and those for the other inputs, too; else the only one that gives several of them."""
    result, beside = evidence.result(case), evidence.beside(case)
    known = [mistake for mistake in case.mistakes if result is not None and same_value(result, mistake.value, case)]
    everywhere = [mistake for mistake in known if not _against(evidence, mistake, case, beside)]
    if everywhere or len({(mistake.likely, mistake.next) for mistake in known}) != 1:
        most = max((len(_agreeing(evidence, mistake, evidence.cases)) for mistake in everywhere), default=0)
        return [mistake for mistake in everywhere if len(_agreeing(evidence, mistake, evidence.cases)) == most]
    return [
        mistake
        for mistake in known
        if len(set(map(_lengths, _agreeing(evidence, mistake, beside)))) > 1
        and not any(map(evidence.is_right, _against(evidence, mistake, case, beside)))
    ]


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
