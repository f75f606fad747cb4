"""Nobody earns what nbgrader's own kernel would not pay: by the instructor's imports, by code put into a package, by what a value loses."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.instructors import LIMITS, Given, Solution, build, handed_in, plain
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.check import check_notebook
from nbjudge._execution.execute import execute
from nbjudge.testing.notebooks import notebook

PACKAGE = """
class Tensor:
    def __init__(self, data):
        self.data, self.grad, self._back = data, None, None

    def twice(self):
        out = Tensor(2 * self.data)
        out._back = lambda slope: setattr(self, "grad", 2 * slope)
        return out

    def backward(self):
        self._back(1.0)

def scaled(x):
    return 2 * x
"""
IMPORT = "from small_autograd import Tensor\n"
BACKWARD = """
def enable():
    def backward(self):
        self._back(1.0)
    Tensor.backward = backward
enable()
"""
MODULE = "import small_autograd\n"
OF_A_MODULE = "\nsmall_autograd.scaled = lambda x: 2 * x"
DOUBLE = "def double(x):\n    return 2 * x\n"
TEST = "x = Tensor(3.0)\ny = x.twice()\ny.backward()\nassert x.grad == 2.0"


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the course's notebooks import, beside the instructor's notebook."""
    (tmp_path / "small_autograd.py").write_text(PACKAGE)
    return tmp_path


def points(warm, folder: Path, parts: tuple, *answers: str) -> list[str]:
    instructor = Instructor(build(*parts), folder)
    return [verdict.kind for verdict in execute(handed_in(instructor.notebook, *answers), instructor, warm, LIMITS, folder).verdicts]


@pytest.mark.parametrize(
    ("solution", "test", "answers"),
    [
        ("from math import sqrt", "assert sqrt(16) == 4", {"from math import sqrt": "passed", "def sqrt(x): return x ** 0.5": "passed"}),
        ("from math import sqrt", "assert sqrt(16) == 4", {"": "failed", "def sqrt(x): return x": "failed", "import math": "failed"}),
        (
            "from math import sqrt",
            "assert 'sqrt' in dir()",
            {"from math import sqrt": "passed", "": "failed", "import math": "failed", "def sqrt(x): return x": "passed"},
        ),
        ("from math import sqrt", "assert globals().get('sqrt')", {"from math import sqrt": "passed", "import math": "failed"}),
        ("import math as m", "assert m.sqrt(16) == 4", {"import math as m": "passed", "import math": "failed", "": "failed"}),
        (
            f"import numpy as np\n{DOUBLE}",
            "assert np.allclose(double(np.arange(3)), [0, 2, 4])",
            {
                f"import numpy\nnp = numpy\n{DOUBLE}": "passed",
                DOUBLE: "failed",
                "import numpy as np": "failed",
                "class np:\n    allclose = lambda *_: True\n    arange = list\ndef double(x): return x": "failed",
            },
        ),
        (
            f"from numpy.testing import assert_allclose\n{DOUBLE}",
            "assert_allclose(double(2), 4)",
            {f"assert_allclose = print\n{DOUBLE}": "passed", "assert_allclose = print\ndef double(x): return x": "failed", DOUBLE: "failed"},
        ),
    ],
)
def test_what_a_solution_imports_a_student_has_to_import(warm, package: Path, solution: str, test: str, answers: dict[str, str]) -> None:
    assert {answer: points(warm, package, (Solution(solution), test), answer)[0] for answer in answers} == answers


WEIGHTS = "w = torch.ones(3, requires_grad=True)\n"
FORGOT = f"{WEIGHTS}def f(x):\n    return x * w"
DETACHED = f"{FORGOT}.detach()"
FROZEN = "def make():\n    model = nn.Linear(2, 1)\n    model.weight.requires_grad_(False)\n    return model"
ALL_LEARNED = FROZEN.replace("    model.weight.requires_grad_(False)\n", "")


@pytest.mark.parametrize(
    ("solution", "wrong", "test"),
    [
        (DETACHED, FORGOT, "assert not f(torch.ones(3)).requires_grad"),
        (DETACHED, FORGOT, "assert f(torch.ones(3)).grad_fn is None"),
        (DETACHED, FORGOT, "assert f(torch.ones(3)).numpy().sum() == 3"),
        (FORGOT, DETACHED, "y = f(torch.ones(3))\ny += 1\nassert y.requires_grad and not y.is_leaf and y.sum() == 6"),
        (FORGOT, DETACHED, "assert [f(torch.ones(3))][0].requires_grad and f(f(torch.ones(3))).requires_grad"),
        (FROZEN, ALL_LEARNED, "assert [p.requires_grad for p in make().parameters()] == [False, True]"),
        (FROZEN, ALL_LEARNED, "assert not make().weight.requires_grad"),
    ],
)
def test_a_tensor_says_whether_it_gets_gradients(warm, package: Path, solution: str, wrong: str, test: str) -> None:
    parts = (Given("import torch\nfrom torch import nn"), Solution(solution), test)
    assert points(warm, package, parts, solution) + points(warm, package, parts, wrong) == ["passed", "failed"]


@pytest.mark.parametrize("line", ["%pylab inline", "%pylab inline\nprint(1)"])
def test_names_of_pylab_are_numpys_as_in_a_kernel(warm, package: Path, line: str) -> None:
    solution = "def f():\n    return array([1.0, 2.0])"
    tests = [
        "assert sum(abs(f() - array([[1, 2]]))) == 0 and max(array([[1, 2], [3, 4]])) == 4 and round(f() + 0.26, 1)[0] == 1.3",
        "assert not all([[1, 1], [1, 0]]) and np.sum(f()) == 3 and plt.gca() and numpy.pi > 3",
    ]
    parts = (Given(line), Solution(solution), *tests)
    assert points(warm, package, parts, solution) == ["passed"] * 2
    assert points(warm, package, parts, solution.replace("2.0", "3.0")) == ["failed"] * 2


def test_an_import_is_there_again_where_a_later_cell_has_it(warm, package: Path) -> None:
    one = "def one():\n    return 1"
    parts = (Solution(f"import math\n{one}"), "assert math.pi > one()", Solution(DOUBLE), "assert math.pi > double(1)")
    assert points(warm, package, parts, f"import math\n{one}", DOUBLE) == ["passed", "passed"]
    assert points(warm, package, parts, one, f"import math\n{DOUBLE}") == ["failed", "passed"]


def test_a_name_that_two_cells_import_is_the_one_of_the_nearest_above(warm, package: Path) -> None:
    one = "def one():\n    return 1"
    parts = (
        Solution(f"from math import sqrt as root\n{one}"),
        "assert root(16) == 4 * one()",
        Solution("from cmath import sqrt as root"),
        "assert root(-1) == 1j * one()",
    )
    assert points(warm, package, parts, f"from math import sqrt as root\n{one}", "from cmath import sqrt as root") == ["passed", "passed"]
    assert points(warm, package, parts, one, "from cmath import sqrt as root") == ["failed", "passed"]


@pytest.mark.parametrize(
    "parts",
    [
        (Solution(IMPORT + BACKWARD), TEST),
        (Given(IMPORT), Solution(BACKWARD), TEST),
        (plain(IMPORT), Solution(BACKWARD), TEST),
        (Given(IMPORT), Solution(BACKWARD.replace("\nenable()", "")), f"enable()\n{TEST}"),
        (Given(IMPORT), Solution(BACKWARD), IMPORT + TEST),
        (Given(MODULE), Solution(BACKWARD.replace("Tensor", "small_autograd.Tensor")), TEST.replace("Tensor", "small_autograd.Tensor")),
        (Given(MODULE), Solution('setattr(small_autograd.Tensor, "backward", lambda self: self._back(1.0))'), IMPORT + TEST),
        (Given(MODULE), Solution(OF_A_MODULE), "assert small_autograd.scaled(2) == 4"),
        (Given(MODULE), Solution(OF_A_MODULE), "from small_autograd import scaled\nassert scaled(2) == 4"),
        (Solution(MODULE + OF_A_MODULE), "import small_autograd as s\nassert s.scaled(2) == 4"),
    ],
)
def test_a_package_that_the_solution_puts_code_into_is_not_judged_as_it_comes(warm, package: Path, parts: tuple) -> None:
    texts = [part.source for part in parts if isinstance(part, Solution)]
    wrong = [text.replace("1.0", "5.0").replace("2 * x", "3 * x") for text in texts]
    assert wrong != texts
    assert points(warm, package, parts, *wrong)[-1] in ("failed", "unjudged")
    assert points(warm, package, parts, *texts)[-1] in ("passed", "unjudged")


def test_the_release_earns_nothing_with_an_import_of_the_solutions(warm, package: Path) -> None:
    assert points(warm, package, (Solution(IMPORT + BACKWARD), TEST), "raise NotImplementedError()") == ["failed"]
    unpatched = (Solution(f"{IMPORT}class Backward:\n    pass"), TEST)
    assert points(warm, package, unpatched, "raise NotImplementedError()") == ["failed"]
    assert points(warm, package, unpatched, unpatched[0].source) == ["passed"]


def test_what_a_solution_only_sets_leaves_a_package_as_it_is(warm, package: Path) -> None:
    parts = (Given("import torch"), Solution(f"torch.backends.cudnn.deterministic = True\n{DOUBLE}"), "assert torch.tensor(double(1)) == 2")
    assert points(warm, package, parts, f"torch.backends.cudnn.deterministic = True\n{DOUBLE}") == ["passed"]


def test_check_names_what_the_notebook_earns_as_students_get_it(warm, package: Path) -> None:
    marked = "from math import sqrt\n\ndef root(x):\n    ### BEGIN SOLUTION\n    return sqrt(x)\n    ### END SOLUTION"
    instructor = Instructor(build(Solution(marked), "assert sqrt(16) == 4", "assert root(16) == 4"), package)
    released = instructor.released().cells[0].source
    assert released == "from math import sqrt\n\ndef root(x):\n    raise NotImplementedError()"
    found = {finding.grade_id: " ".join(finding.weak) for finding in check_notebook(instructor, warm, LIMITS, package)}
    assert "as students get it" in found["t1"] and found["t2"] == ""
    assert notebook(*instructor.notebook.cells).cells[0].source == marked
