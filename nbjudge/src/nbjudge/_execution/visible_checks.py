"""The line of a test that does not hold, for a check whose author left no message. A student has that line in the notebook anyway.

Nothing is shown of what a student does not have: a line of hidden tests, or of a module of the instructor's.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType

from nbconvert.filters import strip_ansi

from nbjudge._analysis.instructor import Instructor, Markers, role_of
from nbjudge._analysis.statements import parse

MOST_LETTERS = 160  # of a line that is shown
COMPARE = "Compare your result with what the exercise asks for."
NO_MESSAGE = f"A check of this test does not hold, and its author left no message. {COMPARE}"
DOES_NOT_HOLD = "This check of the test does not hold: {line}. " + COMPARE
TEST, STEP = re.compile(r"<test (.*)>", re.DOTALL), re.compile(r"<cell (\d+), step \d+>")
IN_CELL = re.compile(r"Cell In\s?\[(\d+)\], line (\d+)")

NOTHING_HIDDEN = Markers("\0", "\0")  # what no text holds

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


def said_in_kernel(traceback: Sequence[str], source: str, markers: Markers) -> str:
    """`without_message` for a test cell that ran in a notebook's kernel, as the kernel tells where it stopped.

    Args:
        traceback: of the kernel's output. What it says may be a student's: it leads to a line of `source` that is not hidden, or to none.
    """
    return without_message(_frames_in(traceback), lambda _: (source, markers))


def line_in_kernel(traceback: Sequence[str], source: str) -> str:
    """The line at which a cell stopped in a notebook's kernel, hidden or not, for whoever wrote it; "" where it is not known."""
    return _line(_frames_in(traceback), lambda _: (source, NOTHING_HIDDEN))


def _frames_in(traceback: Sequence[str]) -> list[Frame]:
    found = IN_CELL.findall(strip_ansi("\n".join(traceback)))
    return [("", int(line)) for cell, line in found if cell == found[0][0]]


def _line(frames: Iterable[Frame], text_of: TextOf) -> str:
    """The statement at the end of all frames, and the one that led there; "" where one of them is not to be shown."""
    known = [(text, line) for file, line in frames if (text := text_of(file)) is not None]
    shown = list(dict.fromkeys(_statement(*text, line) for text, line in known))
    if not shown or None in shown:
        return ""
    return f"`{shown[0]}`" if len(shown) == 1 else f"`{shown[-1]}`, in `{shown[0]}`"


def _statement(source: str, markers: Markers, line: int) -> str | None:
    """The statement at a line, shortened; None where there is none, where it says nothing, or where students do not have all of it."""
    try:
        nodes: list[ast.AST] = [parse(source)]
        visible = {ast.dump(node) for node in ast.walk(parse(markers.visible(source)))}
    except (SyntaxError, RecursionError):
        return None
    while there := [node for node in _inside(nodes[-1]) if node.lineno <= line <= (node.end_lineno or line)]:
        if len(there) > 1:
            return None  # statements that share a line: which one is meant?
        nodes += there
    node = nodes[-2] if isinstance(nodes[-1], ast.Raise) else nodes[-1]
    if isinstance(node, ast.Module) or (isinstance(nodes[-1], ast.Raise) and not isinstance(node, ast.If)):
        return None
    if line in markers.hidden_lines(source) or ast.dump(node) not in visible:
        return None
    text = ast.get_source_segment(source, node) or ""
    text = text if text and "\n" not in text else ast.unparse(node).partition("\n")[0]  # of a loop or the like, how it begins
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 2]} …"


def _inside(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements that stand directly within another one."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.stmt):
            yield inner
        elif isinstance(inner, (ast.ExceptHandler, ast.match_case)):
            yield from _inside(inner)
