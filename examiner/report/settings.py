"""What a course may say about its reports."""

from __future__ import annotations

import re
from typing import Any

from traitlets import Dict, List, TraitError, Unicode, validate
from traitlets.config import Config, Configurable

from examiner.wire.errors import CannotGrade


class Report(Configurable):
    """How a course wants its reports: `c.Report` in `nbgrader_config.py`."""

    together = Dict(Unicode(), help="Questions that share a column: how their names begin, and the column's heading.").tag(config=True)
    ending = Unicode("", help="An ending of questions' names that headings do without.").tag(config=True)
    optional = List(Unicode(), help="Assignments that nobody has to hand in: they are not missing, and their points come on top.").tag(config=True)
    causes = List(
        Unicode(),
        help="Where a message tells the cause: regular expressions with a group `cause`, and `next` for what helps. "
        "The first that is found counts; the whole message is the cause where none is.",
    ).tag(config=True)
    unexplained = List(Unicode(), help="Words by which a message says that it does not know the cause.").tag(config=True)

    @classmethod
    def of(cls, config: Config) -> Report:
        """The settings of a course.

        Raises:
            CannotGrade: one of them cannot be.
        """
        try:
            return cls(config=config)
        except TraitError as error:
            raise CannotGrade(f"a setting of c.Report cannot be: {error}", "mend it in nbgrader_config.py") from error

    @validate("causes")
    def _valid_causes(self, proposal: dict[str, Any]) -> list[str]:
        for pattern in proposal["value"]:
            try:
                has_group = "cause" in re.compile(pattern).groupindex
            except re.error as error:
                raise TraitError(f"c.Report.causes: {pattern!r} is no regular expression: {error}") from error
            if not has_group:
                raise TraitError(f"c.Report.causes: {pattern!r} has no group `cause`: write (?P<cause>...)")
        return list(proposal["value"])

    def column_of(self, question: str) -> str | None:
        """The heading of the column that a question shares with others, or None."""
        return next((heading for beginning, heading in self.together.items() if question.startswith(beginning)), None)

    def found(self, message: str) -> tuple[str, str] | None:
        """The cause that a message tells, and what helps, by `causes`; None where none of them is found."""
        for pattern in self.causes:
            if match := re.search(pattern, message, re.MULTILINE | re.DOTALL):
                return match["cause"], match.groupdict().get("next") or ""
        return None
