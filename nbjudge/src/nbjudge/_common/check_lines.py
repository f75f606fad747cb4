"""The statement of a test cell in which a check does not hold, for a check whose author left no message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from IPython.core.inputtransformer2 import TransformerManager
from nbconvert.filters import strip_ansi

MOST_LETTERS = 160  # of a line that is shown
COMPARE = "Compare your result with what the exercise asks for."
NO_MESSAGE = f"A check of this test does not hold, and its author left no message. {COMPARE}"
DOES_NOT_HOLD = "This check of the test does not hold: {line}. " + COMPARE
IN_CELL = re.compile(r"Cell In\s?\[(\d+)\], line (\d+)")


def statement_at(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement at a line, for an exception that is raised the condition that it stands under; None where that is not one."""
    nodes: list[ast.AST] = [tree]
    while there := [node for node in _inside(nodes[-1]) if node.lineno <= line <= (node.end_lineno or line)]:
        if len(there) > 1:
            return None  # statements that share a line: which one is meant?
        nodes += there
    node = nodes[-2] if isinstance(nodes[-1], ast.Raise) else nodes[-1]
    if isinstance(nodes[-1], ast.Raise) and not isinstance(node, ast.If):
        return None
    return node if isinstance(node, ast.stmt) else None


def as_line(source: str, node: ast.stmt) -> str:
    """A statement in one line, shortened; of a loop or the like, how it begins."""
    text = ast.get_source_segment(source, node) or ""
    text = text if text and "\n" not in text else ast.unparse(node).partition("\n")[0]
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 2]} …"


def in_words(statements: Sequence[str | None]) -> str:
    """The last of the statements, and the first, which led there; "" where there is none, or where one of them is not to be shown."""
    shown = list(dict.fromkeys(statements))
    if not shown or None in shown:
        return ""
    return f"`{shown[0]}`" if len(shown) == 1 else f"`{shown[-1]}`, in `{shown[0]}`"


def line_in_kernel(traceback: Sequence[str], source: str) -> str:
    """The line at which a cell stopped in a notebook's kernel, as the kernel tells; "" where it is not known."""
    found = IN_CELL.findall(strip_ansi("\n".join(traceback)))
    lines = [int(line) for cell, line in found if cell == found[0][0]]
    try:
        tree = ast.parse(source)
    except (SyntaxError, RecursionError):
        return ""
    return in_words([as_line(source, node) if (node := statement_at(tree, line)) else None for line in lines])


def said_in_kernel(traceback: Sequence[str], source: str) -> str:
    """What a student reads of a test cell of the notebook's own that stopped in its kernel."""
    line = line_in_kernel(traceback, source)
    return DOES_NOT_HOLD.format(line=line) if line else NO_MESSAGE


def is_python(source: str) -> bool:
    """Whether a cell is Python, IPython's own lines included."""
    try:
        ast.parse(TransformerManager().transform_cell(source))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _inside(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements that stand directly within another one."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.stmt):
            yield inner
        elif isinstance(inner, (ast.ExceptHandler, ast.match_case)):
            yield from _inside(inner)
