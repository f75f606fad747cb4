"""The page that `make lab` opens: the lessons, and how far the learner is."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from authoring.lessons import Lesson, find_lessons, give_stable_ids, read_text, write_notebook

WELCOME = """# Self-attention, step by step

From a weighted average to a tested multi-head attention module. Take the lessons in order: each needs the ones before it.

{table}

## How far you are

Click into the next cell and press Shift+Enter. It counts the visible checks that passed on this computer; predictions and written
answers come on top."""
HOW_TO_WORK = """## How to work

- **Run a cell** with Shift+Enter, from the top. An exercise is a card, a cell for your code, a check, and a picture of your result.
- **Run a check as often as you like.** It says the first thing that is not right yet. Points are given after you hand in.
- **Stuck?** Each card has three helps. Click them, or click the card and use Tab and Enter.
- **Lost?** *Kernel › Restart Kernel and Run All Cells* starts from a clean state. It loses none of your text.
- **Done?** Press *Validate* above the notebook: it runs every check that you can see, from a clean state. Then hand in the file."""
PROGRESS = """from attnlab import check

check.progress()"""


def write_start_page(root: Path) -> None:
    """Write `notebooks/start.ipynb` for the lessons that there are."""
    write_notebook(root / "notebooks" / "start.ipynb", make_start_page(find_lessons(root)))


def make_start_page(lessons: list[Lesson]) -> NotebookNode:
    """The start page as a notebook: prose, a table of the lessons, a cell that prints the learner's progress."""
    rows = ["| | lesson | minutes | points | at the end you can |", "|---|---|---|---|---|", *map(_row, lessons)]
    page = new_notebook(cells=[new_markdown_cell(WELCOME.format(table="\n".join(rows))), new_code_cell(PROGRESS),
                               new_markdown_cell(HOW_TO_WORK)])
    page.metadata.kernelspec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    give_stable_ids(page)
    nbformat.validate(page)
    return page


def _row(lesson: Lesson) -> str:
    front = read_text(lesson).metadata.lesson
    number = lesson.assignment.split("_", 1)[0]
    link = f"[{front.title}]({lesson.assignment}/{lesson.released.name})"
    return f"| {number} | {link} | {front.minutes} | {front.points} | {'; '.join(front.goals)} |"
