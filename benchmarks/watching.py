"""Seconds from a hand-in to its feedback page with `nbjudge watch`: python benchmarks/watching.py [HAND-INS]

Lessons of students who have everything right and of students who have half of it wrong, by turns, are handed in one after the other, each when the
page of the one before is there. Before the first one, nothing is handed in for a minute.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from authoring.lessons import find_lessons
from benchmarks.classes import lessons_class

COUNT, REST, MOST_SECONDS, IDLE_SECONDS = 100, 0.02, 120, 60


def main() -> None:
    """Print how long they took, by assignment and together."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    print(f"python benchmarks/watching.py, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run")
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        students = -(-count // len(find_lessons()))
        lessons_class(course, students, half_wrong=range(1, students, 2))
        handed_in = sorted((course / "submitted").glob("*/*"), key=lambda path: path.parent.name)[:count]
        waiting = course / "waiting"
        (course / "submitted").rename(waiting)
        (course / "submitted").mkdir()
        with subprocess.Popen([sys.executable, "-m", "nbjudge", "watch"], cwd=course, stdout=subprocess.PIPE, text=True) as watch:
            assert watch.stdout is not None
            next(line for line in watch.stdout if line.startswith("watching"))
            time.sleep(IDLE_SECONDS)
            seconds: dict[str, list[float]] = {}
            for place in handed_in:
                seconds.setdefault(place.name, []).append(_hand_in(course, waiting / place.parent.name / place.name, place.parent.name))
            watch.terminate()
            watch.stdout.read()
    for name, found in sorted(seconds.items()):
        print(f"  {name:<26} {len(found):>4} {statistics.median(found):6.2f} s median {max(found):6.2f} s at most")
    every = sorted(second for found in seconds.values() for second in found)
    print(f"  {'all':<26} {len(every):>4} {statistics.median(every):6.2f} s median {every[int(len(every) * 0.95) - 1]:6.2f} s for 95 of 100")


def _hand_in(course: Path, notebook: Path, student: str) -> float:
    """Seconds until the feedback on a hand-in is there."""
    (course / "submitted" / student).mkdir(exist_ok=True)
    begun = time.perf_counter()
    shutil.move(notebook, course / "submitted" / student / notebook.name)
    while not list((course / "feedback" / student / notebook.name).glob("*.html")):
        if time.perf_counter() - begun > MOST_SECONDS:
            raise SystemExit(f"no feedback for {student}, {notebook.name}")
        time.sleep(REST)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
