"""Grade the same class with stock nbgrader, on this machine, and on clusters of 1, 2 and 4 worker processes of it, in one run; print the ratios.

    python benchmarks/cluster.py [STUDENTS [ROUNDS]]

The whole road is timed, as in `grading.py`, with workers that stand ready and have graded nothing yet. On a machine with two cores, four
workers show what too many cost, not what four machines would give. The overhead is what one worker takes beyond one process here, beside
the same writer. `growth.png` is a model of what follows from these figures for larger classes and more workers.
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

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt

from benchmarks.classes import lessons_class
from benchmarks.grading import with_stock
from nbjudge import Course, Status
from nbjudge.testing.machines import Cluster, machines
from nbjudge.testing.steps import Engine, LocalEngine, grade_class

MB = 1024 * 1024

PICTURE = Path(__file__).with_name("growth.png")
STOCK_STUDENTS = 1
SIZES = [30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]


def model(each: float, writer: float, start: float, size: int, workers: int) -> float:
    """Seconds for `size` submissions: the workers share what is executed, and one writer records it all.

    Args:
        each: seconds for a submission with one worker.
        writer: seconds of the writer for one.
        start: seconds until the first outcome.
    """
    return start + size * max(each / workers, writer)


def draw(stock: float, each: float, writer: float, start: float) -> None:
    """Hours against the size of the class."""
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    axes.plot(SIZES, [size * stock / 3600 for size in SIZES], "k--", label="stock nbgrader, one process")
    for workers in (1, 2, 4, 16, 64):
        axes.plot(SIZES, [model(each, writer, start, size, workers) / 3600 for size in SIZES], label=f"{workers} worker{'s' * (workers > 1)}")
    axes.plot(SIZES, [size * writer / 3600 for size in SIZES], "k:", label=f"the writer alone: {writer * 1000:.0f} ms each")
    axes.set(xscale="log", yscale="log", xlabel="submissions of one lesson", ylabel="hours (model)")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    figure.savefig(PICTURE, dpi=120)


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
    students, rounds = (int(one) for one in [*sys.argv[1:], *("6", "3")[len(sys.argv) - 1 :]])
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MB
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run, {memory} MB")
    seen: dict[str, list[tuple[float, float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        (template := Path(folder, "course")).mkdir()
        lessons_class(template, students)
        for number in range(rounds):
            for workers in (1, 2):
                seen.setdefault(f"here, {workers} at once", []).append(grade(template, LocalEngine(workers)))
            for workers in (1, 2, 4):
                with machines(Path(folder, f"dask{number}-{workers}"), workers) as cluster:
                    cluster.wait_for_workers(workers)
                    seen.setdefault(f"cluster of {workers}", []).append(grade(template, Cluster(cluster.address, print)))
    stock = sum(with_stock(lessons_class, STOCK_STUDENTS))
    print(f"every lesson for {students} students, {rounds} times; medians. Stock nbgrader once, for {STOCK_STUDENTS}")
    one = statistics.median(each for each, _, _ in seen["here, 1 at once"])
    print("                    s per submission   to one at once here   s to the first outcome   CPU s of this process per submission")
    print(f"  {'stock nbgrader':18} {stock:15.3f} {stock / one:21.2f}")
    for name, found in seen.items():
        each, first, cpu = (statistics.median(values) for values in zip(*found))
        print(f"  {name:18} {each:15.3f} {each / one:21.2f} {first:24.1f} {cpu:24.3f}")
    ratios = [cluster[0] / here[0] for cluster, here in zip(seen["cluster of 1"], seen["here, 1 at once"])]
    print(f"overhead of the cluster, one worker against one process here, by rounds: {', '.join(f'{ratio - 1:+.0%}' for ratio in ratios)}")
    here = [statistics.median(values) for values in zip(*seen["here, 1 at once"])]
    draw(stock, here[0], here[2], here[1])
    for size, workers in ((10_000, 2), (10_000, 16), (100_000, 16), (100_000, 64)):
        print(f"by the model, {size:7,} submissions on {workers:2} workers: {model(here[0], here[2], here[1], size, workers) / 3600:5.1f} hours")
    print(f"from {here[0] / here[2]:.0f} workers on, the writer alone decides")


if __name__ == "__main__":
    main()
