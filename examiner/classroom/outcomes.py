"""What became of a submission: every one gets exactly one outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

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
