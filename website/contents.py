"""Every page of the site, and what stands in it. A file that is not named here does not get in, whatever lies in the project's folders."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from attnlab.explorer import embedded, names_of_runs
from authoring.bundle.refusal import Refused
from authoring.lessons import Lesson, find_lessons, read_text
from website.first_page.making import FirstPage
from website.lessons import in_lite, make_lesson, title
from website.links import redirect, sections
from website.questions import list_questions

OWN = Path(__file__).parent / "pages"
PICTURES = Path(__file__).parent / "pictures"
README = "README.md"
BENCHMARKS = ("benchmarks", "nbjudge/benchmarks", "nbjudge/hostile")
OF_THE_GRADER = (
    "promises",
    "another_course",
    "your_notebooks",
    "writing_tests",
    "sandbox",
    "class",
    "hand_grading",
    "lms",
    "elsewhere",
    "cluster",
    "postgresql",
    "tables",
    "testing",
    "history",
    "architecture",
)
WHOLE = {  # pages that are a file of the project, with what they are called here
    "teaching": ("docs/teaching.md", ""),
    "authoring": ("docs/authoring.md", ""),
    "glossary": ("source/glossary.md", "# Glossary"),
    "further_reading": ("source/further_reading.md", ""),
    "nbjudge": ("nbjudge/README.md", "# nbjudge"),
    "hub": ("deploy/jupyterhub/README.md", ""),
    **{name: (f"nbjudge/docs/{name}.md", "") for name in OF_THE_GRADER},
    "dask": ("nbjudge/deploy/dask/README.md", ""),
    "changes": ("CHANGELOG.md", ""),
}
TITLE = re.compile(r"\A# .*\n")


def make_pages(root: Path, bundle: dict[str, bytes], download: Path, first: FirstPage) -> dict[str, bytes]:
    """The sources of all pages by their paths.

    Args:
        root: the folder of the project, whose `notebooks/` are what the lessons' text says.
        bundle: what learners get, by paths; `download`: the zip of it, which will lie beside the first page.
        first: the pieces of the first page.

    Raises:
        BuildError: a lesson cannot be released.
        Refused: the README of a folder for benchmarks does not name one of them.
    """
    lessons = find_lessons(root)
    pages = {README: "index.md", **{file: f"{page}.md" for page, (file, _) in WHOLE.items()}}
    pages |= {f"notebooks/{lesson.assignment}/{lesson.released.name}": f"lessons/{lesson.assignment}.ipynb" for lesson in lessons}
    pages |= {"notebooks/start.ipynb": "glossary.md"}

    def to_questions(lesson: Lesson, text: str) -> str:
        return redirect(text, f"notebooks/{lesson.assignment}/{lesson.released.name}", "questions.md", pages)

    size = f"{download.stat().st_size / 1e6:.1f} MB"
    computer = _without_heading(sections(bundle[README].decode(), "Begin"))
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(OWN.glob("*.md"))}
    texts = {
        name: text.replace("{cards}", first.cards)
        .replace("{explorer}", first.explorer)
        .replace("{begin}", in_lite(lessons[0]))
        .replace("{download}", download.name)
        .replace("{size}", size)
        .replace("{course}", _course(lessons))
        .replace("{computer}", computer)
        .replace("{tree}", _tree(lessons))
        .replace("{benchmarks}", _benchmarks(root))
        .replace("{explorers}", _explorers())
        .replace("{lite}", _links_to_lite(lessons))
        .replace("{questions}", list_questions(lessons, title, to_questions))
        for name, text in texts.items()
    }
    for page, (file, heading) in WHOLE.items():
        text = redirect((root / file).read_text(encoding="utf-8"), file, f"{page}.md", pages)
        texts[f"{page}.md"] = f"{heading}\n\n{TITLE.sub('', text)}" if heading else text
    for lesson in lessons:
        file = f"notebooks/{lesson.assignment}/{lesson.released.name}"
        texts[pages[file]] = make_lesson(lesson, partial(redirect, file=file, page=pages[file], pages=pages))
    drawn = [PICTURES / "check.png", PICTURES / "report.png", *(path for folder in BENCHMARKS for path in sorted((root / folder).glob("*.png")))]
    pictures = {f"pictures/{path.name}": path.read_bytes() for path in drawn}
    return {path: text.encode() for path, text in texts.items()} | pictures


def _course(lessons: list[Lesson]) -> str:
    """How long it takes, and what one needs."""
    fronts = [read_text(lesson).metadata.lesson for lesson in lessons]
    core = [front.minutes for front in fronts if not front.get("optional")]
    return (
        f"{len(core)} lessons, {round(sum(core) / 60)} hours; {len(fronts) - len(core)} more lessons are optional. "
        "You need Python functions, NumPy arrays, and the dot product."
    )


def _without_heading(text: str) -> str:
    return text.partition("\n")[2]


def _explorers() -> str:
    """The runs of all lessons, to play with."""
    return "\n".join(f"## {name.capitalize()}\n\n```{{raw}} html\n{embedded(name)}\n```\n" for name in names_of_runs())


def _links_to_lite(lessons: list[Lesson]) -> str:
    return "\n".join(f'- <a href="{in_lite(lesson)}">{title(lesson)}</a>' for lesson in lessons)


def _tree(lessons: list[Lesson]) -> str:
    return "\n".join(f"{title(lesson)} <lessons/{lesson.assignment}>" for lesson in lessons)


def _benchmarks(root: Path) -> str:
    """What the programs of the folders for benchmarks printed and drew last, each under the sentence that its README has for it.

    Raises:
        Refused: README.md says nothing of one of them.
    """
    parts = []
    for folder in BENCHMARKS:
        for names, about in re.findall(r"(?m)^\| (`.+?`) \| (.+?) \|$", (root / folder / README).read_text(encoding="utf-8")):
            about = about[0].upper() + about[1:]
            for name in re.findall(r"`(\w+\.txt)`", names):
                printed = (root / folder / name).read_text(encoding="utf-8").rstrip()
                parts.append(f"## {name.removesuffix('.txt').replace('_', ' ').capitalize()}\n\n{about}.\n\n```text\n{printed}\n```\n")
            parts += [f"![{about}. The numbers stand above.](pictures/{name})\n" for name in re.findall(r"`(\w+\.png)`", names)]
    told = "\n".join(parts)
    for path in (path for folder in BENCHMARKS for path in sorted((root / folder).glob("*.txt"))):
        if path.read_text(encoding="utf-8").rstrip() not in told:
            raise Refused(f"{path.parent.relative_to(root)}/{README} has no line for {path.name}", "add one")
    return told
