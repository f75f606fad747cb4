"""What the lessons say in words is so: each number and claim that no exercise checks, measured here by code of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import nbformat
import numpy as np
import pytest
import torch

from authoring.answers import Namespace
from authoring.lessons import Lesson, find_lessons, read_text

# Words that promise more than a check of some numbers can hold.
STRONG = re.compile(r"\b(proof|proofs|prove|proves|proved|always|published|guarantee\w*|impossible)\b", re.IGNORECASE)
# Each use of them, looked at: the words around it, and why they are true.
LOOKED_AT = {
    "1_basic_attention": {
        'Choose `"always"` or `"not always"`': "a choice of a prediction",
        'predicted_own_score = "not always"': "the same",
        "Does a token always score highest with itself?": "a question",
        "It comes from a published tutorial": "the documents of the course hold it",
        "in lesson 5 you prove it": "lesson 5 asks for a proof on paper",
    },
    "2_queries_keys_values": {},
    "2b_columns": {"the softmax always runs over the keys": "the definition of attention in both conventions"},
    "3_scaling": {"The second was published in a tutorial": "the documents of the course hold it"},
    "3b_backward_pass": {},
    "4_multi_head": {
        "This fault is in several published": "found in the code that the documents quote",
        "Four faults of published code": "the same",
        "and always 100 % from two": "in those 60 runs",
        "What does that prove?": "a question; the answer is: nothing",
        "It is not a proof": "says so",
        "In lesson 5 you prove it": "lesson 5 asks for a proof on paper",
    },
    "5_permutation_test": {
        "You prove it, and bring the order in": "the proof on paper",
        "when tokens change places, and prove it": "the same",
        "in two ways, and prove the matter on paper": "the same",
        "## Prove it": "the same",
        "the first half of a proof that $f(P X) = P f(X)$": "the same",
        '"grade_id": "proof"': "its name",
        "An answer that proves invariance": "of the marking scheme",
    },
    "5b_rotary_positions": {},
    "6_transformer": {
        '`"about half"` or `"nearly always"`': "a choice of a prediction",
    },
    "7_language_model": {},
    "8_real_model": {},
}


@pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
def test_words_that_promise_much_were_looked_at(lesson: Lesson) -> None:
    text = " ".join(lesson.text.read_text(encoding="utf-8").split())
    rest = text
    for words in LOOKED_AT[lesson.assignment]:
        assert words in text, f"{words!r} is not there any more: take it off the list"
        rest = rest.replace(words, "")
    found = [rest[max(0, match.start() - 60) : match.end() + 20] for match in STRONG.finditer(rest)]
    assert not found, "is it true? Then add it to the list, with the reason"


def softmax(scores: np.ndarray) -> np.ndarray:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def lesson_named(assignment: str) -> Lesson:
    return next(lesson for lesson in find_lessons() if lesson.assignment == assignment)


def shown_by(assignment: str, code: str) -> str:
    """What the executed solution prints, and says of its pictures, below the one cell with that piece of code."""
    [cell] = [
        cell for cell in nbformat.read(lesson_named(assignment).solution, as_version=4).cells if cell.cell_type == "code" and code in cell.source
    ]
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)


def numbers_in(line: str) -> list[float]:
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", line)]


def function_in(lesson: Lesson, name: str) -> Callable[..., Any]:
    """A function that a cell of a lesson defines which shows its result at once."""
    [cell] = [cell.source for cell in read_text(lesson).cells if cell.cell_type == "code" and f"def {name}(" in cell.source]
    [function] = [node for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef) and node.name == name]
    found: dict[str, Any] = {"np": np}
    exec(ast.unparse(function), found)
    return found[name]


def test_the_points_away_from_all_others() -> None:
    text = lesson_named("1_basic_attention").text.read_text(encoding="utf-8")
    [rows] = re.findall(r"by_hand = np\.array\((.*?\]\])\)", text, re.DOTALL)
    table = np.array(ast.literal_eval(re.sub(r"#.*", "", rows)))
    the, *others = table
    assert all(the @ other < -1 for other in others)
    assert (softmax(table @ table.T)[1:, 0] < 0.02).all()


def test_the_last_word_does_not_choose_between_dog_and_bone() -> None:
    """One layer without parameters: what another word takes is taken from all in the same proportion."""
    draw = np.random.RandomState(8)
    sentence, other = draw.normal(size=(9, 6)), draw.normal(size=6)
    changed = np.vstack([sentence[:8], other])
    it, it_then = (softmax(x @ x.T)[6] for x in (sentence, changed))
    assert abs(it[8] - it_then[8]) > 1e-3
    assert np.allclose(it[:8] / it[:8].sum(), it_then[:8] / it_then[:8].sum())


def test_it_asks_the_same_in_both_sentences_until_the_second_layer() -> None:
    two_layers, draw = Namespace(read_text(lesson_named("2_queries_keys_values")))["two_layers"], np.random.RandomState(4)
    layers = [[draw.normal(size=(d, size)) / 2 for size in (4, 4, 3)] for d in (6, 9)]
    words, tired, heavy = draw.normal(size=(8, 6)), *draw.normal(size=(2, 1, 6))
    (first, second, _), (first_then, second_then, _) = (two_layers(np.vstack([words, last]), *layers) for last in (tired, heavy))
    assert np.isclose(first[6, 1] / first[6, 4], first_then[6, 1] / first_then[6, 4]) and not np.isclose(first[6, 8], first_then[6, 8])
    assert not np.isclose(second[6, 1] / second[6, 4], second_then[6, 1] / second_then[6, 4], rtol=0.01)


def test_equal_scores_both_ways_cannot_go_around_the_circle() -> None:
    names = Namespace(read_text(lesson_named("2_queries_keys_values")))
    around, draw = function_in(lesson_named("2_queries_keys_values"), "around_the_circle"), np.random.RandomState(0)
    for n in (3, 8, 9):
        scores = draw.normal(size=(n, n))
        assert np.isclose(around(scores + scores.T), 0) and abs(around(scores)) > 1e-3
        by_hand = sum(scores[i, (i + 1) % n] - scores[i, (i - 1) % n] for i in range(n))
        assert np.isclose(around(scores), by_hand)
        weights = softmax(scores)
        assert np.isclose(around(np.log(weights)), around(scores)), "what a row has in common cancels"
    wide = names["next_letter_projections"](8, 6.0)
    assert ((wide[0] @ wide[1].T).argmax(axis=1) == [1, 2, 3, 4, 5, 6, 7, 0]).all()


def test_outputs_stay_between_the_values_and_may_leave_the_inputs() -> None:
    names = Namespace(read_text(lesson_named("2_queries_keys_values")))
    outputs, values = names["self_attention_rows"](*(names[name] for name in ("inputs", "w_query", "w_key", "w_value"))), names["values"]
    assert (outputs <= values.max(axis=0) + 1e-12).all() and (outputs >= values.min(axis=0) - 1e-12).all()
    assert 7.955 < outputs.max() < 7.965 and names["inputs"].max() == 2


def test_a_drawing_of_the_example_cannot_have_an_eight_there() -> None:
    assert np.allclose(np.array([0, 0.9, 0.1]) @ np.array([[1, 2, 3], [2, 8, 0], [2, 6, 3]]), [2, 7.8, 0.3])


def test_allclose_wants_five_digits() -> None:
    assert np.allclose(1.00001, 1) and not np.allclose(1.00003, 1)


def test_overflow_is_a_matter_of_level_and_saturation_of_differences() -> None:
    assert np.array_equal(np.round(softmax(np.array([1000.0, 1000, 999])), 2), [0.42, 0.42, 0.16])
    assert "0.67 for [3, 2, 1], 1 for [10, 0, 0], 0.42 for [1000, 1000, 999], 1 for [1000, 0, 0]" in shown_by("3_scaling", "figures.two_troubles(")
    for others, gap in ((1, 2.2), (11, 4.6)):  # 0.9 for the first key
        for more in (0, 1000):
            assert softmax(np.array([gap, *np.zeros(others)]) + more)[0] == pytest.approx(0.9, abs=0.001)
        assert round(np.log(9 * others), 1) == gap
    with np.errstate(over="ignore"):
        for edge, kind in ((12, np.float16), (89, np.float32), (710, np.float64)):
            assert np.isinf(np.exp(kind(edge))) and np.isfinite(np.exp(kind(edge - 1)))


def test_about_four_in_five_queries_give_more_than_nine_tenths_to_one_key() -> None:
    draw = np.random.RandomState(0)
    largest = [softmax(draw.normal(size=(12, 256)) @ draw.normal(size=256)).max() for _ in range(4000)]
    assert 0.76 < np.mean(np.array(largest) > 0.9) < 0.81


def test_half_of_the_queries_get_next_to_nothing_without_scaling() -> None:
    draw = np.random.RandomState(1)

    def at_query(divisor: float) -> float:
        query, keys, error = (torch.from_numpy(draw.normal(size=size)) for size in (256, (16, 256), 16))
        query.requires_grad_()
        (torch.softmax(keys @ query / divisor, dim=0) @ error).backward()  # by torch's own derivatives
        return float(query.grad.norm())

    plain, scaled = (np.array([at_query(divisor) for _ in range(2000)]) for divisor in (1, 16))
    assert plain.mean() > 3 * scaled.mean() and np.median(plain) < np.median(scaled) / 4
    assert np.quantile(plain, 0.9) > 3.5 and 0.15 < np.quantile(scaled, 0.1) < np.quantile(scaled, 0.9) < 0.46


def test_all_three_queries_are_saturated_and_scaling_leaves_two_of_them() -> None:
    before, after = (
        numbers_in(part) for part in shown_by("3_scaling", 'check.reveal("predict_order")').split("largest weight:")[1].split("\n")[0].split("->")
    )
    assert min(before) > 0.9 and sorted(weight > 0.9 for weight in after) == [False, True, True]
    assert "outputs: True" in shown_by("3_scaling", 'check.reveal("predict_order")')


def test_only_the_root_of_d_k_keeps_the_spread() -> None:
    table = np.array([numbers_in(line) for line in shown_by("3_scaling", "/ √d_in").splitlines()[1:] if line.strip()])[:, 1:]
    changes = table.max(axis=0) / table.min(axis=0)
    assert changes[2] < 1.1 and table[:, 2] == pytest.approx(1, abs=0.05) and (np.delete(changes, 2) > 10).all()


def test_queries_get_little_in_the_middle_and_more_on_average_without_scaling() -> None:
    plain, scaled = shown_by("3_scaling", "figures.gradient_bands").splitlines()[:2]
    (_, median, mean, *_, high), (_, scaled_median, scaled_mean, low, scaled_high) = map(numbers_in, (plain, scaled))
    assert 5 * median < scaled_median and mean > scaled_mean and high > 3 and scaled_high < 3 * low


def test_scaled_gradients_lie_within_a_factor_of_four_for_every_d() -> None:
    for d in (4, 16, 64, 256, 1024):
        draw, lengths = np.random.RandomState(0), []
        for _ in range(300):  # the lesson's own draws
            query, keys, error = draw.normal(size=d), draw.normal(size=(16, d)), draw.normal(size=16)
            p = softmax(keys @ query / d**0.5)
            lengths.append(np.linalg.norm(keys.T @ (p * (error - p @ error))) / d**0.5)
        low, high = np.quantile(lengths, [0.1, 0.9])
        assert high < 4 * low


def test_a_value_learns_as_far_as_it_is_looked_at() -> None:
    lines = shown_by("3_scaling", 'check.reveal("predict_values_learn")').splitlines()
    looked_at, gradients = ([numbers_in(line) for line in lines if name in line] for name in ("looked at, in all", "gradient at value"))
    assert [seen == 0 for seen in looked_at[0]] == [length == 0 for length in gradients[0]] and sum(seen == 0 for seen in looked_at[0]) == 3
    assert min(looked_at[1]) > 0.3 and min(gradients[1]) > 0.2, "scaled, every value learns"
    draw = np.random.RandomState(0)
    q, k, v, g = (torch.from_numpy(draw.normal(size=size)) for size in ((6, 256), (8, 256), (8, 4), (6, 4)))
    weights = torch.softmax(q @ k.T, dim=-1)
    at_values = torch.autograd.functional.vjp(lambda values: weights @ values, v, g)[1]
    assert torch.allclose(at_values, weights.T @ g)


def test_the_jacobian_goes_to_nothing_as_the_gap_grows() -> None:
    text = shown_by("3_scaling", 'check.reveal("predict_jacobian")')
    norms = [numbers_in(line)[-1] for line in text.split("norm of the Jacobian")[1].splitlines() if line.strip()]
    assert "small steps agree: True" in text and norms == sorted(norms, reverse=True) and norms[0] > 0.4 and norms[-1] < 1e-6


def test_the_queries_may_be_divided_alone_and_that_saves_next_to_nothing() -> None:
    text = shown_by("3_scaling", "q alone instead of the scores")
    assert re.findall(r"^(.*): the same as scores / √d: (\w+)$", text, re.MULTILINE) == [
        ("q by √d", "True"),
        ("k by √d", "True"),
        ("both by √d", "False"),
        ("both by the fourth root of d", "True"),
    ]
    assert "0.7% fewer products" in text


def test_the_training_shows_saturation_on_wrong_keys_at_the_start_and_on_right_ones_at_the_end() -> None:
    lines = dict(line.split(": ", 1) for line in shown_by("3_scaling", "models, runs = learn()").splitlines() if " saturated" in line)
    plain, divided = (numbers_in(lines[name].replace("%", " ")) for name in ("trained, as they are", "trained, divided"))
    assert min(plain) > 90 and divided == [100, 100]
    saturated, right = numbers_in(lines["at the start, as they are"].replace("%", " "))
    assert 70 < saturated < 90 and right < 25 and lines["at the start, divided"] == "0% of the queries saturated"
    assert [float(line.split()[-2]) for line in shown_by("3_scaling", "spread / d_out").splitlines() if line.startswith("  256  nn.Linear")] == [5.35]


def test_autograd_agrees_with_the_backward_pass() -> None:
    assert shown_by("3b_backward_pass", "torch.autograd.grad").count("the same is True") == 3


def test_dropout_keeps_the_sum_on_average_alone() -> None:
    lines = shown_by("3b_backward_pass", "functional.dropout").splitlines()
    once, mean, used = ([float(number) for number in re.findall(r"[\d.]+", line.split("[")[1])] for line in lines if "row sums" in line)
    assert min(once) < 0.8 and max(once) > 1.2 and mean == pytest.approx([1] * 5, abs=0.03) and used == [1] * 5


def test_only_additive_and_scaled_scores_keep_their_spread() -> None:
    text = shown_by("3b_backward_pass", "additive = ")
    table = np.array([numbers_in(line) for line in text.splitlines() if re.match(r" *\d+ ", line)])[:, 1:]
    assert (table.max(axis=0) / table.min(axis=0) > 10).tolist() == [False, True, True, False]
    assert "after a projection: True" in text


def test_sixteen_bits_overflow_in_the_sum_unless_the_queries_are_divided_first() -> None:
    text = shown_by("3b_backward_pass", "scores divided at the end")
    assert [line.split()[-1] for line in text.split("\n") if line.strip()] == ["inf", "12800.0", "12800.0"]
    largest = [
        float(line.split("up to ")[1].split(",")[0]) for line in shown_by("3b_backward_pass", "torch.bfloat16").splitlines() if "up to" in line
    ]
    assert largest[0] < 1e5 and largest[1] == pytest.approx(largest[2], rel=0.01)


def test_two_linear_layers_start_with_small_scores() -> None:
    torch.manual_seed(3)
    x = torch.randn(2000, 64)
    q, k = torch.nn.Linear(64, 64)(x), torch.nn.Linear(64, 64)(x)
    assert 0.3 < float((q @ k.T / 8).detach().std()) < 0.38


def test_without_positions_eats_gets_the_same_output_for_any_number_of_heads() -> None:
    names = Namespace(read_text(lesson_named("4_multi_head")))
    words = {word: torch.randn(12, generator=torch.Generator().manual_seed(place)) for place, word in enumerate(("dog", "eats", "meat"))}
    for heads in (1, 2, 3, 4, 6, 12):
        module = names["MultiHeadSelfAttention"](12, heads)
        one, other = (module(torch.stack([words[word] for word in sentence.split()])[None])[0, 1] for sentence in ("dog eats meat", "meat eats dog"))
        assert torch.allclose(one, other, atol=1e-6)


def test_weights_that_differ_tell_the_two_sentences_apart() -> None:
    words = np.eye(3)
    assert not np.allclose([0.7, 0, 0.3] @ words, [0.7, 0, 0.3] @ words[::-1])
    assert np.allclose([0.5, 0, 0.5] @ words, [0.5, 0, 0.5] @ words[::-1])


def test_half_and_half_hold_the_same_sum_when_two_people_swap_their_things() -> None:
    names = Namespace(read_text(lesson_named("4_multi_head")))
    torch.manual_seed(0)
    swapped = names["example"].clone()
    swapped[0, [1, 5], 1] = swapped[0, [5, 1], 1]
    for model in names["three_models"]().values():
        assert not torch.allclose(model(names["example"]), model(swapped), atol=1e-4)
        torch.nn.init.zeros_(model.attention.toqueries.weight)  # now every weight is the same
        assert torch.allclose(model(names["example"]), model(swapped), atol=1e-5)


def test_no_matrix_finds_the_thing_with_the_smaller_weight_in_all_cases() -> None:
    """For 0.7 of thing a and 0.3 of b: b's lead over a, three times, and over the others' mean, four times, sum to 0, so some lead is none."""
    draw, things = np.random.RandomState(2), 6
    for _ in range(20):
        readout, total = draw.normal(size=(things, things)), 0.0
        for a in range(things):
            for b in set(range(things)) - {a}:
                scores = 0.7 * readout[:, a] + 0.3 * readout[:, b]
                others = [c for c in range(things) if c not in (a, b)]
                total += 3 * (scores[b] - scores[a]) + 4 * (scores[b] - scores[others].mean())
        assert abs(total) < 1e-9


def test_a_head_reads_the_whole_token_and_without_the_last_projection_writes_to_its_own_components_alone() -> None:
    text = shown_by("4_multi_head", '"project, then split"')
    assert re.findall(r"^(.*): the queries of heads 0, 1 and 2 move: (.*)$", text, re.MULTILINE) == [
        ("project, then split", "[True, True, True]"),
        ("split, then project", "[False, False, True]"),
    ]
    text = shown_by("4_multi_head", "by_head = ")
    assert "each times its own slice: True" in text and "without W_O: 4  with: 12 of 12" in text


def test_a_bias_on_the_keys_changes_no_weight() -> None:
    assert re.findall(r"a bias on the (\w+).*: (True|False)", shown_by("4_multi_head", "with_bias = ")) == [
        ("queries", "True"),
        ("keys", "False"),
        ("values", "True"),
    ]


def test_a_buffer_moves_with_its_module_and_is_not_learned() -> None:
    text = shown_by("4_multi_head", "register_buffer")
    assert "buffer on meta  attribute on cpu  learned: 0" in text and "the mask for 5 tokens: True" in text


def test_narrow_heads_prefer_few_keys() -> None:
    text = shown_by("4_multi_head", "keys_64")
    found = {int(heads): float(keys) for heads, keys in re.findall(r"(\d+) heads of dimension +\d+: +([\d.]+) of 16 keys", text)}
    assert found[64] == 2 and found[1] == found[4] == 16 and sorted(found.values(), reverse=True) == [found[heads] for heads in sorted(found)]
    assert "7 heads of dimension 9 leave 1 component to no head" in text


def test_the_mean_of_the_heads_is_what_torch_returns() -> None:
    assert "(2, 5, 5) (2, 3, 5, 5) the mean of the heads: True" in shown_by("4_multi_head", "average_attn_weights=False")


def test_one_head_learns_the_two_questions_with_a_larger_reader_alone() -> None:
    text = shown_by("4_multi_head", 'check.reveal("predict_one_head_learns")')
    right = {name: int(percent) for name, percent in re.findall(r"^(.*): (\d+)% both right", text, re.MULTILINE)}
    assert right["1 head"] < 25 and right["1 head, larger reader"] > 60 and right["2 heads"] > 95
    looks = {name: (float(fay), float(ben)) for name, fay, ben in re.findall(r"^(.*) gives Fay ([\d.]+), Ben ([\d.]+)$", text, re.MULTILINE)}
    shares = [looks[f"2 heads: head {head}"] for head in (0, 1)]
    assert all(max(share) > 0.7 and min(share) < 0.2 for share in shares) and shares[0].index(max(shares[0])) != shares[1].index(max(shares[1]))
    fay, ben = looks["1 head, larger reader: head 0"]
    assert abs(fay - ben) > 0.1, "uneven weights"


def test_scores_take_more_than_the_projections_above_twice_the_dimension() -> None:
    text = shown_by("4_multi_head", 'check.reveal("predict_dominates")').replace(",", "")
    rows = [[int(number) for number in line.split("T =")[1].split()] for line in text.splitlines() if line.startswith("T =")]
    for T, projections, scores, one, eight in rows:
        assert (projections, scores, one, eight) == (4 * T * 512**2, 2 * T**2 * 512, T**2, 8 * T**2)
        assert (scores > projections) == (T > 1024)


def test_the_stored_costs_have_the_shape_that_the_text_says() -> None:
    """Short sequences cost less than twice as much when they are twice as long, long ones more than 2.5 times; 8 heads at once more than one."""
    text = shown_by("4_multi_head", "figures.cost_against_length(")
    number = r"(\d+(?:\.\d+)?)"
    found = re.findall(rf"([^:;.]+): {number} and {number} for T = 32 and 64, {number} and {number} for T = 512 and 1024", text)
    times = {name.strip(): [float(one) for one in each] for name, *each in found}
    assert list(times) == ["1 head", "8 heads, all at once", "8 heads, one at a time", "8 heads, torch's function"]
    for name, (first, second, last_but_one, last) in times.items():
        assert second < 2 * first and last > 2.5 * last_but_one, name
    assert max(times, key=lambda name: times[name][3]) == "8 heads, all at once"
    assert times["8 heads, one at a time"][0] > 2 * times["8 heads, all at once"][0]
    assert times["8 heads, torch's function"][3] < times["8 heads, all at once"][3] / 2


def test_attention_takes_more_products_than_recurrence() -> None:
    text = shown_by("4_multi_head", "2 * T * 512**2").replace(",", "")
    assert re.findall(r"([\d.]+) times", text) == ["2.1", "3.0", "10.0"]


def test_each_output_depends_on_its_query_and_on_all_keys() -> None:
    text = shown_by("4_multi_head", "def cross(")
    assert "outputs: (1, 3, 12)" in text and "token 1 that is written moves the outputs [1]" in text
    assert "token 1 that is read moves the outputs [0, 1, 2]" in text and "in another order: same outputs: True" in text
    text = shown_by("4_multi_head", "kept = 2 * g")
    assert re.findall(r"(\d) heads of keys and values: +([\d.]+) MB", text) == [("8", "8.0"), ("2", "2.0"), ("1", "1.0")]
    assert "[0, 0, 1, 1]  with repeat: [0, 1, 0, 1]" in text


def test_parts_that_keep_the_order_out_and_truncation_which_does_not() -> None:
    torch.manual_seed(0)
    x, order = torch.randn(5, 8), torch.tensor([3, 0, 4, 1, 2])
    keeps_out = {
        "linear parts": torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 8)),
        "LayerNorm": torch.nn.LayerNorm(8),
    }
    for name, part in keeps_out.items():
        assert torch.allclose(part(x[order]), part(x)[order], atol=1e-6), name
    assert not torch.allclose(x[order][:3].sum(0), x[:3].sum(0)), "cutting to the first three keeps other tokens"


def test_starts_give_components_of_the_size_that_the_lesson_says() -> None:
    torch.manual_seed(1)
    x = torch.randn(4000, 64)
    for d_out in (64, 256):
        empty = torch.empty(d_out, 64)
        wanted = {
            "Gaussian": (torch.nn.init.normal_(empty.clone(), std=1 / 8), 1.0),
            "Xavier": (torch.nn.init.xavier_normal_(empty.clone()), (2 * 64 / (64 + d_out)) ** 0.5),
            "Kaiming": (torch.nn.init.kaiming_normal_(empty.clone()), 2**0.5),
            "nn.Linear": (torch.nn.Linear(64, d_out, bias=False).weight.detach(), 3**-0.5),
        }
        for name, (projection, std) in wanted.items():
            assert float((x @ projection.T).std()) == pytest.approx(std, rel=0.03), name


def test_scores_spread_and_their_average_stays() -> None:
    draw = np.random.RandomState(2)
    for d in (4, 64, 1024):
        scores = (draw.normal(size=(4000, d)) * draw.normal(size=(4000, d))).sum(axis=1)
        assert abs(scores.mean()) < 4 * (d / 4000) ** 0.5 and scores.std() == pytest.approx(d**0.5, rel=0.1)


def test_the_general_score_is_a_dot_product_after_a_projection() -> None:
    draw = np.random.RandomState(3)
    q, k, w = draw.normal(size=(5, 8)), draw.normal(size=(6, 8)), draw.normal(size=(8, 8))
    assert np.allclose(q @ w @ k.T, (q @ w) @ k.T) and np.allclose((w.T @ q[0]) @ k[1], q[0] @ w @ k[1])


def test_in_one_layer_the_last_word_does_not_decide_between_two_others() -> None:
    draw = np.random.RandomState(4)
    others, projections = draw.normal(size=(8, 6)), 0.3 * draw.normal(size=(2, 6, 6))
    rows = []
    for last in draw.normal(size=(2, 6)):
        x = np.vstack([others, last])
        rows.append(softmax(x @ projections[0] @ (x @ projections[1]).T)[6])
    assert rows[0][1] / rows[0][4] == pytest.approx(rows[1][1] / rows[1][4]) and not np.allclose(*rows)


def test_the_start_token_gets_the_weight_where_there_is_nothing_to_find() -> None:
    rows = {
        line[:20].strip(): numbers_in(line)[-2:]
        for line in shown_by("7_language_model", "weight_on_the_start(*learn_with_a_start())").splitlines()[-3:]
    }
    even = rows.pop("all keys alike")
    assert len(rows) == 2
    for new, known in rows.values():
        assert new > 1.5 * even[0] and known < 0.05


def test_gradients_grow_along_the_stream_and_vanish_without_stream_and_norms() -> None:
    text = shown_by("6_transformer", 'check.reveal("predict_gradient")')
    rows = {line[:25].strip(): [float(share) for share in line[25:].split()] for line in text.splitlines() if line.startswith(("yours", "without"))}
    assert rows["yours"] == sorted(rows["yours"]) and 1.2 < rows["yours"][-1] < 3
    for name, largest in (("without the stream", 0.2), ("without stream and norms", 1e-9)):
        assert rows[name] == sorted(rows[name], reverse=True) and rows[name][-1] < largest


def percent_by_name(text: str) -> dict[str, int]:
    """Lines that end in a name and a percentage, such as "hidden 64  100% right"."""
    return {name.strip(" :"): int(share) for name, share in re.findall(r"^(.+?) +(\d+)%", text, re.MULTILINE)}


def test_the_best_without_positions_is_to_name_the_most_frequent_of_the_others() -> None:
    others = torch.randint(10, (100_000, 15), generator=torch.Generator().manual_seed(0))
    best = torch.stack([(others == digit).sum(1) for digit in range(10)]).amax(0).double().mean() / 15
    assert float(best) == pytest.approx(0.24, abs=0.005)
    right = percent_by_name(shown_by("6_transformer", 'check.reveal("predict_no_positions")'))
    assert right["no attention"] <= 12 and 20 <= right["no positions"] <= 26 and right["both"] >= 99


def test_adding_needs_a_wide_feed_forward_part_with_an_activation() -> None:
    text = shown_by("6_transformer", "learn_adding().items()")
    right = percent_by_name(text)
    assert right["hidden 4"] < 95 < right["hidden 64"] and all(right[name] <= 75 for name in ("none", "no activation")), "a quarter or more is wrong"
    attention, feed_forward = (int(count.replace(",", "")) for count in re.findall(r"([\d,]+) parameters", text))
    assert feed_forward / (attention + feed_forward) == pytest.approx(2 / 3, abs=0.01)


def test_eight_blocks_need_the_stream_and_the_norms() -> None:
    right = percent_by_name(shown_by("6_transformer", "learn_deep().items()"))
    assert right["yours"] > 95 and right["without the stream"] < 20 and right["without norms"] < 20 and "norm behind" in right


def test_a_batch_that_is_wider_breaks_the_model_that_sees_padding() -> None:
    text = shown_by("6_transformer", 'check.reveal("predict_wider")')
    sight, hidden = ([int(share) for share in re.findall(r"(\d+)%", line)] for line in text.splitlines() if line.startswith("padding"))
    assert sight[0] > 90 and sight[1] < 50 and hidden[0] == hidden[1] > 90


def test_two_layers_repeat_and_heads_share_the_work() -> None:
    right = percent_by_name(shown_by("7_language_model", 'check.reveal("predict_one_layer")'))
    assert 30 < right["one layer"] < 60 and right["two layers"] > 95
    right = percent_by_name(shown_by("7_language_model", 'check.reveal("predict_one_off")'))
    assert right["all heads"] > 95 and min(right["layer 2 without head 0"], right["layer 2 without head 1"]) > 75
    assert min(right["layer 1 without head 0"], right["layer 1 without head 1"]) < 90
    assert right["layer 1 without head 0 and 1"] < 40 and right["layer 2 without head 0 and 1"] < 20
    rows = [numbers_in(line) for line in shown_by("7_language_model", 'print("layer  head  previous  induction")').splitlines()[1:]]
    assert [row[:2] for row in rows] == [[1, 0], [1, 1], [2, 0], [2, 1]]
    assert max(row[2] for row in rows[:2]) > 0.4 and min(row[3] for row in rows[2:]) > 0.8 > 0.3 > max(row[3] for row in rows[:2])


def test_names_without_attention_and_without_positions() -> None:
    text = shown_by("7_language_model", 'check.reveal("predict_names")')
    loss = {name.strip(): float(value) for name, value in re.findall(r"^(.+?) +loss ([\d.]+)$", text, re.MULTILINE)}
    assert loss["no attention"] == pytest.approx(2.15, abs=0.04) and loss["both"] == pytest.approx(2.01, abs=0.04)
    assert -0.02 < loss["no positions"] - loss["both"] < 0.08


def test_the_answers_to_questions_of_lessons_6_and_7_are_in_their_outputs() -> None:
    layer, batch = (numbers_in(line)[1] for line in shown_by("6_transformer", "nn.BatchNorm1d").splitlines())
    assert layer == 0 and batch > 0.1
    one, scaled = (numbers_in(line) for line in shown_by("7_language_model", "for size in (1, k ** -0.5)").splitlines()[1:])
    assert one[1] > 15 and one[2] > 30 and scaled[1] == pytest.approx(1, abs=0.1) and 6.9 < scaled[2] < 8
    parallel = shown_by("7_language_model", "as six passes").splitlines()
    assert [line.split(":")[1].strip() for line in parallel[1:3] + parallel[4:]] == ["[0, 1, 2, 3, 4, 5]", "False", "[5]", "True"]
    *moved, alone = shown_by("7_language_model", "is_causal=True, one query").splitlines()
    assert [numbers_in(line)[-1] > 0 for line in moved] == [False, True] and alone.endswith("True")
    same, faster = shown_by("7_language_model", "cached = one_by_one(").splitlines()[-2:]
    assert same.endswith("True") and numbers_in(faster)[-1] > 1
