"""Grades one hostile submission with stock nbgrader, inside a cage, and says what became of it.

Stock nbgrader runs student code with the user's own rights. Here it runs inside the grader's two layers of namespaces (see
`nbjudge._sandbox.bubblewrap`, `nbjudge._student.namespaces`), so that what it is made to grade harms nobody: no network, no other process, no file
but a course in a memory file system of limited size. What it may take is limited as well, by limits that it does not have by
itself; `Outcome.took` names those that it ran into. What the kernel keeps for it, no process has: where a memory cgroup can be
made, it holds that, too.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from nbjudge._sandbox import bubblewrap, memory_groups
from nbjudge._sandbox.bubblewrap import FIRST_UID

FIRST = FIRST_UID + 500_000_000  # of the users that the cages belong to
_numbers = itertools.count()
ABOVE = 40  # seconds that the outer end waits longer than the inner one


@dataclass(frozen=True)
class Cage:
    """What stock nbgrader and all that it starts may take."""

    seconds: float = 300  # by the clock; then it is ended
    cell_seconds: float = 30  # nbgrader's own timeout of one cell, by the clock, too
    processes: int = 200  # and threads
    memory_mb: int = 3072  # address space of each process
    together_mb: int = 4096  # resident in all processes together
    disk_mb: int = 256  # the course and everything else that can be written; 20000 files


@dataclass(frozen=True)
class Outcome:
    """What stock nbgrader made of a submission."""

    seconds: float = 0.0
    points: dict[str, float] = field(default_factory=dict)  # of each test cell
    error: str = ""  # what `Autograde` stopped with; "hangs", "killed"
    processes_left: int = 0
    files_left: int = 0  # in `autograded/`, beside notebooks
    megabytes_left: float = 0.0
    took: tuple[str, ...] = ()  # the limits of the cage that it ran into


def grade(source: NotebookNode, submission: NotebookNode, friends: NotebookNode | None = None, cage: Cage = Cage()) -> Outcome:
    """Grade `submission` of a student in a new course with this `source`, in which `friends` notebook lies beside it."""
    box = Path(tempfile.mkdtemp(prefix="stock-", dir="/tmp"))
    try:
        notebooks = {"source/first": source, "submitted/student/first": submission}
        if friends is not None:
            notebooks["submitted/friend/first"] = friends
        for place, notebook in notebooks.items():
            (box / "course" / place).mkdir(parents=True)
            nbformat.write(notebook, box / "course" / place / "work.ipynb")
        for script in ("stock_inside.py", "stock_autograde.py", "friend.py"):
            shutil.copy(Path(__file__).with_name(script), box)
        own = FIRST + os.getpid() % 100_000 * 100 + next(_numbers) if os.geteuid() == 0 else None
        told = json.dumps({"box": str(box), "uid": own, "keep": bubblewrap.shown_in_covered(()), **vars(cage)})
        if own is not None:
            for path in (box, *box.rglob("*")):
                os.chown(path, own, own)
        line = bubblewrap.command(str(box), (), [sys.executable, str(box / "stock_inside.py"), told])
        with _memory_group(cage.together_mb + cage.disk_mb) as entering:
            done = subprocess.run(
                [*entering, *line], capture_output=True, text=True, timeout=cage.seconds + ABOVE, stdin=subprocess.DEVNULL, check=False
            )
        said = done.stdout.strip().splitlines()
        if not said:
            return Outcome(error="killed" if done.returncode < 0 or done.returncode > 128 else done.stderr.strip()[-200:] or "killed")
        return Outcome(**{**json.loads(said[-1]), "took": tuple(json.loads(said[-1])["took"])})
    except subprocess.TimeoutExpired:
        return Outcome(seconds=cage.seconds + ABOVE, error="hangs")
    finally:
        shutil.rmtree(box, ignore_errors=True)


@contextlib.contextmanager
def _memory_group(megabytes: int) -> Iterator[list[str]]:
    """A command to put before another one, which then runs in a memory group; nothing where no group can be made."""
    groups = memory_groups.groups_named(f"nbjudge-stock-{os.getpid()}-{next(_numbers)}")
    if groups is None:
        yield []
        return
    group = groups.make("k", megabytes)
    try:
        yield ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(group.folder / "cgroup.procs")]
    finally:
        group.close()
        groups.close()
