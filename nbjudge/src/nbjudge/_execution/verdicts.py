"""What a test cell found, and how it is written into a notebook so that nbgrader reads it as its own."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from nbformat import NotebookNode
from nbformat.v4 import new_output

from nbjudge._wire.errors import CannotGrade

MOST_SHOWN, MOST_LETTERS, DIGITS = 6, 160, 4
MOST_NUMBERS = 100_000  # of a value that is larger, the first


@dataclass(frozen=True)
class FailureCause:
    """Why an answer is not right, as the test itself states it: see "Causes" in docs/writing_tests.md.

    Args:
        id: what the cause is called; failures with the same id are counted together.
        words: the cause, in words.
        next: what helps; may be empty.
        is_established: False where the test does not know why.
    """

    id: str
    words: str
    next: str
    is_established: bool


@dataclass(frozen=True)
class Clue:
    """Why a test cell gave no points, or not all.

    Args:
        by: who explains it. "author": a message of the test's own. "nbjudge": a sentence of ours that tells the cause. "error": the
            student's code raised something. "limit": time, memory or the end of the program. "": nobody.
        hidden: whether the test stopped in its hidden part.
        line: the line of the test cell where it stopped, from 1; 0 where that is not known.
        raised: the type of what the student's code raised.
        at: the line of the student's cell that it came from; 0 where that is not known.
        returned: what the student's code returned last, with numbers rounded.
        cause: what the test states as the cause, where it states one.
    """

    by: str = ""
    hidden: bool = False
    line: int = 0
    raised: str = ""
    at: int = 0
    returned: str = ""
    cause: FailureCause | None = None


def clue_from(about: Mapping[str, Any]) -> Clue:
    """The clue that `dataclasses.asdict` made this of. Raises `TypeError`."""
    cause = about.get("cause")
    return Clue(**{**about, "cause": None if cause is None else FailureCause(**cause)})


@dataclass(frozen=True)
class FollowThrough:
    """What a test cell gave where the solution stood in the place of earlier answers that had failed; see `nbjudge._execution.follow_through`.

    Args:
        names: what was replaced, of what the student's own code names.
        own_points: points with the student's own.
        points: points with the solution's. The verdict has them, unless the test may be about `names`, too.
    """

    names: tuple[str, ...]
    own_points: float
    points: float


def follow_through_from(about: Mapping[str, Any] | None) -> FollowThrough | None:
    """What `dataclasses.asdict` made this of. Raises `TypeError`."""
    return None if about is None else FollowThrough(**{**about, "names": tuple(about["names"])})


def described(value: Any) -> str:
    """A value in a few words; two values that differ in rounding only are described alike, others hardly ever."""
    numbers = _array(value)
    if numbers is not None:
        kind = type(value).__name__
        flat = numbers.reshape(-1)[:MOST_NUMBERS]
        shown = ", ".join(map(_number, flat[:MOST_SHOWN].tolist()))
        if numbers.ndim == 0:
            return shown if kind in ("float", "int", "bool") else f"{kind} {shown}"  # 7 and 7.0 are one result
        more = f", … ({_digest(map(_number, flat.tolist()))})" if numbers.size > MOST_SHOWN else ""
        return f"{kind} of shape {numbers.shape}: {shown}{more}"
    try:
        text = repr(value)
    except Exception:  # a number of more digits than Python writes
        return f"{type(value).__name__} that cannot be written down"
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}… ({_digest([text])})"


def _array(value: Any) -> np.ndarray[Any, Any] | None:
    """Numbers as an array; None for what is none."""
    try:
        if hasattr(value, "detach"):  # a tensor
            value = value.detach().cpu().numpy()
        array = np.asarray(value) if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)) else None
    except Exception:  # a dtype that numpy does not have, or a number that is too large for it
        return None
    return array if array is not None and array.dtype.kind in "biufc" else None


def _number(number: complex) -> str:
    if isinstance(number, complex):
        return f"{_number(number.real)}{'+' if number.imag >= 0 else ''}{_number(number.imag)}j"
    if isinstance(number, float) and math.isfinite(number):
        return f"{number + 0.0:.{DIGITS}g}"
    return str(number)


def _digest(texts: Iterator[str] | list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()[:6]


MEND = (
    "mend the test cell in source/, generate the assignment again and grade again; or name the cell in "
    "c.Execute.beside_students, and it runs on the second road, in one process with the student's code"
)
MOST_SAID = 5000
# What an output of a test cell that lost points is called in a notebook: no page shows it, a report of the class reads who explains it.
CALLED = {"author": "Test", "nbjudge": "TestExplained", "error": "TestStopped", "limit": "TestLimit", "": "TestUnexplained"}


def writable(text: str) -> str:
    """`text` with a question mark for each half of a character, which no file of text can hold."""
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True)
class Verdict:
    """The result of one test cell. `kind` is a word for tables: passed, partial, failed, timeout, ended; or unjudged, when the
    cell cannot be judged as it stands: then `message` is for its author, and the student has no points to lose or to get."""

    grade_id: str
    points: float
    max_points: float
    kind: str
    message: str = ""  # for the student, unless the kind is unjudged; empty when nothing is wrong
    printed: str = ""
    seconds: float = 0.0
    note: str = ""  # for the instructor: what else there is to know about this verdict
    clue: Clue = Clue()  # for a report of the class
    follow_through: FollowThrough | None = None  # where the solution in the place of earlier answers made a difference

    @property
    def has_lost(self) -> bool:
        """Whether the student's work lost points here."""
        return self.kind != "unjudged" and self.points < self.max_points

    def __post_init__(self) -> None:
        """A message can quote a student's text, which may be long, and may hold what is no character."""
        object.__setattr__(self, "message", writable(self.message if len(self.message) <= MOST_SAID else f"{self.message[:MOST_SAID]} …"))
        object.__setattr__(self, "printed", writable(self.printed))


def credit(value: float | None, max_points: float) -> tuple[str, float, str]:
    """Kind, points and message of a test cell that came to its end; `value` is what its last line gives, as nbgrader's partial credit."""
    if value is None:
        return "passed", max_points, ""
    if not 0 <= value <= max_points:  # also what is no number
        return "unjudged", 0.0, f"it gives {value:g} of {max_points:g} points"
    return "partial", value, ""


def outputs_for(verdict: Verdict) -> list[NotebookNode]:
    """Outputs from which nbgrader's `determine_grade` computes exactly the verdict's points."""
    printed = [new_output("stream", name="stdout", text=verdict.printed)] if verdict.printed else []
    if verdict.kind == "passed":
        return printed
    if verdict.kind == "partial":
        return [*printed, new_output("execute_result", data={"text/plain": repr(verdict.points)}, execution_count=None)]
    return [*printed, new_output("error", ename=CALLED[verdict.clue.by], evalue=verdict.message, traceback=verdict.message.splitlines())]


def require_judged(verdicts: Iterable[Verdict]) -> None:
    """Let nobody lose points over a test cell that its author has to mend.

    Raises:
        CannotGrade: at least one of the verdicts is no judgement.
    """
    reasons = [f"`{verdict.grade_id}`: {verdict.message.rstrip('.')}" for verdict in verdicts if verdict.kind == "unjudged"]
    if reasons:
        raise CannotGrade(f"the test cell {reasons[0]}" if len(reasons) == 1 else f"the test cells {'; '.join(reasons)}", MEND)
