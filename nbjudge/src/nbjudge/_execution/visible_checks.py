"""The line of a test that does not hold, for a check whose author left no message. A student has that line in the notebook anyway.

Nothing is shown of what a student does not have: a line of hidden tests, or of a module of the instructor's.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType

from nbjudge._analysis.instructor import Instructor, Markers, role_of
from nbjudge._analysis.statements import parse
from nbjudge._common.check_lines import DOES_NOT_HOLD, NO_MESSAGE, as_line, in_words, statement_at

TEST, STEP = re.compile(r"<test (.*)>", re.DOTALL), re.compile(r"<cell (\d+), step \d+>")

Frame = tuple[str, int]  # a file, and a line of it, from 1
TextOf = Callable[[str], tuple[str, Markers] | None]


def without_message(frames: Iterable[Frame], text_of: TextOf) -> str:
    """What a student reads where a check without a message does not hold.

    Args:
        frames: where the check stands, the outermost first.
        text_of: the text of a file that students have, but for its hidden tests, and the marks of these; None for what they do not have.
    """
    line = _line(frames, text_of)
    return DOES_NOT_HOLD.format(line=line) if line else NO_MESSAGE


def with_place(said: str, kind: str, frames: Iterable[Frame], text_of: TextOf) -> str:
    """What a student reads of an exception of Python's own that the test's lines raised: with the line, where students have it."""
    line = _line(frames, text_of) if hasattr(builtins, kind) else ""
    return f"{said}, at {line} in the test" if line else said


def frames_of(trace: TracebackType | None) -> Iterator[Frame]:
    """Where an exception came from, the outermost first."""
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def texts_for(instructor: Instructor) -> TextOf:
    """What students have of the cells that run in the grader's process."""
    given = [cell.source for cell in instructor.notebook.cells if role_of(cell) == "given"]

    def text_of(file: str) -> tuple[str, Markers] | None:
        if (test := TEST.fullmatch(file)) and (cell := instructor.tests.get(test[1])) and not instructor.answers.hidden_lines(cell.source):
            return cell.source, instructor.markers
        if STEP.fullmatch(file) and not any(marks.hidden_lines(source) for marks in (instructor.markers, instructor.answers) for source in given):
            return "".join(linecache.getlines(file)), instructor.markers
        return None

    return text_of


def _line(frames: Iterable[Frame], text_of: TextOf) -> str:
    """The statement at the end of all frames, and the one that led there; "" where one of them is not to be shown."""
    known = [(text, line) for file, line in frames if (text := text_of(file)) is not None]
    return in_words([_statement(*text, line) for text, line in known])


def _statement(source: str, markers: Markers, line: int) -> str | None:
    """The statement at a line, shortened; None where there is none, where it says nothing, or where students do not have all of it."""
    try:
        node = statement_at(parse(source), line)
        visible = {ast.dump(one) for one in ast.walk(parse(markers.visible(source)))}
    except (SyntaxError, RecursionError):
        return None
    if node is None or line in markers.hidden_lines(source) or ast.dump(node) not in visible:
        return None
    return as_line(source, node)
