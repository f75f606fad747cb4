"""Times the examiner's execution beside stock nbgrader's `autograde`, on the same small notebook with numpy, torch and a figure.

    python benchmarks/speed.py [SUBMISSIONS [STOCK_SUBMISSIONS]]
"""

import contextlib
import copy
import io
import logging
import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

sys.path.insert(0, str(Path(__file__).parents[1]))

from examiner.execute import execute  # noqa: E402
from examiner.kernels import WarmKernels  # noqa: E402
from examiner.limits import Limits  # noqa: E402
from examiner.pool import Job, Pool  # noqa: E402
from tests.examiner.build import cheat_source, code  # noqa: E402

FIGURE = "import matplotlib.pyplot as plt\nplt.imshow(softmax(np.eye(4)))\nplt.show()"
STARTS = 20


def class_notebook() -> nbformat.NotebookNode:
    """Imports, one answer, five test cells, one figure."""
    notebook = cheat_source()
    notebook.cells.insert(2, code(FIGURE))
    return notebook


def main() -> None:
    """Print all figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    stock_count = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    starts, singles = _single(STARTS)
    _print_times("start of a student kernel", starts)
    _print_times("one submission, one process", singles)
    each = _pool(count)
    print(f"{'class of ' + str(count) + ', all cores':<34}{each * 1000:7.0f} ms per submission")
    stock = _stock(stock_count)
    print(f"{'stock nbgrader, class of ' + str(stock_count):<34}{stock * 1000:7.0f} ms per submission")
    print(f"{'ratio':<34}{stock / each:7.1f}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'largest process':<34}{peak:7.0f} MB, {os.cpu_count()} cores")


def _single(count: int) -> tuple[list[float], list[float]]:
    starts, singles = [], []
    notebook = class_notebook()
    with WarmKernels() as warm:
        execute(notebook, notebook, warm)
        for _ in range(count):
            began = time.perf_counter()
            kernel = warm.start(Limits())
            starts.append(time.perf_counter() - began)
            kernel.close()
            began = time.perf_counter()
            execute(notebook, notebook, warm)
            singles.append(time.perf_counter() - began)
    return starts, singles


def _pool(count: int) -> float:
    """Seconds per submission, start of the workers left out: it is paid once for a class."""
    notebook = class_notebook()
    with Pool() as pool:
        workers = os.cpu_count()
        for _ in pool.run(Job(number, notebook, notebook) for number in range(workers)):
            pass
        began = time.perf_counter()
        for _, execution in pool.run(Job(number, copy.deepcopy(notebook), notebook) for number in range(count)):
            assert all(verdict.passed for verdict in execution.verdicts)
        return (time.perf_counter() - began) / count


def _stock(count: int) -> float:
    """Seconds per submission of nbgrader's own converter, without its import."""
    os.environ["PATH"] = f"{sys.prefix}/bin{os.pathsep}{os.environ['PATH']}"
    logging.disable(logging.CRITICAL)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        os.chdir(folder)
        names = [f"source{os.sep}first", *(f"submitted{os.sep}s{number}{os.sep}first" for number in range(count))]
        for name in names:
            Path(name).mkdir(parents=True)
            nbformat.write(class_notebook(), Path(name, "work.ipynb"))
        config = Config()
        config.CourseDirectory.root, config.CourseDirectory.assignment_id = folder, "first"
        course = CourseDirectory(config=config)
        GenerateAssignment(coursedir=course, config=config).start()
        began = time.perf_counter()
        Autograde(coursedir=course, config=config).start()
        took = time.perf_counter() - began
        os.chdir(before)
    return took / count


def _print_times(what: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    median, late = statistics.median(ordered), ordered[int(len(ordered) * 0.95) - 1]
    print(f"{what:<34}{median * 1000:7.0f} ms median, {late * 1000:.0f} ms at the 95th percentile")


if __name__ == "__main__":
    main()
