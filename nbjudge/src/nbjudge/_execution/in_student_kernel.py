"""Runs a test cell in the student's own kernel, for the cells that an instructor names.

As nbgrader's own `autograde` does it, and with the same trust: the student's code can read the test, hidden parts included,
and can make it pass. What the grader adds is that the cell has to come to its end, which a mark shows that nobody could know
before the cell ran.
"""

from __future__ import annotations

import ast
import secrets
import time

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Markers
from nbjudge._analysis.statements import with_shell
from nbjudge._execution.namespace import CellNamespace
from nbjudge._execution.verdicts import Clue, Verdict, credit
from nbjudge._execution.visible_checks import said_in_kernel

NOTE = "ran beside the student's code (c.Execute.beside_students): the student's code could read this test and could make it pass"
STOPPED = "The test did not come to its end."
NO_POINTS = "_nbjudge_points"


def judge_in_student_kernel(grade_id: str, source: str, max_points: float, world: CellNamespace) -> Verdict:
    """Run the test cell `source` in the student's kernel. A cell that shows an error, or no end, gets nothing.

    Raises:
        OwnFailure: no kernel could be started, which is no verdict on anybody.
    """
    started, mark = time.monotonic(), secrets.token_hex(16)
    session = world.session

    def verdict(kind: str, points: float = 0.0, message: str = "", printed: str = "", clue: Clue = Clue()) -> Verdict:
        if session.failure:
            raise session.failure
        return Verdict(grade_id, points, max_points, kind, message, printed, round(time.monotonic() - started, 3), NOTE, clue)

    try:
        text = _marked(source, mark)
    except SyntaxError as error:
        return verdict("unjudged", message=f"line {error.lineno}: {error.msg}")
    outputs = session.run_test_cell(text)
    shown = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    printed = shown.replace(f"{mark}\n", "")
    for output in outputs:
        if output.output_type == "error":
            kind = {"CellTimeout": "timeout", "ProgramEnded": "ended"}.get(output.ename, "failed")
            return verdict(kind, message=_sentence(output, source, world.instructor.markers), printed=printed, clue=_clue(output, kind))
    if mark not in shown:
        return verdict("failed", message=STOPPED, printed=printed)
    return verdict(*credit(_points(outputs), max_points), printed=printed, clue=Clue("author" if printed.strip() else ""))


def _marked(source: str, mark: str) -> str:
    """The cell with a last line but one that prints the mark: what its last expression gives stays what it gives."""
    text = with_shell(source)
    tree = ast.parse(text)
    lines = text.split("\n")
    end = f"print({mark!r})"
    if not tree.body or not isinstance(tree.body[-1], ast.Expr) or lines[0].startswith("%%"):
        return "\n".join([*lines, end])
    last = tree.body[-1]
    above = "\n".join(lines[: last.lineno - 1])
    begun = lines[last.lineno - 1].encode()[: last.col_offset].decode()
    return f"{above}\n{begun}{NO_POINTS} = (\n{ast.unparse(last.value)}\n)\n{end}\n{NO_POINTS}"


def _points(outputs: list[NotebookNode]) -> float | None:
    for output in outputs:
        if output.output_type == "execute_result":
            try:
                return float(output.data.get("text/plain", ""))
            except ValueError:
                return None
    return None


def _sentence(output: NotebookNode, source: str, markers: Markers) -> str:
    if output.ename in ("CellTimeout", "ProgramEnded", "TimeIsUp"):
        return output.evalue
    if output.ename == "AssertionError":
        return output.evalue or said_in_kernel(output.traceback, source, markers)
    return f"{output.ename}: {output.evalue}".strip(": ")


def _clue(output: NotebookNode, kind: str) -> Clue:
    """A test that runs there may have been made to say anything; what it says is taken for what it is called."""
    if kind != "failed":
        return Clue("limit")
    is_check = output.ename == "AssertionError"
    return Clue("author" if is_check and output.evalue else "" if is_check else "error", raised="" if is_check else str(output.ename))
