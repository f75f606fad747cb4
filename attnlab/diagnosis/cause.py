"""Why an answer is not right, as data; and what a visible check says about it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

WIDTH = 96
MOST_WORDS = 90  # of a card, where a part of it can be left out
NOT_KNOWN = "this check does not know why"


def wrapped(text: str, first: str = "", then: str = "") -> list[str]:
    """A text in lines of at most `WIDTH` characters that end between two words; code may be longer."""
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False)


def enumerated(numbers: Sequence[int]) -> str:
    """Numbers as a message has them: "2, 3 and 4"."""
    *before, last = map(str, numbers)
    return f"{', '.join(before)} and {last}" if before else last


class Certainty(Enum):
    """How sure it is that a cause is the cause.

    Attributes:
        ESTABLISHED: what is said has been seen, or nothing else gives what was seen.
        HINT: the words say that the cause is not known, and something true besides, which may have nothing to do with it.
        UNKNOWN: the words say that the cause is not known, and nothing more.
    """

    ESTABLISHED = "established"
    HINT = "hint"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Cause:
    """Why an answer is not right, as far as that is established.

    Attributes:
        id: what it is called wherever causes are counted or compared: "scales.divided_by_d_k". The words may change, the id stays.
        words: the cause, for the learner who reads the card.
        next: the next step.
        certainty: whether it is established.
        claims: what the words say of the learner's lines: of each set, one name, number or kind of syntax stands there.
        short: the words where a card has no room for all of them; "" where there are no others.
        fits_lines: whether the learner's lines are as the words say; else only the numbers are.
    """

    id: str
    words: str
    next: str
    certainty: Certainty = Certainty.ESTABLISHED
    claims: tuple[frozenset[str], ...] = ()
    short: str = ""
    fits_lines: bool = True

    @property
    def is_established(self) -> bool:
        """Whether it is known to be the cause."""
        return self.certainty is Certainty.ESTABLISHED

    def after(self, other: Cause) -> Cause:
        """Another cause, which is told first and says what to do, and then this one, where there is room."""
        return replace(self, id=f"{other.id}+{self.id}", words=f"{other.words}; {self.words}", next=other.next, short=other.words)


def unknown(id: str, next: str, more: str = "") -> Cause:
    """A cause that is not known.

    Args:
        id: what it is called.
        next: where to look.
        more: what is certain all the same.
    """
    return Cause(id, f"{NOT_KNOWN}; {more}", next, Certainty.HINT) if more else Cause(id, NOT_KNOWN, next, Certainty.UNKNOWN)


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong at one place.

    Attributes:
        observed: what there is.
        expected: what there should be; "" where that is a result, and there is none.
        cause: why it is not.
        is_open: whether nothing is wrong: it is only not begun.
    """

    observed: str
    expected: str
    cause: Cause
    is_open: bool = False

    def with_cause(self, cause: Cause | None) -> Diagnosis:
        """The same with another cause; None changes nothing."""
        return replace(self, cause=cause) if cause else self

    def texts(self) -> dict[str, str]:
        """The texts of a card, by their labels."""
        texts = {"observed": self.observed, "expected": self.expected, "likely": self.cause.words, "next": self.cause.next}
        return {label: text for label, text in texts.items() if text}

    def lines(self) -> list[str]:
        """The same, one under the other, wrapped."""
        lines = []
        for label, text in self.texts().items():
            lines += wrapped(f"{label:<11}{text}", first="  ", then=" " * 13)
        return lines


class CheckFailed(AssertionError):
    """A visible check did not pass. Its text is the whole message; Jupyter shows it without a traceback.

    Args:
        headline: which exercise, and how far the check came.
        diagnosis: what is wrong at that place.
        marks: which parts of a large exercise stand already, for a line below the headline.
    """

    def __init__(self, headline: str, diagnosis: Diagnosis, marks: str = ""):
        self.headline, self.diagnosis, self.marks = headline, diagnosis, marks
        if len(self._text().split()) > MOST_WORDS and diagnosis.cause.short:
            self.diagnosis = replace(diagnosis, cause=replace(diagnosis.cause, words=diagnosis.cause.short))
        super().__init__(self._text())

    def _text(self) -> str:
        return "\n".join([f"{self.mark} {self.headline}", *wrapped(self.marks, first="  ", then="  "), *self.diagnosis.lines()])

    @property
    def mark(self) -> str:
        """What stands in front: something is wrong, or only not begun."""
        return "○" if self.diagnosis.is_open else "✗"

    @property
    def cause(self) -> Cause:
        """The cause, also for a grader, which counts causes by their ids."""
        return self.diagnosis.cause

    def _render_traceback_(self) -> list[str]:
        """IPython calls this instead of printing the stack."""
        return str(self).splitlines()


class CheckTimeoutError(CheckFailed):
    """A visible check was ended because the learner's code took too long."""
