"""Where the time of a submission goes, by part: every lesson, right and half wrong, and a small notebook.

    python benchmarks/parts.py [ASSIGNMENT ...] > benchmarks/parts.txt

Each is graded twice in one process, one after the other, and the second time counts. Half wrong: a wrong answer to the first exercise, to the third
and so on. Processor time stays true on a busy machine; the clock does not.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from attnlab import check, exercises
from attnlab.diagnosis import policy
from benchmarks.classes import lessons_class, small_class
from nbjudge import Course
from nbjudge.testing.parts import (
    ANSWERING,
    AROUND,
    ASKING,
    CELLS,
    FUNCTIONS,
    GARBAGE,
    HIDDEN,
    KERNEL,
    PIPES,
    REST,
    TESTS,
    Parts,
    Spent,
    graded_in_parts,
)

CHECK, DIAGNOSIS = "check", "diagnosis"
OTHERS = ((CHECK, check, (*exercises.names(), "on_other_numbers")), (DIAGNOSIS, policy, ("_explain",)))
COLUMNS = {  # of each part: its heading, and what it is
    "preparation": ("prepare", "read, sanitise and match what was handed in"),
    KERNEL: ("kernel", "start, watch and end kernels"),
    CELLS: ("cells", "the student's cells, with their outputs"),
    ASKING: ("asking", "the grader's side of questions to the kernel; by the clock, all of them from beginning to end"),
    FUNCTIONS: ("functions", "what questions call: the student's functions"),
    ANSWERING: ("answers", "the kernel's side of questions, without these"),
    CHECK: ("check", "the visible checks, without their questions"),
    DIAGNOSIS: ("diagnosis", "what looks for the cause of something wrong, without its questions"),
    TESTS: ("tests", "the lines of test cells that students see"),
    HIDDEN: ("hidden", "the hidden ones"),
    AROUND: ("around", "what is made ready for tests: names, guards, verdicts"),
    PIPES: ("pipes", "pack and unpack what goes to a worker and comes back"),
    "keeping": ("keep", "the store of results"),
    "record": ("record", "gradebook and autograded/"),
    "pages": ("pages", "make harmless, feedback, receipt"),
    GARBAGE: ("garbage", "Python's looks at all objects of the grader"),
    REST: ("rest", "what no part explains"),
}
MOST = 0.05  # of the whole that no part explains
Row = tuple[str, Parts]


def measured(make: Callable[[Path, int], None], kinds: tuple[str, ...] = ("right",)) -> Iterator[tuple[str, Row]]:
    """Grade a class in which each kind of student comes twice, one after the other; the kinds, and what the second ones took."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), 2 * len(kinds))
        for student, assignment, found in graded_in_parts(Course(Path(folder)), OTHERS):
            if (number := int(student[1:])) >= len(kinds):
                unexplained = found.parts[REST].processor / found.whole.processor
                assert 0 <= unexplained <= MOST, f"{assignment}: no part explains {unexplained:.1%} of its processor time"
                yield kinds[number - len(kinds)], (assignment, found)


def table(rows: list[Row], seconds: Callable[[Spent], float], left_out: tuple[str, ...] = ()) -> str:
    """Seconds of each part, a line for each submission and one for all."""
    columns = {part: heading for part, (heading, _) in COLUMNS.items() if part not in left_out}
    lines = [f"{'':<24}{'whole':>7}" + "".join(f"{heading:>10}" for heading in columns.values())]
    for name, found in rows:
        lines.append(f"{name:<24}{seconds(found.whole):>7.2f}" + "".join(f"{seconds(found.parts[part]):>10.3f}" for part in columns))
    whole, parts = sum(seconds(found.whole) for _, found in rows), [sum(seconds(found.parts[part]) for _, found in rows) for part in columns]
    return "\n".join([*lines, f"{'all of them':<24}{whole:>7.2f}" + "".join(f"{part / whole:>10.1%}" for part in parts)])


def questions(rows: list[Row]) -> str:
    """What went over the wire, and who asked."""
    askers = (CHECK, DIAGNOSIS, TESTS, HIDDEN, AROUND)
    lines = [
        f"{'':<24}{'questions':>10}"
        + "".join(f"{COLUMNS[part][0]:>10}" for part in askers)
        + f"{'kB there':>10}{'kB back':>10}{'calls back':>12}{'kernels':>9}"
    ]
    for name, found in rows:
        count = f"{name:<24}{found.questions.total():>10}" + "".join(f"{found.questions[part]:>10}" for part in askers)
        lines.append(f"{count}{found.sent / 1000:>10.0f}{found.received / 1000:>10.0f}{found.called_back:>12}{found.kernels:>9}")
    return "\n".join(lines)


def main() -> None:
    """Print what each part took: in processor seconds, by the clock, and in questions."""
    warnings.simplefilter("ignore")
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run\n",
        *(f"{heading:<10}{words}" for heading, words in COLUMNS.values()),
        sep="\n",
        flush=True,
    )
    small = [] if sys.argv[1:] else measured(small_class)
    lessons = measured(lambda root, students: lessons_class(root, students, {1, 3}, sys.argv[1:]), ("right", "half wrong"))
    for kind, found in itertools.groupby(itertools.chain(small, lessons), lambda one: one[0]):
        rows = [row for _, row in found]
        print(f"\n{kind}: processor seconds\n{table(rows, lambda spent: spent.processor)}")
        print(f"\n{kind}: seconds by the clock\n{table(rows, lambda spent: spent.clock, (FUNCTIONS, ANSWERING))}")
        print(f"\n{kind}: questions to the student's kernel\n{questions(rows)}", flush=True)


if __name__ == "__main__":
    main()
