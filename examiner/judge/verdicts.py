"""What a test cell found, and how it is written into a notebook so that nbgrader reads it as its own."""

from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_output


@dataclass(frozen=True)
class Verdict:
    """The result of one test cell. `kind` is a word for tables: passed, partial, failed, error, timeout, ended."""

    grade_id: str
    points: float
    max_points: float
    kind: str
    message: str = ""  # for the student; empty when nothing is wrong
    printed: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether the test cell ran to its end."""
        return self.kind in ("passed", "partial")


def outputs_for(verdict: Verdict) -> list[NotebookNode]:
    """Outputs from which nbgrader's `determine_grade` computes exactly the verdict's points."""
    printed = [new_output("stream", name="stdout", text=verdict.printed)] if verdict.printed else []
    if verdict.kind == "passed":
        return printed
    if verdict.kind == "partial":
        return [*printed, new_output("execute_result", data={"text/plain": repr(verdict.points)}, execution_count=None)]
    return [*printed, new_output("error", ename="Test", evalue=verdict.message, traceback=verdict.message.splitlines())]
