"""How many cells of lessons are found again after what editors do to a notebook. Usage: python -m benchmarks.recovery [STUDENTS]

Writes `benchmarks/recovery.txt`. Nothing is timed.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from authoring.lessons import find_lessons
from nbjudge.testing.editors import KINDS
from specimens.recovering import recovered

FATES = ("found", "shown", "missed", "wrong")
RESULT = Path(__file__).with_suffix(".txt")
HEAD = """Cells that nbgrader knows, in notebooks of all lessons: {students} drawn students work in them, then an editor changes them
(nbjudge.testing.editors).
found: it has its name again, for sure. shown: a person is asked to look. missed: put back as if it were gone. wrong: another cell has its name.
"""


def main(arguments: list[str]) -> int:
    """Count, and write the table."""
    students = int(arguments[0]) if arguments else 20
    lines = [HEAD.format(students=students), f"{'what happened':28}{'cells':>8}" + "".join(f"{fate:>10}" for fate in FATES) + f"{'found %':>10}"]
    everything: Counter[str] = Counter()
    for kind in KINDS:
        counts: Counter[str] = Counter()
        for lesson in find_lessons():
            for student in range(students):
                counts += recovered(lesson, kind, student)
        lines.append(_line(kind, counts))
        print(lines[-1], flush=True)
        everything += counts
    lines.append(_line("all", everything))
    RESULT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _line(name: str, counts: Counter[str]) -> str:
    total = counts.total()
    return f"{name:28}{total:8}" + "".join(f"{counts[fate]:10}" for fate in FATES) + f"{100 * counts['found'] / total:10.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
