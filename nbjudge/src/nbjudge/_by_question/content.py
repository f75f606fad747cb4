"""What a page shows: a question with its marking scheme from `source/`, and answers from `autograded/`, as HTML that runs nothing.

An answer is turned into HTML in a process beside this one, with a limit of time: Markdown has texts that keep a parser busy for ever.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import cast

import nbformat
from jinja2.runtime import Context
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearMarkScheme
from traitlets.config import Configurable

from nbjudge._analysis.instructor import is_test
from nbjudge._by_question.rubric import LINE
from nbjudge._by_question.store import Answer, Place, Question
from nbjudge._execution.verdicts import CALLED, is_not_judged
from nbjudge._nbgrader.feedback import HEADING, about_cell, marking_schemes
from nbjudge._nbgrader.formulas import latex_to_html
from nbjudge._nbgrader.markup import FILE
from nbjudge._nbgrader.pages import NO_WORDS, cell_to_html, code_to_html, markdown_to_html, output_to_html
from nbjudge._nbgrader.process_limit import in_time
from nbjudge._nbgrader.sanitize import ANSI, MOST_OUTPUTS, PICTURES, harmless
from nbjudge._wire.errors import CannotGrade

SECONDS = 3  # of processor time for one answer; an ordinary one takes some milliseconds
MOST_LETTERS, MOST_OUTPUT, MOST_FILE = 20_000, 4_000, 2_000_000
MOST_BEFORE = 6  # cells above an answer that may belong to the question
KINDS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp", ".svg": "svg+xml"}
MISSING = '<p class="trouble">The notebook with this answer is not in the folder of graded notebooks. Next: grade it again.</p>'
NO_CELL = '<p class="trouble">The graded notebook has no such cell. Next: look at it in the formgrader.</p>'
Stamp = tuple[int, int] | None  # when a file was written and how long it is; None where there is none


@dataclass(frozen=True)
class Shown:
    """An answer as a page shows it, and the digest of what the student wrote in it."""

    html: str
    digest: str


@dataclass(frozen=True)
class Asked:
    """A question as a page shows it. `scheme` is Markdown, `scheme_html` the same for a page; `test_html` is all of a test, where it is one."""

    html: str
    scheme: str
    scheme_html: str
    test_html: str = ""


class Content:
    """The notebooks of a course.

    Args:
        folders: where they are.
        settings: has the course's settings for marking schemes.
    """

    def __init__(self, folders: CourseDirectory, settings: Configurable):
        self._folders, self._settings = folders, settings

    def question(self, question: Question) -> Asked:
        """What `source/` says of a question."""
        place = question.place
        nb = self._source(place)
        if nb is None:
            return Asked('<p class="trouble">The lesson is not in source/, so its text is not shown here.</p>', "", "")
        text = "\n\n".join(_question_cells(nb, place.cell, ClearMarkScheme(parent=self._settings).begin_mark_scheme_delimeter))
        scheme = marking_schemes(nb, self._settings).get(place.cell, "")
        lines = re.sub(rf"(?m)\n(?={LINE.pattern}$)", "  \n", scheme, flags=re.IGNORECASE)  # each line of points on one of its own
        at = _place_of(nb, place.cell) if question.kind == "test" else None
        test = code_to_html(nb.cells[at].source) if at is not None else ""
        return Asked(markdown_to_html(text) if text else "", scheme, markdown_to_html(lines) if scheme else "", test)

    def order(self, place: Place) -> int:
        """Where in its notebook a cell stands, as far as `source/` tells."""
        nb = self._source(place)
        return (_place_of(nb, place.cell) if nb else None) or 0

    def digest(self, question: Question, answer: Answer) -> str:
        """Of what the student wrote."""
        path = self._of(question.place, answer)
        cells = _cells(str(path), _stamp(path), question.place.cell, question.kind)
        return _digest(cells) if cells else ""

    def answer(self, question: Question, answer: Answer) -> Shown:
        """One answer."""
        path = self._of(question.place, answer)
        where = str(path), _stamp(path), question.place.cell, question.kind
        cells = _cells(*where)
        if not cells:
            return Shown(MISSING if cells is None else NO_CELL, "")
        return Shown(_html(*where), _digest(cells))

    def _source(self, place: Place) -> NotebookNode | None:
        path = self._path(self._folders.source_directory, ".", place)
        return _notebook(str(path), _stamp(path))

    def _of(self, place: Place, answer: Answer) -> Path:
        return self._path(self._folders.autograded_directory, answer.student, place)

    def _path(self, directory: str, student: str, place: Place) -> Path:
        return Path(self._folders.format_path(directory, student, place.assignment)) / f"{place.notebook}.ipynb"


def get_ready() -> None:
    """Start the process that makes HTML, which takes some seconds the first time."""
    with contextlib.suppress(CannotGrade):
        in_time(SECONDS * 10, render, [], "", False)


@lru_cache(512)
def _html(path: str, stamp: Stamp, name: str, kind: str) -> str:
    """The answer in a notebook as HTML, made once for as long as it does not change."""
    cells, test = _cells(path, stamp, name, kind) or [], _test(path, stamp, name) if kind == "test" else None
    try:
        return str(in_time(SECONDS, render, [*cells, *([test] if test else [])], str(Path(path).parent), test is not None))
    except CannotGrade:
        return "".join(_plain(cell.source, "This text took too long to be turned into a page, and is shown as it was written.") for cell in cells)


def render(cells: list[NotebookNode], folder: str, is_test: bool) -> str:
    """The cells of an answer as HTML, cleaned. `folder` is where pictures that it names may lie; with `is_test`, the last cell is the test."""
    nb = harmless(nbformat.v4.new_notebook(cells=cells), texts=False)
    parts: list[str] = []
    for number, cell in enumerate(nb.cells):
        if not (is_test and number == len(nb.cells) - 1):  # of a test, what it said: its own text is nothing that its student wrote
            parts.append(_source(cell, Path(folder)))
        for output in cell.get("outputs", [])[:MOST_OUTPUTS]:
            parts.append(_output(output))
    return "\n".join(part for part in parts if part)


def _source(cell: NotebookNode, folder: Path) -> str:
    source = cell.source
    if not source.strip():
        return '<p class="nothing">Nothing was written here.</p>'
    if len(source) > MOST_LETTERS:
        return _plain(source, f"A text of {len(source):,} letters: its first {MOST_LETTERS:,} are shown as they were written.")
    if cell.cell_type == "code":
        return f'<div class="code">{code_to_html(source)}</div>'
    if cell.cell_type != "markdown":
        return _plain(source, "")
    html = str(cell_to_html(cast(Context, {"cell": cell}), source))  # it reads the cell alone
    return f'<div class="text">{_with_files(html, folder)}</div>'


def _plain(source: str, why: str) -> str:
    note = f'<p class="trouble">{escape(why)}</p>' if why else ""
    return f"{note}<pre>{escape(source[:MOST_LETTERS])}</pre>"


def _with_files(html: str, folder: Path) -> str:
    """`html`, which was cleaned, with pictures from files in it: a page of this server has no such file beside it."""

    def put_in(found: re.Match[str]) -> str:
        path = folder / found[1]
        with_kind = KINDS.get(path.suffix.lower())
        try:
            inside = path.resolve(strict=True).is_relative_to(folder.resolve()) and path.is_file() and path.stat().st_size <= MOST_FILE
            if not (with_kind and FILE.fullmatch(found[1]) and inside):
                return 'src=""'
            return f'src="data:image/{with_kind};base64,{base64.b64encode(path.read_bytes()).decode()}"'
        except OSError:
            return 'src=""'

    return re.sub(r'(?<= )src="(?!data:)([^"]*)"', put_in, html)


def _output(output: NotebookNode) -> str:
    if output.output_type == "stream":
        return f'<pre class="output">{_cut(output.text)}</pre>'
    if output.output_type == "error":
        said = output.evalue if output.evalue.strip() else "\n".join(output.traceback)
        told = said if output.ename in CALLED.values() else f"{output.ename}: {said}"
        return f'<pre class="output error">{_cut(told)}</pre>'
    data = output.get("data", {})
    for kind in PICTURES:
        if kind in data:
            return _picture(kind, "".join(data[kind].split()))
    if "image/svg+xml" in data:
        return _picture("image/svg+xml", base64.b64encode(data["image/svg+xml"].encode()).decode())
    if "text/html" in data:
        return f'<div class="output">{output_to_html(data["text/html"])}</div>'
    if "text/latex" in data:
        return f'<div class="output">{latex_to_html(data["text/latex"])}</div>'
    return f'<pre class="output">{_cut(data.get("text/plain", ""))}</pre>'


def _picture(kind: str, data: str) -> str:
    return f'<img class="output" alt="{NO_WORDS}" src="data:{kind};base64,{escape(data)}">'


def _cut(text: str) -> str:
    text = ANSI.sub("", text)
    return escape(text if len(text) <= MOST_OUTPUT else f"{text[:MOST_OUTPUT]}… ({len(text) - MOST_OUTPUT:,} letters more)")


def _cells(path: str, stamp: Stamp, name: str, kind: str) -> list[NotebookNode] | None:
    """The answer in a notebook; None where there is no notebook."""
    nb = _notebook(path, stamp)
    return None if nb is None else list(_answer_cells(nb, name, kind))


def _test(path: str, stamp: Stamp, name: str) -> NotebookNode | None:
    """A test cell in a notebook, unless it could say nothing."""
    nb = _notebook(path, stamp)
    at = _place_of(nb, name) if nb is not None else None
    return nb.cells[at] if nb is not None and at is not None and not is_not_judged(nb.cells[at]) else None


def _answer_cells(nb: NotebookNode, name: str, kind: str) -> Iterator[NotebookNode]:
    """What a student wrote to a question: the cell itself; for a test the nearest answers above it, for a task the student's own cells below it."""
    at = _place_of(nb, name)
    if at is None:
        return
    if kind == "test":
        yield from (nb.cells[place] for place in _answers_above(nb, at))
    elif kind == "task":
        for cell in nb.cells[at + 1 :]:
            if about_cell(cell).get("grade_id"):
                return
            yield cell
    else:
        yield nb.cells[at]


def _answers_above(nb: NotebookNode, at: int) -> list[int]:
    """The places of the nearest answers above a test: those that no other test comes after."""
    found: list[int] = []
    for place in reversed(range(at)):
        about = about_cell(nb.cells[place])
        if about.get("grade") and found:
            break
        if about.get("solution") and not about.get("grade"):
            found.append(place)
    return found[::-1]


def _question_cells(nb: NotebookNode, name: str, begins_scheme: str) -> list[str]:
    """The text above an answer, down from its heading; for a task, what stands before its marking scheme."""
    at = _place_of(nb, name)
    if at is None:
        return []
    if about_cell(nb.cells[at]).get("task"):
        return ["\n".join(takewhile(lambda line: begins_scheme not in line, nb.cells[at].source.splitlines())).strip()]
    if is_test(nb.cells[at]) and (answers := _answers_above(nb, at)):
        at = answers[0]
    found: list[str] = []
    for cell in reversed(nb.cells[max(0, at - MOST_BEFORE) : at]):
        if about_cell(cell).get("solution") or about_cell(cell).get("grade"):
            break
        if cell.cell_type == "markdown":
            found.append(cell.source)
            if any(HEADING.fullmatch(line) for line in cell.source.splitlines()):
                break
    return found[::-1]


def _place_of(nb: NotebookNode, name: str) -> int | None:
    """Which of its cells has the name."""
    return next((at for at, cell in enumerate(nb.cells) if about_cell(cell).get("grade_id") == name), None)


def _digest(cells: list[NotebookNode]) -> str:
    written = [cell.source for cell in cells]
    return hashlib.sha256("\0".join(written).encode("utf-8", "surrogatepass")).hexdigest()


def _stamp(path: Path) -> Stamp:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


@lru_cache(128)
def _notebook(path: str, stamp: Stamp) -> NotebookNode | None:
    """A notebook, read once for as long as it does not change; None where there is none that can be read.

    Without nbformat's look at every cell, which takes longer than all the rest: the grader wrote it.
    """
    try:
        nb = None if stamp is None else nbformat.v4.reads(Path(path).read_text(encoding="utf-8"))
        return nb if nb is not None and all(isinstance(cell.source, str) for cell in nb.cells) else None
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return None
