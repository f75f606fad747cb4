"""Grade a class on a cluster of four worker processes while everything is killed at random, the command itself, too.

    python benchmarks/killed.py [STUDENTS [COMMANDS]]

Then compares every student's points with those of an undisturbed run on this machine. Ends with an assertion where one differs, or is not there.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from nbjudge.testing import killer, small_course
from nbjudge.testing.machines import machines

WORKERS, PAUSE, SEED = 4, 15.0, 20261123


def main() -> None:
    """One disturbed run."""
    students, commands = (int(one) for one in [*sys.argv[1:], "1000", "4"][:2])
    with tempfile.TemporaryDirectory() as folder:
        undisturbed = small_course.make(Path(folder, "undisturbed"))
        small_course.run(undisturbed, "nbjudge", "grade")
        by_answer = list(killer.points(undisturbed).values())
        assert list(killer.points(undisturbed)) == list(small_course.ANSWERS)
        root = killer.make_class(Path(folder, "course"), students)
        with machines(Path(folder, "dask"), WORKERS, nannies=True) as cluster:
            began = time.monotonic()
            killed = killer.grade_disturbed(root, cluster, random.Random(SEED), PAUSE, commands, students // 8, seconds=300)
            seconds = time.monotonic() - began
        expected = {f"s{number:04d}": by_answer[number % len(by_answer)] for number in range(students)}
        found = killer.points(root)
        print(f"{students} students, {WORKERS} worker processes, {seconds:.0f} s")
        print("killed: " + ", ".join(f"{kind} {count} times" for kind, count in sorted(killed.items())))
        said = (root / "said.txt").read_text()
        print(f"not graded at first, for a reason of the machinery's, and graded by a later run: {said.count('   not graded  ')}")
        print(
            f"submissions with points in the gradebook: {len(found)}; with other points than undisturbed: "
            f"{sum(found.get(name) != points for name, points in expected.items())}"
        )
        assert found == expected
        receipts, pages = len(list(root.glob("autograded/*/*/.graded.json"))), len(list(root.glob("feedback/*/*/*.html")))
        print(f"receipts: {receipts}; feedback pages: {pages}")
        assert receipts == pages == students


if __name__ == "__main__":
    main()
