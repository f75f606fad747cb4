"""What follow-through costs: notebooks of lesson 1 executed with it and without, in turn, in one process. Prints ratios of one run.

python benchmarks/follow_through.py [PAIRS]
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import nbformat

from authoring.answer_files import answers_to
from authoring.answers import fill_in, solution_sources
from authoring.lessons import find_lessons, read_text
from nbjudge import Course
from nbjudge.testing.steps import Instructor, WarmKernels, execute

PAIRS = 10
CLASSES = {  # what each submission of a class holds: an exercise and a wrong answer to it
    "all answers right": {},
    "an early failure that two exercises call": {"softmax": "wrong/over_all_entries"},
    "a late failure that none calls": {"embed": "wrong/unknown_is_skipped"},
}


def main() -> None:
    """Measure each class."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    lesson = find_lessons()[0]
    limits = Course(lesson.root).executor().chosen_limits()
    without = Instructor(read_text(lesson))
    solved = fill_in(nbformat.read(lesson.released, as_version=4), solution_sources(nbformat.read(lesson.solution, as_version=4)))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run; {pairs} pairs for each class")
    with WarmKernels(("attnlab",)) as warm:
        for words, wrong in CLASSES.items():
            handed_in = fill_in(solved, {exercise: answers_to(lesson, exercise)[key].source for exercise, key in wrong.items()})
            ratios, points = [], {}
            for pair in range(pairs + 1):  # the first one imports
                seconds = {}
                for instructor in (without, replace(without, follow_through=True))[:: 1 if pair % 2 else -1]:
                    began = time.perf_counter()
                    verdicts = execute(handed_in, instructor, warm, limits).verdicts
                    seconds[instructor.follow_through] = time.perf_counter() - began
                    points[instructor.follow_through] = sum(verdict.points for verdict in verdicts)
                ratios.append(seconds[True] / seconds[False])
            low, middle, high = statistics.quantiles(ratios[1:], n=4)
            print(
                f"  {words}: {middle:.2f} times the time, half of them from {low:.2f} to {high:.2f}; {points[False]:g} points become {points[True]:g}"
            )


if __name__ == "__main__":
    main()
