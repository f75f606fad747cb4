"""A class of any size whose written answers wait: made with nbgrader's own gradebook, and Jupyter's server on its course."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.api import Gradebook

ASSIGNMENT, NOTEBOOK, WHY, CODE = "week1", "sums", "why_test", "code_by_hand"
TOKEN = "a-token-of-the-test"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SCHEME = """### BEGIN SOLUTION
**Model answer.** Both terms are $\\frac{n}{2}$, so their order does not matter.

**Marking scheme.** Two points, half points allowed.
(a) 1: both terms are the same; half for the claim alone.
1 point: the order of a sum does not matter
### END SOLUTION"""
HOSTILE = (
    "<script>window.pwned=1</script><img src=x onerror=window.pwned=2> <b onclick='window.pwned=3' style='position:fixed;inset:0'>big</b>\n\n"
    "[a](javascript:window.pwned=4) </div></article><iframe src='https://example.org'></iframe> $\\unicode{<img src=x onerror=window.pwned=5>}$ "
    "<svg/onload=window.pwned=6>"
)
TEXTS = (
    "Both terms are $\\frac{n}{2}$, so the sum is $n$ in any order.",
    "Because the sum commutes:\n\n$$a + b = b + a$$\n\nand **nothing else** enters.",
    "The order does not matter.",
    "I think it is because both halves are equal. " * 8,
    "| term | value |\n|---|---|\n| first | $n/2$ |\n| second | $n/2$ |",
)


def cell(kind: str, text: str, name: str = "", points: float = 0, **about: bool) -> nbformat.NotebookNode:
    """A cell with nbgrader's metadata where it has a name."""
    own = {"schema_version": 3, "grade_id": name, "grade": False, "solution": False, "task": False, "locked": False, "cell_type": kind, **about}
    metadata = {"nbgrader": own | ({"points": points} if points else {})} if name else {}
    return (new_code_cell if kind == "code" else new_markdown_cell)(text, metadata=metadata)


def notebook(answer: str, code: str) -> nbformat.NotebookNode:
    """The instructor's or a student's."""
    by_hand = cell("code", code, CODE, 3, grade=True, solution=True)
    by_hand.outputs = [new_output("stream", text="shown\n"), new_output("display_data", data={"image/png": PIXEL})]
    return new_notebook(
        cells=[
            cell("markdown", "# Sums"),
            cell("markdown", "## Say why\n\nWhy does $\\sum_i x_i$ not depend on the order?"),
            cell("markdown", answer, WHY, 2, grade=True, solution=True),
            by_hand,
        ]
    )


def student(number: int) -> str:
    """A name that must not be seen on a page."""
    return f"zorro{number:04}quark"


def make(root: Path, students: int = 60, answers: dict[int, str] | None = None) -> str:
    """A course with its gradebook; return the gradebook's address."""
    (root / "source" / ASSIGNMENT).mkdir(parents=True)
    (root / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'sums'\nc.Report.ending = '_test'\n")
    nbformat.write(notebook(SCHEME, "### BEGIN SOLUTION\nx = 1\n### END SOLUTION"), root / "source" / ASSIGNMENT / f"{NOTEBOOK}.ipynb")
    url = f"sqlite:///{root / 'gradebook.db'}"
    with Gradebook(url, "sums") as gradebook:
        gradebook.add_assignment(ASSIGNMENT, course_id="sums")
        gradebook.add_notebook(NOTEBOOK, ASSIGNMENT)
        for name, kind, points in ((WHY, "markdown", 2), (CODE, "code", 3)):
            gradebook.add_grade_cell(name, NOTEBOOK, ASSIGNMENT, max_score=points, cell_type=kind)
            gradebook.add_solution_cell(name, NOTEBOOK, ASSIGNMENT)
        for number in range(students):
            gradebook.add_student(student(number), first_name="Zacharias", last_name=f"Xylander{number}")
            gradebook.add_submission(ASSIGNMENT, student(number))
            answer = (answers or {}).get(number, TEXTS[number % len(TEXTS)])
            write_answer(root, number, answer)
    return url


def write_answer(root: Path, number: int, answer: str) -> None:
    """Put a student's graded notebook into `autograded/`."""
    path = root / "autograded" / student(number) / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook(answer, f"def f(x):\n    return x + {number}"), path)


class Server:
    """Jupyter's server in a course, with nbgrader's formgrader and ours; it ends with the context."""

    def __init__(self, root: Path, home: Path, extensions: tuple[str, ...] = ("nbjudge",)):
        home.mkdir(exist_ok=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address, self._log = f"http://127.0.0.1:{port}", home / "log.txt"
        switched = [f"--ServerApp.jpserver_extensions={name}=True" for name in extensions]
        folders = {name: str(home / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
        own = str(Path(sys.executable).parent)
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyter_server",
                "--no-browser",
                "--allow-root",
                f"--port={port}",
                "--ServerApp.port_retries=0",
                f"--IdentityProvider.token={TOKEN}",
                *switched,
            ],
            cwd=root,
            stdout=self._log.open("w"),
            stderr=subprocess.STDOUT,
            env={**os.environ, **folders, "HOME": str(home), "PATH": f"{own}{os.pathsep}{os.environ['PATH']}"},
        )

    def __enter__(self) -> Server:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                json.load(urlopen(f"{self.address}/api", timeout=2))
                return self
            except (URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(self.log())

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def log(self) -> str:
        """What the server has said."""
        return self._log.read_text(errors="replace")

    def page(self, cell_name: str = WHY, query: str = "") -> str:
        """The address of a question."""
        return f"{self.address}/nbjudge/by-question/{ASSIGNMENT}/{NOTEBOOK}/{cell_name}?token={TOKEN}{query}"
