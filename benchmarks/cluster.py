"""Grade the same class on this machine and on clusters of 1, 2 and 4 worker processes of this machine, in one run, and print the ratios.

    python benchmarks/cluster.py [STUDENTS [ROUNDS]]

The whole road is timed, as in `grading.py`, with workers that stand ready and have graded nothing yet. On a machine with two cores, four
workers show what too many cost, not what four machines would give. The overhead is what one worker takes beyond one process here, beside
the same writer.
"""

from __future__ import annotations

import logging
import os
import shutil
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.classes import lessons_class
from examiner.classroom.course import Course
from examiner.classroom.engines import Engine, Here
from examiner.classroom.grading import grade_class
from examiner.classroom.outcomes import Status
from examiner.cluster.pool import Cluster
from examiner.wire.limits import MB
from specimens.machines import machines


def grade(template: Path, engine: Engine) -> tuple[float, float, float]:
    """Seconds for a submission once the first is done, seconds until then, and CPU seconds of this process for a submission."""
    with tempfile.TemporaryDirectory() as folder:
        root = shutil.copytree(template, Path(folder, "course"))
        began, cpu, times = time.perf_counter(), time.process_time(), []
        for outcome in grade_class(Course(root), engine=engine):
            assert outcome.status is Status.GRADED, outcome
            times.append(time.perf_counter() - began)
    return (times[-1] - times[0]) / (len(times) - 1), times[0], (time.process_time() - cpu) / len(times)


def main() -> None:
    """All ways, one after the other, several times over."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    students, rounds = (int(one) for one in [*sys.argv[1:], *("6", "3")[len(sys.argv) - 1:]])
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MB
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run, {memory} MB")
    seen: dict[str, list[tuple[float, float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        (template := Path(folder, "course")).mkdir()
        lessons_class(template, students)
        for number in range(rounds):
            for workers in (1, 2):
                seen.setdefault(f"here, {workers} at once", []).append(grade(template, Here(workers)))
            for workers in (1, 2, 4):
                with machines(Path(folder, f"dask{number}-{workers}"), workers) as cluster:
                    cluster.wait_for_workers(workers)
                    seen.setdefault(f"cluster of {workers}", []).append(grade(template, Cluster(cluster.address, print)))
    print(f"every lesson for {students} students, {rounds} times; medians")
    one = statistics.median(each for each, _, _ in seen["here, 1 at once"])
    print("                    s per submission   to one at once here   s to the first outcome   CPU s of this process per submission")
    for name, found in seen.items():
        each, first, cpu = (statistics.median(values) for values in zip(*found))
        print(f"  {name:18} {each:15.3f} {each / one:21.2f} {first:24.1f} {cpu:24.3f}")
    ratios = [cluster[0] / here[0] for cluster, here in zip(seen["cluster of 1"], seen["here, 1 at once"])]
    print(f"overhead of the cluster, one worker against one process here, by rounds: {', '.join(f'{ratio - 1:+.0%}' for ratio in ratios)}")


if __name__ == "__main__":
    main()
