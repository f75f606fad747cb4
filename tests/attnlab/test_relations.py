"""A wrong result is told how it is related to the expected one, when that holds on every input that comes out wrong, and not by chance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from attnlab import reference
from attnlab.diagnosis.relations.families import Example
from attnlab.diagnosis.relations.places import explain_places, explain_zeros
from attnlab.diagnosis.relations.relations import relation

from .learner import run_cell, said, said_to

Array = np.ndarray
SHAPES = [(4, 4), (3, 3), (1, 1)]


def examples(change: Callable[[Array], Array], shapes: list[tuple[int, ...]]) -> list[Example]:
    random = np.random.default_rng(1)
    made = [random.normal(size=shape) for shape in shapes]
    return [Example(change(wanted), wanted) for wanted in made if change(wanted).shape != wanted.shape or not np.allclose(change(wanted), wanted)]


def told(change: Callable[[Array], Array], shapes: list[tuple[int, ...]] = SHAPES) -> str:
    cause = relation(examples(change, shapes), [])
    return cause.words if cause else ""


def line_kept(array: Array, at: int) -> Array:
    kept = np.zeros_like(array)
    kept[at] = array[at]
    return kept


def last_lines_at_zero(array: Array) -> Array:
    changed = array.copy()
    changed[-1] = changed[:, -1] = 0
    return changed


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda a: a[None], "an extra axis of length 1"),
        (lambda a: a.T, "the result is transposed"),
        (lambda a: np.triu(a) + np.triu(a, 1).T, "everything above the diagonal is right, and the other side is its mirror image"),
        (lambda a: np.tril(a) + np.tril(a, -1).T, "everything below the diagonal is right, and the other side is its mirror image"),
        (lambda a: a.ravel(), "in the right order; only the shape"),
        (lambda a: a.sum(axis=0), "summed over axis 0"),
        (lambda a: a.sum(axis=1, keepdims=True), "summed over axis 1"),
        (lambda a: a.mean(axis=1), "the mean of the expected one over axis 1"),
        (lambda a: a.max(axis=0), "the maximum of the expected one over axis 0"),
        (lambda a: np.diagonal(a), "the diagonal of the expected one"),
        (lambda a: a[0], "only the first row of the expected result"),
        (lambda a: a[:, -1], "only the last column of the expected result"),
        (lambda a: a[1:], "the expected one without the first row"),
        (lambda a: np.stack([a] * 3), "repeated along a new axis 0"),
        (lambda a: np.concatenate([a, a], axis=1), "repeated along axis 1"),
        (lambda a: np.stack([a / 2, a / 4, a / 4], axis=2), "the result summed over axis 2 is"),
        (lambda a: np.concatenate([a, a[:1] + 1]), "an extra row: the last one"),
        (lambda a: np.zeros_like(a), "every entry is zero"),
        (lambda a: np.where(np.arange(len(a))[:, None] % 2 == 1, 0, a), "some rows are zero; all others are right"),
        (np.trunc, "every number has lost its decimals"),
        (lambda a: np.round(a, 2), "rounded to 2 decimals"),
        (lambda a: -a, "the opposite sign"),
        (lambda a: 2 * a, "every entry is 2 times"),
        (lambda a: a + 3, "off by the same amount"),
        (lambda a: 1 - a, "1 minus the expected one"),
        (lambda a: a**2, "the square of the expected one"),
        (lambda a: np.exp(a), "the exponential of the expected one"),
        (lambda a: 1 / a, "1 divided by the expected one"),
        (lambda a: np.abs(a), "the absolute value of the expected one"),
        (lambda a: a[::-1], "in reverse order along axis 0"),
        (lambda a: np.roll(a, 1, axis=1), "shifted by one towards the end along axis 1"),
        (lambda a: np.sort(a, axis=1), "sorted along axis 1"),
        (lambda a: a[np.argsort(a[:, 0])], "the rows are the expected ones in a different order"),
        (lambda a: np.broadcast_to(a[-1], a.shape), "every row is the last expected row"),
        (lambda a: np.broadcast_to(a.sum(axis=0), a.shape), "every row is the sum of all the expected ones"),
        (lambda a: np.cumsum(a, axis=0), "a running total of the expected one along axis 0"),
        (lambda a: line_kept(a, 0), "only the first row is filled"),
        (lambda a: a - line_kept(a, -1), "the last row is zero; everything else is right"),
        (last_lines_at_zero, "the last row and the last column are zero"),
        (np.tril, "everything above the diagonal is zero"),
        (lambda a: np.triu(a, k=1), "the diagonal and everything below it are zero"),
        (lambda a: a + np.diag(np.diagonal(a)), "the diagonal is 2 times the expected one"),
        (lambda a: a + np.eye(len(a)), "everything off the diagonal is right"),
        (lambda a: np.where(np.eye(len(a)) > 0, a, a**2 + 9), "the diagonal is right; entries off it"),
        (lambda a: a * np.arange(2, 2 + len(a))[:, None], "each row is the expected one times a factor"),
        (lambda a: a + np.arange(1, 1 + len(a)), "each column is the expected one plus an amount"),
    ],
)
def test_a_relation_is_named(change: Callable[[Array], Array], text: str) -> None:
    assert text in told(change)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda a: a[0], "an axis of length 1 is missing"),
        (lambda a: a.transpose(0, 2, 1), "the result is transposed"),
    ],
)
def test_a_relation_of_three_axes_is_named(change: Callable[[Array], Array], text: str) -> None:
    assert text in told(change, [(1, 3, 2), (1, 2, 4)])


def test_axes_that_were_joined_are_named() -> None:
    def joined(array: Array) -> Array:
        return array.reshape(-1, *array.shape[-2:])

    assert "they were joined, and not taken apart again" in told(joined, [(4, 4), (2, 3, 4, 5)])
    assert "an extra axis of length 1" in told(joined, [(4, 4), (3, 3)])
    assert "joined" not in told(lambda a: a.reshape(*a.shape[:-2], -1), [(3, 4, 4), (2, 3, 4, 5)])


def test_the_order_of_axes_is_named() -> None:
    assert "your axis 0 is the expected axis 1, your axis 1 is the expected axis 0" in told(lambda a: a.transpose(1, 0, 2), [(2, 3, 4), (1, 2, 4)])


@pytest.mark.parametrize(
    "change",
    [
        lambda a: np.random.default_rng(len(a)).normal(size=a.shape),
        lambda a: np.random.default_rng(len(a)).normal(size=(*a.shape, 2)),
        lambda a: np.random.default_rng(len(a)).normal(size=len(a)),
        lambda a: np.full(a.shape, 0.5),
        lambda a: np.ones(len(a)),
    ],
)
def test_arrays_that_have_nothing_to_do_with_each_other_are_not_related(change: Callable[[Array], Array]) -> None:
    assert told(change) == ""


@pytest.mark.parametrize("change", [lambda a: a[0], lambda a: a.sum(axis=0), lambda a: 2 * a, lambda a: a + 1, lambda a: a**2])
def test_a_single_number_establishes_nothing(change: Callable[[Array], Array]) -> None:
    assert told(change, [(1, 1)]) == ""


def test_expected_numbers_that_are_all_the_same_establish_nothing() -> None:
    assert relation([Example(np.ones(3), np.ones((3, 3))), Example(np.ones(2), np.ones((2, 2)))], []) is None


def test_two_rows_do_not_tell_a_reversed_result_from_a_shifted_one() -> None:
    assert told(lambda a: a[::-1], [(2, 3), (2, 4)]).startswith("the rows are the expected ones in a different order")


def test_another_relation_on_another_input_contradicts() -> None:
    assert told(lambda a: a.sum(axis=0) if len(a) > 3 else a.sum(axis=1)) == ""
    assert told(lambda a: a[::-1] if len(a) > 3 else a**2) == ""


def sized(factor: Callable[[int, int], float], shapes: list[tuple[int, int]]) -> list[Example]:
    random = np.random.default_rng(2)
    made = [random.normal(size=(3, 3)) for _ in shapes]
    return [Example(wanted * factor(*shape), wanted, sizes={"T": shape[0], "k": shape[1]}) for wanted, shape in zip(made, shapes)]


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        (lambda T, k: T, "every entry is n times the expected one, where n is T"),
        (lambda T, k: k**0.5, "every entry is √n times the expected one, where n is k"),
        (lambda T, k: 1 / k, "every entry is 1/n times the expected one, where n is k"),
        (lambda T, k: k / T, "every entry is n/m times the expected one, where n is k and m is T"),
        (lambda T, k: T + k, "one factor, and this factor differs between inputs: 8, 9"),
    ],
)
def test_a_factor_that_follows_a_length_is_named(factor: Callable[[int, int], float], text: str) -> None:
    cause = relation(sized(factor, [(3, 5), (2, 7), (3, 7)]), [])
    assert cause and text in cause.words


def test_a_length_is_not_named_when_two_fit_or_a_right_result_contradicts() -> None:
    cause = relation(sized(lambda T, k: T, [(4, 2), (9, 3)]), [])
    assert cause and "this factor differs between inputs" in cause.words, "T or the square of k"
    right = Example(np.eye(3), np.eye(3), sizes={"T": 5, "k": 5})
    cause = relation(sized(lambda T, k: T, [(3, 5), (2, 7)]), [right])
    assert cause and "this factor differs between inputs" in cause.words


def test_single_numbers_show_a_factor_that_follows_a_length_and_no_other() -> None:
    def numbers(factor: Callable[[int], float]) -> list[Example]:
        return [Example(np.array(wanted * factor(d)), np.array(wanted), sizes={"`d`": d}) for wanted, d in ((16.14, 16), (50.3, 50))]

    cause = relation(numbers(lambda d: d**-2), [])
    assert cause and "the result is 1/n² times the expected one, where n is `d`: 16, 50" in cause.words
    assert relation(numbers(lambda d: np.sin(d)), []) is None


def test_one_of_two_is_said_only_of_axes_of_two() -> None:
    assert told(lambda a: a[..., :-1], [(3, 4, 2), (2, 3, 2)]) == "only the first of the two expected entries along axis 2 is returned"
    assert told(lambda a: a[:1], [(3, 4), (2, 4)]) == "only the first row of the expected result is returned"


def with_argument(change: Callable[[Array, Array], Array], wanted: Callable[[Array], Array]) -> str:
    random = np.random.default_rng(3)
    made = [random.normal(size=shape) for shape in ((4, 3), (2, 3))]
    cause = relation([Example(change(x, wanted(x)), wanted(x), arrays={"x": x}) for x in made], [])
    return cause.words if cause else ""


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda x, w: x, "the result is `x`, unchanged"),
        (lambda x, w: x.T, "only `x` with rows and columns swapped"),
        (lambda x, w: x.reshape(1, -1), "the numbers of `x` in their original order"),
        (lambda x, w: x @ x.T, "the result is only the product x @ xᵀ"),
        (lambda x, w: np.tanh(x @ x.T), "one product is missing: your result @ x is the expected result"),
        (lambda x, w: w @ x.T, "one product too many: the result is the expected one @ xᵀ"),
        (lambda x, w: w + x, "the expected one plus `x`"),
        (lambda x, w: w * x, "the expected one times `x`"),
    ],
)
def test_a_relation_with_an_argument_is_named(change: Callable[[Array, Array], Array], text: str) -> None:
    assert text in with_argument(change, lambda x: np.tanh(x @ x.T) @ x)


TABLES = [(4, 6), (5, 4), (1, 2)]


def cut_and_joined(array: Array, *order: int) -> Array:
    """Columns in pairs, as a third axis; axes in another order; and the same shape again."""
    return array.reshape(len(array), -1, 2).transpose(order).reshape(array.shape)


def shuffled(array: Array) -> Array:
    return np.random.default_rng(5).permutation(array.ravel()).reshape(array.shape)


@pytest.mark.parametrize(
    ("change", "shapes", "text"),
    [
        (lambda a: cut_and_joined(a, 2, 0, 1), TABLES, "in other places, as when `reshape` or `view` joins or cuts axes"),
        (lambda a: cut_and_joined(a, 2, 0, 1), TABLES, "yours begin with the expected [0, 0], [0, 2], [0, 4], [1, 0]"),
        (lambda a: a.T.reshape(a.shape), TABLES, "yours begin with the expected [0, 0], [1, 0], [2, 0], [3, 0]"),
        (lambda a: a.T.reshape(-1), TABLES, "in another order and in another shape: yours begin with the expected [0, 0], [1, 0]"),
        (
            lambda a: cut_and_joined(a, 0, 2, 1),
            TABLES,
            "the columns are the expected ones in a different order: yours are number 0, 2, 4, 1, 3 and 5, counted from 0",
        ),
        (
            lambda a: a[:, [1, 0, 2]],
            [(2, 3, 4), (2, 3, 3)],
            "entries along axis 1 are the expected ones in a different order: yours are number 1, 0 and 2",
        ),
        (lambda a: a.swapaxes(1, 2).reshape(a.shape), [(2, 3, 4, 2), (1, 2, 5, 3)], "in other places, as when `reshape`"),
        (shuffled, [(4, 5), (3, 4)], "the numbers are the expected ones, but in other places; the one for [0, 0] stands at"),
        (lambda a: a[2:], [(5, 3), (4, 3), (1, 3)], "the expected one without the first 2 rows"),
        (lambda a: a[:, :-2], [(5, 6), (4, 3)], "the expected one without the last 2 columns"),
        (lambda a: a[len(a) // 2 :], [(5, 3), (7, 3)], "the expected one without the first rows"),
        (lambda a: a[::2], [(5, 3), (4, 3)], "the expected one without some rows, here 1 and 3"),
        (lambda a: np.concatenate([a[:2] + 1, a]), [(5, 3), (4, 3)], "the expected one with 2 extra rows at the beginning"),
        (lambda a: np.concatenate([a, a + 1]), [(5, 3), (4, 3)], "the expected one with extra rows at the end"),
        (lambda a: np.insert(a, 1, 7, axis=0), [(5, 3), (4, 3)], "the expected one with extra rows, here 1"),
    ],
)
def test_numbers_in_other_places_are_named(change: Callable[[Array], Array], shapes: list[tuple[int, ...]], text: str) -> None:
    assert text in told(change, shapes)


def test_the_same_numbers_are_no_finding_where_they_are_few_or_others_on_another_input() -> None:
    few = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [2.0, 0.0, 1.0]])
    assert relation([Example(shuffled(few), few)], []) is None
    assert told(lambda a: shuffled(a) if len(a) > 3 else shuffled(a) + 1) == ""


def only_there(change: Callable[[Array], Array], where: Callable[[int], Array]) -> Callable[[Array], Array]:
    return lambda a: np.where(where(len(a)), change(a), a)


def rows(*wrong: int) -> Callable[[int], Array]:
    return lambda n: np.isin(np.arange(n), [row % n for row in wrong])[:, None]


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (lambda n: ~rows(0)(n), "only the first row is right"),
        (lambda n: ~rows(-1)(n), "only the last row is right"),
        (rows(0), "only the first row is wrong"),
        (rows(-1), "only the last row is wrong"),
        (lambda n: ~rows(0, 1)(n), "the first two rows are right, and none behind them"),
        (lambda n: rows(1, 3)(n).T, "only the columns with odd numbers are wrong, counted from 0"),
        (lambda n: np.tri(n, k=-1) > 0, "all numbers that are wrong stand below the diagonal"),
        (lambda n: np.tri(n).T > 0, "all numbers that are wrong stand on and above the diagonal"),
        (lambda n: np.arange(n * n).reshape(n, n) % 3 > 0, ""),
        (rows(1, 3), ""),
    ],
)
def test_the_places_of_wrong_numbers_are_told(where: Callable[[int], Array], text: str) -> None:
    cause = explain_places(examples(only_there(lambda a: np.sin(a) + 5, where), [(5, 5), (4, 4)]))
    assert text == (cause.words.partition("; ")[2] if cause else "")
    assert not cause or not cause.is_established


def test_a_part_at_zero_is_told_where_other_numbers_are_wrong_too() -> None:
    def zeros(change: Callable[[Array], Array]) -> str:
        cause = explain_zeros(examples(change, SHAPES[:2]), "the result")
        return cause.words if cause else ""

    assert zeros(lambda a: (np.sin(a) + 5) * (1 - np.eye(len(a)))).startswith("the diagonal is zero, which is wrong")
    assert zeros(lambda a: np.tril(np.sin(a) + 5)).startswith("everything above the diagonal is zero, which is wrong")
    assert zeros(lambda a: np.sin(a) + 5) == ""
    assert zeros(lambda a: np.where(np.arange(a.size).reshape(a.shape) % 2, 0, np.sin(a) + 5)) == ""


def test_parts_that_changed_places_are_named() -> None:
    parts = {name: np.random.default_rng(number).normal(size=(3, 2)) for number, name in enumerate(("queries", "keys"))}
    cause = relation([Example(parts["keys"], parts["queries"], others={"keys": parts["keys"]})], [])
    assert cause and cause.words == "this is the expected `keys`, in the wrong place"


def test_one_part_is_called_a_part() -> None:
    right = {case.arguments[0].tobytes(): case.expected for case in reference.cases("attention_gradients")}
    text = said("attention_gradients", lambda q, k, v, g: (right[q.tobytes()][0], right[q.tobytes()][1].T, right[q.tobytes()][2]))
    assert "part `keys`" in text
    assert "this part is transposed" in text


def test_the_text_tells_of_a_return_in_a_loop() -> None:
    code = """
        def self_attention_loops(x):
            weights, outputs = attention_weights(x), np.zeros(x.shape)
            for i in range(len(x)):
                outputs[i] = weights[i] @ x
                return outputs
    """

    def attention_weights(x: Array) -> Array:
        e = np.exp(x @ x.T - (x @ x.T).max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    text = said_to("self_attention_loops", code, attention_weights=attention_weights)
    assert "only the first row is filled" in text
    assert "`return outputs` is inside the loop" in text
    solved = run_cell(code, "self_attention_loops", attention_weights=attention_weights)
    text = said("self_attention_loops", lambda x: solved(x))
    assert "only the first row is filled" in text
    assert "`return`" not in text, "the text of another function does not count"


@pytest.mark.parametrize(
    ("exercise", "code", "text"),
    [
        (
            "positional_encoding",
            """
            def positional_encoding(T, k):
                angles = np.outer(np.arange(T), np.exp(-np.log(10000.0) * np.arange(0, k, 2) / k))
                return np.stack([np.sin(angles), np.cos(angles)]).reshape(T, k)
            """,
            "the numbers are the expected ones, but in other places, as when `reshape` or `view` joins or cuts axes",
        ),
        (
            "attention_scores",
            """
            def attention_scores(x):
                return np.array([(x @ token + n) * (1 + n / 7) - np.sin(n) for n, token in enumerate(x)])
            """,
            "this check does not know why; only the first row is right",
        ),
        (
            "attention_scores",
            """
            def attention_scores(x):
                scores = np.sqrt(np.abs(x @ x.T) + 3)
                np.fill_diagonal(scores, 0)
                return scores
            """,
            "the diagonal is zero, which is wrong; not all other numbers are right either",
        ),
    ],
)
def test_a_check_tells_of_places(exercise: str, code: str, text: str) -> None:
    assert text in said_to(exercise, code)


def test_expected_rows_that_differ_by_a_number_each_do_not_show_an_amount_of_its_own() -> None:
    wanted = np.arange(12.0).reshape(4, 3)
    assert relation([Example(wanted[[0, 0, 3, 2]], wanted)], []) is None
