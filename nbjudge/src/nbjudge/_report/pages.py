"""A report as a folder of pages that open from a disk, without a network. Everything on them may have been written by a student."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nbjudge._common.terminal_text import plural, shown
from nbjudge._report import charts
from nbjudge._report.item_statistics import FEWEST
from nbjudge._report.model import FEWEST_SHARES, ReportData, share
from nbjudge._wire.errors import CannotGrade

LIST = "written-by-nbjudge.txt"  # the names of a report's files: these may be replaced
HEAD = "A report of the grader wrote these files. It replaces them when it is written again.\n"
ELSEWHERE = "choose a folder that does not exist yet, or move what is in this one"


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Write `files` into `folder`, in place of an older report there. Who reads meanwhile sees the older one or the new one.

    Raises:
        CannotGrade: the folder holds something that no report wrote, or cannot be written. Nothing of it was changed.
    """
    try:
        older = _written(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".report-", dir=folder.parent))
        try:
            _fill(aside / "new", files)
            if older is None:
                os.replace(aside / "new", folder)
            else:
                _swap(folder, aside)
        finally:
            _remove(aside / "new", [*files, LIST])
            _remove(aside / "old", [*(older or []), LIST])
            with contextlib.suppress(OSError):
                aside.rmdir()
    except OSError as error:
        why = f"the report cannot be written to {folder}: {error.strerror or error}"
        raise CannotGrade(why, "make room there, or choose another folder") from error


def _written(folder: Path) -> list[str] | None:
    """The files of the report that is there; None where nothing is there or an empty folder."""
    if not os.path.lexists(folder):
        return None
    if folder.is_symlink() or not folder.is_dir():
        raise CannotGrade(f"{folder} is there already, and it is not a folder", ELSEWHERE)
    there = sorted(os.listdir(folder))
    if not there:
        return None
    known: set[str] = set()
    if (folder / LIST).is_file() and not (folder / LIST).is_symlink():
        known = {LIST, *(folder / LIST).read_text(encoding="utf-8", errors="replace").removeprefix(HEAD).splitlines()}
    if others := [name for name in there if name not in known or (folder / name).is_symlink() or not (folder / name).is_file()]:
        raise CannotGrade(f"{folder} holds something else than a report: {others[0]!r}", ELSEWHERE)
    return there


def _fill(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    (folder / LIST).write_text(HEAD + "".join(f"{name}\n" for name in files), encoding="utf-8")


def _swap(folder: Path, aside: Path) -> None:
    os.replace(folder, aside / "old")
    try:
        os.replace(aside / "new", folder)
    except BaseException:
        os.replace(aside / "old", folder)
        raise


def _remove(folder: Path, names: list[str]) -> None:
    """Remove a report's files, and the folder if nothing else is in it."""
    with contextlib.suppress(OSError):
        for name in names:
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()


TEMPLATES = Path(__file__).with_name("templates")
INDEX, STUDENTS, SIMILAR = "index.html", "students.html", "similar.html"
SCRIPTS = ("sortable.min.js", "sortable.a11y.min.js", "pages.js")
MOST_LETTERS, MOST_OF_NAME = 4000, 160
_SPANS = re.compile(r"[^\n\t]+")


def write(folder: Path, whole: ReportData) -> Path:
    """Write the pages of a report, in place of an older report there. Returns the one to open.

    Raises:
        CannotGrade: the folder holds something that no report wrote, or cannot be written. Nothing of it was changed.
    """
    put(folder, render(whole))
    return folder / INDEX


def render(whole: ReportData) -> dict[str, str]:
    """The pages of a report by the names of their files."""
    pages = pages_of(whole)
    most = charts.points_of_all(whole)
    shared = {
        "whole": whole,
        "pages": pages,
        "most": most,
        "standings": [charts.standing(line) for line in whole.lines],
        "names": {line.student: line.name for line in whole.lines},
        "titles": {page.part.assignment: page.part.title for page in pages},
        "files": {page.part.assignment: page.file for page in pages},
    }
    made = {INDEX: _page("index.html.j2", shared | {"here": INDEX})}
    for page in pages:
        made[page.file] = _page("assignment.html.j2", shared | {"here": page.file, "page": page})
    made[STUDENTS] = _page("students.html.j2", shared | {"here": STUDENTS})
    if whole.alike is not None:
        made[SIMILAR] = _page("similar.html.j2", shared | {"here": SIMILAR})
    return made


def pages_of(whole: ReportData) -> list[charts.Page]:
    """The assignments of a report, each with the file that tells of it."""
    return [charts.Page(part, file_name(place, part.assignment)) for place, part in enumerate(whole.parts, start=1)]


def file_name(place: int, assignment: str) -> str:
    """A name for an assignment's page that every system can have, and no other page has."""
    plain = re.sub(r"[^a-z0-9]+", "-", assignment.lower()).strip("-")[:40].strip("-")
    return f"assignment-{place:02}{'-' if plain else ''}{plain}.html"


def visible(text: str) -> str:
    """The same text with signs for what cannot be seen or would turn a line round, such as "\\u202e". Lines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _SPANS.sub(lambda found: shown(found[0], 10 * len(found[0])), text.replace("\r\n", "\n"))


def cut(text: str, most: int = MOST_LETTERS) -> str:
    """At most so many letters of a text, and how many are left out."""
    return text if len(text) <= most else f"{text[:most]}… (and {len(text) - most:,} letters more)"


def _page(template: str, names: Mapping[str, Any]) -> str:
    return _templates().get_template(template).render(names)


@cache
def _templates() -> Environment:
    """Whatever a template shows is made visible and escaped, unless it was put together by a template before."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    style, scripts = _own("report.css"), [_own(name) for name in SCRIPTS]
    policy = f"default-src 'none'; style-src {_hashed(style)}; script-src {' '.join(map(_hashed, scripts))}; form-action 'none'; base-uri 'none'"
    environment.globals |= {
        "style": style,
        "scripts": scripts,
        "policy": policy,
        "INDEX": INDEX,
        "STUDENTS": STUDENTS,
        "SIMILAR": SIMILAR,
        "charts": charts,
        "plural": plural,
        "share": share,
        "FEWEST": FEWEST,
        "FEWEST_SHARES": FEWEST_SHARES,
        "NAME": MOST_OF_NAME,
    }
    environment.filters |= {"cut": cut, "number": charts.number, "percent": charts.percent}
    environment.globals["parts"] = environment.get_template("parts.html.j2").module
    return environment


def _own(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_bytes().decode())  # written here, and no part of it by a student


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
