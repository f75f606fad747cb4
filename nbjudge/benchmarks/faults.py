"""Prints what each fault of nbjudge/hostile/faults costs: with the grader, and with stock nbgrader, run live beside it.

    python benchmarks/faults.py [NAME ...]

The notebook has four tests of one point; the fault sits in the answer to one of them, so three points are the right grade. Both
have the same limit for a cell. Stock nbgrader runs in the cage of `stock.py`; the last column names the limits of the cage that
it ran into, which it does not have by itself: there, the machine would have been the limit. Seconds depend on what else the machine
does, and stock nbgrader starts Python and a kernel in its own.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import stock

from hostile import FAULTS, fault_source
from nbjudge._execution.execute import execute
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.limits import Limits
from nbjudge.testing.processes import descendants

CAGE = stock.Cage()
LIMITS = Limits(cell_seconds=CAGE.cell_seconds, test_seconds=CAGE.cell_seconds)
OTHERS = {"before", "after", "after_all"}  # the tests that the fault is not in
ROW = "{:<29}{:<24}{:>5}  {:<45}{:>5}  {:<28}{}"


def main() -> None:
    """Print the table and a summary."""
    paths = [path for path in FAULTS if not sys.argv[1:] or path.stem in sys.argv[1:]]
    with WarmKernels() as warm:
        ours = [_nbjudge(path, warm) for path in paths]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        theirs = list(threads.map(_stock, paths))
    print(ROW.format("", "nbjudge", "", "stock nbgrader", "", "", "").rstrip())
    print(ROW.format("fault", "other tests graded", "s", "other tests graded", "s", "left behind", "limits met"))
    for path, (graded, seconds, left), outcome in zip(paths, ours, theirs, strict=True):
        found = f"{graded} of 3" + (f", {left} left behind" if left else "")
        print(
            ROW.format(
                path.stem, found, f"{seconds:.0f}", _words(outcome), f"{outcome.seconds:.0f}", _left(outcome), ", ".join(outcome.took)
            ).rstrip()
        )
    fine, lost = sum(_graded(outcome.points) == 3 for outcome in theirs), sum(not outcome.points for outcome in theirs)
    print(
        f"\n{len(paths)} faults. All other tests graded: nbjudge {sum(graded == 3 for graded, _, _ in ours)}, stock nbgrader {fine}. "
        f"Whole submission lost: nbjudge {sum(graded == 0 for graded, _, _ in ours)}, stock nbgrader {lost}.\n"
        f"Something left behind: nbjudge {sum(left > 0 for _, _, left in ours)}, stock nbgrader {sum(bool(_left(one)) for one in theirs)}. "
        f"Ran into a limit that stock nbgrader does not have by itself: {sum(bool(one.took) for one in theirs)}."
    )


def _submission(path: Path):
    submission = fault_source()
    submission.cells[3].source = path.read_text(encoding="utf-8")
    return submission


def _graded(points: dict[str, float]) -> int:
    return sum(points.get(name) == 1 for name in OTHERS)


def _nbjudge(path: Path, warm: WarmKernels) -> tuple[int, float, int]:
    """How many of the other tests are graded, seconds, and how many processes and folders are left."""
    warm.wait_until_warm()
    before, started = descendants(warm._process.pid), time.monotonic()
    result = execute(_submission(path), fault_source(), warm, LIMITS)
    seconds = time.monotonic() - started
    time.sleep(1)  # as stock nbgrader's processes have to go
    left = len(descendants(warm._process.pid) - before) + len(list(warm._boxes.glob("k*")))
    return _graded({verdict.grade_id: verdict.points for verdict in result.verdicts}), seconds, left


def _stock(path: Path) -> stock.Outcome:
    return stock.grade(fault_source(), _submission(path), cage=CAGE)


def _words(outcome: stock.Outcome) -> str:
    if outcome.error == "hangs":
        return f"none: hangs, stopped after {CAGE.seconds:.0f} s"
    if not outcome.points:
        return f"none: submission lost ({outcome.error})"
    paid = ", and a point for the fault" if outcome.points.get("fault") else ""
    return f"{_graded(outcome.points)} of 3{paid}"


def _left(outcome: stock.Outcome) -> str:
    parts = [f"{outcome.processes_left} processes"] if outcome.processes_left else []
    if outcome.files_left:
        parts.append(f"{outcome.files_left} files" + (f", {outcome.megabytes_left:.0f} MB" if outcome.megabytes_left >= 1 else ""))
    return "; ".join(parts)


if __name__ == "__main__":
    main()
