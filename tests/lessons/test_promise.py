"""A green check is a promise: what a hidden test can take points for, the visible check has tried on other data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import nbformat
import numpy as np
import pytest

from attnlab import exercises
from attnlab.arrays import as_numpy
from attnlab.diagnosis import calls
from attnlab.diagnosis.drawn import HIDDEN, VISIBLE, inputs_of
from authoring.answer_files import find_answers
from authoring.answers import Namespace, fill_in, run_test, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, find_lessons, read_text

PROMISED = [name for name in exercises.names() if exercises.find(name).kinds]
SEEDS = (VISIBLE, HIDDEN, 17)  # whatever holds by chance alone fails for one of them


def test_no_kept_answer_is_seen_by_hidden_tests_alone() -> None:
    answers = [answer for lesson in find_lessons() for answer in find_answers(lesson)]
    assert [answer.place for answer in answers if answer.is_hidden_only and answer.exercise in exercises.names()] == []


Holds = Callable[[np.ndarray], bool]  # of a table: tokens in rows


def _is_one_hot(x: np.ndarray) -> bool:
    """One number in each row, the same in all: a module may need long vectors."""
    return len(x) > 1 and bool(((x != 0).sum(-1) == 1).all()) and len(np.unique(x[x != 0])) == 1


def _holds_equal_rows(x: np.ndarray) -> bool:
    """Side by side and apart, and beside others."""
    distances = {i - j for i in range(len(x)) for j in range(i) if np.array_equal(x[i], x[j]) and x[i].any()}
    return {1} < distances and len(np.unique(x, axis=0)) > 1


SPECIAL: dict[str, Holds] = {
    "equal tokens": _holds_equal_rows,
    "a token of zeros beside others": lambda x: bool((~x.any(-1)).any() and x.any()),
    "a token of equal components beside others": lambda x: bool(((x == x[:, :1]).all(-1) & x.any(-1)).any() and (x != x[:, :1]).any()),
    "one-hot tokens": _is_one_hot,
    "numbers below zero alone": lambda x: x.size > 1 and bool((x < 0).all()),
    "ascending tokens": lambda x: len(x) > 1 and bool((np.diff(x, axis=0) >= 0).all() and (x != x[:1]).any()),
    "zeros alone": lambda x: x.size > 1 and not x.any(),
}
SIZES: dict[str, Holds] = {
    "more tokens than components": lambda x: x.shape[0] > x.shape[1],
    "more components than tokens": lambda x: x.shape[0] < x.shape[1],
}
TOKENS = SPECIAL | SIZES
SCORES: dict[str, Holds] = SPECIAL | {
    "equal scores in a row, and others": lambda x: any(1 < len(np.unique(row)) < len(row) for row in x),
    "rows that are weights already": lambda x: len(x) > 1 and not _is_one_hot(x) and bool((x >= 0).all() and (x.sum(-1) == 1).all()),
}
OF_A_ROW: dict[str, Holds] = {
    "equal ones, and others": SCORES["equal scores in a row, and others"],
    "equal ones alone": lambda x: x.shape[1] > 1 and bool((x == x[:, :1]).all()),
    "one-hot": lambda x: x.shape[1] > 1 and bool(((x == 1).sum(-1) == 1).any() and ((x != 0).sum(-1) == 1).any()),
    "ascending": lambda x: x.shape[1] > 2 and bool((np.diff(x, axis=1) > 0).all(-1).any()),
}
ALONE: dict[str, Holds] = {
    "a token of zeros": lambda x: x.size > 1 and not x.any(),
    "a token of equal components": OF_A_ROW["equal ones alone"],
    "a one-hot token": OF_A_ROW["one-hot"],
    "numbers below zero alone": SPECIAL["numbers below zero alone"],
}
NUMBERS: dict[str, Holds] = {
    "equal tokens, side by side and apart": lambda x: _holds_equal_rows(x[0][:, None] + 1),
    "token 0 alone": lambda x: x.size > 1 and not x.any(),
    "token 0 beside others": lambda x: bool((x == 0).any() and x.any()),
}
ANY: dict[str, Holds] = {"equal rows": _holds_equal_rows, "a row of zeros": SPECIAL["a token of zeros beside others"]}


def _rows(*places: int) -> Callable[[list[Any]], Iterator[np.ndarray]]:
    """The tables of some arguments; of an array with more axes, each table that it holds; a vector is a table of one row."""

    def tables(arguments: list[Any]) -> Iterator[np.ndarray]:
        for place in places:
            array = as_numpy(arguments[place])
            yield from array.reshape(-1, *array.shape[-2:]) if array.ndim > 1 else [array[None]]

    return tables


def _columns(place: int) -> Callable[[list[Any]], Iterator[np.ndarray]]:
    return lambda arguments: (table.T for table in _rows(place)(arguments))


# What the inputs of an exercise hold for certain: where its tables stand among the arguments, and what some of them are.
CERTAIN: dict[str, tuple[Callable[[list[Any]], Iterator[np.ndarray]], dict[str, Holds]]] = {
    "embed": (_rows(2), TOKENS),
    **dict.fromkeys(["attention_scores", "attention_weights", "self_attention_loops", "basic_self_attention"], (_rows(0), TOKENS)),
    "softmax": (_rows(0), SCORES),
    "weighted_values": (_rows(1), TOKENS),
    **dict.fromkeys(["self_attention_rows", "two_layers"], (_rows(0), TOKENS)),
    **dict.fromkeys(["SelfAttention", "ScaledSelfAttention", "MultiHeadSelfAttention", "FeedForward", "Block"], (_rows(2), TOKENS)),
    **dict.fromkeys(["column_scores", "self_attention", "scaled_dot_product_self_attention", "multi_head_columns"], (_columns(0), TOKENS)),
    "one_output": (_columns(1), TOKENS),
    "query_key_value": (_columns(0), ALONE),
    "attention_entropy": (_rows(0), OF_A_ROW | {"equal rows": lambda x: len(np.unique(x, axis=0)) < len(x)}),
    "softmax_jacobian": (_rows(0), OF_A_ROW),
    "attention_gradients": (_rows(0, 1, 2, 3), TOKENS),
    "scaled_dot_product_attention": (_rows(0, 1, 2), TOKENS),
    "grouped_attention": (_rows(0, 1, 2), TOKENS),
    "cached_attention": (_rows(0, 1, 2), TOKENS),
    **dict.fromkeys(["split_heads", "merge_heads", "layer_norm", "permute_tokens", "repaired_causal_attention", "rotary"], (_rows(0), TOKENS)),
    "to_halves": (_rows(0), TOKENS),
    "padded_weights": (_rows(0), SCORES),
    "next_probabilities": (_rows(0), OF_A_ROW | {"rows that are weights already": lambda x: sorted(x[0]) == [0.25, 0.25, 0.5]}),
    "induction_scores": (_rows(0), {"one-hot": _is_one_hot, "equal weights": lambda x: len(x) > 2 and bool((x[-1] == x[-1, 0]).all())}),
    "without_head": (_rows(0), ANY),
    "generate": (_rows(0), NUMBERS),
    "Transformer": (_rows(2), NUMBERS),
}
BATCHES = {  # the argument whose first axis is that of the sequences, or of the heads
    **dict.fromkeys(["basic_self_attention", "split_heads", "merge_heads", "layer_norm", "padded_weights"], 0),
    **dict.fromkeys(["scaled_dot_product_attention", "grouped_attention", "cached_attention", "induction_scores"], 0),
    **dict.fromkeys(["SelfAttention", "ScaledSelfAttention", "MultiHeadSelfAttention", "FeedForward", "Block", "Transformer"], 2),
}
NUMBER = "it takes numbers, no tokens, vectors or scores"
LESSON_8 = "its inputs are part of lesson 8, which is built where the real model is installed"
LEFT_OUT = {
    **dict.fromkeys(["causal_mask", "positional_encoding", "parameter_count", "smallest_overflow", "next_letter_projections"], NUMBER),
    "train_model": "its sequences are what a model learns from: nothing is asked about one of them",
    **dict.fromkeys(["attend_with_cache", "decoder_block", "gated_feed_forward", "probability_by_layer"], LESSON_8),
    **dict.fromkeys(["residual_streams", "rms_norm", "rotate_heads", "tied_logits"], LESSON_8),
}


def test_each_exercise_says_what_its_inputs_hold_or_why_not() -> None:
    assert sorted([*CERTAIN, *LEFT_OUT]) == sorted(PROMISED)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", CERTAIN)
def test_inputs_hold_what_a_shortcut_trips_over_with_every_seed(name: str, seed: int) -> None:
    tables_of, wanted = CERTAIN[name]
    inputs = [one for each in inputs_of(exercises.find(name), seed).values() for one in each]
    tables = [table for one in inputs for table in tables_of(one.arguments)]
    assert [what for what, holds in wanted.items() if not any(map(holds, tables))] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BATCHES)
def test_inputs_hold_equal_sequences_beside_another(name: str, seed: int) -> None:
    batches = [as_numpy(one.arguments[BATCHES[name]]) for each in inputs_of(exercises.find(name), seed).values() for one in each]
    assert any(1 < len(np.unique(batch.reshape(len(batch), -1), axis=0)) < len(batch) for batch in batches if batch.ndim > 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_that_mix_tokens_get_fewer_than_the_model_reads(seed: int) -> None:
    inputs = [one.arguments for each in inputs_of(exercises.find("Transformer"), seed).values() for one in each]
    assert any(blocks == "mix" and layers and tokens.shape[1] < longest for (_, longest, _, layers, blocks), _, tokens in inputs)


def _of_arrays(change: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A slip that changes an array that comes out, or each of several."""

    def slip(answer: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*arguments: Any, **named: Any) -> Any:
            result = answer(*arguments, **named)
            return type(result)(map(change, result)) if isinstance(result, (tuple, list)) else change(result)

        return changed

    return slip


def _numbers(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], Any]:
    """The same change of a tensor and of an array."""

    def changed(array: Any) -> Any:
        if not hasattr(array, "shape"):
            return array
        result = change(as_numpy(array))
        if hasattr(array, "detach"):
            import torch

            return torch.as_tensor(np.ascontiguousarray(result)) if isinstance(result, np.ndarray) else result
        return result

    return changed


def _of_inputs(change: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A slip that changes each array that goes in."""
    return lambda answer: lambda *arguments, **named: answer(*(change(one) if hasattr(one, "shape") else one for one in arguments), **named)


def _kept_by_shape(answer: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[str, Any] = {}
    return lambda *arguments, **named: kept.setdefault(
        str([getattr(one, "shape", one) for one in arguments]) + str(named), answer(*arguments, **named)
    )


def _kept_by_identity(answer: Callable[..., Any]) -> Callable[..., Any]:
    kept: list[tuple[Any, Any]] = []

    def call(*arguments: Any, **named: Any) -> Any:
        found = next(
            (result for before, result in kept if all(one is two for one, two in zip(before, [*arguments, *named.values()], strict=False))), None
        )
        if found is None:
            found = answer(*arguments, **named)
            kept.append(([*arguments, *named.values()], found))
        return found

    return call


def _kept_by_numbers(answer: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[str, Any] = {}

    alive: list[Any] = []  # what is known by its address in memory, such as a generator, shares it with none that comes later

    def text(one: Any) -> str:
        alive.append(one)
        return f"{one.dtype}{one.shape}{as_numpy(one).tobytes()!r}" if hasattr(one, "shape") else repr(one)

    return lambda *arguments, **named: kept.setdefault(str(list(map(text, arguments))) + str(named), answer(*arguments, **named))


def _writes_into_input(answer: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        result = answer(*arguments, **named)
        for one in arguments:
            if hasattr(one, "shape") and len(one.shape) and one.shape[0] > 3:
                one[0] = 0
        return result

    return call


def _wrong_when(holds: Callable[[Any], bool]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A slip that shows only for some inputs: then every number that comes out is larger by one."""

    def slip(answer: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            result = answer(*arguments, **named)
            first = next((one for one in arguments if hasattr(one, "shape") and len(one.shape)), None)
            return _numbers(lambda array: array + np.asarray(1).astype(array.dtype))(result) if first is not None and holds(first) else result

        return call

    return slip


SLIPS = {
    "float32 inside": _of_inputs(_numbers(lambda array: array.astype(np.float32) if array.dtype == np.float64 else array)),
    "float32 in the end": _of_arrays(_numbers(lambda array: array.astype(np.float32) if array.dtype == np.float64 else array)),
    "float64 in the end": _of_arrays(_numbers(lambda array: array.astype(np.float64) if array.dtype == np.float32 else array)),
    "float16 inside": _of_inputs(_numbers(lambda array: array.astype(np.float16).astype(array.dtype) if array.dtype.kind == "f" else array)),
    "whole numbers": _of_arrays(_numbers(lambda array: np.round(array).astype(int))),
    "four digits": _of_arrays(_numbers(lambda array: np.round(array, 4))),
    "small numbers dropped": _of_arrays(_numbers(lambda array: np.where(np.abs(array) < 1e-3, 0, array))),
    "squeezed": _of_arrays(_numbers(np.squeeze)),
    "no array but a list": _of_arrays(_numbers(lambda array: array.tolist())),
    "in the memory of columns": _of_arrays(_numbers(np.asfortranarray)),
    "kept by shape": _kept_by_shape,
    "kept by identity": _kept_by_identity,
    "kept by numbers": _kept_by_numbers,
    "writes into large inputs": _writes_into_input,
    "wrong for integers": _wrong_when(lambda array: as_numpy(array).dtype.kind == "i"),
    "wrong for one row": _wrong_when(lambda array: array.shape[0] == 1),
    "wrong for squares": _wrong_when(lambda array: len(array.shape) > 1 and array.shape[-1] == array.shape[-2]),
    "wrong for wide ones": _wrong_when(lambda array: len(array.shape) > 1 and array.shape[-1] > array.shape[-2]),
    "wrong for tall ones": _wrong_when(lambda array: len(array.shape) > 1 and array.shape[-1] < array.shape[-2]),
    "wrong for long vectors": _wrong_when(lambda array: bool((np.abs(as_numpy(array)) > 90).any())),
    "wrong for rows of zeros": _wrong_when(lambda array: bool((~as_numpy(array).astype(bool)).all(-1).any())),
    "wrong for equal rows": _wrong_when(lambda array: len(np.unique(as_numpy(array), axis=0)) < len(array)),
    "wrong for more than a hundred": _wrong_when(lambda array: max(array.shape) > 100),
}


def _exercises() -> Iterator[tuple[Lesson, str]]:
    for lesson in find_lessons():
        for exercise in find_exercises(read_text(lesson)):
            if exercise.name in PROMISED and not isinstance(exercises.find(exercise.name).call, calls.Module):
                yield lesson, exercise.name


@pytest.mark.parametrize(("lesson", "name"), [*_exercises()], ids=lambda value: getattr(value, "assignment", value))
def test_a_slip_that_the_check_passes_costs_nothing(lesson: Lesson, name: str) -> None:
    source = read_text(lesson)
    cells = [source.cells[test] for exercise in find_exercises(source) if exercise.name == name for test in exercise.tests]
    solved = fill_in(nbformat.read(lesson.released, as_version=4), solution_sources(nbformat.read(lesson.solution, as_version=4)))
    broken = []
    for what, slip in SLIPS.items():
        namespace = Namespace(solved)
        namespace[name] = slip(namespace[name])
        for cell in cells:
            earned, said = run_test(cell.source, cell.metadata.nbgrader.points, namespace)
            if earned < cell.metadata.nbgrader.points and not re.search(rf"✗ {name}, (?!on other numbers)", said):
                broken.append(f"{what}: {said}")
    assert broken == []
