"""The numbers that lessons 2, 2b and 3 show agree with reference numbers that were computed independently of this project."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from attnlab import reference
from authoring.answers import Namespace
from authoring.lessons import ROOT, Lesson, read_text

KNOWN = json.loads((ROOT / "tests" / "reference_values.json").read_text(encoding="utf-8"))
INTEGERS, COLUMNS = KNOWN["integer_example"], KNOWN["column_example"]
# The file has one list per token, lesson 2b one column. Lesson 3 shows the same example in rows.
OUTPUTS, OUTPUTS_SCALED = np.array(COLUMNS["outputs"]).T, np.array(COLUMNS["outputs_scaled"]).T


def shown(exercise: str, part: int | None = None) -> np.ndarray:
    """The expected result for the lesson's own example, or one part of it."""
    expected = reference.cases(exercise)[0].expected
    return np.asarray(expected if part is None else expected[part])


def given(exercise: str, place: int) -> np.ndarray:
    """What the exercise is called with in the lesson's own example."""
    return np.asarray(reference.cases(exercise)[0].arguments[place])


def column_scores() -> np.ndarray:
    x = np.array(COLUMNS["X"])
    keys = np.array(COLUMNS["beta_k"]) + np.array(COLUMNS["omega_k"]) @ x
    return keys.T @ (np.array(COLUMNS["beta_q"]) + np.array(COLUMNS["omega_q"]) @ x)


AGREE = {
    "inputs of the integer example": lambda: (given("self_attention_rows", 0), INTEGERS["x"]),
    "query matrix": lambda: (given("self_attention_rows", 1), INTEGERS["w_query"]),
    "key matrix": lambda: (given("self_attention_rows", 2), INTEGERS["w_key"]),
    "value matrix": lambda: (given("self_attention_rows", 3), INTEGERS["w_value"]),
    "queries": lambda: (answers("2_queries_keys_values")["queries"], INTEGERS["queries"]),
    "keys": lambda: (answers("2_queries_keys_values")["keys"], INTEGERS["keys"]),
    "scores": lambda: (answers("2_queries_keys_values")["scores"], INTEGERS["scores"]),
    "exact weights": lambda: (given("weighted_values", 0), INTEGERS["weights_exact"]),
    "values": lambda: (given("weighted_values", 1), INTEGERS["values"]),
    "sum of the weighted values": lambda: (shown("weighted_values").sum(axis=1), INTEGERS["outputs_exact"]),
    "outputs in rows": lambda: (shown("self_attention_rows"), INTEGERS["outputs_exact"]),
    "outputs of the module": lambda: (shown("SelfAttention")[0], INTEGERS["outputs_exact"]),
    "X": lambda: (given("self_attention", 0), COLUMNS["X"]),
    "column scores": lambda: (shown("column_scores"), column_scores()),
    "one column output": lambda: (shown("one_output"), OUTPUTS[:, :1]),
    "X_prime": lambda: (shown("self_attention", 0), OUTPUTS),
    "attention": lambda: (shown("self_attention", 1), COLUMNS["attention"]),
    "scaled outputs": lambda: (shown("scaled_dot_product_self_attention"), OUTPUTS_SCALED),
    "entropies": lambda: (shown("attention_entropy"), [-sum(w * np.log(w) for w in row) for row in INTEGERS["weights_exact"]]),
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


@cache
def answers(lesson: str) -> Namespace:
    """Everything that a lesson's own answers define."""
    return Namespace(read_text(Lesson(lesson)))


def test_scaled_integer_example() -> None:
    q, k, v = (torch.tensor(INTEGERS[name], dtype=torch.float64) for name in ("queries", "keys", "values"))
    outputs = answers("3_scaling")["scaled_dot_product_attention"](q, k, v)
    assert np.allclose(outputs.numpy(), INTEGERS["outputs_scaled_exact"], rtol=1e-9)


def test_exact_weights_of_the_integer_example() -> None:
    scores = np.array(INTEGERS["queries"]) @ np.array(INTEGERS["keys"]).T
    assert np.allclose(answers("2_queries_keys_values")["softmax_rows"](scores), INTEGERS["weights_exact"], rtol=1e-9, atol=1e-12)


def test_weighted_values_of_the_rounded_example() -> None:
    weighted = answers("2_queries_keys_values")["weighted_values"]
    result = weighted(np.array(INTEGERS["weights_rounded"]), np.array(INTEGERS["values"]))
    # the file has the axes key, query, number
    assert np.allclose(result.transpose(1, 0, 2), INTEGERS["weighted_values_rounded"])


@pytest.mark.parametrize("d", [4, 16, 64, 256])
def test_score_variance_agrees_within_its_sampling_error(d: int) -> None:
    samples = 20_000
    estimate = answers("3_scaling")["score_variance"](d, samples, np.random.RandomState(d))
    error = d * np.sqrt((2 + 6 / d) / samples)
    assert abs(estimate - d) < 4 * error, f"{estimate} is more than four standard errors away from {d}"
    assert abs(estimate - KNOWN["score_variance"][str(d)]) < 0.1 * d  # the reference is a simulation too, with fewer samples


def printed(lesson: str) -> str:
    """Everything that the executed solution of a lesson prints, as one line of words."""
    path = next((ROOT / "solutions" / lesson).glob("*.ipynb"))
    outputs: list[dict[str, Any]] = [output for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] for output in cell.get("outputs", [])]
    return " ".join("".join("".join(output.get("text", [])) for output in outputs).split())


def as_printed(matrix: list | np.ndarray, decimals: int = 4) -> str:
    """A matrix in the form that NumPy prints, as one line of words."""
    with np.printoptions(suppress=True):
        return " ".join(str(np.round(np.array(matrix, dtype=float), decimals)).split())


@pytest.mark.parametrize(
    "name, matrix",
    [
        ("exact outputs", INTEGERS["outputs_exact"]),
        ("rounded outputs", INTEGERS["outputs_rounded"]),
        ("exact weights", INTEGERS["weights_exact"]),
        ("scores", INTEGERS["scores"]),
        ("queries", INTEGERS["queries"]),
    ],
)
def test_lesson_2_prints_the_reference(name: str, matrix: list | np.ndarray) -> None:
    assert as_printed(matrix) in printed("2_queries_keys_values"), f"{name} are not among the printed numbers"


@pytest.mark.parametrize(
    "name, matrix",
    [
        ("outputs", OUTPUTS),
        ("attention", COLUMNS["attention"]),
        ("scores", column_scores()),
        ("scaled outputs", OUTPUTS_SCALED),
        ("scaled attention", COLUMNS["attention_scaled"]),
        ("scaled scores", column_scores() / 2),
    ],
)
def test_lesson_2b_prints_the_reference(name: str, matrix: list | np.ndarray) -> None:
    assert as_printed(matrix) in printed("2b_columns"), f"{name} are not among the printed numbers"


@pytest.mark.parametrize(
    "name, matrix",
    [
        ("scores", column_scores().T),
        ("attention", np.array(COLUMNS["attention"]).T),
        ("scaled scores", column_scores().T / 2),
        ("scaled attention", np.array(COLUMNS["attention_scaled"]).T),
        ("scaled outputs", COLUMNS["outputs_scaled"]),
    ],
)
def test_lesson_3_prints_the_reference(name: str, matrix: list | np.ndarray) -> None:
    assert as_printed(matrix) in printed("3_scaling"), f"{name} are not among the printed numbers"
