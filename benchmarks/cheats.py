"""Prints what each cheat of tests/examiner/cheats earns: from the examiner, and from stock nbgrader, run live beside it.

    python benchmarks/cheats.py [NAME ...]

Stock nbgrader runs hostile code without protection, so it runs inside the examiner's own outer sandbox here, each cheat
in a course of its own with a second submission to steal from.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).parents[1]))

from examiner import sandbox  # noqa: E402
from examiner.execute import execute  # noqa: E402
from examiner.kernels import WarmKernels  # noqa: E402
from examiner.limits import Limits  # noqa: E402
from tests.examiner.build import CHEATS, HONEST, cheat_source, cheat_submission  # noqa: E402

SECONDS = 120
STOCK = """
import json, os, socket, sys, threading
os.chdir(sys.argv[1])
server = socket.create_server(("127.0.0.1", 47911))
def serve():
    while True:
        client, _ = server.accept()
        client.sendall(b"42")
        client.close()
threading.Thread(target=serve, daemon=True).start()
from traitlets.config import Config
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
config = Config()
config.CourseDirectory.root = os.getcwd()
config.CourseDirectory.assignment_id = "first"
config.OverwriteCells.add_missing_cells = True
config.Execute.timeout = 20
course = CourseDirectory(config=config)
GenerateAssignment(coursedir=course, config=config).start()
config.CourseDirectory.student_id = "student"
try:
    Autograde(coursedir=CourseDirectory(config=config), config=config).start()
    with Gradebook("sqlite:///gradebook.db") as gradebook:
        points = gradebook.find_submission("first", "student").score
    result = {"points": points}
except BaseException as error:
    result = {"error": type(error).__name__}
open("result.json", "w").write(json.dumps(result))
os._exit(0)
"""


def main() -> None:
    """Print the table and a summary."""
    paths = [path for path in CHEATS if not sys.argv[1:] or path.stem in sys.argv[1:]]
    with WarmKernels() as warm:
        ours = {path.stem: _examiner(path, warm) for path in paths}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        stock = dict(zip([path.stem for path in paths], threads.map(_stock, paths)))
    print(f"{'cheat':<28}{'examiner':>9}  {'stock':<30}of 10 points")
    for name in ours:
        print(f"{name:<28}{ours[name]:>9g}  {stock[name]}")
    fooled = sum(text not in ("0",) and not text.startswith("no grade") for text in stock.values())
    lost = sum(text.startswith("no grade") for text in stock.values())
    print(f"\n{len(ours)} cheats. The examiner gave points to {sum(p > 0 for p in ours.values())}; stock nbgrader to {fooled}, "
          f"and could not grade {lost}.")  # fmt: skip


def _examiner(path: Path, warm: WarmKernels) -> float:
    result = execute(cheat_submission(path), cheat_source(), warm, Limits(test_seconds=5, cell_seconds=5))
    return sum(verdict.points for verdict in result.verdicts)


def _stock(path: Path) -> str:
    """Points that stock nbgrader gives, or why there are none."""
    course = Path(tempfile.mkdtemp(prefix="stock-", dir="/tmp"))
    try:
        for place, notebook in (("source/first", cheat_source()), ("submitted/student/first", cheat_submission(path)),
                                ("submitted/friend/first", cheat_source(HONEST))):  # fmt: skip
            (course / place).mkdir(parents=True)
            nbformat.write(notebook, course / place / "work.ipynb")
        line = sandbox.command(str(course), (), [sys.executable, "-c", STOCK, str(course)])
        subprocess.run(line, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
        found = json.loads((course / "result.json").read_text())
        return f"{found['points']:g}" if "points" in found else f"no grade ({found['error']})"
    except subprocess.TimeoutExpired:
        return "no grade (hangs)"
    except OSError:
        return "no grade (killed)"
    finally:
        shutil.rmtree(course, ignore_errors=True)


if __name__ == "__main__":
    main()
