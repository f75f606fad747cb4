"""What a graded notebook tells of one student's failures: which questions were attempted, what the tests said, and the exercise's code.

This reads what students wrote, so it happens beside the process that makes the report (see `nbjudge._course.task_pool`). Nothing of it is run.
"""

from __future__ import annotations

import ast
import io
import json
import re
import secrets
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbjudge._analysis.statements import read_cell
from nbjudge._course.course import Course
from nbjudge._execution.verdicts import CALLED, NOT_JUDGED, Clue, FollowThrough
from nbjudge._nbgrader.clues import Known, read_clues
from nbjudge._report.gradebook import Cell, Key
from nbjudge._report.model import Question
from nbjudge._report.normal_forms import Form, form_of
from nbjudge._wire.limits import MB

SHORTEST = 3  # letters of a name that is looked for: "Li" would be found in too many words
HIDDEN = "…"
WORD = re.compile(r"\w+")


def without_remarks(source: str) -> str:
    """Code without its comments and docstrings. Every line keeps its number."""
    lines = source.splitlines()
    for place, end in _docstrings(source):
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines[place] = f'{indent}"{HIDDEN}"'
        lines[place + 1 : end] = [""] * (end - place - 1)
    for row, column in _comments("\n".join(lines)):
        lines[row - 1] = lines[row - 1][:column]
    return "\n".join(line.rstrip() for line in lines).rstrip()


def _docstrings(source: str) -> list[tuple[int, int]]:
    """First line, from 0, and the line after the last of each text that stands alone as a statement."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = source.splitlines()
    return [
        (node.lineno - 1, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and lines[node.lineno - 1].lstrip()[:1] in ("'", '"', "r", "u", "R", "U", "b", "f")
    ]


def _comments(source: str) -> list[tuple[int, int]]:
    """Where comments begin: line, from 1, and column. In a text that is no Python, what looks like one."""
    found: list[tuple[int, int]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source + "\n").readline):
            if token.type == tokenize.COMMENT:
                found.append(token.start)
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        return [(number, line.index("#")) for number, line in enumerate(source.split("\n"), start=1) if "#" in line]
    return found


class Names:
    """What students are called in a report.

    Args:
        people: first name, last name and e-mail address by the student's id.
        hidden: whether students have numbers, in an order of luck, instead of names.
    """

    def __init__(self, people: dict[str, tuple[str, str, str]], hidden: bool):
        self._people, self.are_hidden = people, hidden
        order = sorted(people)
        if hidden:
            secrets.SystemRandom().shuffle(order)
        width = len(str(len(order)))
        self._numbers = {student: f"student {place:0{width}d}" for place, student in enumerate(order, start=1)}

    def id_of(self, student: str) -> str:
        """The id that a report shows."""
        return self._numbers.get(student, "a student") if self.are_hidden else student

    def name_of(self, student: str) -> str:
        """Last name and first name, or the id where the gradebook has none."""
        first, last, _ = self._people.get(student, ("", "", ""))
        return self.id_of(student) if self.are_hidden else ", ".join(filter(None, [last, first])) or student

    def hidden(self, text: str, *students: str, is_theirs: bool = False) -> str:
        """`text` without the students' names where names are hidden, else as it is. `is_theirs` is that of `taken_out`."""
        for student in students if self.are_hidden else ():
            text = self.taken_out(text, student, is_theirs=is_theirs)
        return text

    def taken_out(self, text: str, student: str, kept: frozenset[str] = frozenset(), is_theirs: bool = False) -> str:
        """`text` without the student's own names, id and address, in capitals or not.

        Args:
            kept: words of the exercise itself, in small letters, which stay: somebody may be called Long or Max.
            is_theirs: whether the student wrote the text. Then parts of the id and of the address go, too; in a message, which somebody else
                wrote, they would be words of the sentence: "over" of `softmax-over-queries`.
        """
        first, last, address = self._people.get(student, ("", "", ""))
        split = [first, last, *([student, address] if is_theirs else [])]
        own = {student, first, last, address, *(word for name in split for word in WORD.findall(name.replace("_", " ")))}
        words = {word for word in own if len(word) >= SHORTEST and word.lower() not in kept}
        if not words:
            return text
        longest_first = sorted(words, key=len, reverse=True)
        return re.sub(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W_])", HIDDEN, text, flags=re.IGNORECASE)


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Every word of these texts, in small letters."""
    return frozenset(part.lower() for text in texts for word in WORD.findall(text) for part in (word, *word.split("_")))


LARGEST_MB, MOST_CODE, MOST_SAID, COMPARED = 64, 4000, 5000, 200
LIMITS = {"CellTimeoutError", "CellTimeout", "ProgramEnded", "TimeIsUp", "DeadKernelError", "KeyboardInterrupt"}
FRAME = re.compile(r"Cell In\s?\[(\d{1,9})\], line (\d{1,9})|<ipython-input-(\d{1,9})-\w{1,40}> in")
PLACE = re.compile(r"\((?:\d{1,20}\.py|<[^<>]{1,60}>), (?=line)")  # how a kernel names the file of a cell
ANSI = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
BY = {name: by for by, name in CALLED.items()}


@dataclass(frozen=True)
class Wanted:
    """What is looked for in the notebooks of one assignment: for each question the cells of its exercise, and their text as released."""

    cells: dict[Key, tuple[str, ...]]
    released: dict[Key, str]
    compares: bool = False  # whether the forms of answers are asked for, too


@dataclass(frozen=True)
class Failure:
    """What a test said to one student who lost points. `stops` is the error of the exercise's own cell, where that stopped; `follow_through` tells
    that fewer points were lost with the solution in the place of earlier answers."""

    notebook: str
    name: str
    message: str
    clue: Clue
    code: str
    stops: str = ""
    follow_through: FollowThrough | None = None


@dataclass
class TestResult:
    """One submission. `attempted` has a question where a notebook tells; `failures` those whose test shows that points were lost; `follow_through`
    those at which the solution in the place of earlier answers made a difference."""

    attempted: dict[Key, bool] = field(default_factory=dict)
    failures: dict[Key, Failure] = field(default_factory=dict)
    follow_through: dict[Key, FollowThrough] = field(default_factory=dict)
    not_judged: dict[Key, str] = field(default_factory=dict)  # why a test could not judge
    forms: dict[Key, Form] = field(default_factory=dict)  # of what was attempted, where answers are compared


def wanted_of(questions: Iterable[Question], cells: list[Cell]) -> Wanted:
    """Which cells are the exercise of which question: the nearest above that make what the test asks for, or else the nearest above.

    An answer that is graded by hand is its own exercise; a task has none that could be told.
    """
    kinds = {(question.notebook, question.name): question.kind for question in questions}
    found: dict[Key, tuple[str, ...]] = {}
    above: list[tuple[str, frozenset[str]]] = []
    since: list[tuple[str, frozenset[str]]] = []
    notebook = ""
    for cell in cells:
        if cell.notebook != notebook:
            notebook, above, since = cell.notebook, [], []
        key = cell.notebook, cell.name
        if kinds.get(key) == "test":
            asked = frozenset[str]().union(*(statement.now | statement.later for statement in read_cell(cell.source).statements))
            fitting = [name for name, made in since if made & asked] or [name for name, _ in since]
            if not fitting:
                fitting = ([name for name, made in above if made & asked] or [name for name, _ in above])[-1:]
            found[key], since = tuple(fitting), []
        elif cell.is_solution:
            made = frozenset[str]().union(*(statement.binds for statement in read_cell(cell.source).statements)) if cell.is_code else frozenset()
            above.append((cell.name, made))
            since.append((cell.name, made))
            if key in kinds:
                found[key] = (cell.name,)
    return Wanted(found, {(cell.notebook, cell.name): cell.source for cell in cells if cell.is_solution})


def tell(course: Course, student: str, assignment: str, wanted: Wanted) -> TestResult:
    """Read the graded notebooks of one submission; what cannot be read tells nothing.

    Raises:
        OSError: a file is there and cannot be read.
    """
    told = TestResult()
    clues = read_clues(course.root, student, assignment)
    for key, exercise, test in _exercises(course, student, assignment, wanted):
        _look(told, key, exercise, test, wanted, clues)
    return told


def _exercises(course: Course, student: str, assignment: str, wanted: Wanted) -> Iterator[tuple[Key, list[dict[str, Any]], dict[str, Any] | None]]:
    """Each question that is looked for in one submission's graded notebooks, with the cells of its exercise and of its test."""
    for path in sorted((course.folder("autograded") / student / assignment).glob("*.ipynb")):
        cells = _cells(path)
        for key, names in wanted.cells.items():
            if key[0] == path.stem and cells:
                yield key, [cells[name] for name in names if name in cells], cells.get(key[1])


def _look(told: TestResult, key: Key, exercise: list[dict[str, Any]], test: dict[str, Any] | None, wanted: Wanted, clues: dict[Key, Known]) -> None:
    written = [(cell, wanted.released.get((key[0], _name(cell)), "")) for cell in exercise]
    told.attempted[key] = any(_plain(_source(cell)) != _plain(released) for cell, released in written)
    if wanted.compares and told.attempted[key]:
        told.forms[key] = form_of(answer_of(exercise), [released for _, released in written], exercise[0].get("cell_type") == "code")
    if test is None or any(cell is test for cell in exercise):
        return
    said = _said(test)
    known = clues.get(key, Known())
    if _start(known.said) != _start(said[1] if said else _printed(test)):  # it was graded again since, by another way
        known = Known()
    if said is not None and said[0] == NOT_JUDGED:
        told.not_judged[key] = known.not_judged
        return
    if known.follow_through is not None:
        told.follow_through[key] = known.follow_through
    if said is None:
        return
    name, message, traceback = said
    clue = known.clue or _clue(name, message, traceback, test.get("execution_count"))
    code = "\n\n".join(without_remarks(_source(cell)) for cell in exercise)
    stops = next((PLACE.sub("(", f"{error[0]}: {error[1]}") for cell in exercise if (error := _error(cell)) is not None), "")
    code = code if len(code) <= MOST_CODE else f"{code[:MOST_CODE]}\n…"
    told.failures[key] = Failure(*key, message[:MOST_SAID], clue, code, stops[:MOST_SAID], known.follow_through)


def answer_of(exercise: list[dict[str, Any]]) -> str:
    """The text of an exercise's cells, as it is compared."""
    return "\n\n".join(_source(cell) for cell in exercise)


def read_answers(course: Course, student: str, assignment: str, wanted: Wanted) -> dict[Key, str]:
    """The texts of all answers of one submission, as they are compared.

    Raises:
        OSError: a file is there and cannot be read.
    """
    return {key: answer_of(exercise) for key, exercise, _ in _exercises(course, student, assignment, wanted)}


def _said(test: dict[str, Any]) -> tuple[str, str, str] | None:
    """Name, text and traceback of what a test cell shows where points were lost; None where it shows nothing of the kind."""
    if (error := _error(test)) is not None:
        return error
    printed = _printed(test)
    if any(output.get("output_type") == "execute_result" for output in _outputs(test)):
        return ("Test" if printed.strip() else CALLED[""]), printed, ""
    return None


def _printed(test: dict[str, Any]) -> str:
    return "".join(_text(output.get("text")) for output in _outputs(test) if output.get("output_type") == "stream")


def _clue(name: str, message: str, traceback: str, number: Any) -> Clue:
    """What the notebook alone tells, as nbgrader's own step leaves it, or the grader's without its file of clues."""
    if name in BY:
        return Clue(BY[name])
    frames = [(int(one or other), int(line or 0)) for one, line, other in FRAME.findall(traceback)]
    line = next((line for cell, line in frames if cell == number), 0)
    at = next((line for cell, line in reversed(frames) if cell != number), 0)
    if name in LIMITS:
        return Clue("limit", line=line)
    if name == "AssertionError" and not at:
        return Clue("author" if message.strip() else "", line=line)
    return Clue("error", line=line, raised=name, at=at)


def _error(cell: dict[str, Any]) -> tuple[str, str, str] | None:
    for output in _outputs(cell):
        if output.get("output_type") == "error":
            lines = output.get("traceback")
            traceback = "\n".join(map(str, lines)) if isinstance(lines, list) else ""
            return _text(output.get("ename")), _text(output.get("evalue")), ANSI.sub("", traceback[:200_000])
    return None


def _start(message: str) -> str:
    return " ".join(message.split())[:COMPARED]


def _cells(path: Path) -> dict[str, dict[str, Any]]:
    """The cells of a notebook that nbgrader knows, by their names; none where it is no notebook."""
    if path.stat().st_size > LARGEST_MB * MB:
        return {}
    try:
        notebook = json.loads(path.read_bytes())
        cells = notebook.get("cells")
    except (ValueError, AttributeError, RecursionError):
        return {}
    return {_name(cell): cell for cell in cells if isinstance(cell, dict) and _name(cell)} if isinstance(cells, list) else {}


def _name(cell: dict[str, Any]) -> str:
    metadata = cell.get("metadata")
    about = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = about.get("grade_id") if isinstance(about, dict) else None
    return name if isinstance(name, str) else ""


def _outputs(cell: dict[str, Any]) -> Iterator[dict[str, Any]]:
    outputs = cell.get("outputs")
    yield from (output for output in outputs if isinstance(output, dict)) if isinstance(outputs, list) else ()


def _source(cell: dict[str, Any]) -> str:
    return _text(cell.get("source"))


def _text(value: Any) -> str:
    """nbformat lets a text be a list of lines."""
    return "".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""


def _plain(source: str) -> str:
    """A text without what says nothing: blank lines and ends of lines, and in code remarks and spaces."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "\n".join(line.rstrip() for line in source.strip().splitlines() if line.strip())
