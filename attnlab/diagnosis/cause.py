"""What a visible check says when an answer is not right yet."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

WIDTH = 96
Cause = tuple[str, str]  # the likely cause, and the next step
NOT_KNOWN = "this check does not know why"  # the likely cause, where none is established


@dataclass(frozen=True)
class Diagnosis:
    """Observed, expected, likely cause, next step: four short texts for the learner."""

    observed: str
    expected: str
    likely: str
    next: str

    def lines(self) -> list[str]:
        """The four texts, one under the other, wrapped."""
        lines = []
        for label in ("observed", "expected", "likely", "next"):
            lines += textwrap.wrap(f"{label:<11}{getattr(self, label)}", WIDTH, initial_indent="  ", subsequent_indent=" " * 13)
        return lines


class CheckFailed(AssertionError):
    """A visible check did not pass. Its text is the whole message; Jupyter shows it without a traceback.

    Args:
        headline: which exercise, and how far the check came.
        diagnosis: what is wrong at that place.
        marks: which parts of a large exercise stand already, for a line below the headline.
    """

    def __init__(self, headline: str, diagnosis: Diagnosis, marks: str = ""):
        self.headline, self.diagnosis = headline, diagnosis
        stands = textwrap.wrap(marks, WIDTH, initial_indent="  ", subsequent_indent="  ")
        super().__init__("\n".join([f"✗ {headline}", *stands, *diagnosis.lines()]))

    def _render_traceback_(self) -> list[str]:
        """IPython calls this instead of printing the stack."""
        return str(self).splitlines()
