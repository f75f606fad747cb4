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
from authoring.bundle.contents import bundle_name, make_contents
from authoring.bundle.packing import write_folder, zip_bytes
from authoring.bundle.refusal import Refused
from authoring.lessons import find_lessons
from website.contents import PICTURES, make_pages
from website.embedding import alone
from website.first_page.making import make_first_page
from website.lite.building import build_lite
from website.packages import copy_packages

HERE = Path(__file__).parent
STATIC = "static"
LITE = "lite"  # the folder of JupyterLite, which pages link to
OF_THE_OTHER_SEARCH = ("searchtools.js", "language_data.js")  # Sphinx copies them even where `searching.py` takes its search's place
PREVIEW = "preview.png"  # what others show beside a link to the site
MARK = "site.txt"  # tells a folder that this program wrote from one that somebody else did
MARK_TEXT = "Made by `make site`, which deletes this folder and writes it anew.\n"
ADDRESS = re.compile(r"https?://[^\s/]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def build(root: Path, to: Path, address: str = "") -> int:
    """Write the site; the one that was there stays until the new one is whole.

    Args:
        root: the folder of the project.
        to: the folder to write.
        address: where the site will be published; empty where that is not known.

    Returns:
        The number of pages, without those of JupyterLite.

    Raises:
        Refused: the lessons are not what `make build` makes of their text, a page would answer an exercise, a link leads nowhere,
            `to` holds something else, `address` is none, or what JupyterLite is made of was not fetched.
        BuildError: a lesson cannot be released.
    """
    if to.exists() and not (to / MARK).is_file() and (not to.is_dir() or any(to.iterdir())):
        raise Refused(f"{to} holds what this command has not written", "name another folder, or move what is there")
    if address and not ADDRESS.match(address):
        raise Refused(f"ADDRESS={address} is no address of a site", "give the whole address, such as ADDRESS=https://example.org/attention")
    bundle = make_contents(root)
    lessons = find_lessons(root)
    first = make_first_page(lessons)
    with tempfile.TemporaryDirectory() as folder:
        source, made, download = Path(folder, "source"), Path(folder, "site"), Path(folder, f"{bundle_name(root)}.zip")
        download.write_bytes(zip_bytes(bundle, bundle_name(root), is_small=True))
        pages = make_pages(root, bundle, download, first)
        refuse_answers({**bundle, **{path: data for path, data in pages.items() if path.endswith((".md", ".ipynb"))}}, lessons)
        write_folder(pages, source)
        write_folder(first.files, source / STATIC)
        shutil.copy(PICTURES / PREVIEW, source / STATIC)
        for file, text in (("explorer.js", script()), ("explorer.css", style())):
            (source / STATIC / file).write_text(text, encoding="utf-8")
        copy_packages(source / STATIC)
        _run_sphinx(source, made, Path(folder, "doctrees"), address)
        shutil.rmtree(made / "_sources")  # empty, as `conf.py` wants none
        for unused in OF_THE_OTHER_SEARCH:
            (made / "_static" / unused).unlink()
        shutil.move(download, made)
        (made / MARK).write_text(MARK_TEXT, encoding="utf-8")
        number = len(list(made.rglob("*.html")))
        write_folder({path: text.encode() for path, text in alone().items()}, made)
        build_lite(root, bundle, made / LITE)
        if to.exists():
            shutil.rmtree(to)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, to)
    return number


def _run_sphinx(source: Path, to: Path, doctrees: Path, address: str) -> None:
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
        "-D",
        f"html_baseurl={address and address.rstrip('/') + '/'}",
        str(source),
        str(to),
    ]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True)
    if found := [line.replace(f"{source}/", "") for line in COLOUR.sub("", done.stderr).splitlines() if line.strip()]:
        raise Refused("Sphinx says: " + "; ".join(found[:5]), "mend the page that it names")
    if done.returncode:
        raise Refused(f"Sphinx ended with {done.returncode} and said nothing", "run it again; see whether the disk is full")
