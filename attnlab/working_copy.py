"""The folder that a learner works in: a copy of the released lessons, into which each new version of a lesson takes along what was written.

`bring` is called before JupyterLab opens. It never changes `notebooks/`, and never overwrites a file of the learner's without keeping it beside.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from nbformat import NotebookNode

from attnlab.new_version import Update, answers_in, update
from attnlab.wording import few_of, printable

RELEASED = ".released"  # in the working copy: each file as it was released when it was last brought there
PROGRESS = ".progress.json"  # beside a lesson, by `attnlab.check.session`
NOT_LESSONS = ("__pycache__",)
CONFLICT = re.compile(r"^(<<<<<<<|=======|>>>>>>>)( |$)", re.MULTILINE)
MOST = 12  # names that a line lists
SECONDS = 3  # for a running JupyterLab to say what is open
START_AGAIN = "then start again"


class WorkingCopyError(Exception):
    """There is no folder to work in: what happened, and the next step."""


class _Stays(Exception):
    """A file stays as it is: why, and the next step."""

    def __init__(self, why: str, next_step: str):
        super().__init__(f"{why}. Next: {next_step}.")


def bring(notebooks: Path, work: Path) -> list[str]:
    """Make the working copy, or bring it up to date. A file that is up to date is left alone to the byte.

    Args:
        notebooks: the released lessons.
        work: the folder that the learner works in.

    Returns:
        What to tell the learner, line by line; nothing where nothing changed.

    Raises:
        WorkingCopyError: there are no lessons, or the folder cannot be made.
    """
    files = list(_files(notebooks))
    if not files:
        raise WorkingCopyError(f"There are no lessons in {notebooks}. Next: unpack the course again, or get the folder back from git.")
    is_first = not work.exists()
    try:
        work.mkdir(exist_ok=True)
    except OSError as error:
        step = "move the file of that name away" if work.exists() else "see to it that you may write there"
        raise WorkingCopyError(f"{work} cannot be made ({error.strerror}). Next: {step}, {START_AGAIN}.") from error
    copy = _Copy(notebooks, work)
    for file in files:
        copy.bring(file)
    if is_first:
        return [f"The lessons are now in {work.name}/, where you work. A new version of the course takes along what you write there.", *copy.said]
    return [f"New in {work.name}/: {', '.join(copy.new)}.", *copy.said] if copy.new else copy.said


def _files(notebooks: Path) -> Iterator[Path]:
    """Everything in the folder of lessons that is not hidden, in order, by its path from there."""
    for path in sorted(notebooks.rglob("*")):
        inside = path.relative_to(notebooks)
        if path.is_file() and not any(part.startswith(".") or part in NOT_LESSONS for part in inside.parts):
            yield inside


class _Copy:
    """A working copy while it is brought up to date.

    Attributes:
        said: what to tell the learner.
        new: the files that were not there.
    """

    def __init__(self, notebooks: Path, work: Path):
        self.notebooks, self.work = notebooks, work
        self.said: list[str] = []
        self.new: list[str] = []

    def bring(self, file: Path) -> None:
        """Bring one file, or say why it stays as it is."""
        shown = f"{self.work.name}/{file.as_posix()}"
        try:
            self._bring(file, shown)
        except _Stays as reason:
            self.said.append(printable(f"{shown} stays as it is: {reason}"))
        except OSError as error:
            self.said.append(f"{shown} stays as it is: {error.strerror or error}. Next: see to it that you may read and write it, {START_AGAIN}.")

    def _bring(self, file: Path, shown: str) -> None:
        released, mine, begun_with = self.notebooks / file, self.work / file, self.work / RELEASED / file
        new, known, is_notebook = released.read_bytes(), _bytes_of(begun_with), file.suffix == ".ipynb"
        if is_notebook and known != new:  # what was brought before held no answers
            if answers := answers_in(_read(new, f"{self.notebooks.name}/{file.as_posix()}")):
                self._take_along(file, new, answers)
                return
        if not os.path.lexists(mine):
            self._write(mine, _as_saved(_read(new, f"{self.notebooks.name}/{file.as_posix()}")) if is_notebook else new)
            self._write(begun_with, new)
            self.new.append(file.as_posix())
            return
        old = mine.read_bytes()
        if old == new or known == new:
            if known != new:
                self._write(begun_with, new)
            if is_notebook:
                _refuse_text(old)
            return
        made, said = self._updated(file, new, old, known) if is_notebook else (new, "is new" if old != known else "")
        if made != old:
            _refuse_to_write(mine)
            if said:
                said += f". The file as it was: {self._keep(mine, old).relative_to(self.work.parent).as_posix()}"
            if mine.read_bytes() != old:
                raise _Stays("it was saved while its new version was made", START_AGAIN.removeprefix("then "))
            self._write(mine, made)
        self._write(begun_with, new)  # last: a start that was cut off is made up for by the next one
        if said:
            self.said.append(printable(f"{shown} {said}."))

    def _updated(self, file: Path, new: bytes, old: bytes, known: bytes | None) -> tuple[bytes, str]:
        """The new version of a lesson with what the learner wrote, and what to say of it; nothing where the learner wrote nothing."""
        mine, released = _read(old), _read(new, f"{self.notebooks.name}/{file.as_posix()}")
        try:
            begun_with = _read(known) if known else None
        except _Stays:  # somebody was in the hidden folder
            begun_with = None
        made = update(mine, released, begun_with)
        return (_as_saved(released), "") if made.is_empty else (_as_saved(made.notebook), _told(made))

    def _take_along(self, file: Path, filled: bytes, answers: list[str]) -> None:
        """A lesson that somebody worked in where it was released: it is the learner's copy, if there is none yet."""
        released, mine, shown = self.notebooks / file, self.work / file, f"{self.notebooks.name}/{file.as_posix()}"
        if not os.path.lexists(mine):
            self._write(mine, filled)
            if (content := _bytes_of(released.with_name(PROGRESS))) and not os.path.lexists(mine.with_name(PROGRESS)):
                self._write(mine.with_name(PROGRESS), content)
            self.said.append(
                f"{self.work.name}/{file.as_posix()} has your answers from {shown} ({few_of(answers, MOST)}). Go on in {self.work.name}/."
            )
        elif mine.read_bytes() != filled:
            raise _Stays(
                f"{shown} holds answers, too ({few_of(answers, MOST)}), so it is not the released lesson",
                f"copy from it what you miss, delete it, and get the released one back from the course's zip or from git, {START_AGAIN}",
            )

    def _keep(self, mine: Path, content: bytes) -> Path:
        """Keep a file beside itself under a name that says since when it is an old one."""
        number = 1
        while True:
            name = f"{mine.stem}-before-{date.today().isoformat()}{f'-{number}' if number > 1 else ''}{mine.suffix}"
            kept = mine.with_name(name)
            if not os.path.lexists(kept):
                self._write(kept, content)
                return kept
            if _bytes_of(kept) == content:
                return kept
            number += 1

    def _write(self, path: Path, content: bytes) -> None:
        """Write a whole file or nothing, even if the machine stops."""
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".new-{secrets.token_hex(8)}")
        try:
            with fresh.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileNotFoundError):
                fresh.chmod(stat.S_IMODE(path.stat().st_mode))
            os.replace(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _refuse_text(content: bytes) -> None:
    """Raise where a file is no notebook."""
    try:
        text = content.decode()
        told = json.loads(text)
    except UnicodeDecodeError as error:
        raise _Stays("it is no text in UTF-8, so it is no notebook", "save it as a notebook, or give it another name and start again") from error
    except (ValueError, RecursionError) as error:
        if conflict := CONFLICT.search(text):
            line = text.count("\n", 0, conflict.start()) + 1
            raise _Stays(
                f"git left the marks of a merge conflict in it, the first in line {line}",
                f"end the merge, for example with `git checkout --ours`, {START_AGAIN}; or give it another name, and you get the lesson anew",
            ) from error
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise _Stays(
            f"it cannot be read as a notebook{where}", "give it another name and start again: you get the lesson anew, and can copy from the old file"
        ) from error
    if not isinstance(told, dict) or not isinstance(told.get("cells", told.get("worksheets")), list):
        raise _Stays("it holds no cells, so it is no notebook", "give it another name and start again: you get the lesson anew")


def _read(content: bytes, name: str = "") -> NotebookNode:
    """A notebook, of any version that Jupyter can read.

    Args:
        name: of the file, where it is another one than the learner's.
    """
    try:
        _refuse_text(content)
    except _Stays as reason:
        if not name:
            raise
        raise _Stays(f"{name} is no notebook", f"get it back from the course's zip or from git, {START_AGAIN}") from reason
    try:
        notebook = nbformat.reads(content.decode(), as_version=4)
        nbformat.validate(notebook)
    except Exception as error:  # nbformat raises whatever a malformed notebook leads to
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise _Stays(
            f"{name or 'it'} is not a notebook that Jupyter can read ({why})", "give it another name and start again: you get the lesson anew"
        ) from error
    return notebook


def _as_saved(notebook: NotebookNode) -> bytes:
    """A notebook as JupyterLab saves it here: as soon as one is opened that does not name the kernel's Python, it counts as changed."""
    from ipykernel.ipkernel import IPythonKernel  # here: it takes long to import, and on most days nothing is written

    notebook.metadata.language_info = nbformat.from_dict(IPythonKernel.language_info)
    return (nbformat.writes(notebook) + "\n").encode()


def _told(made: Update) -> str:
    """What to say of a lesson's new version."""
    parts = [f"your answers to {few_of(made.answers, MOST)}"] if made.answers else []
    if made.own:
        parts.append(f"{made.own} cell{'s' if made.own != 1 else ''} that you added or changed")
    if made.ended:
        parts.append(f"at its end what it no longer asks for ({few_of(made.ended, MOST)})")
    said = f"is the new version of the lesson, with {', '.join(parts)}"
    if made.tasks_changed:
        said += f". The exercise changed, so read and check it again: {few_of(made.tasks_changed, MOST)}"
    return said


def _refuse_to_write(path: Path) -> None:
    """Raise where a file is not to be replaced now."""
    if not path.stat().st_mode & stat.S_IWUSR:
        raise _Stays("it may only be read, and the lesson has a new version", f"make it writable, {START_AGAIN}")
    if is_open(path):
        raise _Stays(
            "it is open in a running JupyterLab, and the lesson has a new version",
            f"save it there and choose File › Close and Shut Down Notebook, {START_AGAIN}",
        )


def is_open(path: Path) -> bool:
    """Whether a JupyterLab of this user runs with a notebook open; also where it runs above it and does not say what is open."""
    try:
        from jupyter_server.serverapp import list_running_servers
    except ImportError:  # then no JupyterLab is here
        return False
    path = path.resolve()
    for server in list_running_servers():
        root = Path(server["root_dir"]).resolve()
        if path.is_relative_to(root) and any((root / one).resolve() == path for one in _open_files(server, path, root)):
            return True
    return False


def _open_files(server: dict[str, str], path: Path, root: Path) -> list[str]:
    """The paths of the notebooks that a server has kernels for; this one where it does not say."""
    request = urllib.request.Request(urljoin(server["url"], "api/sessions"), headers={"Authorization": f"token {server.get('token', '')}"})
    try:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=SECONDS) as answer:
            return [str(one["path"]) for one in json.load(answer)]
    except (OSError, ValueError, KeyError, TypeError):
        return [path.relative_to(root).as_posix()]
