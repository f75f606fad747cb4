"""What can go wrong while a lesson is built, said to its author."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """One thing to mend: the file, the cell, what is wrong, the next step."""

    file: Path
    cell: str
    what: str
    next_step: str

    def __str__(self) -> str:
        return f"{self.file}, {self.cell}: {self.what}\n    next: {self.next_step}"


class BuildError(Exception):
    """The build stops. `problems` lists everything found, so that one run shows all of it."""

    def __init__(self, problems: list[Problem]):
        self.problems = problems
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__(f"{count} in the lessons:\n" + "\n".join(f"  {problem}" for problem in problems))
