"""The stand-in for torch, out of the very wheel that the site has. `test_lessons_in_browser.py` runs lessons with it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from authoring.answer_files import find_answers
from authoring.lessons import ROOT, find_lessons
from website.building import LITE

pytestmark = pytest.mark.slow

BEGIN = "from attnlab import in_browser\nin_browser.stand_in_for_torch()"
NEEDED = re.compile(r"(?:torch does not run in a browser, and this cell needs it|On your own computer: this needs torch) \((.*?)\)")
OF_TORCH = re.compile(r"^[4678]_| basic_self_attention | SelfAttention | scaled_dot_product_attention | is_permutation_")  # exercises of tensors


@pytest.fixture(scope="module")
def wheel(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of attnlab for browsers, unpacked."""
    to = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(next((site / LITE / "pypi").glob("attnlab-*.whl"))) as packed:
        packed.extractall(to)
    return to


def run(wheel: Path, folder: Path, cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells, executed after one that puts the stand-in in torch's place."""
    begun = new_notebook(cells=[new_code_cell(BEGIN), *cells])
    client = NotebookClient(begun, allow_errors=True, timeout=120, resources={"metadata": {"path": str(folder)}})
    client.execute(env={**os.environ, "PYTHONPATH": str(wheel)})
    assert begun.cells[0].outputs == []
    return begun.cells[1:]


def outputs(cells: list[NotebookNode]) -> list[str]:
    return ["".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs) for cell in cells]


def test_checks_say_the_same_as_with_torch(wheel: Path) -> None:
    command = [sys.executable, "-m", "tests.website.what_checks_say"]
    programs = [subprocess.Popen([*command, *more], cwd=ROOT, stdout=subprocess.PIPE, text=True) for more in ((), (str(wheel),))]
    with_torch, without = (json.loads(program.communicate()[0]) for program in programs)
    sources = {f"{lesson.assignment} {answer.exercise} {answer.key}": answer.source for lesson in find_lessons() for answer in find_answers(lesson)}
    compared = 0
    for name, said in without.items():
        if None in said:
            assert "torch" in sources[name] or OF_TORCH.search(name), name
            continue
        compared += 1
        assert told(said) == told(with_torch[name]), name
    assert compared > 200


def told(said: list[Any]) -> Any:
    """What was said, without numbers that answers draw at random."""
    return re.sub(r"\d+(\.\d+)?", "0", json.dumps(said))


@pytest.mark.parametrize(
    ("source", "needs"),
    [
        ("torch.bmm(1, 2)", "torch.bmm"),
        ("nn.Linear(2, 3)", "torch.nn.Linear"),
        ("class Own(nn.Module):\n    pass\nOwn()", "torch.nn.Module"),
        ("torch.nn.functional.relu(1)", "torch.nn.functional.relu"),
        ("torch.optim.Adam([])", "torch.optim.Adam"),
        ("with torch.no_grad():\n    pass", "torch.no_grad"),
        ("np.eye(2) @ torch.from_numpy(np.eye(2))", "torch.Tensor"),
        ("torch.from_numpy(np.eye(2)) - np.eye(2)", "torch.Tensor"),
        ("torch.tensor([1.0]).sum()", "torch.Tensor.sum"),
        ("bool(torch.tensor(True))", "torch.Tensor"),
        ("list(torch.tensor([1.0]))", "torch.Tensor"),
        ("np.asarray(torch.tensor([1.0]))", "torch.Tensor"),
        ("try:\n    torch.randn(3)\nexcept Exception:\n    print('swallowed')", "torch.randn"),
        ("torch.cuda.is_available()", "torch.cuda.is_available"),
        ("import torch.distributions", "torch.distributions"),
        ("from torch.distributions import Normal", "torch.distributions"),
        ("torch.tensor([1.0], dtype=torch.bfloat16)", "torch.bfloat16"),
        ("torch.softmax(torch.tensor([1, 2]), dim=0)", "torch.softmax"),
    ],
)
def test_what_torch_would_compute_is_named(wheel: Path, tmp_path: Path, source: str, needs: str) -> None:
    begin = "import numpy as np\nimport torch\nfrom torch import nn\n"
    (cell,) = run(wheel, tmp_path, [new_code_cell(begin + source)])
    assert [output.output_type for output in cell.outputs] == ["stream"]
    assert NEEDED.findall(cell.outputs[0].text) == [needs]


def test_what_a_lesson_does_without_computing_works(wheel: Path, tmp_path: Path) -> None:
    (cell,) = run(
        wheel,
        tmp_path,
        [
            new_code_cell("""import numpy as np, torch, torch.nn.functional as F
from torch import nn
scores = np.array([[1.0, 2.0], [-np.inf, 3.0], [1000.0, 0.0]])
print(torch.softmax(torch.tensor(scores, dtype=torch.float64), dim=-1).numpy().round(4).tolist())
print(isinstance(scores, torch.Tensor), isinstance(torch.tensor(1.0), torch.Tensor), isinstance(1, (nn.Module, torch.dtype)), torch.pi > 3)
class Own(nn.Module):
    def forward(self, x): return F.relu(x)
torch.set_num_threads(1)""")
        ],
    )
    assert outputs([cell]) == ["[[0.2689, 0.7311], [0.0, 1.0], [1.0, 0.0]]\nFalse True False True\n"]


def test_a_slip_is_told_as_a_slip(wheel: Path, tmp_path: Path) -> None:
    sources = ["import torch\ntorch.sofmax", "import torch\nfrom torch import sofmax", "torch.softmax([1.0])", "tokens.shape", "undefined_name"]
    done = run(wheel, tmp_path, list(map(new_code_cell, sources)))
    names = [next((output.ename for output in cell.outputs if output.output_type == "error"), None) for cell in done]
    assert names == ["AttributeError", "ImportError", "TypeError", "NameError", "NameError"]


def test_what_a_cell_could_not_reach_needs_torch_too(wheel: Path, tmp_path: Path) -> None:
    sources = [
        "import torch\nbefore = 1\nkept = 2",
        "kept = torch.eye(3)\ndef late(): return 1\nclass Late: pass\nrows, (one, *more) = 1, [n for n in (2, 3)]",
        "before + kept",
        "late()",
        "class Later(Late): pass",
        "rows + 1",
        "len(more)",
        "before = torch.ones(1)",
        "before",
        "n",
    ]
    done = run(wheel, tmp_path, list(map(new_code_cell, sources)))
    said = outputs(done)
    assert done[-1].outputs[0].ename == "NameError"  # it never had a value here
    assert said[2] == "3" and said[8] == "1"  # what was there stays
    late = [NEEDED.findall(text)[0].partition(",")[0] for text in said[3:7]]
    assert late == ["late", "Late", "rows", "more"]
