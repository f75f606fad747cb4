"""What became of a submission: every one gets exactly one outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from nbformat import NotebookNode

from examiner.judge.execute import Execution
from examiner.judge.verdicts import Verdict

DISK_FULL, MAKE_ROOM = "the disk is full", "make room, then run the same command again"


class Status(Enum):
    """How a submission ended."""

    GRADED = "graded"
    GRADED_BEFORE = "graded before"
    NOT_GRADED = "not graded"


@dataclass(frozen=True)
class Submission:
    """One student's folder for one assignment, with the notebook in it."""

    student: str
    assignment: str
    notebook: Path


@dataclass(frozen=True)
class Assignment:
    """An assignment as the instructor made it: the folder in `source/`, its one notebook, and the grade ids of that."""

    name: str
    folder: Path
    notebook: str  # its name without the ending
    ids: frozenset[str]
    instructors: NotebookNode = field(repr=False, compare=False, default_factory=NotebookNode)  # with solutions and hidden tests


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
    is_ours: bool = False  # the examiner or its machine failed, and another run may succeed
    broken_tests: list[Verdict] = field(default_factory=list)  # test cells that could not judge, through no fault of the student


@dataclass
class Work:
    """A submission on its way from `submitted/` to its feedback page, handed from step to step."""

    submission: Submission
    outcome: Outcome
    made_from: dict[str, str] = field(default_factory=dict)  # digests of all that decides its points
    notebook: NotebookNode | None = None  # as nbgrader's own steps leave it: what is to be executed
    execution: Execution | None = None
