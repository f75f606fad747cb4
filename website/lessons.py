"""What a reader sees of a lesson: text, given code, places for answers, pictures. No answer, no test, and no output of either.

The cells are those that learners get; what they show is what they showed when `make build` ran them with all answers filled in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output

from attnlab import reference
from attnlab.check.predictions import answered
from attnlab.explorer.pages import EXPLORES, embedded
from authoring.lessons import Lesson, read_text
from authoring.preprocessors import RUN_ALL_GOES_ON
from nbjudge import is_test
from website.examples import examples
from website.outputs import for_readers
from website.predictions import TAG, choosing, compared
from website.questions import with_anchors

WORK = """```{{admonition}} You read lesson {number} without installing anything
:class: tip
Where you would write, you see what a learner finds. Pictures and numbers are those that come with right answers. In the notebook, each answer
is followed by a check that tells you the first thing that is not right yet. To work on it: [begin](/start.md).

To try it at once: <a href="../{notebook}">open this lesson in your browser</a>. A cell that needs torch says so there, and all others work.
```"""
WITH_ANSWERS = "*With a right answer you see:*"
WRITE_HERE = "*In the notebook, you write your answer here.*"
REVEAL = re.compile(r'check\.reveal\("(\w+)"\)')
ABOUT_A_LEARNER = "check.progress("
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}
HEADING = re.compile(r"\A# .*\n?")


def make_lesson(lesson: Lesson, redirected: Callable[[str], str]) -> str:
    """The notebook of a page, as text.

    Args:
        lesson: built, with its release and its solution.
        redirected: makes links between files of the project into links between pages.
    """
    released, solved = (nbformat.read(path, as_version=4) for path in (lesson.released, lesson.solution))
    beside = examples(lesson, released, solved) | {asked.name: choosing(asked) for asked in reference.predictions(lesson.assignment)}
    cells = [shown for cell, done in zip(released.cells, solved.cells, strict=True) for shown in _shown(cell, done, beside)]
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = redirected(cell.source)
    first = next(cell for cell in cells if HEADING.match(cell.source))
    first.source = HEADING.sub(lambda found: f"{found[0]}\n{WORK.format(number=lesson.number, notebook=in_lite(lesson))}\n", first.source, count=1)
    about = {"in_short": read_text(lesson).metadata.lesson.in_short}  # which `head.py` tells
    page = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": released.metadata.kernelspec, "language_info": LANGUAGE, **about})
    for number, cell in enumerate(page.cells):
        cell.id = f"cell{number}"
    return nbformat.writes(page)


def in_lite(lesson: Lesson) -> str:
    """Where JupyterLite opens the lesson, from the top of the site."""
    return f"lite/lab/index.html?path={lesson.assignment}/{lesson.released.name}"


def title(lesson: Lesson) -> str:
    """What the lesson is called, with its number."""
    return f"{lesson.number} · {read_text(lesson).metadata.lesson.title}"


def _shown(cell: NotebookNode, done: NotebookNode, beside: dict[str, str]) -> Iterator[NotebookNode]:
    """The cells of the page that stand for one of the lesson's.

    Args:
        cell: as learners get it.
        done: the same cell with the answer, executed.
        beside: by grade ids, what stands above a cell for a prediction, and in place of a test cell.
    """
    about = cell.metadata.get("nbgrader", {})
    tags = cell.metadata.get("tags", ())
    if cell.cell_type == "markdown":
        yield new_markdown_cell(WRITE_HERE if about.get("solution") else with_anchors(cell.source))
    elif is_test(cell):
        if example := beside.get(about.grade_id):
            yield new_markdown_cell(example)
    elif ABOUT_A_LEARNER in cell.source:
        return
    elif about.get("solution"):
        if form := beside.get(about.grade_id):
            yield new_markdown_cell(form)
        yield _code(cell.source, [], *([TAG] if form else []))
    elif found := REVEAL.match(cell.source):
        asked = reference.prediction(found[1])
        yield new_markdown_cell(compared(asked))
        if given := cell.source[found.end() :].strip():
            yield _code(given, _without(answered(asked, asked.answer), done.outputs), "hide-output")
    elif found := EXPLORES.search(cell.source):
        yield _code(cell.source, [new_output("display_data", {"text/html": embedded(found[1])})])
    else:
        outputs = [output for output in done.outputs if output.output_type != "error"]
        if outputs and RUN_ALL_GOES_ON in tags:  # it needs an answer
            yield _code(cell.source, [])
            yield new_markdown_cell(WITH_ANSWERS)
            yield _code(cell.source, outputs, "remove-input")
        else:
            yield _code(cell.source, outputs)


def _code(source: str, outputs: list[NotebookNode], *tags: str) -> NotebookNode:
    cell = nbformat.v4.new_code_cell(source, outputs=for_readers(outputs))
    cell.metadata.tags = list(tags)
    return cell


def _without(said: str, outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs of a cell, without what `check.reveal` printed first."""
    if not outputs:  # of a cell whose output nobody keeps
        return []
    first, *others = outputs
    rest = first.text.removeprefix(f"{said}\n")
    return [new_output("stream", name="stdout", text=rest), *others] if rest else others
