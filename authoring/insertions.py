"""Put text into a file at the place that its syntax says. Everything else in the file stays as its author laid it out."""

from __future__ import annotations

import ast
import re
import textwrap

from authoring.exercises import imported_names

WIDTH = 140  # of the lists in attnlab/check/__init__.py
HEADING = re.compile(r"## ")
WRITTEN = "> **Written answer"
END = "## Look back"


class CannotInsert(ValueError):
    """A file has no place for what is to be put into it. The text says what the place would look like."""


def in_dictionary(text: str, variable: str, entry: str) -> str:
    """The module's text with an entry at the end of the dictionary that a variable is assigned.

    Raises:
        CannotInsert: there is no such dictionary, or its last line holds more than the closing brace.
    """
    found = [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and [ast.unparse(target) for target in node.targets] == [variable]
    ]
    lines = text.splitlines()
    if not found or lines[found[0].end_lineno - 1] != "}":
        raise CannotInsert(f"a dictionary `{variable} = {{...}}` whose closing brace has a line of its own")
    end = found[0].end_lineno - 1
    if found[0].value.values:
        last = found[0].value.values[-1]
        line = lines[last.end_lineno - 1].encode()  # ast counts bytes
        if not line[last.end_col_offset :].lstrip().startswith(b","):
            lines[last.end_lineno - 1] = (line[: last.end_col_offset] + b"," + line[last.end_col_offset :]).decode()
    return _joined([*lines[:end], *entry.splitlines(), *lines[end:]])


def in_functions(text: str, function: str, needs: tuple[str, ...]) -> str:
    """The module's text with a function below the last public one.

    Args:
        needs: the names that the function uses.

    Raises:
        CannotInsert: the module does not import them.
    """
    tree = ast.parse(text)
    if missing := sorted({*needs} - imported_names(text)):
        raise CannotInsert(f"an import of {', '.join(f'`{name}`' for name in missing)}")
    public = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    end = max(node.end_lineno for node in (public or tree.body))
    lines = text.splitlines()
    return _joined([*lines[:end], "", "", *function.splitlines(), *lines[end:]])


def in_imports(text: str, module: str, name: str) -> str:
    """The module's text with `name` among what it imports from `module`, one name a line, in the linter's order.

    Raises:
        CannotInsert: nothing is imported from `module` so far.
    """
    found = [node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom) and node.module == module]
    if not found or any(alias.asname for alias in found[0].names):
        raise CannotInsert(f"a line `from {module} import ...`")
    names = sorted({name, *(alias.name for alias in found[0].names)}, key=_as_the_linter_sorts)
    lines = text.splitlines()
    lines[found[0].lineno - 1 : found[0].end_lineno] = [f"from {module} import (", *(f"    {each}," for each in names), ")"]
    return _joined(lines)


def names_imported_from(text: str, module: str) -> set[str]:
    """The names that a module's text imports from another module."""
    return {alias.name for node in ast.parse(text).body if isinstance(node, ast.ImportFrom) and node.module == module for alias in node.names}


def in_exports(text: str, name: str, neighbours: set[str]) -> str:
    """The module's text with `name` in `__all__`, among its neighbours.

    Args:
        neighbours: names of `__all__` that stand together, on lines of their own.

    Raises:
        CannotInsert: there is no `__all__` that holds them so.
    """
    found = [
        node.value.elts
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List) and [ast.unparse(target) for target in node.targets] == ["__all__"]
    ]
    group = [element for element in found[0] if element.value in neighbours] if found else []
    if not group:
        raise CannotInsert(f"a list `__all__` with {', '.join(sorted(neighbours))}")
    first, last = group[0].lineno, group[-1].lineno
    if {element.value for element in found[0] if first <= element.lineno <= last} != neighbours:
        raise CannotInsert(f"a list `__all__` with lines that hold {', '.join(sorted(neighbours))} and nothing else")
    words = ", ".join(f'"{each}"' for each in sorted({name, *neighbours}, key=_as_the_linter_sorts)) + ","
    lines = text.splitlines()
    lines[first - 1 : last] = textwrap.wrap(words, WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False)
    return _joined(lines)


def in_text(text: str, cells: str, heading: str, after: str = "") -> str:
    """A lesson's text with new cells.

    Args:
        cells: the cells.
        heading: goes above them where they begin a section: before the written answer or, where there is none, before "Look back".
        after: the exercise below which they go, without a heading; below its picture or, where it has none, its last test cell.

    Raises:
        CannotInsert: the exercise `after` has neither.
    """
    lines = text.splitlines()
    at = place_in_text(text, after)
    above, below = _joined(lines[:at]).rstrip(), _joined(lines[at:]).strip("\n")
    return "\n\n".join(filter(None, [above, (cells if after else heading + cells).strip("\n"), below])) + "\n"


def place_in_text(text: str, after: str = "") -> int:
    """The number of lines above the place where `in_text` puts new cells."""
    lines = text.splitlines()
    return _below(lines, after) if after else _section_at_the_end(lines)


def _below(lines: list[str], exercise: str) -> int:
    marks = [number for number, line in enumerate(lines) if line.startswith(f'figures.compare("{exercise}"')] or [
        number for number, line in enumerate(lines) if re.search(rf'"grade_id": "{re.escape(exercise)}_test(_\w+)?"', line)
    ]
    ends = [number for number in range(marks[-1], len(lines)) if lines[number] == "```"] if marks else []
    if not ends:
        raise CannotInsert(f'a cell with `figures.compare("{exercise}", ...)`, or a test cell of `{exercise}`')
    return ends[0] + 1


def _section_at_the_end(lines: list[str]) -> int:
    """The line of the heading above the first written answer, or of "Look back"; without both, the end."""
    for mark in (WRITTEN, END):
        found = [number for number, line in enumerate(lines) if line.startswith(mark)]
        headings = [number for number, line in enumerate(lines[: found[0] + 1]) if HEADING.match(line)] if found else []
        if headings:
            return headings[-1]
    return len(lines)


def _as_the_linter_sorts(name: str) -> tuple[int, str]:
    """Constants, classes, others; each by their letters."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
