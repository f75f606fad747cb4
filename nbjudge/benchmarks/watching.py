"""What `nbjudge watch` pays for looking at all hand-ins again and again: python benchmarks/watching.py [STUDENTS ...]

Each size is looked at in two ways, by turns: `sight.look`, which the watcher uses, and `intake.places` with each file's times by pathlib, as
one would write it first. "every" is how often the watcher looks then, which keeps looking below a sixth of one processor's time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from nbjudge._course.intake import places
from nbjudge._watch.scan import look
from nbjudge._watch.watcher import LOOK_SECONDS, SHARE

SIZES = (30, 300, 3000, 10_000)
ASSIGNMENTS, TURNS = 7, 3


def make(root: Path, students: int) -> None:
    """A notebook and a timestamp for each hand-in."""
    for student in range(students):
        for assignment in range(ASSIGNMENTS):
            folder = root / f"s{student}" / f"{assignment}_lesson"
            folder.mkdir(parents=True)
            (folder / "lesson.ipynb").write_text("{}", encoding="utf-8")
            (folder / "timestamp.txt").write_text("2026-01-31 12:00:00 UTC", encoding="utf-8")


def by_pathlib(root: Path) -> object:
    """The same knowledge: every hand-in, and when any of its files changed."""
    return {place: max(path.lstat().st_ctime_ns for path in (place, *place.rglob("*"))) for place in places(root)}


def seconds(way: Callable[[Path], object], root: Path) -> float:
    """Of one look."""
    begun = time.perf_counter()
    way(root)
    return time.perf_counter() - begun


def main() -> None:
    """Print a line for each size."""
    print(f"{'students':>9} {'hand-ins':>9} {'a look':>9} {'pathlib':>9} {'ratio':>6} {'every':>7}")
    for students in map(int, sys.argv[1:] or SIZES):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder), students)
            pairs = [(seconds(look, Path(folder)), seconds(by_pathlib, Path(folder))) for _ in range(TURNS)]
            ours, theirs = (median(pair[way] for pair in pairs) for way in (0, 1))
            ratio = median(pair[1] / pair[0] for pair in pairs)
            every = max(LOOK_SECONDS, SHARE * ours)
            print(f"{students:>9} {students * ASSIGNMENTS:>9} {ours:>7.3f} s {theirs:>7.3f} s {ratio:>6.1f} {every:>5.1f} s")


if __name__ == "__main__":
    main()
