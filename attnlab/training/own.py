"""What you wrote in earlier lessons, out of your own notebooks; torch's modules or ours in place of what is not there or not right yet."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attnlab import check
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis
from attnlab.training.loop import step
from attnlab.training.measuring import Sequences
from attnlab.training.stand_ins import StandIn, TorchTransformer

LESSON_4 = Path("..", "4_multi_head", "multi_head.ipynb")
LESSON_5 = Path("..", "5_permutation_test", "permutation_test.ipynb")
LESSON_6 = Path("..", "6_transformer", "transformer.ipynb")
LESSON_7 = Path("..", "7_language_model", "language_model.ipynb")
ATTENTION, MODEL, LOOP = "MultiHeadSelfAttention", ("FeedForward", "Block", "Transformer"), "train_model"
ORDERS = "is_permutation_equivariant"
OF_LESSON_7 = ("induction_scores", "without_head", "next_probabilities")
HELPERS = ("split_heads", "merge_heads", "permute_tokens")  # answers that others use
Batches = Iterator[tuple[Tensor, Tensor]]
WIDTH = 110  # letters in a line of what is printed


def attention_of_lesson_4(notebook: Path = LESSON_4) -> type[nn.Module]:
    """The class `MultiHeadSelfAttention` of your lesson 4 when its check is content with it, else torch's; prints which.

    Args:
        notebook: where your lesson 4 is; beside this lesson's folder by default.

    Returns:
        A class that is made with `(k, heads, mask=False)`.
    """
    found, why = _written(notebook, 4, (ATTENTION,))
    _tell(ATTENTION, 4, why)
    return StandIn if why else found[ATTENTION]


def equivariance_test_of_lesson_5(notebook: Path = LESSON_5) -> Callable[[Callable[[np.ndarray], np.ndarray], np.ndarray], bool]:
    """`is_permutation_equivariant(f, x)` of your lesson 5 when its check is content with it, else one that tries a single order; prints which."""

    def one_order(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> bool:
        return np.allclose(f(np.roll(x, 1, axis=0)), np.roll(f(x), 1, axis=0))

    found, why = _written(notebook, 5, (ORDERS,))
    _tell(ORDERS, 5, why, "ours, for one order,")
    return one_order if why else found[ORDERS]


def model_of_lesson_6(attention: type[nn.Module], notebook: Path = LESSON_6) -> Callable[..., nn.Module]:
    """What makes a model out of your `FeedForward`, `Block` and `Transformer` of lesson 6, or out of torch's; prints which.

    Args:
        attention: made with `(k, heads, mask)`, for your blocks.
        notebook: where your lesson 6 is; beside this lesson's folder by default.

    Returns:
        A function `(task, layers, k=32, heads=2)`: a transformer with a causal mask for the tokens of a task, before training.
    """
    found, why = _written(notebook, 6, MODEL)
    _tell("The transformer", 6, why)

    def own(task: Sequences, layers: int, k: int = 32, heads: int = 2) -> nn.Module:
        blocks = [found["Block"](k, attention(k, heads, mask=True), found["FeedForward"](k, 2 * k)) for _ in range(layers)]
        return found["Transformer"](task.vocabulary, task.length, k, blocks)

    def torchs(task: Sequences, layers: int, k: int = 32, heads: int = 2) -> nn.Module:
        return TorchTransformer(task.vocabulary, task.length, k, layers, heads)

    return torchs if why else own


def loop_of_lesson_6(notebook: Path = LESSON_6) -> Callable[[nn.Module, Batches, float], list[float]]:
    """The function `train_model(model, batches, rate)` of your lesson 6 when its check is content with it, else ours; prints which."""

    def ours(model: nn.Module, batches: Batches, rate: float) -> list[float]:
        take = partial(step, model, torch.optim.AdamW(model.parameters(), rate, weight_decay=0))  # Adam, that is
        return [take(*batch) for batch in batches]

    found, why = _written(notebook, 6, (LOOP,))
    _tell(LOOP, 6, why, "ours")
    return ours if why else found[LOOP]


def functions_of_lesson_7(notebook: Path = LESSON_7) -> list[Callable[..., Any]]:
    """`induction_scores`, `without_head` and `next_probabilities` of your lesson 7, with which its checks are content.

    Raises:
        CheckFailed: one of them is not; the card says which, and what is missing.
    """
    found, why = _written(notebook, 7, OF_LESSON_7)
    if why:
        cause = Cause("training.lesson_7_unfinished", "this part works with your own lesson 7", "finish that there, save, and run this cell again")
        raise CheckFailed(
            "lesson 7: not finished yet", Diagnosis(why.rstrip("."), f"{', '.join(OF_LESSON_7)}, as their checks pass", cause, is_open=True)
        )
    print(f"✓ {', '.join(OF_LESSON_7)} are yours, from lesson 7.")
    return list(found.values())


def _tell(what: str, lesson: int, why: str, whose: str = "torch's") -> None:
    """Print whose it is, and why it is not the learner's."""
    if not why:
        print(f"✓ {what} is yours, from lesson {lesson}.")
        return
    text = f"{what} is {whose} here, in place of yours: {why} Everything in this lesson works with it. When yours is done, run this cell again."
    print(textwrap.fill(text, WIDTH))


def _written(notebook: Path, lesson: int, names: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """What a learner's notebook defines under these names; and why it cannot be taken, or nothing."""
    try:
        cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if isinstance(cell, dict)]
    except (OSError, ValueError, KeyError, TypeError):
        return {}, f"your notebook of lesson {lesson} is not beside this one, or cannot be read."
    namespace: dict[str, Any] = {"__name__": f"lesson_{lesson}"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        for source in _definitions(cells, (*names, *HELPERS)):
            with contextlib.suppress(Exception):  # what does not run is missing, and the check says so
                exec(compile(source, str(notebook), "exec"), namespace)
        for name in names:
            if not callable(namespace.get(name)):
                return {}, f"`{name}` is not there, or its cell does not run."
            try:
                getattr(check, name)(namespace[name])
            except Exception as error:
                return {}, _words(name, lesson, error)
    return {name: namespace[name] for name in names}, ""


def _definitions(cells: list[dict[str, Any]], answers: tuple[str, ...]) -> Iterator[ast.Module]:
    """The answers as they stand, and of all other cells what they import and define: no training and no picture."""
    for cell in cells:
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        with contextlib.suppress(SyntaxError):
            tree = ast.parse(source if isinstance(source, str) else "".join(source))
            if cell.get("metadata", {}).get("nbgrader", {}).get("grade_id") not in answers:
                tree.body = [line for line in tree.body if isinstance(line, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))]
            yield from (ast.Module([line], []) for line in tree.body)


def _words(name: str, lesson: int, error: Exception) -> str:
    """What the check says, in one sentence."""
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "not started yet" in first:
        return f"`{name}` is not written yet."
    return f"the check of lesson {lesson} still says “{first.strip()}”."
