"""What became of a submission: every one gets exactly one outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from nbformat import NotebookNode

from nbjudge._common.atomic_write import DISK_FULL
from nbjudge._execution.execute import Execution
from nbjudge._execution.verdicts import Verdict
from nbjudge._wire.errors import CannotJudge

INTERRUPTED = 130  # the exit status of a program that Ctrl-C ended


class Status(Enum):
    """How a submission ended."""

    GRADED = "graded"
    GRADED_BEFORE = "graded before"
    NOT_GRADED = "not graded"


@dataclass(frozen=True)
class Submission:
    """One student's folder for one assignment, with those of the assignment's notebooks that are in it."""

    student: str
    assignment: str
    folder: Path
    notebooks: tuple[Path, ...]

    def seen_from(self, root: Path) -> str:
        """What an outcome calls it: the notebook, or the folder where there are several."""
        return str((self.notebooks[0] if len(self.notebooks) == 1 else self.folder).relative_to(root))


@dataclass(frozen=True)
class Assignment:
    """An assignment as the instructor made it: the folder in `source/`, and the grade ids of each notebook there by its name."""

    name: str
    folder: Path
    notebooks: Mapping[str, frozenset[str]]

    @property
    def ids(self) -> frozenset[str]:
        """The grade ids of all its notebooks."""
        return frozenset().union(*self.notebooks.values())


@dataclass
class Outcome:
    """What became of one submission, or of something in `submitted/` that is none.

    `why` and `next_step` are for the instructor, and empty when all went well. `notes` are things to know about a submission
    that was graded all the same.
    """

    where: str
    status: Status
    student: str = ""
    assignment: str = ""
    why: str = ""
    next_step: str = ""
    notes: list[str] = field(default_factory=list)
    is_ours: bool = False  # the grader or its machine failed, and another run may succeed
    is_authors: bool = False  # the lesson is as nbgrader does not take it
    may_pass: bool = False  # the same may succeed later, although nobody hands in again: what `is_ours`, and what is in the machine's way
    broken_tests: list[Verdict] = field(default_factory=list)  # test cells that could not judge, and wait for a person's points

    @property
    def asks_for_another_run(self) -> bool:
        """Whether it, or a test of it, is not graded for a reason that is not the student's, but ours, the machine's or the author's."""
        is_not_theirs = self.status is Status.NOT_GRADED and (self.is_ours or self.is_authors or self.why == DISK_FULL)
        return is_not_theirs or bool(self.broken_tests)


@dataclass
class Work:
    """A submission on its way from `submitted/` to its feedback page, handed from step to step."""

    submission: Submission
    outcome: Outcome
    made_from: dict[str, str] = field(default_factory=dict)  # digests of all that decides its points
    beside_tests: str = ""  # and of what may mend a test that could not judge
    has_all_files: bool = True  # everything beside its notebooks is for its cells to find
    changes: list[str] = field(default_factory=list)  # what was changed in its notebooks so that they can be graded, in sentences
    notebooks: dict[str, NotebookNode] = field(default_factory=dict)  # by name, as nbgrader's own steps leave them: what is to be executed
    executions: dict[str, Execution | CannotJudge] = field(default_factory=dict)

    @property
    def is_executed(self) -> bool:
        """Whether there is a result for every notebook."""
        return self.executions.keys() == self.notebooks.keys()
