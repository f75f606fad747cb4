"""Grade the same class with stock nbgrader and with the grader, one after the other in one run, and print both.

    python benchmarks/grading.py                 # `make bench`
    python benchmarks/grading.py 10 100 1000     # time and memory for classes of these sizes; draws benchmarks/scaling.png

The whole road is timed: executing, recording in the gradebook, `autograded/` and feedback. With the grader it is the command as it is typed, from
its start; of stock nbgrader's two commands the start, 2 to 4 s each, is not counted.
"""

from __future__ import annotations

import contextlib
import io
import logging
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import matplotlib
import nbformat
from IPython.core.interactiveshell import InteractiveShell
from nbgrader.apps.api import NbGraderAPI

from benchmarks.classes import lessons_class, small_class, use_stock
from nbjudge import Course, Limits, Status, is_skipped, is_test
from nbjudge.testing.processes import descendants
from nbjudge.testing.steps import Instructor, Job, Pool, Submission, WarmKernels, find_submissions, grade_id

MB = 1024 * 1024

PICTURE = Path(__file__).with_name("scaling.png")
STUDENTS, STOCK_STUDENTS, STARTS = {"small notebook": 60, "lessons": 10}, {"small notebook": 6, "lessons": 2}, 20
Maker = Callable[[Path, int], None]


class PeakMemory:
    """The most memory that this process and all below it take together, shared pages counted once. Sampled."""

    def __enter__(self) -> PeakMemory:
        self.most_mb, self._over = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(1):
            family = {str(os.getpid()), *descendants(os.getpid())}
            self.most_mb = max(self.most_mb, sum(map(_own_mb, family)))


def _own_mb(process: str) -> float:
    try:
        lines = Path("/proc", process, "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0)


def with_nbjudge(make: Maker, students: int) -> tuple[list[float], float]:
    """Times at which `nbjudge grade` told an outcome, from the start of the command, and the peak memory."""
    with tempfile.TemporaryDirectory() as folder, PeakMemory() as memory:
        make(Path(folder), students)
        hand_ins = len(list(Path(folder).glob("submitted/*/*")))
        command, environment = [sys.executable, "-m", "nbjudge", "grade"], {**os.environ, "PYTHONUNBUFFERED": "1"}
        began = time.perf_counter()
        with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as grading:
            times = [time.perf_counter() - began for line in grading.stdout or () if line.split()[:1] == [Status.GRADED.value]]
        assert len(times) == hand_ins, f"{len(times)} of {hand_ins} were graded"
    return times, memory.most_mb


def with_stock(make: Maker, students: int) -> tuple[float, float]:
    """Seconds per submission of nbgrader's own autograde, and of its generate_feedback."""
    with tempfile.TemporaryDirectory() as folder, _no_errors_shown():
        make(Path(folder), students)
        use_stock(Path(folder))
        course = Course(Path(folder))
        assignments = list(course.assignments())
        for assignment in assignments:
            course.register(assignment)
        seconds = []
        api = NbGraderAPI(course.folders, config=course.config)
        for step in (lambda assignment: api.autograde(assignment, "*"), api.generate_feedback):
            began = time.perf_counter()
            for assignment in assignments:
                done = step(assignment)
                assert done["success"], done
            seconds.append((time.perf_counter() - began) / students / len(assignments))
    return seconds[0], seconds[1]


@contextlib.contextmanager
def _no_errors_shown() -> Iterator[None]:
    """Keep what kernels of stock nbgrader write to the terminal, a warning each, out of the table."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def execution_only(make: Maker, students: int) -> tuple[float, list[float]]:
    """Executing on all cores, workers warm, nothing recorded: seconds per submission, and from start to end of each."""
    with tempfile.TemporaryDirectory() as folder, Pool(packages=("attnlab",)) as pool:
        make(Path(folder), students)
        course = Course(Path(folder))
        instructors = {name: Instructor(_source(course, name), course.lessons[name].folder) for name in course.lessons}
        jobs = [
            Job(submission, nbformat.read(submission.notebooks[0], as_version=4), instructors[submission.assignment])
            for submission in find_submissions(course.folder("submitted"), course.lessons)[0]
        ]
        list(pool.run(jobs[: os.cpu_count()]))
        began = time.perf_counter()
        seconds = [execution.seconds for _, execution in pool.run(jobs)]
        return (time.perf_counter() - began) / len(jobs), seconds


def pure_cells(make: Maker) -> float:
    """CPU seconds of one submission's cells and tests alone, run by IPython one after the other, in a process that has imported everything."""
    matplotlib.use("module://matplotlib_inline.backend_inline")
    shell = InteractiveShell.instance()
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), 1)
        course = Course(Path(folder))
        cells = [_cells_that_run(course, submission) for submission in find_submissions(course.folder("submitted"), course.assignments())[0]]
        seconds = [_cpu_of_cells(sources, shell) for sources in cells for _ in range(2)][1::2]  # the second time nothing is imported
    return statistics.mean(seconds)


def _cells_that_run(course: Course, submission: Submission) -> list[str]:
    """The code of a submission that is graded by, with the instructor's test cells in their places, hidden tests and all."""
    tests = {grade_id(cell): cell.source for cell in _source(course, submission.assignment).cells if is_test(cell)}
    cells = nbformat.read(submission.notebooks[0], as_version=4).cells
    return [tests.get(grade_id(cell), cell.source) for cell in cells if cell.cell_type == "code" and not is_skipped(cell)]


def _source(course: Course, assignment: str) -> nbformat.NotebookNode:
    [name] = course.lessons[assignment].notebooks
    return nbformat.read(course.lessons[assignment].folder / f"{name}.ipynb", as_version=4)


def _cpu_of_cells(cells: list[str], shell: InteractiveShell) -> float:
    shell.reset(new_session=False)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        began = time.process_time()
        for source in cells:
            shell.run_cell(source)
        return time.process_time() - began


def kernel_starts() -> list[float]:
    """Seconds from asking for a student kernel until it can be talked to."""
    seconds = []
    with WarmKernels(packages=("attnlab",)) as warm:
        warm.start(Limits()).close()
        for _ in range(STARTS):
            began = time.perf_counter()
            kernel = warm.start(Limits())
            seconds.append(time.perf_counter() - began)
            kernel.close()
    return seconds


def compare(name: str, make: Maker) -> None:
    """Print the table of one kind of class."""
    autograde, feedback = with_stock(make, STOCK_STUDENTS[name])
    times, memory = with_nbjudge(make, STUDENTS[name])
    (executing, each), cores = execution_only(make, STUDENTS[name]), os.cpu_count()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as another:  # IPython takes over the process that it is in
        pure = another.submit(pure_cells, make).result()
    stock, whole = autograde + feedback, times[-1] / len(times)
    print(f"\n{name}: {len(times)} submissions with the grader, {STOCK_STUDENTS[name]} students with stock nbgrader")
    print(f"  stock nbgrader: autograde, then feedback  {stock:7.2f} s per submission ({autograde:.2f} + {feedback:.2f})")
    print(f"  nbjudge, the same whole road             {whole:7.2f} s per submission, ratio {stock / whole:.1f}")
    print(f"    until the first outcome                 {times[0]:7.2f} s")
    print(f"    from then on                            {(times[-1] - times[0]) / (len(times) - 1):7.2f} s per submission")
    print(f"  nbjudge, executing only                  {executing:7.2f} s per submission on {cores} cores")
    print(f"    one submission from start to end        {_spread(each)}")
    print(f"  the cells alone, CPU time                 {pure:7.2f} s per submission: {pure / whole / cores:.0%} of all cores' time")
    print(f"  executing, in CPU time of the cells       {executing * cores / pure:7.2f} times at most (all cores taken as busy throughout)")
    print(f"  most memory, all processes together       {memory:7.0f} MB", flush=True)


def scale(sizes: list[int]) -> None:
    """Print and draw time and memory against the size of the class."""
    rows = []
    for size in sizes:
        times, memory = with_nbjudge(small_class, size)
        rows.append((size, times[-1], memory))
        print(f"  {size:5d} submissions  {times[-1]:8.1f} s  {(times[-1] - times[0]) / max(1, size - 1):6.2f} s each  {memory:6.0f} MB", flush=True)
    _draw(rows)


def _draw(rows: list[tuple[int, float, float]]) -> None:
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")

    sizes, seconds, memory = zip(*rows)
    _, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    for axis, values, label in zip(axes, (seconds, memory), ("time of the whole run (s)", "most memory, all processes (MB)")):
        axis.plot(sizes, values, "o-")
        axis.set(xlabel="submissions", ylabel=label, xlim=(0, None), ylim=(0, None))
    plt.savefig(PICTURE, dpi=120)


def _spread(seconds: list[float]) -> str:
    late = sorted(seconds)[int(len(seconds) * 0.95) - 1]
    return f"{statistics.median(seconds):7.2f} s median, {late:.2f} s at the 95th percentile"


def main() -> None:
    """Compare, or with sizes as arguments, scale."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])  # stock nbgrader's kernels import what the lessons import
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f} before the run, {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') // MB} MB")
    if sizes := [int(size) for size in sys.argv[1:]]:
        scale(sizes)
        return
    print(f"start of a student kernel                   {_spread(kernel_starts())}")
    compare("small notebook", small_class)
    compare("lessons", lessons_class)


if __name__ == "__main__":
    main()
