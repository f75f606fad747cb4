"""Exceptions: the message names which part of the line is what, and only what is so."""

from __future__ import annotations

import numpy as np
import pytest

from attnlab import exercises, reference
from attnlab.check.undefined import missing
from attnlab.diagnosis import calls
from attnlab.diagnosis.exceptions.borders import DRIVEN

from .learner import run_cell, said, said_to

RIGHT_SOFTMAX = """
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""


def basic(*lines: str, **held: object) -> str:
    """What the check says to a basic self-attention of these lines, for tensors `(B, T, k)`."""
    return said_to("basic_self_attention", "\n    ".join(["def basic_self_attention(x):", *lines]) + "\n", **held)


def scores(*lines: str, **held: object) -> str:
    """What the check says to attention scores of these lines, for an array of shape (3, 4)."""
    return said_to("attention_scores", "\n    ".join(["def attention_scores(x):", *lines]) + "\n", **held)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("return x @ x.transpose(0, 1)", "`x.transpose(0, 1)` swaps axes 0 and 1 of 3"),
        ("return x @ x.swapaxes(0, 2)", "`x.swapaxes(0, 2)` swaps axes 0 and 2 of 3"),
        ("return x.t()", "swaps the two axes of a matrix"),
        ("return x - x.max(dim=-1)", "give a pair: the values and their indices"),
        ("return x / x.sum(dim=-1)", "`x.sum(dim=-1)` removes the axis that it runs along: (2, 3) beside (2, 3, 4)"),
        ("return x.sum / 2", "`x.sum` is a function, used here without its parentheses"),
        ("return x.contiguous.view(6)", "`x.contiguous` is a function, used here without its parentheses"),
        ("B, T, k = x.size", "`x.size` is a function, used here without its parentheses"),
        ("return x.shape(0)", "`x.shape` is not a function"),
        ("return torch.bmm(x[None], x[None])", "`torch.bmm` only takes tensors with three axes"),
        ("return F.softmax(x, dim=-1)", "`F` is not imported in this notebook"),
        ("return x * math.sqrt(2)", "`math` is not imported in this notebook"),
        ("return exp(x)", "`exp` alone is not a function here; there is `np.exp` and `torch.exp`"),
        ("return nn.Softmax(x, dim=-1)", "`nn.Softmax` is a class of layers"),
        ("s = x.shape[-1] / 2; return x.view(2, 3, 2, s)", "`s` is a number with decimals"),
        ("return x.mean(dim=-1, keepdim=True).foo", "a torch tensor has no `foo`"),
    ],
)
def test_a_line_with_tensors_is_explained(line: str, cause: str) -> None:
    assert cause in basic(line)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("return x @ x.transpose(-2, -1)", "`x.transpose(-2, -1)` moves nothing"),
        ("return x @ x", "here they are 4 and 3"),
        ("s = (x @ x.T).astype(int); s[0] = -np.inf; return s", "inf and nan are no whole numbers"),
        ("return x * int(np.nan)", "inf and nan are no whole numbers"),
        ("return x * int(1e300 ** 2.0)", "the result is larger than the largest number of its type"),
        ("return x[0, 0] @ x", "`x[0, 0]` is one number"),
        ("return np.exp(x, axis=1)", "`np.exp` works on each number separately"),
        ("return x.sum(axis=1, keepdim=True)", "NumPy's argument is called `keepdims`, with an s"),
        ("return x.sum(dim=1)", "NumPy's argument is called `axis`"),
        ("return x.sum(1, True)", "`True` counts as a different argument"),
        ("return np.zeros(3, 3)", "a shape with several lengths is one tuple"),
        ("return x.ptp()", "NumPy arrays had `ptp` up to version 1"),
        ("return np.product(x)", "`np.product` was part of NumPy up to version 1"),
        ("return np.softmax(x)", "numpy has no `softmax`; torch has"),
        ("return x.softmax(-1)", "a NumPy array has no `softmax`; torch tensors have"),
        ("return np.arrange(3)", "numpy has no `arrange`; it has `arange`"),
        ("return ~x", "`~` works on truth values"),
        ("return -(x > 0)", "truth values have no minus"),
        ("return x[0.5]", "`0.5` is 0.5, a number with decimals"),
        ("return x['a']", "`'a'` is a string, but the indices of an array are whole numbers"),
        ("return x[(0, 1, 2)]", "it has fewer axes than `x[0, 1, 2]` has indices"),
        ("return [x[i + 1] for i in range(len(x))]", "`i` comes from `for i in range(len(x))`, line 2"),
        ("return x[:0].max()", "the array is empty"),
        ("return 2 ** -np.arange(3)", "NumPy refuses negative powers of whole numbers"),
        ("return len(3)", "`3` is the number 3, but `len(...)` counts"),
        ("d = {'a': 1}; return d['b']", "has no key 'b': it has 'a'"),
        ("return [j for j in x] + j", "`j` is the variable of a comprehension"),
        ("return X @ X.T", "the argument is called `x`: capital and small letters make different names"),
        ("y = [].append(1); return y.shape", "is None"),
        ("return x.max(axis=2)", "the array has no axis 2: it has 2 axes, 0 to 1"),
        ("return max(x)", "Python's own `max` compares whole rows of an array"),
        ("return np.concatenate([])", "the list of arrays to join is empty"),
        ("return np.stack([x, x[:, :2]])", "the arrays to join have different shapes"),
        ("return [1, 2] - [3]", "`[1, 2]` is a list, not an array"),
        ("return x @ x[0][:3]", "meets the only axis of `x[0][:3]` in the product: 4 numbers and 3"),
        ("return np.random.randn((3, 4))", "in line 2: `np.random.randn((3, 4))`"),
        ("return np.random.randn((3, 4))", "`(3, 4)` is a tuple, but that function takes each length as a separate argument"),
        ("return np.einsum('ij,jk->ik', x, x)", "the letters of `einsum` do not fit its arrays"),
        ("return x + np.ones(3)", "the last axis of `x` has length 4, that of `np.ones(3)` 3"),
        ("return np.ones((2, 3, 3)) @ torch.ones(3, 3)", "torch and NumPy are mixed"),
        ("return 10.0 ** 400", "plain Python raises an error, where NumPy gives inf"),
        ("return set([x])", "cannot be a key of a dictionary, a member of a set"),
        ("return 3[0]", "has no entries"),
    ],
)
def test_a_line_with_arrays_is_explained(line: str, cause: str) -> None:
    assert cause in scores(line)


def test_an_axis_that_a_sum_lost_is_found_in_the_line_that_made_it() -> None:
    assert "`e.sum(dim=-1)`, line 3, removes the axis" in basic("e = torch.exp(x)", "total = e.sum(dim=-1)", "return e / total")
    assert "removes the axis" not in basic("e = torch.exp(x)", "total = e.sum(dim=-1, keepdim=True)[:, :2]", "return e / total")


def test_what_goes_into_a_place_of_another_length_is_told_with_the_line_that_made_the_place() -> None:
    text = scores("table = np.zeros((len(x), 2))", "for i in range(len(x)):", "    table[i] = x @ x[i]", "return table")
    assert "the left side `table[i]` has shape (2,), but the right side has shape (3,); `table` is made in line 2" in text


def test_a_loop_that_takes_the_name_of_the_argument_is_named() -> None:
    text = scores("return np.array([[x @ y for y in x] for x in x])")
    assert "`y` is one number" in text
    assert "a loop there uses the name of the argument `x`" in text
    assert "uses the name of the argument" not in scores("return np.array([[a @ b for b in a] for a in x])")


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (["weights = weights + 1", "return weights"], "`weights` gets its value only further down, or in a branch"),
        (
            ["for i in range(3):", "    total += x[i]", "return total"],
            "`total += x[i]` adds to `total`, but no line before gives `total` a value",
        ),
        (["if len(x) > 99:", "    y = x", "return y"], "`y` gets its value only in a branch of the `if` of line 2, `len(x) > 99`, which did not run"),
        (["len = len(x)", "return x"], "line 2 assigns `len`, so in the whole function `len` is a variable"),
        (["y = z", "z = 1", "return y"], "`z` gets its value only further down, in line 3"),
    ],
)
def test_a_name_without_a_value_is_explained(lines: list[str], cause: str) -> None:
    assert cause in scores(*lines)


def test_a_name_that_the_card_and_the_def_call_differently() -> None:
    text = said_to("attention_scores", "def attention_scores(tokens):\n    return x @ x.T\n")
    assert "the card has an argument `x`, but your `def attention_scores` has `tokens`" in text


def test_a_variable_of_the_caller_is_none_of_the_callee() -> None:
    text = said_to(
        "attention_scores",
        """
        def product():
            return rows @ rows.T

        def attention_scores(x):
            rows = x + 1
            return product()
    """,
    )
    assert "`rows` is a variable of `attention_scores`, which calls `product`" in text


def test_a_word_without_quotes_is_named_only_where_it_is_compared_with_a_text() -> None:
    code = "def parameter_count(k, heads, variant):\n    if {} == narrow:\n        return 1\n    return 2\n"
    assert "`narrow` without quotes is a name" in said_to("parameter_count", code.format("variant"))
    assert "without quotes" not in said_to("parameter_count", code.format("heads"))


def test_the_condition_of_an_own_error_is_told_with_its_values() -> None:
    text = scores("T = len(x)", "if T % 2 == 1:", "    raise ValueError('odd')")
    assert "because `T % 2 == 1` holds in line 3: `T` is 3" in text
    text = scores("T = len(x)", "if T == 2:", "    T = 1", "else:", "    raise ValueError('odd')")
    assert "because `T == 2` does not hold in line 3: `T` is 3" in text


def test_a_wrong_argument_of_another_exercise_is_named_at_the_call() -> None:
    softmax = run_cell(RIGHT_SOFTMAX, "softmax")
    attention_scores = run_cell("def attention_scores(x):\n    return x @ x.T\n", "attention_scores")
    given = {"softmax": softmax, "attention_scores": attention_scores}
    weights = "def attention_weights(x):\n    return softmax({})\n"
    text = said_to("attention_weights", weights.format("attention_scores"), **given)
    assert "`softmax` was called in line 2 with the function `attention_scores` itself as `scores`" in text
    assert "`softmax` was called in line 2 with a list as `scores`, but it is written for a NumPy array" in said_to(
        "attention_weights", weights.format("[1, 2]"), **given
    )
    assert "with a torch tensor as `scores`, but it is written for a NumPy array" in basic("return softmax(x)", **given)
    rows = "def attention_weights(x):\n    s = x @ x.T\n    return np.array([softmax(s[i], i) for i in range(len(x))])\n"
    text = said_to("attention_weights", rows, **given)
    assert "`i`, the axis in line 3, counts in `for i in range(len(x))`" in text
    text = said_to("attention_weights", "def attention_weights(x):\n    return softmax(attention_scores(x, axis=1))\n", **given)
    assert "`attention_scores` takes `x`, but no `axis`; `softmax`, around it, has that argument" in text


def test_a_function_of_the_course_that_raises_for_its_own_reason_is_not_blamed_on_its_argument() -> None:
    code = "def attention_weights(x):\n    return softmax(x @ x.T, axis=5)\n"
    text = said_to("attention_weights", code, softmax=run_cell(RIGHT_SOFTMAX, "softmax"))
    assert "was called in line" not in text
    assert "the array has no axis 5" in text


CLASS = """
class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = nn.Linear(d_in, d_k, bias=False)
        self.tokeys = nn.Linear(d_in, d_k, bias=False)
        self.tovalues = nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        queries, keys, values = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        return torch.softmax(queries @ keys.transpose(1, 2) / d_k ** 0.5, dim=-1) @ values
"""


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("", "", "`d_k` is an argument of `__init__` and exists only there"),
        ("/ d_k", "/ tokeys", "the object has `self.tokeys`"),
        ("        super().__init__()\n", "", "the constructor never calls `super().__init__()`"),
        ("super().__init__()", "super().__init__", "`super().__init__` has no `()` at the end, so it is not called"),
        ("super().__init__()", "super(int, self).__init__()", "names the class `int`, but this object is of a different class"),
        (
            "self.tokeys(x)",
            "self.tokeys(self.toqueries(x))",
            "`self.tokeys` is a layer for 4 numbers, but the last axis of `self.toqueries(x)` has 3",
        ),
        ("self.tokeys(x)", "self.key(x)", "the constructor makes no `self.key`; it makes toqueries, tokeys, tovalues"),
        ("forward(self, x)", "forward(x)", "the first parameter of `forward` is not `self`"),
        ("torch.softmax(queries", "nn.Softmax(queries", "`nn.Softmax` is a class of layers"),
    ],
)
def test_a_class_is_explained(old: str, new: str, cause: str) -> None:
    code = CLASS.replace(old, new, 1) if old else CLASS
    if "d_k" not in cause and "tokeys" not in new:
        code = code.replace("/ d_k ** 0.5", "/ queries.shape[-1] ** 0.5")
    assert cause in said_to("SelfAttention", code)


def test_parameters_in_another_order_are_named_and_others_not() -> None:
    text = said_to("embed", "def embed(words, table, vocabulary):\n    return table[[vocabulary[word] for word in words]]\n")
    assert "the card has `words`, `vocabulary`, `table`, your `def` has `words`, `table`, `vocabulary`" in text
    text = said_to("embed", "def embed(words, rows, numbers):\n    return numbers[[rows[word] for word in words] + 9]\n")
    assert "wrong order" not in text


def test_a_call_that_is_refused_names_both_lists() -> None:
    text = said_to("attention_scores", "def attention_scores(x, keys):\n    return x @ keys.T\n")
    assert "it takes `x`, as the card lists" in text
    assert "your `def` takes `x`, `keys`; `keys` is not on the card" in text


def test_the_numbers_of_fresh_memory_are_nobodys_operation() -> None:
    text = basic("y = torch.empty(x.shape).fill_(torch.nan)", "return torch.log(x * 0 - 1) + y.nan_to_num()")
    assert "comes from `log`" in text


def test_the_name_of_another_exercise_is_offered_when_the_last_cell_took_it() -> None:
    cells = ["def is_permutation_equivariant(f, x, atol=1e-8):\n    return True\n"]
    assert "`is_permutation_equivariant` has the same arguments: should it have this name?" in " ".join(
        str(missing("is_permutation_invariant", {}, cells)).split()
    )
    assert "the same arguments" not in " ".join(str(missing("causal_mask", {}, cells)).split())


def test_in_grading_nothing_of_the_code_is_needed() -> None:
    class Stand:
        """What stands for a function in a grader: no code, no lines."""

        def __call__(self, x: np.ndarray) -> np.ndarray:
            raise ValueError("operands could not be broadcast together with shapes (3,) (4,)")

    text = said("attention_scores", Stand())
    assert "your code raised ValueError" in text


def test_tensors_of_two_types_are_not_called_tensors_of_two_shapes() -> None:
    text = said_to(
        "basic_self_attention",
        """
        layer = torch.nn.Linear(4, 4)

        def basic_self_attention(x):
            return layer(x)
    """,
    )
    assert "different number types" in text


def test_of_several_tensors_those_are_told_whose_types_the_exception_names() -> None:
    text = said_to(
        "basic_self_attention",
        """
        def basic_self_attention(x):
            y, order = torch.empty(x.shape), torch.arange(x.shape[0])
            w = torch.softmax(x @ x.mT, dim=-1)
            torch.bmm(w[order], x, out=y)
            return y
    """,
    )
    assert "`y` holds float32" in text and "`x` holds float64" in text and "`order`" not in text.partition("likely")[2], text


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("some = weights[weights > 0].reshape(len(weights), -1)", "`weights[weights > 0]` is one row"),
        ("some = weights[weights > 0]\n            some = some.reshape(len(weights), -1)", "`weights[weights > 0]` in line 3 is one row"),
    ],
)
def test_a_mask_that_makes_one_row_of_a_table_is_told(lines: str, told: str) -> None:
    text = said_to(
        "attention_entropy",
        f"""
        def attention_entropy(weights):
            {lines}
            return -(some * np.log(some)).sum(axis=1)
    """,
    )
    assert told in text and "keep the shape" in text, text


def test_a_squeeze_of_an_axis_that_has_length_1_by_chance_is_told() -> None:
    text = said_to(
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            if q.dim() == 2:
                q, k, v = q.unsqueeze(0), k.unsqueeze(0), v.unsqueeze(0)
            weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
            return (weights @ v).squeeze(0)
    """,
    )
    assert "`(weights @ v).squeeze(0)` in line" in text and "belongs to the result" in text, text


@pytest.mark.parametrize(
    ("start", "told"), [("0", "`best` starts at 0 in line"), ("-np.inf", "")], ids=["a start above all scores", "a start below all scores"]
)
def test_a_largest_number_that_starts_at_0_is_told(start: str, told: str) -> None:
    text = said_to(
        "one_output",
        f"""
        def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
            query = beta_q + omega_q @ X[:, n : n + 1]
            scores = ((beta_k + omega_k @ X).T @ query)[:, 0]
            best = {start}
            for score in scores:
                best = max(best, score)
            e = np.exp(scores - best)
            if not told:
                e = np.exp(scores - 800)
            return (beta_v + omega_v @ X) @ (e / e.sum())[:, None]
    """,
        told=told,
    )
    assert "0 / 0" in text and (told in text if told else "starts at 0" not in text), text


def test_a_place_of_another_length_is_told_with_the_line_that_made_it() -> None:
    text = said_to(
        "grouped_attention",
        """
        def grouped_attention(q, k, v):
            h, g = q.shape[1], k.shape[1]
            out = torch.empty_like(q)
            for n in range(h):
                m = n // (h // g)
                out[:, n] = torch.softmax(q[:, n] @ k[:, m].mT / q.shape[-1] ** 0.5, dim=-1) @ v[:, m]
            return out
    """,
    )
    assert "`out[:, n]` has shape (1, 2, 2), but the right side has shape (1, 2, 3); `out` is made in line" in text, text
    assert "shape of each factor" not in text


def test_arguments_are_compared_only_with_what_a_check_passes_on() -> None:
    names = {name for lesson in reference.lessons() for item in reference.graded(lesson) if item.kind == "exercise" for name in item.asks_for}
    found = {name: exercises.find(name).call for name in names}
    assert {name for name, call in found.items() if call not in calls.ONE_CALL and not isinstance(call, calls.Module)} == DRIVEN


def test_a_call_of_an_exercise_that_its_check_drives_is_not_said_to_have_wrong_arguments() -> None:
    told = said_to(
        "learn_to_rearrange",
        """
def train_model(model, batches, rate):
    for tokens, targets in batches:
        model(tokens[:, :, 0])


def learn_to_rearrange(batches, vocabulary, length):
    model = torch.nn.Linear(length, vocabulary)
    train_model(model, batches, rate=5e-3)
    return model
""",
    )
    assert "your code raised IndexError" in told and "is written for" not in told, told
