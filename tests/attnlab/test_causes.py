"""A cause is named when it is established, and else the check says that it does not know."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from attnlab import check

from .learner import run_cell, said, said_to

SOFTMAX = """
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
UNKNOWN = "does not know"


def softmax(code: str = SOFTMAX) -> object:
    return run_cell(code, "softmax")


def test_a_sum_without_keepdims_is_not_taken_for_a_softmax_over_queries() -> None:
    text = said_to("softmax", SOFTMAX.replace("e.sum(axis=axis, keepdims=True)", "e.sum(axis=axis)"))
    assert "the division uses the sum of another row" in text
    assert "queries" not in text


def test_a_coincidence_in_the_example_is_no_cause() -> None:
    """For the example's symmetric scores the columns sum to one, for other inputs they do not."""
    text = said_to(
        "attention_weights",
        """
        def attention_weights(x):
            e = np.exp(x @ x.T / 10)
            return e / e.sum(axis=-1) if len(x) == 3 else e
    """,
    )
    assert "you normalised over queries" not in text


def test_a_mistake_that_gives_its_value_for_the_example_alone_is_no_cause() -> None:
    known = next(mistake for mistake in check.shown.reference.cases("attention_scores")[0].mistakes if mistake.name == "scaled")
    text = said("attention_scores", lambda x: known.value if x.shape == (3, 4) else x @ x.T + 1)
    assert known.likely not in text


def test_a_mistake_that_gives_its_value_for_most_inputs_is_not_all() -> None:
    cases = check.shown.reference.cases("attention_scores")
    first, second, *_ = (next(mistake for mistake in case.mistakes if mistake.name == "scaled") for case in cases)
    values = {np.shape(mistake.value): mistake.value for mistake in (first, second)}
    text = said("attention_scores", lambda x: values.get((len(x), len(x)), x @ x.T + 1))
    assert f"the numbers for this input say: {first.likely}; those for another do not, so there may be more to it" in text
    text = said("attention_scores", lambda x: values[3, 3] if len(x) == 3 else x @ x.T + 1)
    assert first.likely not in text


def test_a_helper_that_does_not_pass_its_own_check_is_named() -> None:
    broken = softmax(SOFTMAX.replace("np.exp(", "np.exp2("))
    weights = run_cell(
        """
        def attention_weights(x):
            return softmax(x @ x.T)
    """,
        "attention_weights",
        softmax=broken,
    )
    assert "your `softmax`, which is called here, does not pass its own check" in said("attention_weights", weights)
    loops = run_cell(
        """
        def self_attention_loops(x):
            return attention_weights(x) @ x
    """,
        "self_attention_loops",
        attention_weights=weights,
    )
    assert "your `softmax`, which is called here" in said("self_attention_loops", loops), "the deepest one that fails"


def test_a_helper_that_is_not_written_yet_is_named() -> None:
    stub = run_cell("def softmax(scores, axis=-1):\n    raise NotImplementedError('not written yet')\n", "softmax")
    text = said_to("attention_weights", "def attention_weights(x):\n    return softmax(x @ x.T)\n", softmax=stub)
    assert "you have not started yet" not in text
    assert "the cell of `softmax` still holds the line that raises it" in text


def test_a_right_helper_is_not_blamed() -> None:
    text = said_to(
        "attention_weights",
        """
        def attention_weights(x):
            return softmax(x @ x.T / np.sqrt(x.shape[1]))
    """,
        softmax=softmax(),
    )
    assert "your `softmax`" not in text
    assert "the scores were scaled" in text


def test_a_forgotten_factor_is_no_size_from_the_notebook() -> None:
    text = said_to(
        "basic_self_attention",
        """
        def basic_self_attention(x):
            return torch.softmax(x @ x.transpose(-2, -1), dim=-1)
    """,
    )
    assert "notebook" not in text
    assert "shape (2, 3, 3)" in text


def test_a_variable_of_the_notebook_is_named() -> None:
    text = said_to(
        "attention_scores",
        """
        def attention_scores(x):
            return x @ tokens.T
    """,
        tokens=np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]),
    )
    assert "your code uses `tokens`: no argument, but a variable of the notebook" in text


def test_a_constant_of_the_answers_own_cell_is_no_variable_of_the_notebook() -> None:
    text = said_to(
        "attention_scores",
        """
        SMALL = 3
        def attention_scores(x):
            return x @ x.T if len(x) == SMALL else np.sin(x @ x.T)
    """,
    )
    assert "SMALL" not in text
    assert "all inputs here come out right" in text


def test_a_length_written_as_a_number_is_named() -> None:
    text = said_to(
        "self_attention_loops",
        """
        def self_attention_loops(x):
            weights = attention_weights(x)
            outputs = np.zeros(x.shape)
            for i in range(3):
                outputs[i] = weights[i] @ x
            return outputs
    """,
        attention_weights=run_cell("def attention_weights(x): return softmax(x @ x.T)", "attention_weights", softmax=softmax()),
    )
    assert "your code has the number 3, in `range(3)`, line 4 of the function" in text


@pytest.mark.parametrize("shape", ["scores.shape[-2:]", "(scores.shape[1], len(scores[0, 0]) * 2 // 2)"])
def test_a_number_that_is_no_length_is_not(shape: str) -> None:
    text = said_to(
        "cached_attention",
        f"""
        def cached_attention(q, k, v, keys=None, values=None):
            n = 0 if keys is None else len(keys)
            if keys is not None:
                k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
            scores = q @ k.mT / q.shape[-1] ** 0.5
            later = torch.ones({shape}, dtype=torch.bool).triu(n + 1)
            return torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1) @ v, k, v
    """,
    )
    assert "your code has the number" not in text
    assert "keys.shape[1]` in place of" in text


def test_a_transpose_of_all_axes_is_named() -> None:
    text = said_to(
        "basic_self_attention",
        """
        def basic_self_attention(x):
            return torch.softmax(x @ x.T, dim=-1) @ x
    """,
    )
    assert "`.T` reverses all axes, including the batch: (2, 3, 4) becomes (4, 3, 2)" in text
    assert "x has shape (2, 3, 4)" in text


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("return np.max(x, axis=-1, keepdims=True)", "`x` is a torch tensor, but the function is NumPy's"),
        ("return softmax @ x", "`softmax` is a function, used here without its parentheses"),
        ("return x.astype(float)", "a torch tensor has no `astype`; NumPy arrays have"),
        ("return torch.tril_mask(x)", "torch has no `tril_mask`"),
        ("return x.transpose(-2, -1).view(-1) + missing", "`view` needs the numbers in memory in their order"),
        ("return x @ missing", "no line that ran defines `missing`"),
        ("return x @ embed(x)", "`embed` is another exercise of the course"),
        ("return x[:, 7]", "the index is 7, but axis 1 of `x` has length 3: counted from 0, the last index is 2"),
        ("return x.sum(dim=3)", "the array has no axis 3: it has 3 axes, 0 to 2, or from the end -1 to -3"),
        ("return x @ x.mT.float()", "the tensors have different number types"),
        ("return basic_self_attention(x)", "`basic_self_attention` calls itself"),
        ("return x(0)", "round brackets call a function"),
        ("return 1 if x > 0 else 2", "an array is used where Python needs a single yes or no"),
        ("B, T = x.shape", "the left side has a different number of names"),
        ("return x.reshape(5, 5)", "the product of the new lengths is not the number of entries"),
        ("raise ValueError('no')", "your own line raises it"),
        ("return later; later = 1", "gets its value only further down"),
        ("assert len(x) == 9", "an `assert` line fails, one of yours"),
    ],
)
def test_an_exception_is_explained_by_what_it_says_and_where(line: str, cause: str) -> None:
    text = said_to("basic_self_attention", f"def basic_self_attention(x):\n    {line}\n", softmax=softmax())
    assert cause in text
    assert "in line 2" in text


def test_an_exception_that_nothing_explains_is_not_explained() -> None:
    text = said_to("basic_self_attention", "def basic_self_attention(x):\n    raise_it()\n", raise_it=lambda: (_ for _ in ()).throw(OSError("odd")))
    assert "your code raised OSError: odd" in text
    assert UNKNOWN in text


def test_whole_numbers_in_place_are_named() -> None:
    text = said_to(
        "self_attention_loops",
        """
        def self_attention_loops(x):
            outputs = np.zeros_like(x)
            weights = softmax(x @ x.T)
            for i in range(len(x)):
                for j in range(len(x)):
                    outputs[i] += weights[i, j] * x[j]
            return outputs
    """,
        softmax=softmax(),
    )
    assert "holds whole numbers: it cannot store decimals" in text


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("def attention_scores(x):\n    scores = x @ x.T\n    print(scores)\n", "the function prints its result"),
        ("def attention_scores(x):\n    rows = []\n    return rows.append(x @ x.T)\n", "`rows.append(x @ x.T)` changes its object and gives None"),
        ("def attention_scores(x):\n    if len(x) > 99:\n        return x @ x.T\n", "the function has a `return`, but this call did not reach it"),
        ("def attention_scores(x):\n    scores = x @ x.T\n", "there is no `return`"),
        ("def attention_scores(x):\n    x @ x.T\n    return\n", "a `return` without a value was reached"),
    ],
)
def test_a_result_of_none_is_explained_by_the_text(code: str, cause: str) -> None:
    assert cause in said_to("attention_scores", code)


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        ("e = np.exp(s - np.abs(s).sum())\n    return e / e.sum(axis=axis, keepdims=True)", "each exponential in that sum is 0"),
        ("s = np.where(s == s, s, 0) + 0 * (s > 1) * np.inf\n    return s", "0 times infinity is nan"),
        ("s = np.where(s == s.max(), np.nan, s)\n    return s", "line 2 puts nan in, `np.nan`"),
        ("e = np.e ** s\n    return e / e.sum(axis=axis, keepdims=True)", "comes from `**`, in line 2: `e = np.e ** s`"),
        ("s = s - s[s > 1e9].mean()\n    return s", "comes from `mean`, in line 2: `s = s - s[s > 1e9].mean()`, which gets no numbers"),
        ("s = s / np.std(s[:1, :1], ddof=1)\n    return s", "comes from `std`, in line 2"),
        ("s = np.where(s > s.mean(axis, keepdims=True), np.inf, -np.inf)\n    return s.sum(axis, keepdims=True) * s", "comes from `sum`, in line 3"),
        ("s = (s - s.max(axis, keepdims=True)) ** 0.5\n    return s", "the square root of a negative number is nan"),
        ("s = np.log(s - 1e5)\n    return s", "the logarithm of a negative number is nan"),
    ],
)
def test_why_an_operation_gives_nan_is_told(lines: str, cause: str) -> None:
    assert cause in said_to("softmax", f"def softmax(s, axis=-1):\n    {lines}\n")


def test_a_division_of_single_numbers_is_told_as_one_of_arrays() -> None:
    text = said_to(
        "attention_weights",
        """
        def attention_weights(x):
            rows = []
            for query in x:
                e = [np.exp(query @ key - 3 * abs(max(x @ query))) for key in x]
                rows.append([one / sum(e) for one in e])
            return np.array(rows)
    """,
    )
    assert "0 / 0 in line 6: each exponential in that sum is 0" in text and "scalar" not in text, text


def test_the_first_number_that_is_not_finite_is_found() -> None:
    text = said_to(
        "softmax",
        """
        def softmax(scores, axis=-1):
            e = np.exp(scores)
            return e / e.sum(axis=axis, keepdims=True)
    """,
    )
    assert "the first of them comes from `exp`, in line 3: `e = np.exp(scores)`" in text
    text = said_to(
        "basic_self_attention",
        """
        def basic_self_attention(x):
            e = torch.exp(x @ x.transpose(-2, -1))
            return e / e.sum(dim=-1, keepdim=True) @ x
    """,
    )
    assert "the first of them comes from `exp`, in line 3: `e = torch.exp(x @ x.transpose(-2, -1))`" in text
    text = said_to(
        "attention_entropy",
        """
        def attention_entropy(weights):
            return -(weights * np.log(weights)).sum(axis=-1)
    """,
    )
    assert "0 · ln 0 is 0 times minus infinity" in text
    text = said_to(
        "attention_entropy",
        """
        def attention_entropy(weights):
            return (np.log(weights.sum(axis=-1) - 1) * weights[:, 0]) if (weights == 0).sum() == 2 else -(weights * np.log(weights)).sum(axis=-1)
    """,
    )
    assert "comes from `log`, in line 3" in text


def test_a_class_without_forward_is_no_class_that_was_not_started() -> None:
    text = said_to(
        "SelfAttention",
        """
        class SelfAttention(nn.Module):
            def __init__(self, d_in, d_k, d_v):
                super().__init__()
                self.to_queries = nn.Linear(d_in, d_k, bias=False)
                self.to_keys = nn.Linear(d_in, d_k, bias=False)
                self.to_values = nn.Linear(d_in, d_v, bias=False)

            def foward(self, x):
                return x
    """,
    )
    assert "not started" not in text


def test_one_number_that_happens_to_be_round_is_not_called_rounding() -> None:
    text = said("next_letter_projections", lambda letters, sharpness: (int(sharpness) * np.eye(letters), np.roll(np.eye(letters), 1, axis=0)))
    assert "rounded" not in text


@pytest.mark.parametrize(
    ("queries", "factor", "words"),
    [
        (
            lambda n: np.eye(n, k=1),
            lambda s: s**2,
            "two things: the last letter looks at no letter, and the sharpness is in both matrices, so it is squared",
        ),
        (lambda n: np.eye(n, k=1), lambda s: 1, "two things: the last letter looks at no letter, and the sharpness is left out"),
        (lambda n: np.eye(n), lambda s: s**0.5, "two things: every letter looks at itself, and the score is the root of the sharpness"),
        (lambda n: np.roll(np.eye(n), -1, axis=1), lambda s: s**2, "two things: every letter looks at the one before it, and the sharpness"),
    ],
)
def test_where_a_letter_looks_and_its_score_are_told_together(
    queries: Callable[[int], np.ndarray], factor: Callable[[float], float], words: str
) -> None:
    text = said("next_letter_projections", lambda letters, sharpness: (factor(sharpness) * queries(letters), np.eye(letters)))
    assert words in text, text


def test_noise_is_not_called_rounding() -> None:
    text = said("attention_weights", lambda x: softmax()(x @ x.T) + 0.001 * np.sin(np.arange(len(x) ** 2)).reshape(len(x), -1))
    assert "rounded" not in text


def test_torch_stays_what_it_is_after_a_check_that_watched_it() -> None:
    said("basic_self_attention", lambda x: torch.full_like(x, torch.nan))
    assert torch.exp(torch.tensor(1000.0)).isinf()


def test_another_shape_where_a_mistake_is_right_contradicts_it() -> None:
    """The example's words all stand in the vocabulary once: rows in its order, or a table of its size, give the same there."""
    text = said_to(
        "embed",
        """
        def embed(words, vocabulary, table):
            rows = np.zeros((len(vocabulary), table.shape[1]))
            for word in words:
                rows[vocabulary[word]] = table[vocabulary[word]]
            return rows
    """,
    )
    assert "a word that comes again is left out" not in text


def test_a_slice_that_ends_before_it_should_is_named() -> None:
    text = said_to(
        "MultiHeadSelfAttention",
        """
        class MultiHeadSelfAttention(nn.Module):
            def __init__(self, k, heads, mask=False):
                super().__init__()
                if k % heads:
                    raise ValueError
                self.heads, self.mask, self.past = heads, mask, torch.ones(64, 64).tril()
                self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, k, bias=False) for _ in range(3))
                self.unifyheads = nn.Linear(k, k)

            def forward(self, x):
                B, T, k = x.shape
                q, key, v = (layer(x).view(B, T, self.heads, -1).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
                scores = q @ key.mT / (k // self.heads) ** 0.5
                if self.mask:
                    scores = scores.masked_fill(self.past[:T, :T] == 0, -torch.inf)
                return self.unifyheads((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, k))
    """,
    )
    assert "`self.past` has 64: a slice ends where its array does" in text


def test_what_is_put_into_a_row_of_another_length_has_its_shape_and_the_line_that_made_the_array() -> None:
    text = said_to(
        "self_attention_rows",
        """
        def self_attention_rows(x, w_query, w_key, w_value):
            queries, keys, values = x @ w_query, x @ w_key, x @ w_value
            outputs = np.zeros(queries.shape)
            for i, query in enumerate(queries):
                outputs[i] = softmax(keys @ query) @ values
            return outputs
    """,
        softmax=softmax(),
    )
    assert "the left side `outputs[i]` has shape (4,), but the right side has shape (2,)" in text
    assert "`outputs` is made in line 4: `np.zeros(queries.shape)`" in text


def test_a_list_that_is_asked_whether_it_is_empty_is_told_from_an_array() -> None:
    code = "def permute_tokens(x, permutation):\n    if not permutation:  # nothing to do\n        return x\n    return x[list(permutation)]\n"
    text = said_to("permute_tokens", code)
    assert "in line 2: `if not permutation:`" in text and "`permutation is not None`, or `len(permutation) > 0`" in text


def test_a_deep_recursion_is_not_said_to_be_endless() -> None:
    text = said_to(
        "softmax",
        """
        def softmax(scores, axis=-1):
            def counted(n):
                return 0 if n == 0 else 1 + counted(n - 1)
            e = np.exp(scores - scores.max(axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True) + counted(5000) - 5000
    """,
    )
    assert "or this input needs more" in text


PLACES = {
    "the axis of an AxisError": (
        "softmax",
        """
        def softmax(scores, axis=-1):
            if axis < 0:
                axis = axis + 2
            e = np.exp(scores - np.amax(scores, axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True)""",
        "`axis` is made in line 4: `axis = axis + 2`",
    ),
    "float32 in a count": (
        "parameter_count",
        """
        def parameter_count(k, heads, variant):
            if variant not in ("narrow", "wide"):
                raise ValueError(variant)
            width = k if variant == "narrow" else heads * k
            return int(torch.Tensor([width * k, width * k, width * k, k * width, k]).sum())""",
        "larger ones as float32 rounds them",
    ),
    "a layer inside of another module": (
        "FeedForward",
        """
        class FeedForward(nn.Module):
            def __init__(self, k, hidden):
                super().__init__()
                self.expand = nn.Sequential(nn.Linear(k, hidden), nn.ReLU())
                self.contract = nn.Linear(hidden, k)

            def forward(self, x):
                return self.contract(self.expand(x))""",
        "`expand.bias` is called `expand.0.bias` here: the layer is inside another module",
    ),
    "an axis that was not lost": (
        "one_output",
        """
        def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
            query = (beta_q + omega_q @ X[:, [n]])[:, 0]
            keys = (beta_k + omega_k @ X).T
            scores = (query[:, None] * keys).sum(axis=1)
            e = np.exp(scores - scores.max())
            return (beta_v + omega_v @ X) @ (e / e.sum())[:, None]""",
        "puts the new axis where the other one has another length",
    ),
    "a product that has no axes of length 1": (
        "scaled_dot_product_attention",
        """
        def scaled_dot_product_attention(q, k, v):
            a, b, c = (one.reshape(one.shape[0], -1, one.shape[-1]) for one in (q, k, v))
            weights = torch.softmax(torch.bmm(a, b.transpose(1, 2)) / q.shape[-1] ** 0.5, dim=-1)
            return torch.bmm(weights, c).reshape(*q.shape[:-1], v.shape[-1])""",
        "they must be equal; which line gives each of them its shape?",
    ),
    "a comma that is missing": (
        "parameter_count",
        """
        def parameter_count(k, heads, variant):
            if variant not in ("narrow" "wide"):
                raise ValueError(variant)
            width = k if variant == "narrow" else heads * k
            return 4 * width * k + k""",
        "Python joins the texts behind `in` to one",
    ),
}


@pytest.mark.parametrize("slip", PLACES)
def test_where_it_comes_from_is_named(slip: str) -> None:
    exercise, code, told = PLACES[slip]
    text = said_to(exercise, code)
    assert told in text, text


# Where no cause is known: what the inputs that come out wrong have in common.
IN_COMMON = {
    "a token that stands there twice": (
        "self_attention_loops",
        """def self_attention_loops(x):
            y = np.zeros(x.shape)
            for i, query in enumerate(x):
                score_of = {tuple(key): query @ key for key in x}
                weights = softmax(np.array(list(score_of.values())))
                for token, weight in zip(score_of, weights):
                    y[i] += weight * np.array(token)
            return y""",
        "where `x` holds the same row twice or more come out wrong, and no others",
    ),
    "earlier keys": (
        "cached_attention",
        """def cached_attention(q, k, v, keys=None, values=None):
            new = q @ k.mT / q.shape[-1] ** 0.5
            out = new.masked_fill(torch.ones(new.shape[-2:]).triu(1) == 1, -torch.inf).softmax(-1) @ v
            if keys is None:
                return out, k, v
            out = (out + 3 * (q @ keys.mT / q.shape[-1] ** 0.5).softmax(-1) @ values) / 4
            return out, torch.cat((keys, k), 1), torch.cat((values, v), 1)""",
        "where `keys` is given come out wrong, and no others",
    ),
    "as many heads of keys": (
        "grouped_attention",
        """def grouped_attention(q, k, v):
            if k.shape[1] < q.shape[1]:
                times = q.shape[1] // k.shape[1]
                return grouped_attention(q / q.shape[-1] ** 0.5, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1))
            return (q @ k.mT).softmax(dim=-1) @ v""",
        "where axis 1 of `q` and axis 1 of `k` are equally long come out wrong, and no others",
    ),
}


@pytest.mark.parametrize("slip", IN_COMMON)
def test_what_wrong_inputs_have_in_common_is_told(slip: str) -> None:
    exercise, code, told = IN_COMMON[slip]
    text = said_to(exercise, code, softmax=softmax())
    assert told in text and UNKNOWN in text, text


def test_where_nothing_tells_wrong_inputs_from_right_ones_nothing_is_said_of_them() -> None:
    held = {"np": np, "softmax": softmax()}
    flag = "np.floor(1000 * abs(np.sin(x.sum() + 7))) % 2"
    exec(f"def attention_scores(x):\n    s = x @ x.T\n    return np.where({flag}, np.cos(s), s)", held)  # its text is not to be had
    text = said("attention_scores", held["attention_scores"])
    assert UNKNOWN in text and "and no others" not in text, text


@pytest.mark.parametrize(("mask", "told"), [("causal_mask(len(x))", True), ("causal_mask(len(x)).T", False)])
def test_one_maximum_for_all_rows_is_told_where_each_row_has_something_left(mask: str, told: bool) -> None:
    code = f"""def repaired_causal_attention(x):
        scores = np.where({mask}, x @ x.T / np.sqrt(x.shape[1]), -np.inf)
        e = np.exp(scores - scores.max())
        return e / e.sum(axis=1, keepdims=True) @ x"""
    text = said_to("repaired_causal_attention", code, causal_mask=lambda size: np.tri(size, dtype=bool))
    assert ("is one number for the whole table" in text) is told, text


def test_the_maximum_of_a_single_row_is_not_told_as_that() -> None:
    code = """def next_probabilities(logits, temperature=1.0, k=None):
        e = torch.exp((logits - logits.max()) * 10000 / temperature) * torch.arange(len(logits)).clamp(max=1)
        return e / e.sum()"""
    assert "whole table" not in said_to("next_probabilities", code)
