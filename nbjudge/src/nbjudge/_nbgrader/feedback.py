"""What pages tell of grades: every exercise by its name and points for students; the marking scheme in the formgrader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape, unescape
from pathlib import Path
from typing import Any

import nbformat
import nh3
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.api import Grade, Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearMarkScheme, ClearSolutions, NbGraderPreprocessor
from traitlets.config import Configurable

from nbjudge._analysis.instructor import is_test
from nbjudge._analysis.labels import readable
from nbjudge._common.settings import Regrade as Asking
from nbjudge._common.settings import Report, in_words
from nbjudge._execution.verdicts import FailureCause, is_not_judged
from nbjudge._nbgrader.clues import Known, read_clues
from nbjudge._nbgrader.regrades import About, Form, Regrade, form_of, regrades, version_of

FORMGRADER = {"submission_id", "assignment_id", "notebook_id"}  # what the formgrader alone says of a page
NOT_JUDGED = """<div class="alert alert-warning">

**This test could not judge what stands above, and waits for your points** (students do not see why):

{why}

Give the points here, or mend the test in `source/` and grade again.

</div>"""
SHOWN = """<div class="alert alert-info">

**Model answer and marking scheme** (from `source/`; students do not see this)

{scheme}

</div>"""


class ShowScheme(NbGraderPreprocessor):
    """Last of `c.HTMLExporter.preprocessors`: puts the scheme above each answer or task that is graded by hand, and above a test that could not judge
    the reason, in the formgrader alone."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Add a cell for each of them. A page that is not the formgrader's stays as it is."""
        if not resources.keys() >= FORMGRADER:
            return nb, resources
        course = CourseDirectory(parent=self)
        assignment, notebook = resources["assignment_id"], resources["notebook_id"]
        folder = Path(course.format_path(course.source_directory, ".", assignment))
        path = folder / f"{notebook}.ipynb"
        schemes = marking_schemes(nbformat.read(path, as_version=4), self) if path.is_file() else {}
        clues = read_clues(Path(course.root), str(resources.get("student", "")), assignment)
        cells: list[NotebookNode] = []
        for cell in nb.cells:
            name = str(about_cell(cell).get("grade_id"))
            if scheme := schemes.get(name):
                cells.append(new_markdown_cell(SHOWN.format(scheme=scheme)))
            if is_test(cell) and is_not_judged(cell):
                why = clues.get((notebook, name), Known()).not_judged or "the reason is not known any more"
                cells.append(new_markdown_cell(NOT_JUDGED.format(why=_fenced(why, "text"))))
            cells.append(cell)
        nb.cells = cells
        return nb, resources


def marking_schemes(source: NotebookNode, parent: Configurable) -> dict[str, str]:
    """Model answer and marking scheme, as Markdown, of each cell of `source/` that is graded by hand. `parent` has the course's settings."""
    solution, marks = ClearSolutions(parent=parent), ClearMarkScheme(parent=parent)
    regions = [
        (solution.begin_solution_delimeter, solution.end_solution_delimeter),
        (marks.begin_mark_scheme_delimeter, marks.end_mark_scheme_delimeter),
    ]
    found = {}
    for cell in source.cells:
        about = about_cell(cell)
        if about.get("task") or (about.get("grade") and about.get("solution")):
            text = _within(cell.source, regions) or ("" if about.get("task") else cell.source)
            if text.strip():
                found[str(about.get("grade_id"))] = _fenced(text, "python") if cell.cell_type == "code" else text
    return found


def _within(text: str, regions: list[tuple[str, str]]) -> str:
    """The lines between the delimiters of any of `regions`."""
    kept, ends = [], ""
    for line in text.splitlines():
        if ends:
            if ends in line:
                ends = ""
            else:
                kept.append(line)
        else:
            ends = next((end for begin, end in regions if begin in line), "")
    return "\n".join(kept)


def _fenced(text: str, kind: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{kind}\n{text}\n{fence}"


def about_cell(cell: NotebookNode) -> dict[str, Any]:
    """What nbgrader says of a cell; what is no dictionary says nothing."""
    about = cell.metadata.get("nbgrader")
    return about if isinstance(about, dict) else {}


HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)\s*#*\s*")
FENCE = re.compile(r" {0,3}(```|~~~)")
MOST_SAID = 200  # letters of a message in the list
NO_RESPONSE = "No response."  # nbgrader's own comment on an answer that was left as it came


@dataclass(frozen=True)
class Exercise:
    """One graded cell. `waits` says that nobody has graded it; `changed`, that an instructor gave other points than the test."""

    grade_id: str
    name: str
    section: str
    kind: str  # "test", "written answer", "code" (graded by hand) or "task"
    points: float
    most: float
    waits: bool
    changed: bool
    message: str  # the cause, where what the test said has it, else how that begins

    @property
    def result(self) -> str:
        """A word for colours and signs."""
        if self.waits:
            return "waits"
        if self.points >= self.most:
            return "full"
        return "part" if self.points > 0 else "none"

    @property
    def message_html(self) -> str:
        """The message as HTML, with what stands between backticks as code."""
        return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escape(self.message))

    @property
    def short(self) -> str:
        """The points as figures."""
        return f"{'–' if self.waits else number(self.points)} of {number(self.most)}"

    @property
    def told(self) -> str:
        """The points in words."""
        return f"not graded yet, {in_points(self.most)}" if self.waits else f"{number(self.points)} of {in_points(self.most)}"


@dataclass(frozen=True)
class Story:
    """A notebook's grades. `exercises` is in the order of the notebook; `comments` are the cells that have one, with their names."""

    title: str
    exercises: list[Exercise]
    comments: dict[str, str]
    penalty: float = 0.0
    ending: str = ""
    forms: dict[str, Form] = field(default_factory=dict)  # how to ask for a second look, by the cell
    looks: dict[str, list[Regrade]] = field(default_factory=dict)  # what was asked and answered, by the cell

    def in_words(self, grade_id: str) -> str:
        """The name of a cell as a person would write it."""
        return self.by_id[grade_id].name if grade_id in self.by_id else in_words(grade_id, self.ending)

    @cached_property
    def by_id(self) -> dict[str, Exercise]:
        """The exercises by the names of their cells."""
        return {exercise.grade_id: exercise for exercise in self.exercises}

    @property
    def waiting(self) -> list[Exercise]:
        """What nobody has graded yet."""
        return [exercise for exercise in self.exercises if exercise.waits]

    @property
    def total(self) -> str:
        """All points in a sentence, and what is missing in them."""
        graded = [exercise for exercise in self.exercises if not exercise.waits]
        earned, most = sum(exercise.points for exercise in graded), sum(exercise.most for exercise in graded)
        if not self.waiting:
            told = f"{number(max(0.0, earned - self.penalty))} of {in_points(most)}"
        else:
            later = sum(exercise.most for exercise in self.waiting)
            told = (
                f"{number(max(0.0, earned - self.penalty))} of {number(most)} graded {'point' if most == 1 else 'points'}; "
                f"{in_points(later)} not graded yet"
            )
        return told + (f". {in_points(self.penalty)} taken off, because it was handed in late" if self.penalty else "")


class TellGrades(NbGraderPreprocessor):
    """After nbgrader's GetGrades in `c.GenerateFeedback.preprocessors`: leaves a `Story` in `resources["nbjudge"]`."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Read the gradebook. The notebook stays as it is."""
        about = resources["nbgrader"]
        ending = Report(parent=self).ending
        with Gradebook(about["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            grades = {grade.name: grade for grade in notebook.grades}
            clues = read_clues(Path(CourseDirectory(parent=self).root), about["student"], about["assignment"])
            causes = {name: known.clue.cause for (book, name), known in clues.items() if book == about["notebook"] and known.clue}
            found = [exercise for _, exercise in exercises_of(nb, grades, ending, causes)]
        comments = {_name(cell): in_words(_name(cell), ending) for cell in nb.cells if about_cell(cell).get("comment") not in (None, "", NO_RESPONSE)}
        title, penalty = _title(nb) or in_words(about["notebook"], ""), float(about.get("late_penalty") or 0)
        resources["nbjudge"] = Story(title, found, comments, penalty, ending, *self._second_looks(nb, about, found))
        return nb, resources

    def _second_looks(self, nb: NotebookNode, about: dict[str, Any], exercises: list[Exercise]) -> tuple[dict[str, Form], dict[str, list[Regrade]]]:
        """How to ask for a second look at each exercise that has points, and what was asked before."""
        asking, root, version = Asking(parent=self), Path(CourseDirectory(parent=self).root), version_of(nb)
        student, assignment, notebook = about["student"], about["assignment"], about["notebook"]
        looks: dict[str, list[Regrade]] = {}
        for one in regrades(root):
            if one.about.place[:3] == (student, assignment, notebook):
                looks.setdefault(one.about.question, []).append(one)
        offered = [exercise for exercise in exercises if asking.ask and not exercise.waits]
        forms = {
            one.grade_id: form_of(root, About(student, assignment, notebook, one.grade_id, version), one.name, asking.address) for one in offered
        }
        return forms, looks


def exercises_of(
    nb: NotebookNode, grades: dict[str, Grade], ending: str, causes: Mapping[str, FailureCause | None] | None = None
) -> Iterator[tuple[NotebookNode, Exercise]]:
    """The graded cells of a notebook, in its order, and what came of each. `causes` has what tests stated, by their names."""
    names = readable(nb)
    for cell, section in _with_sections(nb):
        if (name := _name(cell)) in grades:
            yield cell, _exercise(cell, in_words(names.get(name, name), ending), section, grades[name], (causes or {}).get(name))


def number(points: float) -> str:
    """Points with at most two decimals."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def in_points(points: float) -> str:
    """Points with their noun."""
    return f"{number(points)} {'point' if points == 1 else 'points'}"


def _exercise(cell: NotebookNode, words: str, section: str, grade: Grade, cause: FailureCause | None) -> Exercise:
    waits = grade.auto_score is None and grade.manual_score is None
    changed = None not in (grade.auto_score, grade.manual_score) and grade.manual_score != grade.auto_score
    return Exercise(
        grade.name,
        words,
        section,
        _kind(cell),
        float(grade.score),
        float(grade.max_score),
        waits,
        changed,
        "" if grade.score >= grade.max_score else _message(cell, cause),
    )


def _kind(cell: NotebookNode) -> str:
    about = about_cell(cell)
    if about.get("task"):
        return "task"
    if not about.get("solution"):
        return "test"
    return "code" if cell.cell_type == "code" else "written answer"


def _message(cell: NotebookNode, cause: FailureCause | None) -> str:
    """Why points were lost: the cause, if the student reads it in what the test said, else the first line of that."""
    if about_cell(cell).get("comment") == NO_RESPONSE:
        return "no answer"
    said = next((output.get("evalue", "") for output in cell.get("outputs", []) if output.output_type == "error"), "")
    read = " ".join([said, *(output.get("text", "") for output in cell.get("outputs", []) if output.output_type == "stream")])
    if cause is not None and _one_line(cause.words) in _one_line(read):
        line = _one_line(cause.words)
    else:
        line = next((line.strip() for line in said.splitlines() if line.strip()), "")
    return line if len(line) <= MOST_SAID else f"{line[:MOST_SAID].rstrip()} …"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _name(cell: NotebookNode) -> str:
    return str(about_cell(cell).get("grade_id", ""))


def _title(nb: NotebookNode) -> str:
    return next((text for cell in nb.cells for level, text in _headings(cell) if level == 1), "")


def _with_sections(nb: NotebookNode) -> Iterator[tuple[NotebookNode, str]]:
    """Each cell with the heading that stands above it; the notebook's title is none."""
    section = ""
    for cell in nb.cells:
        yield cell, section
        for level, text in _headings(cell):
            section = text if level > 1 else ""


def _headings(cell: NotebookNode) -> Iterator[tuple[int, str]]:
    """Level and plain text of the headings in a text of the instructor's."""
    if cell.cell_type != "markdown" or about_cell(cell).get("solution"):
        return
    within = ""
    for line in cell.source.splitlines():
        if fence := FENCE.match(line):
            within = "" if within == fence[1] else within or fence[1]
        elif not within and (found := HEADING.fullmatch(line)):
            yield len(found[1]), _plain(found[2])


def _plain(markdown: str) -> str:
    html = MarkdownWithMath(renderer=IPythonRenderer(escape=False)).render(markdown)
    return " ".join(unescape(nh3.clean(html, tags=set())).split())
