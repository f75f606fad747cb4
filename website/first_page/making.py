"""What stands on the first page: a small explorer, and the lessons as cards."""

from __future__ import annotations

import base64
import html
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import nbformat

from attnlab.explorer import run
from attnlab.explorer.pages import as_script
from attnlab.figures.colours import KEY, QUERY, SCORE, WEIGHT
from authoring.bundle.refusal import Refused
from authoring.lessons import Lesson, read_text
from website.lessons import title

HERE = Path(__file__).parent
SCRIPT = "small.js"
RUN, ENDINGS = "who it is", ("tired", "heavy")
STILL = "figures.arc_diagram("  # of lesson 1: the same sentences, for readers without JavaScript
PICTURES = {  # the call that draws a lesson's picture; the first cell that has it is taken
    "1_basic_attention": "figures.arc_diagram(",
    "2_queries_keys_values": "figures.roles(",
    "2b_columns": "figures.columns_heatmap(attention",
    "3_scaling": "figures.gradient_bands(",
    "3b_backward_pass": "figures.temperatures(",
    "4_multi_head": "Three heads with three different maps",
    "5_permutation_test": "figures.positions(",
    "5b_rotary_positions": "rotary, means=",
    "6_transformer": "{name:<13} {run.final:4.0%} right",
    "7_language_model": "{name:<11} {run.final:4.0%} right",
    "8_real_model": "figures.heads_at_a_glance(",
}
IMAGE = re.compile(r'<img\b[^>]*\bsrc="data:image/(svg\+xml|png);base64,([^"]+)"[^>]*>')
TABLES = "table"
TABLE = re.compile(r"<div\b(?=[^>]*overflow-x).*</div>", re.DOTALL)


@dataclass(frozen=True)
class FirstPage:
    """Pieces of HTML, and files for the folder of what pages load."""

    explorer: str
    cards: str
    files: dict[str, bytes]


def make_first_page(lessons: list[Lesson]) -> FirstPage:
    """What `pages/index.md` has places for.

    Raises:
        Refused: a lesson has no picture.
    """
    drawn = {lesson.assignment: _picture(lesson, _picture_of(lesson)) for lesson in lessons}
    pictures = {f"cards/{name}.{kind}": base64.b64decode(data) for name, (kind, data) in drawn.items() if kind != TABLES}
    cards = "\n".join(_card(lesson, *drawn[lesson.assignment]) for lesson in lessons)
    return FirstPage(_explorer(lessons[0]), f'<ul class="cards">\n{cards}\n</ul>', {SCRIPT: _script().encode(), **pictures})


def _explorer(first: Lesson) -> str:
    """The end of one training, with a picture of the first lesson for readers without JavaScript."""
    whole = run(RUN)
    stored = as_script({"run": whole | {"steps": whole["steps"][-1:]}, "endings": ENDINGS})
    colours = f"--query:{QUERY};--key:{KEY};--score:{SCORE};--weight:{WEIGHT}"
    return (
        f'<div class="small" style="{colours}">{_figure(first, STILL)}</div>'
        f'<script type="application/json" id="small-run">{stored}</script><script src="_static/{SCRIPT}"></script>'
    )


def _script() -> str:
    """No module, which browsers do not load from files."""
    parts = [files("attnlab.explorer").joinpath(name).read_text(encoding="utf-8") for name in ("attention.js", "pieces.js")]
    return "\n".join(["(() => {", *parts, (HERE / SCRIPT).read_text(encoding="utf-8"), "})();", ""])


def _picture_of(lesson: Lesson) -> str:
    try:
        return PICTURES[lesson.assignment]
    except KeyError as error:
        raise Refused(f"{lesson.assignment} has no picture for the first page", "name one of its figures in website/first_page/making.py") from error


def _figure(lesson: Lesson, call: str) -> str:
    """The HTML of the first figure that a cell with `call` shows in the solution.

    Raises:
        Refused: there is none.
    """
    for cell in nbformat.read(lesson.solution, as_version=4).cells:
        for output in cell.get("outputs", ()) if call in cell.source else ():
            if shown := output.get("data", {}).get("text/html"):
                return shown
    raise Refused(f"{lesson.assignment} has no figure from `{call}`", "name another of its figures in website/first_page/making.py")


def _picture(lesson: Lesson, call: str) -> tuple[str, str]:
    """What a card shows: "svg" or "png" and the image in base64, or "table" and what is drawn in HTML."""
    shown = _figure(lesson, call)
    if image := IMAGE.search(shown):
        return image[1].removesuffix("+xml"), image[2]
    if table := TABLE.search(shown):
        return TABLES, table[0]
    raise Refused(f"{lesson.assignment} has neither image nor table in the figure of `{call}`", "name another in website/first_page/making.py")


def _card(lesson: Lesson, kind: str, data: str) -> str:
    front = read_text(lesson).metadata.lesson
    shown = data if kind == TABLES else f'<img src="_static/cards/{lesson.assignment}.{kind}" alt="" loading="lazy">'
    minutes = f"{front.minutes} minutes{', optional' if front.get('optional') else ''}"
    return (
        f'<li><a href="lessons/{lesson.assignment}.html"><div class="card-picture" aria-hidden="true">{shown}</div>'
        f'<div class="card-text"><b>{html.escape(title(lesson))}</b><span>{_emphasized(front.in_short)}</span><small>{minutes}</small></div></a></li>'
    )


def _emphasized(text: str) -> str:
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", html.escape(text))
