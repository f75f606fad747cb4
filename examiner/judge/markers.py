"""Where hidden tests begin and end in a cell, by nbgrader's own rule: a line that holds the mark anywhere is a mark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Markers:
    """The marks of a course; nbgrader's own by default. `ClearHiddenTests` is where a course chooses others."""

    begin: str = "BEGIN HIDDEN TESTS"
    end: str = "END HIDDEN TESTS"

    def hidden_lines(self, source: str) -> set[int]:
        """The numbers, from 1, of the lines that nobody but the instructor may see, marks included.

        nbgrader refuses a region without an end. Here it hides all that follows.
        """
        hidden, inside = set(), False
        for number, line in enumerate(source.split("\n"), start=1):
            begins, ends = self.begin in line, self.end in line
            if inside or begins or ends:
                hidden.add(number)
            inside = begins or (inside and not ends)
        return hidden

    def visible(self, source: str) -> str:
        """`source` without its hidden tests."""
        hidden = self.hidden_lines(source)
        kept = [line for number, line in enumerate(source.split("\n"), start=1) if number not in hidden]
        return "\n".join(kept).rstrip("\n") if hidden else source

    def hidden(self, source: str) -> str:
        """The hidden tests of `source` alone, without their marks."""
        hidden = self.hidden_lines(source)
        return "\n".join(
            line for number, line in enumerate(source.split("\n"), start=1) if number in hidden and self.begin not in line and self.end not in line
        )
