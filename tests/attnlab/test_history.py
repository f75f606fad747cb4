"""What a name stands for is not what its cell says now: the check says that and nothing else, in a real kernel, and bothers nobody else."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty

import pytest
from jupyter_client.manager import KernelManager

from authoring.lessons import ROOT

RIGHT = "def softmax(scores, axis=-1):\n    e = np.exp(scores - scores.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)"
WRONG = RIGHT.replace("e / e.sum", "2 * e / e.sum")
STUB = "def softmax(scores, axis=-1):\n    raise NotImplementedError('not written yet')"
CHECK = "check.softmax(softmax)"
PICTURE = "figures.compare('softmax', softmax)"
PASSES = "✓ softmax: all"
FAILS = "✗ softmax, step"
REFUSED = "✗ softmax: nothing was looked at"


class Kernel:
    """A kernel as Jupyter's front ends use it: each cell is sent with or without its id."""

    def __init__(self, notebook: Path | None = None):
        env = {name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"}
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(cwd=str(ROOT), env={**env, **({"JPY_SESSION_NAME": str(notebook)} if notebook else {})})
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, text: str, cell: str | None = None) -> str:
        """What a cell shows, on one line."""
        message = self.client.session.msg(
            "execute_request",
            {"code": text, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": False},
            metadata={"cellId": cell} if cell else {},
        )
        self.client.shell_channel.send(message)
        shown: list[str] = []
        while True:
            try:
                reply = self.client.get_iopub_msg(timeout=60)
            except Empty:
                raise AssertionError(f"no answer to {text}") from None
            if reply["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            content = reply["content"]
            if reply["msg_type"] == "stream":
                shown.append(content["text"])
            elif reply["msg_type"] == "error":
                shown += content["traceback"]
            elif reply["msg_type"] in ("execute_result", "display_data"):
                shown.append(content["data"]["text/plain"])
            elif reply["msg_type"] == "status" and content["execution_state"] == "idle":
                return " ".join(" ".join(shown).split())

    def close(self) -> None:
        """End the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course") / "1_basic_attention"
    folder.mkdir()
    return folder / "basic_attention.ipynb"


@pytest.fixture(scope="module")
def running(notebook: Path) -> Iterator[Kernel]:
    kernel = Kernel(notebook)
    yield kernel
    kernel.close()


@pytest.fixture
def kernel(running: Kernel, notebook: Path) -> Kernel:
    """One in which nothing was defined yet."""
    notebook.unlink(missing_ok=True)
    running.run("%reset -f")
    running.run("import attnlab.history\nattnlab.history._histories[0].runs.clear()")
    running.run("import numpy as np\nimport torch\nfrom attnlab import check, figures")
    return running


def save(notebook: Path, later: bool = True, **cells: str) -> None:
    """Save a notebook with these cells; the cell `softmax` is the graded one."""
    metadata = {"softmax": {"nbgrader": {"grade_id": "softmax"}}}
    content = [{"id": cell, "cell_type": "code", "metadata": metadata.get(cell, {}), "source": [text]} for cell, text in cells.items()]
    notebook.write_text(json.dumps({"cells": content}), encoding="utf-8")
    when = time.time() + (5 if later else -1000)
    os.utime(notebook, (when, when))


Cells = list[tuple[str, str | None]]
A, B, C = "softmax", "a-copy", "scratch"
OUTDATED: dict[str, tuple[Cells, str]] = {
    "a syntax error": ([(WRONG, A), (RIGHT.replace("):", ")"), A)], "Python could not read it: expected ':', in line 1"),
    "a syntax error, cells unknown": ([(WRONG, None), (RIGHT + ")", None)], "Python could not read it: unmatched ')', in line 3"),
    "a syntax error after the stub": ([(STUB, A), (RIGHT.replace("e = np", "e == = np"), A)], "Python could not read it"),
    "a syntax error that hides the name": ([(WRONG, A), (RIGHT.replace("def softmax", "def softmax softmax"), A)], "Python could not read it"),
    "the name is no longer in the broken text": ([(WRONG, A), ("de softmax(scores):\n    pass", A)], "Python could not read it"),
    "an indentation error": ([(WRONG, A), (RIGHT.replace("\n    return", "\n  return"), A)], "Python could not read it: unindent"),
    "an error before the definition": ([(WRONG, A), (f"import nothing_of_this_name\n{RIGHT}", A)], "with ModuleNotFoundError"),
    "an error in a decorator": ([(WRONG, A), (f"@cached\n{RIGHT}", A)], "NameError: name 'cached' is not defined, in line 1: `@cached`"),
    "an error in a default": ([(RIGHT, None), (WRONG.replace("axis=-1", "axis=last"), None)], "name 'last' is not defined"),
    "an error in a cell with a magic": ([(WRONG, A), (f"%%time\nimport nothing_of_this_name\n{RIGHT}", A)], "with ModuleNotFoundError"),
    "interrupted": ([(WRONG, A), (f"raise KeyboardInterrupt\n{RIGHT}", A)], "with KeyboardInterrupt"),
    "renamed": ([(WRONG, A), (RIGHT.replace("def softmax", "def softmaxx"), A)], "does not define it any more: it defines `softmaxx`"),
    "renamed, in a front end that calls cells otherwise": (
        [(WRONG, "vscode:1"), (RIGHT.replace("def softmax", "def my_soft"), "vscode:1")],
        "it defines `my_soft`",
    ),
    "renamed, cells unknown": ([(WRONG, None), (RIGHT.replace("def softmax", "def sofmax"), None)], "defines `sofmax`, with the same arguments"),
    "emptied": ([(WRONG, A), ("# nothing", A)], "does not define it any more"),
    "a copy further down": ([(RIGHT, A), (WRONG, B)], "another cell than that of `softmax`"),
    "overwritten by an import": ([(RIGHT, A), ("from torch import softmax", C)], "with `from torch import softmax`"),
    "overwritten by a value": ([(RIGHT, A), ("softmax = softmax(np.zeros(3))", C)], "with `softmax = softmax(np.zeros(3))`"),
}


@pytest.mark.parametrize(("cells", "told"), OUTDATED.values(), ids=OUTDATED)
def test_the_check_says_that_and_nothing_else_and_the_picture_too(kernel: Kernel, cells: Cells, told: str) -> None:
    for text, cell in cells:
        kernel.run(text, cell)
    said = kernel.run(CHECK, "softmax_test" if cells[0][1] else None)
    assert said.startswith(REFUSED) and told in said, said
    for part in ("observed", "expected", "likely", "next"):
        assert part in said
    picture = kernel.run(PICTURE)
    assert "equal" not in picture and "largest difference" not in picture, picture
    kernel.run(RIGHT, cells[0][1])
    assert kernel.run(CHECK).startswith(PASSES), "the cell ran again"
    assert "yours equals the target" in kernel.run(PICTURE)


INNOCENT: dict[str, tuple[Cells, str]] = {
    "defined once": ([(RIGHT, A)], PASSES),
    "corrected": ([(WRONG, A), (RIGHT, A)], PASSES),
    "still wrong": ([(RIGHT, A), (WRONG, A)], FAILS),
    "corrected after a syntax error": ([(WRONG, A), (RIGHT + ")", A), (RIGHT, A)], PASSES),
    "a test call at the end that fails": ([(WRONG, A), (f"{RIGHT}\nsoftmax('no array')", A)], PASSES),
    "calls in a scratch cell": ([(RIGHT, A), ("softmax(np.zeros(3))", C), ("softmax('no array')", C)], PASSES),
    "a broken scratch cell": ([(RIGHT, A), ("softmax(np.zeros(3)", C)], PASSES),
    "a variant with a name of its own": ([(RIGHT, A), (WRONG.replace("softmax", "softmax_old"), C)], PASSES),
    "a numbered variant": ([(RIGHT, None), (WRONG.replace("softmax", "softmax2"), None)], PASSES),
    "a helper that reads alike": ([(RIGHT, None), ("def softmaxes(rows):\n    return [softmax(row) for row in rows]", None)], PASSES),
    "no cells are known": ([(WRONG, None), (RIGHT, None)], PASSES),
    "a copy with the same text": ([(RIGHT, A), (RIGHT, B)], PASSES),
    "a copy with other comments": ([(RIGHT, A), (f"# a copy\n{RIGHT}\nprint('defined')", B)], PASSES),
    "a scratch cell while the graded one is a stub": ([(STUB, A), (WRONG, C)], FAILS),
    "a scratch cell that is used for something else": ([(STUB, A), (WRONG, C), ("1 + 1", C), (RIGHT, A)], PASSES),
    "imported in its own cell": ([(STUB, A), (f"import math\n{RIGHT}", A)], PASSES),
    "a lambda in its own cell": ([(WRONG, A), (f"def row(x):\n    return x\n{RIGHT.replace('softmax', 'mine')}\nsoftmax = mine", A)], PASSES),
    "a magic line": ([(WRONG, A), (f"%%time\n{RIGHT}", A)], PASSES),
    "defined within `if`": ([(WRONG, A), ("if True:\n    " + RIGHT.replace("\n", "\n    "), A)], PASSES),
    "interrupted elsewhere": ([(RIGHT, A), ("raise KeyboardInterrupt", C)], PASSES),
}


@pytest.mark.parametrize(("cells", "said"), INNOCENT.values(), ids=INNOCENT)
def test_nobody_else_is_bothered(kernel: Kernel, cells: Cells, said: str) -> None:
    for text, cell in cells:
        kernel.run(text, cell)
    shown = kernel.run(CHECK, "softmax_test" if cells[0][1] else None)
    assert shown.startswith(said), shown


def test_a_check_in_the_same_cell_looks_at_what_was_just_defined(kernel: Kernel) -> None:
    kernel.run(WRONG, A)
    kernel.run(RIGHT + ")", A)
    assert kernel.run(f"{RIGHT}\n{CHECK}", A).startswith(PASSES)


def test_a_cell_that_was_changed_and_saved_has_to_run_again(kernel: Kernel, notebook: Path) -> None:
    kernel.run(WRONG, A)
    save(notebook, softmax=RIGHT)
    said = kernel.run(CHECK)
    assert said.startswith(REFUSED) and "in the notebook as it was last saved, the cell of `softmax` holds something else" in said, said
    assert "it was changed and has not run since" in said
    kernel.run(RIGHT, A)
    assert kernel.run(CHECK).startswith(PASSES)


def test_a_cell_that_is_not_saved_yet_or_has_other_comments_bothers_nobody(kernel: Kernel, notebook: Path) -> None:
    kernel.run(RIGHT, A)
    save(notebook, later=False, softmax=STUB)
    assert kernel.run(CHECK).startswith(PASSES)
    save(notebook, softmax=f"# stable\n{RIGHT}\nsoftmax(np.zeros(3))")
    assert kernel.run(CHECK).startswith(PASSES)


def test_what_passes_in_another_cell_gets_no_green_check(kernel: Kernel, notebook: Path) -> None:
    save(notebook, later=False, softmax=STUB, scratch="")
    kernel.run(STUB, A)
    kernel.run(RIGHT, C)
    said = kernel.run(CHECK)
    assert said.startswith("✗ softmax: passes in another cell") and "copy it into that cell" in said, said
    kernel.run(WRONG, C)
    assert kernel.run(CHECK).startswith(FAILS), "what is wrong with it is told all the same"
    kernel.run(RIGHT, A)
    assert kernel.run(CHECK).startswith(PASSES)


def test_a_cell_that_was_deleted_is_another_cell(kernel: Kernel, notebook: Path) -> None:
    kernel.run(RIGHT, A)
    kernel.run(WRONG, "deleted")
    save(notebook, softmax=RIGHT)
    assert "another cell than that of `softmax`" in kernel.run(CHECK)


def test_a_graded_cell_that_was_moved_with_a_new_id_is_the_graded_one(kernel: Kernel, notebook: Path) -> None:
    kernel.run(STUB, A)
    kernel.run(RIGHT, "pasted")
    content = [{"id": "pasted", "cell_type": "code", "metadata": {"nbgrader": {"grade_id": "softmax"}}, "source": [RIGHT]}]
    notebook.write_text(json.dumps({"cells": content}), encoding="utf-8")
    assert kernel.run(CHECK).startswith(PASSES)


ANSWERED = 'check.reveal("predict_range")'
SHAPE = 'check.reveal("predict_product")'
PREDICTED: dict[str, tuple[list[str], str, str]] = {
    "without quotes": (["predicted_range = yes"], ANSWERED, "put quotes around it: 'yes'"),
    "without quotes, after an earlier one": (
        ["predicted_range = 'no'", "predicted_range = yes"],
        ANSWERED,
        "put quotes around it: 'yes'",
    ),
    "without quotes and in capitals": (["predicted_range = Yes"], ANSWERED, "put quotes around it: 'yes'"),
    "typographic quotes": (["predicted_range = “yes”"], ANSWERED, "type straight quotes"),
    "typographic quotes, after an earlier one": (
        ["predicted_range = 'no'", "predicted_range = “yes”"],
        ANSWERED,
        "type straight quotes",
    ),
    "typographic quotes in straight ones": (["predicted_range = '“yes”'"], ANSWERED, "write 'yes' exactly"),
    "one quote": (["predicted_range = 'yes"], ANSWERED, "unterminated string literal"),
    "in a list": (["predicted_range = ['yes']"], ANSWERED, "write only the choice"),
    "capitals": (["predicted_range = 'Yes'"], ANSWERED, "write 'yes' exactly"),
    "a space at the end": (["predicted_range = 'yes '"], ANSWERED, "write 'yes' exactly"),
    "a shape as a product": (["predicted_product_shape = 2x3x5"], SHAPE, "invalid decimal literal"),
    "a shape as a product in quotes": (["predicted_product_shape = '2x3x5'"], SHAPE, "write (2, 3, 5)"),
    "a misspelt variable": (["predicted_product_shape = prodct.shape"], SHAPE, "name 'prodct' is not defined"),
}


@pytest.mark.parametrize(("cells", "check", "told"), PREDICTED.values(), ids=PREDICTED)
def test_a_prediction_that_is_not_one_is_told_why(kernel: Kernel, cells: list[str], check: str, told: str) -> None:
    for cell in cells:
        kernel.run(cell)
    said = kernel.run(check)
    assert said.startswith("✗ ") and told in said, said


def test_a_prediction_without_quotes_is_told_at_its_own_cell(kernel: Kernel) -> None:
    said = kernel.run("predicted_range = yes")
    assert said.startswith("✗ predicted_range: not chosen yet") and "Put quotes around it: 'yes'" in said and "Traceback" not in said, said
    assert "Traceback" in kernel.run("symmetry = yes"), "any other name is shown as always"
    assert kernel.run("predicted_range = 'yes'") == ""
    assert kernel.run(ANSWERED).startswith("You said 'yes'. It is 'no': ")


def test_a_prediction_that_is_made_again_is_answered_again(kernel: Kernel) -> None:
    for value in ("yes", "no", "no", "yes"):
        kernel.run(f"predicted_range = '{value}'")
        assert kernel.run(ANSWERED).startswith(f"You said '{value}'")


def test_a_name_that_no_cell_came_to_define_is_told_with_the_reason(kernel: Kernel) -> None:
    kernel.run(f"import nothing_of_this_name\n{RIGHT}", A)
    said = kernel.run(CHECK)
    assert said.startswith("✗ softmax: no such name") and "with ModuleNotFoundError" in said, said
    kernel.run("%matplotlib inline\ndef softmax(scores, axis=-1):\n    return scores.max(axis=1, keepdims)", A)
    said = kernel.run(CHECK)
    assert "Python could not read it: positional argument follows keyword argument, in line 3" in said, said


def test_in_a_kernel_an_endless_loop_and_a_question_are_cards_and_the_kernel_goes_on(kernel: Kernel) -> None:
    kernel.run("import attnlab.diagnosis.limits\nattnlab.diagnosis.limits.SECONDS = 0.5")
    kernel.run("def softmax(scores, axis=-1):\n    n = 0\n    while True:\n        n += 1\n        print(n)", A)
    said = kernel.run(CHECK)
    assert "your code was stopped" in said and "in the loop `while True:` of line 3" in said and "… More was printed" in said, said[-500:]
    assert "your code was stopped" in kernel.run(PICTURE)
    kernel.run("def softmax(scores, axis=-1):\n    return input('softmax? ')", A)
    assert "it asks whoever sits at the keyboard, and a check has nobody to ask" in kernel.run(CHECK)
    assert "yours raised StdinNotImplementedError" in kernel.run(PICTURE)
    kernel.run(RIGHT, A)
    assert kernel.run(CHECK).startswith(PASSES)
    kernel.run("attnlab.diagnosis.limits.SECONDS = 5.0")


def test_a_cell_that_draws_what_an_answer_gives_has_the_time_of_a_picture(kernel: Kernel) -> None:
    kernel.run("import attnlab.diagnosis.limits\nattnlab.diagnosis.limits.SECONDS = 0.5")
    kernel.run("def attention_weights(x):\n    while True:\n        x = x + 1\n\ndef helper(x):\n    return np.eye(2)", "attention_weights")
    said = kernel.run("figures.weights_heatmap(attention_weights(np.eye(2)))")
    assert said.startswith("✗ not drawn observed your code was stopped") and "while True:" in said, said
    assert kernel.run("figures.weights_heatmap(helper(np.eye(2)))").startswith("[picture]")
    kernel.run("def attention_weights(x):\n    return np.eye(2)", "attention_weights")
    assert kernel.run("figures.weights_heatmap(attention_weights(np.eye(2)))").startswith("[picture]")
    assert kernel.run("import signal\nsignal.getsignal(signal.SIGALRM) == signal.SIG_DFL") == "True"
    kernel.run("attnlab.diagnosis.limits.SECONDS = 5.0")
