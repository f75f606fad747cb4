"""From the project's texts to the site: collect the pages, look for answers in them, hand them to Sphinx, put JupyterLite beside them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from attnlab.explorer import script, style
from authoring.bundle.answers_inside import refuse_answers
from authoring.bundle.contents import make_contents
from authoring.bundle.packing import write_folder
from authoring.bundle.refusal import Refused
from authoring.lessons import find_lessons
from website.contents import make_pages
from website.embedding import alone
from website.lite.building import build_lite

HERE = Path(__file__).parent
STATIC = "static"
LITE = "lite"  # the folder of JupyterLite, which pages link to
MARK = "site.txt"  # tells a folder that this program wrote from one that somebody else did
MARK_TEXT = "Made by `make site`, which deletes this folder and writes it anew.\n"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def build(root: Path, to: Path) -> int:
    """Write the site; the one that was there stays until the new one is whole.

    Args:
        root: the folder of the project.
        to: the folder to write.

    Returns:
        The number of pages, without those of JupyterLite.

    Raises:
        Refused: the lessons are not what `make build` makes of their text, a page would answer an exercise, a link leads nowhere,
            `to` holds something else, or what JupyterLite is made of was not fetched.
        BuildError: a lesson cannot be released.
    """
    if to.exists() and not (to / MARK).is_file() and (not to.is_dir() or any(to.iterdir())):
        raise Refused(f"{to} holds what this command has not written", "name another folder, or move what is there")
    bundle = make_contents(root)
    pages = make_pages(root)
    refuse_answers({path: data for path, data in pages.items() if path.endswith((".md", ".ipynb"))}, find_lessons(root))
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "source"), Path(folder, "site")
        write_folder(pages, source)
        (source / STATIC).mkdir()
        for name, text in (("explorer.js", script()), ("explorer.css", style())):
            (source / STATIC / name).write_text(text, encoding="utf-8")
        _run_sphinx(source, made, Path(folder, "doctrees"))
        shutil.rmtree(made / "_sources")  # empty, as `conf.py` wants none
        (made / MARK).write_text(MARK_TEXT, encoding="utf-8")
        number = len(list(made.rglob("*.html")))
        write_folder({path: text.encode() for path, text in alone().items()}, made)
        build_lite(root, bundle, made / LITE)
        if to.exists():
            shutil.rmtree(to)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, to)
    return number


def _run_sphinx(source: Path, to: Path, doctrees: Path) -> None:
    """Raises `Refused` with the first things that Sphinx says: a link without an end, a formula that cannot be read."""
    # In a process of its own: Sphinx leaves what its extensions register in the one that it runs in.
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-c",
        str(HERE),
        "-d",
        str(doctrees),
        "-D",
        f"html_static_path=static,{source / STATIC}",
        str(source),
        str(to),
    ]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True)
    if found := [line.replace(f"{source}/", "") for line in COLOUR.sub("", done.stderr).splitlines() if line.strip()]:
        raise Refused("Sphinx says: " + "; ".join(found[:5]), "mend the page that it names")
    if done.returncode:
        raise Refused(f"Sphinx ended with {done.returncode} and said nothing", "run it again; see whether the disk is full")
