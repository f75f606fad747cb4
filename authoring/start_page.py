"""The page that `make lab` opens: the lessons, and how far the learner is."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from authoring.filled import refuse_where_answers_are
from authoring.lessons import ROOT, Lesson, find_lessons, give_stable_ids, read_text, write_notebook

WELCOME = """# Self-attention, step by step

Click into the next cell and press Shift+Enter. It shows how far you are, counted on this computer, and where to go on."""
COURSE = """## The course

{table}

Take the lessons in order: each needs the ones before it. None needs an optional one, whose points are a bonus.

**Whose tasks these are.** The integer example of lesson 2 is R. Karim's, the tokens in columns are S. Prince's, and much of the way is P. Bloem's
(*Transformers from scratch*). Reversing digits is from P. Lippe's *UvA Deep Learning Tutorials*, induction heads are from C. Olsson and others.
Each lesson ends with its sources."""
HOW_TO_WORK = """## How to work

- **Run a cell** with Shift+Enter, from the top. An exercise is a card, a cell for your code, a check, and a picture of your result.
- **Run a check as often as you like.** It says the first thing that is not right yet. Points are given after you hand in.
- **Stuck?** Each card has three helps. Click them, or click the card and use Tab and Enter.
- **Lost?** *Kernel › Restart Kernel and Run All Cells* starts from a clean state. It loses none of your text.
- **Done?** Press *Validate* above the notebook: it runs every check that you can see, from a clean state. Where there is no such button, choose
  *Kernel › Restart Kernel and Run All Cells* and save. Then hand in the file."""
GLOSSARY = Path("source", "glossary.md")
PROGRESS = """from attnlab import check

check.progress()"""


def write_start_page(root: Path) -> None:
    """Write `notebooks/start.ipynb` for the lessons that there are, and their minutes and points into the table of README.md.

    Raises:
        BuildError: somebody wrote into the start page that is there.
    """
    lessons, readme, page = find_lessons(root), root / "README.md", root / "notebooks" / "start.ipynb"
    refuse_where_answers_are(root, page)
    write_notebook(page, make_start_page(lessons, root))
    if readme.exists():
        text = readme.read_text(encoding="utf-8")
        if (new := with_numbers(text, lessons)) != text:
            readme.write_text(new, encoding="utf-8")


def with_numbers(text: str, lessons: list[Lesson]) -> str:
    """A text whose table links to lessons, with their minutes and points behind the links, and their sums in the last row."""
    for lesson in lessons:
        numbers = " | ".join(_row(lesson, "").split(" | ")[2:4])
        text = re.sub(rf"(\]\(notebooks/{lesson.assignment}/[^|]*\|)[^|]*\|[^|]*\|", lambda found, new=numbers: f"{found[1]} {new} |", text)
    sums = " | ".join(_total(lessons).split(" | ")[1:4])
    return re.sub(r"\| \| all but optional ones \|[^|]*\|[^|]*\|", f"| | {sums} |", text)


def make_start_page(lessons: list[Lesson], root: Path = ROOT, version: str = "") -> NotebookNode:
    """The start page as a notebook: a cell that shows the learner's progress and where to go on, the course in ten lines, how to work, the glossary.

    Args:
        lessons: what it links to.
        root: the folder of the project.
        version: of the bundle that the page is handed out in; empty for the page in the project.
    """
    welcome = WELCOME.replace("\n", f"\n\n*Version {version}*\n", 1) if version else WELCOME
    page = new_notebook(
        cells=[
            new_markdown_cell(welcome),
            new_code_cell(PROGRESS),
            new_markdown_cell(COURSE.format(table="\n".join(lessons_table(lessons)))),
            new_markdown_cell(HOW_TO_WORK),
            new_markdown_cell((root / GLOSSARY).read_text(encoding="utf-8").strip()),
        ]
    )
    for cell in page.cells:
        if cell.cell_type == "markdown":
            cell.metadata.editable = False  # a double click does not show the source
    page.metadata.kernelspec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    give_stable_ids(page)
    nbformat.validate(page)
    return page


def lessons_table(lessons: list[Lesson], folder: str = "") -> list[str]:
    """The lines of the table of lessons; `folder` leads from the page to the notebooks, such as "notebooks/"."""
    return [
        "| | lesson | minutes | points | in short |",
        "|---|---|---|---|---|",
        *(_row(lesson, folder) for lesson in lessons),
        _total(lessons),
    ]


def _row(lesson: Lesson, folder: str) -> str:
    front = read_text(lesson).metadata.lesson
    link = f"[{front.title}]({folder}{lesson.assignment}/{lesson.released.name})"
    title, points = (f"{link} (optional)", f"+{front.points}") if front.get("optional") else (link, front.points)
    return f"| {lesson.number} | {title} | {front.minutes} | {points} | {front.in_short} |"


def _total(lessons: list[Lesson]) -> str:
    """The sums over the lessons that everybody takes."""
    fronts = [front for front in (read_text(lesson).metadata.lesson for lesson in lessons) if not front.get("optional")]
    return f"| | all but optional ones | {sum(front.minutes for front in fronts)} | {sum(front.points for front in fronts)} | |"
