"""Hostile notebooks: the assignment that every cheat attacks, and the one that every fault sits in. Needs nbformat and nothing else."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

HERE = Path(__file__).parent
# Those that bring a test of their own, in comments: see `set_up`.
SETUP_CHEATS = [path for path in sorted((HERE / "cheats").glob("*.py")) if "\n# TEST: " in path.read_text()]
FAULTS = sorted((HERE / "faults").glob("*.py"))
CHEATS = [path for path in sorted((HERE / "cheats").glob("*.py")) if path not in SETUP_CHEATS]
# Each is two notebooks: one tells the answer, the other listens.
TOGETHER = sorted((HERE / "cheats" / "together").glob("*.py"))
OTHER = "# ---- the other notebook ----\n"

HONEST = """
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def double(tensor):
    return tensor * 2


def is_symmetric(matrix):
    return bool((matrix == matrix.T).all())


answer = 42
"""

TESTS = {
    "softmax_test": """
import numpy as np
weights = softmax(np.array([[1.0, 1.0]]))
assert weights.shape == (1, 2), f"shape {weights.shape}, expected (1, 2)"
### BEGIN HIDDEN TESTS
scores = np.random.RandomState(7).normal(size=(5, 3))
expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
assert softmax(scores).shape == (5, 3)
assert np.allclose(softmax(scores), expected), "hidden_softmax differs"
assert np.allclose(softmax(scores).sum(axis=1), 1)
### END HIDDEN TESTS
""",
    "changes_test": """
import numpy as np
### BEGIN HIDDEN TESTS
scores = np.random.RandomState(8).normal(size=(5, 3))
weights = softmax(scores)
assert np.allclose(weights, np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True))
### END HIDDEN TESTS
""",
    "double_test": """
import torch
### BEGIN HIDDEN TESTS
values = [torch.tensor([1.0, 2.0, 5.0]), torch.tensor([3.0, -1.0])]
for value, result in zip(values, map(double, values)):
    wanted = value * 2
    assert torch.allclose(result, wanted), "hidden_double differs"
### END HIDDEN TESTS
""",
    "symmetric_test": """
import numpy as np
### BEGIN HIDDEN TESTS
assert is_symmetric(np.eye(3)), "hidden_symmetric"
assert not is_symmetric(np.arange(9).reshape(3, 3))
assert is_symmetric(np.ones((2, 2)))
### END HIDDEN TESTS
""",
    "answer_test": """
import math
### BEGIN HIDDEN TESTS
assert math.isclose(answer, 42) and answer == 42, "what is the answer"
### END HIDDEN TESTS
""",
}


def code(source: str, **about: Any) -> NotebookNode:
    """A code cell; keywords are its nbgrader metadata, by whose name an editor knows the cell, too."""
    usual = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    named = {"id": about["grade_id"]} if about else {}
    return new_code_cell(source.strip("\n"), metadata={"nbgrader": {**usual, **about}} if about else {}, **named)


def test_cell(name: str, source: str, points: float = 1) -> NotebookNode:
    """An autograder-test cell."""
    return code(source, grade=True, locked=True, grade_id=name, points=points, cell_type="code")


def notebook(*cells: NotebookNode | str) -> NotebookNode:
    """A notebook of cells; a string is one that the instructor gave, and that anybody may change."""
    made = [code(cell) if isinstance(cell, str) else copy.deepcopy(cell) for cell in cells]
    for number, cell in enumerate(made):
        if not cell.metadata:
            cell.id = f"given-{number}"
    kernel = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}
    return new_notebook(cells=made, metadata=kernel)


def cheat_source(solution: str = HONEST) -> NotebookNode:
    """The instructor's notebook of the assignment that the cheats attack; five tests of two points each."""
    answer = code(f"### BEGIN SOLUTION\n{solution.strip()}\n### END SOLUTION", solution=True, grade_id="work", cell_type="code")
    tests = [test_cell(name, source, 2) for name, source in TESTS.items()]
    return notebook("import numpy as np\nimport torch", answer, *tests)


def set_up(path: Path) -> tuple[NotebookNode, NotebookNode] | None:
    """The instructor's notebook and the submission of a cheat that names its own set-up cell and test in comments, if it does."""
    text = path.read_text()
    parts = {
        word: "\n".join(line.removeprefix(f"# {word}: ") for line in text.splitlines() if line.startswith(f"# {word}: "))
        for word in ("SETUP", "SETUP_PLAIN", "HONEST", "TEST")
    }
    if not parts["TEST"]:
        return None
    given = code(parts["SETUP"], locked=True, grade_id="setup", cell_type="code") if parts["SETUP"] else code(parts["SETUP_PLAIN"])
    answer = code(parts["HONEST"] or "def double(tensor):\n    return tensor * 2", solution=True, grade_id="work", cell_type="code")
    source = notebook(code("import numpy as np"), given, answer, test_cell("setup_test", parts["TEST"], 2))
    submission = copy.deepcopy(source)
    submission.cells[2].source = text
    return source, submission


def cheat_submission(path: Path) -> NotebookNode:
    """What a student who cheats as in `path` hands in."""
    text = path.read_text()
    if not path.name.startswith("notebook_"):
        submission = cheat_source()
        submission.cells[1].source = text
        return submission
    submission = cheat_source("pass")
    names = {"tests_of": lambda nb: [c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade")]}
    exec(text, names)
    names["tamper"](submission)
    return submission


FAULTLESS = "def good(x):\n    return x + 1\n\n\ncalls = 0"


def fault_source() -> NotebookNode:
    """The instructor's notebook of the assignment that every fault sits in; four tests of one point each."""
    return notebook(
        code("import json"),
        code(FAULTLESS, solution=True, grade_id="good"),
        test_cell("before", "assert good(1) == 2"),
        code("def work(x):\n    return 0", solution=True, grade_id="work"),
        test_cell("fault", "assert work(1) == 0"),
        test_cell("after", "assert good(2) == 3"),
        code("def more(x):\n    return good(x) + 1", solution=True, grade_id="more"),
        test_cell("after_all", "import numpy as np\nassert (more(np.arange(3)) == np.arange(3) + 2).all()"),
    )


def fault_submission(path: Path) -> NotebookNode:
    """What a student whose answer has the fault in `path` hands in."""
    submission = fault_source()
    submission.cells[3].source = path.read_text(encoding="utf-8")
    return submission


def pair(path: Path) -> tuple[NotebookNode, NotebookNode]:
    """What two students hand in who have agreed on something: who tells the answer, and who listens."""
    tells, hears = path.read_text(encoding="utf-8").split(OTHER)
    one, other = cheat_source(), cheat_source()
    one.cells[1].source, other.cells[1].source = tells, hears
    return one, other
