"""How many failures of a drawn class have a cause with a name in its report, lesson by lesson.

    python benchmarks/named_causes.py [LESSON ...] [--students 200] [--seed 1] [--invented] > benchmarks/named_causes.txt

The class is that of `python -m demonstration --students 200`; its README states the mixture. Each lesson is graded anew, in a folder of its own. With
`--invented` wrong answers are those that people invented who saw only the cards, where an exercise has any: the checks were not written for them.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))

from authoring.lessons import ROOT, Lesson, find_lessons
from authoring.pairing import pair
from demonstration.drawn import Draw, make_drawn
from nbjudge import Course
from nbjudge.testing.steps import Cause, grade_class, make, share_named

WAYS = {
    "check": "a visible check",
    "test": "a test's message",
    "nbjudge": "the grader",
    "cell": "the cell that stopped",
    "value": "the same result",
    "exception": "an exception",
    "limit": "time or end of program",
    "line": "the line of the test",
    "": "nothing",
}


def causes_of(lesson: Lesson, students: int, draw: Draw) -> tuple[list[Cause], int, float]:
    """The causes of one lesson's failures, how many were graded, and the seconds that grading and report took."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "source").mkdir()
        shutil.copytree(lesson.folder, root / "source" / lesson.assignment)
        shutil.copy(ROOT / "nbgrader_config.py", root)
        course = Course(root)
        make_drawn(course, students, draw, [lesson])
        began = time.monotonic()
        graded = sum(outcome.why == "" for outcome in grade_class(course))
        whole = make(course, Console(file=io.StringIO()))
        return [cause for part in whole.parts for cause in part.causes], graded, time.monotonic() - began


def row(name: str, causes: list[Cause], graded: int, seconds: float) -> str:
    """A line of the table."""
    named, failures = share_named(causes)
    unnamed = [cause for cause in causes if not cause.is_named]
    return (
        f"{name:<24}{graded:>8}{failures:>10}{named:>8}{named / max(1, failures):>8.0%}{len(causes) - len(unnamed):>9}{len(unnamed):>10}"
        f"{seconds:>9.0f}"
    )


def main() -> None:
    """Print the table, and below it how the failures divide."""
    warnings.filterwarnings("ignore", module=r"nbgrader\.api")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lesson", nargs="*")
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--invented", action="store_true")
    chosen = parser.parse_args()
    wrong = "invented by strangers" if chosen.invented else "of source/*/answers"
    print(f"{chosen.students} drawn students, seed {chosen.seed}, wrong answers {wrong}\n")
    print(f"{'lesson':<24}{'graded':>8}{'failures':>10}{'named':>8}{'share':>8}{'causes':>9}{'unnamed':>10}{'seconds':>9}")
    every: list[Cause] = []
    total, spent = 0, 0.0
    for lesson in find_lessons():
        if chosen.lesson and lesson.assignment not in chosen.lesson:
            continue
        pair(lesson)
        causes, graded, seconds = causes_of(lesson, chosen.students, Draw(chosen.seed, chosen.invented))
        print(row(lesson.assignment, causes, graded, seconds), flush=True)
        every, total, spent = every + causes, total + graded, spent + seconds
    print(row("all", every, total, spent))
    print("\nwhere the name, or the sign in its place, comes from:")
    for by, words in WAYS.items():
        count = sum(len(cause.students) for cause in every if cause.by == by)
        print(f"  {words:<24}{count:>6}")


if __name__ == "__main__":
    main()
