"""What learners write, as a cell of a notebook would define it: exceptions find their lines."""

from __future__ import annotations

import itertools
import linecache
import textwrap
from typing import Any

import numpy as np
import pytest
import torch

from attnlab import check

_cells = itertools.count(1)


def run_cell(code: str, name: str, **held: Any) -> Any:
    """Run a cell in a notebook that holds `np`, `torch` and the given names; return what it gives the name."""
    code, file = textwrap.dedent(code), f"<cell {next(_cells)} of a learner>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    notebook = {"__name__": "__main__", "np": np, "torch": torch, "nn": torch.nn, **held}
    exec(compile(code, file, "exec"), notebook)
    return notebook[name]


def said(exercise: str, answer: Any) -> str:
    """What the visible check of an exercise says to an answer, on one line."""
    with pytest.raises(check.CheckFailed) as caught:
        getattr(check, exercise)(answer)
    return " ".join(str(caught.value).split())


def said_to(exercise: str, code: str, **held: Any) -> str:
    """What the visible check says to a cell that defines the exercise."""
    return said(exercise, run_cell(code, exercise, **held))
