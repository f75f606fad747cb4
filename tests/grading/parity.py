"""Compare the grader's points with those of a plain run, for every answer in `source/*/answers`.

    python -m tests.grading.parity [LESSON ...]

Not part of `make test`, which takes a sample (`test_parity.py`): all answers take several minutes on two cores.
Prints each difference, then the counts; exit status 1 when there is one.
"""

from __future__ import annotations

import sys
import time

from authoring.answer_files import Answer, find_answers
from authoring.lessons import Lesson, find_lessons
from nbjudge import Execution
from nbjudge.testing.steps import Job, Pool

from .test_parity import instructor_of, name_of, points_in_one_process, trimmed


def main() -> int:
    """Compare the answers of the lessons named on the command line, or of all."""
    wanted = sys.argv[1:]
    answers = {name_of(lesson, answer): (lesson, answer) for lesson in find_lessons() for answer in find_answers(lesson)}
    answers = {name: pair for name, pair in answers.items() if not wanted or name.split("/")[0] in wanted}
    started, different, right = time.monotonic(), 0, 0
    with Pool(packages=("attnlab",)) as pool:
        jobs = (Job(name, trimmed(*pair), instructor_of(pair[0], pair[1].exercise)) for name, pair in answers.items())
        for done, (name, execution) in enumerate(pool.run(jobs), 1):
            difference = _difference(*answers[name], execution)
            right += answers[name][1].right
            if difference:
                different += 1
                print(f"{name}: {difference}", flush=True)
            if done % 50 == 0:
                print(f"{done} of {len(answers)} after {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print(f"{len(answers)} answers compared, {right} right and {len(answers) - right} wrong ones: {different} differ")
    return 1 if different or not answers else 0


def _difference(lesson: Lesson, answer: Answer, execution: Execution) -> str:
    """How the two runs differ; empty when they do not."""
    points = {verdict.grade_id: verdict.points for verdict in execution.verdicts}
    plain = points_in_one_process(lesson, answer)
    if points == plain:
        return ""
    messages = {verdict.grade_id: verdict.message for verdict in execution.verdicts}
    return "; ".join(
        f"{test}: nbjudge {points.get(test)}, plain {plain.get(test)} ({messages.get(test)})"
        for test in {**plain, **points}
        if points.get(test) != plain.get(test)
    )


if __name__ == "__main__":
    sys.exit(main())
