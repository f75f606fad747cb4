"""The numbers that lessons 2 and 3 show agree with reference numbers that were computed independently of this project."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from attnlab import reference
from authoring.lessons import ROOT

KNOWN = json.loads((ROOT / "tests" / "reference_values.json").read_text(encoding="utf-8"))
INTEGERS, COLUMNS = KNOWN["integer_example"], KNOWN["column_example"]
OUTPUTS = np.array(COLUMNS["outputs"]).T  # the file has one list per token, the lesson one column


def shown(exercise: str, part: int | None = None) -> np.ndarray:
    """The expected result for the lesson's own example, or one part of it."""
    expected = reference.load(exercise).cases[0].expected
    return np.asarray(expected if part is None else expected[part])


def given(exercise: str, place: int) -> np.ndarray:
    """What the exercise is called with in the lesson's own example."""
    return np.asarray(reference.load(exercise).cases[0].arguments[place])


def column_scores() -> np.ndarray:
    x = np.array(COLUMNS["X"])
    keys = np.array(COLUMNS["beta_k"]) + np.array(COLUMNS["omega_k"]) @ x
    return keys.T @ (np.array(COLUMNS["beta_q"]) + np.array(COLUMNS["omega_q"]) @ x)


AGREE = {
    "inputs of the integer example": lambda: (given("self_attention_rows", 0), INTEGERS["x"]),
    "query matrix": lambda: (given("self_attention_rows", 1), INTEGERS["w_query"]),
    "key matrix": lambda: (given("self_attention_rows", 2), INTEGERS["w_key"]),
    "value matrix": lambda: (given("self_attention_rows", 3), INTEGERS["w_value"]),
    "keys": lambda: (shown("project"), INTEGERS["keys"]),
    "exact weights": lambda: (given("weighted_values", 0), INTEGERS["weights_exact"]),
    "values": lambda: (given("weighted_values", 1), INTEGERS["values"]),
    "sum of the weighted values": lambda: (shown("weighted_values").sum(axis=1), INTEGERS["outputs_exact"]),
    "outputs in rows": lambda: (shown("self_attention_rows"), INTEGERS["outputs_exact"]),
    "outputs of the module": lambda: (shown("SelfAttention")[0], INTEGERS["outputs_exact"]),
    "X": lambda: (given("self_attention", 0), COLUMNS["X"]),
    "column scores": lambda: (shown("column_scores"), column_scores()),
    "column attention": lambda: (shown("softmax_cols"), COLUMNS["attention"]),
    "one column output": lambda: (shown("one_output"), OUTPUTS[:, :1]),
    "X_prime": lambda: (shown("self_attention", 0), OUTPUTS),
    "attention": lambda: (shown("self_attention", 1), COLUMNS["attention"]),
}


@pytest.mark.parametrize("name", AGREE)
def test_what_lessons_show_agrees_with_the_reference(name: str) -> None:
    mine, known = AGREE[name]()
    known = np.array(known, dtype=float)
    tolerance = 1e-5 if mine.dtype == np.float32 else 1e-9
    assert mine.shape == known.shape, f"{name} has shape {mine.shape} instead of {known.shape}"
    assert np.allclose(mine, known, rtol=tolerance, atol=tolerance), f"{name} differs by {np.abs(mine - known).max()}"


@pytest.mark.parametrize("place, name", list(enumerate(["omega_v", "omega_q", "omega_k", "beta_v", "beta_q", "beta_k"], start=1)))
def test_parameters_of_the_column_example(place: int, name: str) -> None:
    assert np.allclose(given("self_attention", place), COLUMNS[name], rtol=1e-9, atol=1e-12)


def printed(lesson: str) -> str:
    """Everything that the executed solution of a lesson prints, as one line of words."""
    path = next((ROOT / "solutions" / lesson).glob("*.ipynb"))
    outputs: list[dict[str, Any]] = [output for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
                                     for output in cell.get("outputs", [])]
    return " ".join("".join("".join(output.get("text", [])) for output in outputs).split())


def as_printed(matrix: list | np.ndarray, decimals: int = 4) -> str:
    """A matrix in the form that NumPy prints, as one line of words."""
    with np.printoptions(suppress=True):
        return " ".join(str(np.round(np.array(matrix, dtype=float), decimals)).split())


@pytest.mark.parametrize("name, matrix", [
    ("exact outputs", INTEGERS["outputs_exact"]), ("rounded outputs", INTEGERS["outputs_rounded"]),
    ("exact weights", INTEGERS["weights_exact"]), ("scores", INTEGERS["scores"]), ("queries", INTEGERS["queries"]),
    ("column outputs", OUTPUTS), ("column attention", COLUMNS["attention"]), ("column scores", column_scores()),
])
def test_lesson_2_prints_the_reference(name: str, matrix: list | np.ndarray) -> None:
    assert as_printed(matrix) in printed("2_queries_keys_values"), f"{name} are not among the printed numbers"
