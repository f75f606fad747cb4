"""A name that is missing where a check is called: a message without a traceback, in a real kernel and in IPython alone."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import TracebackType

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from attnlab import check, figures
from attnlab.check.cards import show_cards
from authoring.lessons import ROOT


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    shell.colors = "nocolor"
    shell.user_ns.update(check=check, figures=figures)
    show_cards(shell)
    yield shell
    shell.set_custom_exc((), None)


def shown(shell: InteractiveShell, *cells: str) -> str:
    """What the last cell shows, as one line."""
    for cell in cells:
        with redirect_stdout(io.StringIO()) as text:
            shell.run_cell(cell, store_history=True)
    return " ".join(text.getvalue().split())


MISSING = [
    ("check.softmax(softmax)", "✗ softmax: no such name in this session", "the cell that defines it has not run since the kernel started"),
    ("from attnlab import check\n\ncheck.softmax(softmax)", "✗ softmax: no such name", "a function or class called `softmax`"),
    ("figures.compare('softmax', softmax,\n                means=lambda weights: weights)", "✗ softmax: no such name", "run that cell"),
    ("figures.compare('softmax',\n                softmax)", "✗ softmax: no such name", "run that cell"),
    ("check.SelfAttention(SelfAttention)", "✗ SelfAttention: no such name", "a function or class called `SelfAttention`"),
    (
        "check.reveal('predict_product')",
        "✗ predicted_product_shape: no such name",
        "run that cell with `predicted_product_shape = ...` in it",
    ),
    ("check.choice('fault_lines', line_of_the_sum, 1, 2)", "✗ line_of_the_sum: no such name", "your answer, under the name `line_of_the_sum`"),
    ("picture = figures.weights_heatmap(hidden_weights)", "✗ hidden_weights: no such name", "Run All Above Selected Cell"),
    ("del figures\nfigures.compare('softmax', 1)", "✗ figures: no such name", "run `from attnlab import figures`"),
]


@pytest.mark.parametrize(("cell", "headline", "said"), MISSING, ids=[cell for cell, *_ in MISSING])
def test_a_missing_name_is_named_without_a_traceback(shell: InteractiveShell, cell: str, headline: str, said: str) -> None:
    text = shown(shell, cell)
    assert text.startswith(headline)
    for part in ("observed", "expected", "likely", "next", said):
        assert part in text
    assert "Traceback" not in text
    assert "NameError" not in text


OTHERS = {
    "no check in the line": "unknown_name",
    "inside a function": "def f():\n    return unknown_name\ncheck.softmax(f())",
    "a check in another line": "check.known('softmax')\nunknown_name",
    "a local name": "def f():\n    print(x)\n    x = 1\ncheck.softmax(f())",
    "inside a lambda": "check.softmax((lambda: unknown_name)())",
    "another error": "check.softmax(1 / 0)",
}


@pytest.mark.parametrize("cell", OTHERS.values(), ids=OTHERS)
def test_every_other_error_is_shown_as_always(shell: InteractiveShell, cell: str) -> None:
    text = shown(shell, cell)
    assert "Traceback" in text
    assert "✗" not in text
    plain = InteractiveShell()
    plain.colors = "nocolor"
    plain.user_ns.update(check=check)
    assert shown(plain, cell) == text


OFFERED = [
    ("def soft_max(scores, axis=-1):\n    return scores", "check.softmax(softmax)", "Did you mean `soft_max`?"),
    ("def mine(scores, axis=-1):\n    return scores", "check.softmax(softmax)", "Did you mean `mine`?"),
    ("class Attention:\n    def __init__(self, d_in, d_k, d_v):\n        pass", "check.SelfAttention(SelfAttention)", "Did you mean `Attention`?"),
    (
        "predicted_product_form = (2, 3)",
        "check.reveal('predict_product')",
        "Did you mean `predicted_product_form`?",
    ),
    ("hidden_weight = 1", "figures.weights_heatmap(hidden_weights)", "Did you mean `hidden_weight`?"),
]
NOT_OFFERED = [
    ("def helper(x):\n    return x", "check.softmax(softmax)"),
    ("softmaxes = [1, 2]", "check.softmax(softmax)"),
    ("def attention_scores(x):\n    return x", "check.attention_weights(attention_weights)"),
    ("from numpy import max as soft_max", "check.softmax(softmax)"),
]


@pytest.mark.parametrize(("made", "cell", "said"), OFFERED)
def test_what_may_be_the_same_under_another_name_is_offered(shell: InteractiveShell, made: str, cell: str, said: str) -> None:
    assert said in shown(shell, made, cell)


@pytest.mark.parametrize(("made", "cell"), NOT_OFFERED)
def test_what_is_something_else_is_not_offered(shell: InteractiveShell, made: str, cell: str) -> None:
    text = shown(shell, made, cell)
    assert text.startswith("✗ ")
    assert "Did you mean" not in text


def test_in_its_lesson_an_exercise_has_its_number_and_elsewhere_not(shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for lesson, said in (("1_basic_attention", "your answer to Exercise 1, under the name `softmax`"), ("3_scaling", "a value called `softmax`")):
        (tmp_path / lesson).mkdir()
        monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / lesson / "lesson.ipynb"))
        assert said in shown(shell, "check.softmax(softmax)")


def test_what_a_stopped_cell_was_to_define_is_told_by_that_cell_in_any_line(shell: InteractiveShell) -> None:
    made = "queries, keys = (split(one) for one in (1, 2))"
    said = shown(shell, "def split(x):\n    raise NotImplementedError('not written yet')", made, "scores = queries @ keys\nprint(scores)")
    assert "✗ queries: no such name" in said and "NotImplementedError" in said and "Traceback" not in said
    assert "NameError" in shown(shell, "print(never_named)")


def test_a_handler_that_is_already_there_keeps_its_exceptions(shell: InteractiveShell) -> None:
    seen: list[type[BaseException]] = []

    def handler(shell: InteractiveShell, kind: type[BaseException], error: BaseException, trace: TracebackType, tb_offset: int | None = None) -> None:
        seen.append(kind)

    shell.set_custom_exc((NameError, KeyError), handler)
    show_cards(shell)
    assert shown(shell, "check.softmax(softmax)").startswith("✗ softmax")
    assert shown(shell, "unknown_name") == shown(shell, "{}[1]") == ""
    assert seen == [NameError, KeyError]


def test_in_a_kernel_the_output_of_the_cell_is_the_message() -> None:
    cells = ["from attnlab import check\n\ncheck.softmax(softmax)", "softmax"]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(
        notebook, allow_errors=True, kernel_name="python3", extra_arguments=["--log-level=ERROR"], resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    nbformat.validate(notebook)
    ours, usual = (cell.outputs[0] for cell in notebook.cells)
    assert (ours.output_type, ours.ename, ours.evalue) == ("error", "NameError", "name 'softmax' is not defined")
    assert ours.traceback[0] == "✗ softmax: no such name in this session"
    assert not any("Traceback" in line or "\x1b" in line for line in ours.traceback)
    assert any("Traceback" in line for line in usual.traceback)


def test_plain_python_does_not_load_ipython_and_raises_as_always() -> None:
    code = "import sys\nfrom attnlab import check\nassert 'IPython' not in sys.modules\ncheck.softmax(softmax)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "NameError: name 'softmax' is not defined"
