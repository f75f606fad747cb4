"""What can go wrong in the examiner, in words for the person who reads them."""


class ExaminerError(Exception):
    """Any failure of the examiner itself, never of a student."""


class SandboxMissing(ExaminerError):
    """No sandbox works on this machine, and nobody said that grading may go on without one."""


class KernelStartFailed(ExaminerError):
    """A student kernel did not come up."""


class WarmProcessGone(ExaminerError):
    """The process from which student kernels are forked has ended."""


class CannotJudge(ExaminerError):
    """A submission that the examiner could not execute or judge, through no fault of its author: it gets no points, and no 0 either."""


class TestStopped(BaseException):
    """A test cell cannot go on: time is up, or the student's process is gone.

    Not an `Exception`, so that a test cell's own `except Exception` cannot turn it into a passed test.
    """


class WorkFault(AssertionError):
    """The student's work breaks a rule of the wire; the message tells the student which and what to do next."""

    is_explained = True  # checks that explain what goes wrong in a call let this one through: it says it all


class Malformed(ExaminerError):
    """A message from a student kernel is not what the codec writes."""


class Refused(Exception):
    """A value that does not travel over the wire; the message says why, for the student."""
