"""What can go wrong, in words for the person who reads them: one tree, but for `TestStopped`.

GraderError
├── OwnFailure            the grader or its machine failed: nobody's points
│   ├── SandboxMissing
│   ├── KernelStartFailed
│   ├── KernelLost
│   ├── WarmProcessGone
│   └── CannotJudge
├── CannotGrade           a submission or a course that cannot be graded as it is
│   └── Hindered          the disk or the gradebook is in the way: the same may succeed later
├── WorkFault             a student's work breaks a rule of the wire
├── Unjudgeable           a test cell that its author has to mend
├── Refused               a value that does not travel
│   └── Unsendable        a value of a test cell's own
└── Malformed             a message that the codec did not write
"""

from collections.abc import Sequence
from typing import Any


class GraderError(Exception):
    """Everything that the grader raises. `is_nobodys`: tests that go on after a fault pass this one on, because no student made it."""

    is_nobodys = True


class OwnFailure(GraderError):
    """A failure of the grader itself or of its machine, never of a student."""


class SandboxMissing(OwnFailure):
    """No sandbox works on this machine, and nobody said that grading may go on without one."""


class KernelStartFailed(OwnFailure):
    """A student kernel did not come up."""


class KernelLost(OwnFailure):
    """What watches a student kernel has ended, which no student can bring about: somebody, or the machine, ended it."""


class WarmProcessGone(OwnFailure):
    """The process from which student kernels are forked has ended."""


class CannotJudge(OwnFailure):
    """A submission that the grader could not execute or judge, through no fault of its author: it gets no points, and no 0 either."""


class CannotGrade(GraderError):
    """A submission or a course that cannot be graded: why, and what to do next. Nothing of it was changed."""

    def __init__(self, why: str, next_step: str):
        super().__init__(why, next_step)
        self.why, self.next_step = why, next_step

    def __str__(self) -> str:
        return f"{self.why}. Next: {self.next_step}."


class Hindered(CannotGrade):
    """The machine is in the way, not the submission: a full disk, a gradebook that another program writes. The same may succeed later."""


class WorkFault(GraderError, AssertionError):
    """The student's work breaks a rule of the wire; the message tells the student which and what to do next."""

    is_nobodys = False
    is_explained = True  # checks that explain what goes wrong in a call let this one through: it says it all


class Refused(GraderError):
    """A value that does not travel over the wire; the message says why, for the student."""

    is_nobodys = False


class Unsendable(Refused):
    """A value that a test cell passes to a student's function does not travel, whatever the student wrote."""

    is_nobodys = True


class Unjudgeable(GraderError):
    """A test cell cannot be judged as it stands, whatever the student wrote; the message says why, for its author."""


class Malformed(GraderError):
    """A message from a student kernel is not what the codec writes."""


class TestStopped(BaseException):
    """A test cell cannot go on: time is up, or the student's process is gone.

    Not an `Exception`, so that a test cell's own `except Exception` cannot turn it into a passed test. `outputs`: those of a cell that
    was stopped, until then.
    """

    outputs: Sequence[Any] = ()


class KernelTimeout(TestStopped):
    """The kernel did not answer in time. `hindered`: because the machine did something else, see `nbjudge._sandbox.channel`."""

    def __init__(self, message: str, hindered: bool = False):
        super().__init__(message)
        self.hindered = hindered


class KernelGone(TestStopped):
    """The kernel's process ended."""
