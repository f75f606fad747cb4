"""Traps of Python, NumPy and torch are told where an answer's text shows them."""

from __future__ import annotations

import pytest

from .learner import said_to


@pytest.mark.parametrize(
    ("exercise", "code", "told"),
    [
        (
            "causal_mask",
            """
        def causal_mask(T):
            later = np.triu(np.ones((T, T), dtype=int), k=1)
            return (~later).astype(bool)""",
            "`~later` works on whole numbers: there `~1` is -2 and `~0` is -1",
        ),
        (
            "smallest_overflow",
            """
        def smallest_overflow(float_type):
            for n in range(3000):
                try:
                    np.exp(np.dtype(float_type).type(n))
                except OverflowError:
                    return n""",
            "`np.exp` raises no OverflowError: a result that is too large becomes inf",
        ),
        (
            "is_permutation_invariant",
            """
        def is_permutation_invariant(f, x, atol=1e-6):
            import itertools
            if (x == x[0]).all():
                raise ValueError("all rows are equal")
            orders = [list(p) for p in itertools.permutations(range(len(x)))] if len(x) < 6 else []
            for turn in range(0 if orders else 200):
                rng = np.random.default_rng(1)
                orders.append(rng.permutation(len(x)))
            return all(np.abs(f(x[order]) - f(x)).max() <= atol for order in orders)""",
            "`np.random.default_rng(1)` is inside the loop `for turn in range(0 if orders else 200)`: each round starts with the same seed",
        ),
        (
            "softmax",
            """
        def softmax(scores, axis=-1):
            e = np.exp(np.clip(np.ravel(scores), -600, 600)).reshape(np.shape(scores))
            return e / e.sum(axis=axis, keepdims=True)""",
            "makes all numbers beyond its bounds equal",
        ),
        (
            "attention_entropy",
            """
        def attention_entropy(weights):
            return -np.sum(weights[weights > 0] * np.log2(weights[weights > 0]), axis=-1) * np.ones(len(weights)) / 3""",
            "for an array with several axes, that is one list without rows",
        ),
        (
            "parameter_count",
            """
        def parameter_count(k, heads, variant):
            if variant not in ("narrow", "wide"):
                raise ValueError(variant)
            inner = k if variant == "narrow" else k * heads
            one = torch.nn.Linear(k, inner, bias=False)
            layers = torch.nn.ModuleList([one] * 3 + [torch.nn.Linear(inner, k)])
            return sum(p.numel() for p in layers.parameters())""",
            "`[one] * 3` holds the same object several times",
        ),
        ("attention_scores", "def attention_scores(x):\n    return x * x.T", "but for the matrix product `@`"),
        (
            "self_attention_rows",
            """
        def self_attention_rows(x, w_query, w_key, w_value):
            queries, keys, values = np.split(x @ np.hstack([w_query, w_key, w_value]), 3, axis=1)
            scores = queries @ keys.T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True) @ values""",
            "the length is not divisible by it",
        ),
        (
            "one_output",
            """
        def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
            D, N = X.shape
            weights = softmax_of((beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, [n]]))
            y = np.zeros((D, 1))
            for m in range(N):
                y += weights[m] * (beta_v + omega_v @ X[:, [m]])
            return y

        def softmax_of(scores):
            powers = np.exp(scores - scores.max())
            return powers / powers.sum()""",
            "`y` is made in line 5: `np.zeros((D, 1))`",
        ),
    ],
)
def test_a_trap_is_told(exercise: str, code: str, told: str) -> None:
    text = said_to(exercise, code)
    assert told in text, text


@pytest.mark.parametrize(
    ("exercise", "code", "told"),
    [
        (
            "attention_weights",
            """
        def attention_weights(x):
            scores = x @ x.T
            e = np.exp(scores - np.max(scores))
            return e / e.sum(axis=-1, keepdims=True)""",
            "`np.max(scores)`, in line 4, is one number for the whole table",
        ),
        (
            "basic_self_attention",
            """
        def basic_self_attention(x):
            scores = x @ x.transpose(-2, -1)
            top = scores.amax(dim=(1, 2), keepdim=True)
            e = torch.exp(scores - top)
            return e / e.sum(dim=-1, keepdim=True) @ x""",
            "`scores.amax(dim=(1, 2), keepdim=True)`, in line 4, is one number for the whole table",
        ),
    ],
)
def test_one_largest_number_for_all_rows_is_told(exercise: str, code: str, told: str) -> None:
    text = said_to(exercise, code)
    assert told in text and "0 / 0 is nan" in text, text


def test_a_largest_number_for_each_row_is_not() -> None:
    text = said_to(
        "softmax",
        """
        def softmax(scores, axis=-1):
            e = np.exp(scores - np.abs(scores).max(axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True)""",
    )
    assert "0 / 0 in line 4: each exponential in that sum is 0" in text and "whole table" not in text


@pytest.mark.parametrize(
    ("exercise", "code", "untold"),
    [
        (
            "scaled_dot_product_attention",
            """
        def scaled_dot_product_attention(q, k, v):
            return torch.softmax(q @ k.transpose(-2, -1) // k.shape[-1] ** 0.5, dim=-1) @ v""",
            "power binds tighter",
        ),
        (
            "causal_mask",
            """
        def causal_mask(T):
            later = np.triu(np.ones((T, T), dtype=int), k=0)
            later = later.astype(bool)
            return ~later""",
            "works on whole numbers",
        ),
        (
            "smallest_overflow",
            """
        def smallest_overflow(float_type):
            for n in range(3000):
                try:
                    int(np.exp(np.dtype(float_type).type(n)))
                except OverflowError:
                    return n + 1""",
            "raises no OverflowError",
        ),
        (
            "attention_weights",
            """
        def attention_weights(x):
            rows = []
            for i, row in enumerate(x @ x.T):
                e = np.exp(row - row.max()) * (np.arange(len(row)) < i)
                rows.append(e / e.sum())
            return np.array(rows)""",
            "whole table",
        ),
        (
            "positional_encoding",
            """
        def positional_encoding(T, k):
            table = np.zeros((T, k))
            column = np.arange(k)
            angle = 0 / 10000 ** (2 * (column // 2) / k)
            table[0] = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
            return table""",
            "lost its decimals",
        ),
        (
            "attention_scores",
            """
        def attention_scores(x):
            scores = np.zeros((len(x), len(x)))
            scores, top = (x @ x.T)[:, :2], 0
            return scores + x""",
            "is made in line",
        ),
    ],
)
def test_what_only_looks_like_a_trap_is_not_told(exercise: str, code: str, untold: str) -> None:
    text = said_to(exercise, code)
    assert untold not in text, text


def test_an_answer_that_is_not_finished_is_not_blamed_for_what_it_does_not_use() -> None:
    text = said_to(
        "MultiHeadSelfAttention",
        """
        class MultiHeadSelfAttention(torch.nn.Module):
            def __init__(self, k, heads, mask=False):
                super().__init__()
                self.heads, self.mask = heads, mask
                self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(k, k, bias=False) for _ in range(3))
                self.unifyheads = torch.nn.Linear(k, k)

            def forward(self, x):
                raise NotImplementedError""",
    )
    assert "no line uses it" not in text, text


def test_a_relation_is_told_beside_a_changed_input() -> None:
    text = said_to(
        "attention_scores",
        """
        def attention_scores(x):
            scores = 0.7 * (x @ x.T)
            x -= x.mean(axis=0)
            return scores""",
    )
    assert "every entry is 0.7 times the expected one; besides, the call changes its input" in text


LOOP = """adam, losses = torch.optim.Adam(model.parameters(), lr=rate), []
    for tokens, targets in batches:
        logits = model(tokens)
        loss = nn.functional.cross_entropy({})
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return losses"""


@pytest.mark.parametrize(
    ("exercise", "lines", "words", "step"),
    [
        (
            "softmax(scores, axis=-1)",
            "e = np.exp(scores)\n    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))",
            "`nan_to_num` in line 3 puts other numbers in the place of nan or inf; the first of them comes from `exp`, in line 2",
            "subtract the largest of the scores",
        ),
        (
            "basic_self_attention(x)",
            "e = torch.exp(x @ x.mT)\n    return (e / e.sum(-1, keepdim=True)).nan_to_num(0) @ x",
            "`nan_to_num` in line 3 puts other numbers in the place of nan or inf; the first of them comes from `exp`, in line 2",
            "subtract the largest of the scores",
        ),
        (
            "train_model(model, batches, rate)",
            LOOP.format("logits, targets"),
            "`cross_entropy` looks for the classes on axis 1; `logits` has shape (2, 4, 5), so it counts 4 classes",
            "`logits.flatten(0, 1)` and `targets.flatten()`",
        ),
        (
            "train_model(model, batches, rate)",
            LOOP.format("logits.flatten(0, 1), targets.flatten(), ignore_index=-1"),
            "the target -100 is none of the classes, which count from 0, and is not what `cross_entropy` leaves out (`ignore_index` is -1)",
            "−100 is left out by default",
        ),
        (
            "attention_scores(x)",
            "T = x.shape[1]\n    return np.array([[x[i] @ x[j] for j in range(T)] for i in range(T)])",
            "`j` comes from `for j in range(T)`, line 3, where `T = x.shape[1]`, line 2",
            "the loop has as many rounds as axis 1 is long, and `j` counts along axis 0",
        ),
        (
            "cached_attention(q, k, v, keys=None, values=None)",
            "k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)\n    return q, k, v",
            "`keys` is None in this call",
            "`if keys is not None:`",
        ),
        (
            "next_probabilities(logits, temperature=1.0, top_k=None)",
            "return torch.softmax(logits / temperature, dim=-1)",
            "`temperature` is 0 there",
            "give the case in which `temperature` is 0 a line of its own",
        ),
    ],
    ids=[
        "nan_to_num",
        "nan_to_num of torch",
        "classes on another axis",
        "no class",
        "length of another axis",
        "an argument that was not given",
        "an argument that is 0",
    ],
)
def test_what_a_line_does_is_told_and_not_only_what_it_raises(exercise: str, lines: str, words: str, step: str) -> None:
    text = said_to(exercise.partition("(")[0], f"def {exercise}:\n    {lines}\n")
    assert words in text
    assert step in text


def test_an_argument_by_which_is_divided_is_not_blamed_where_it_is_not_0() -> None:
    lines = "powers = torch.exp(logits / temperature - 2000)\n    return powers / powers.sum()"
    text = said_to("next_probabilities", f"def next_probabilities(logits, temperature=1.0, top_k=None):\n    {lines}\n")
    assert "0 / 0" in text and "`temperature` is 0" not in text


@pytest.mark.parametrize(
    ("exercise", "code", "told"),
    [
        (
            "induction_scores",
            """
            def induction_scores(weights, tokens):
                seen = {}
                total = torch.zeros(weights.shape[0])
                asked = 0
                for i, token in enumerate(tokens):
                    if token in seen:
                        asked += 1
                        for j in seen[token]:
                            total = total + weights[:, i, j + 1]
                    seen.setdefault(token, []).append(i)
                return total / asked""",
            "`seen` tells tensors apart by which object they are",
        ),
        (
            "padded_weights",
            """
            def padded_weights(scores, lengths):
                T = scores.size(-1)
                padding = torch.arange(T) >= lengths.view(-1, 1, 1)
                return torch.softmax(scores.masked_fill(padding, float("-inf")), dim=-1)""",
            "makes shape (2, 2, 3, 3) of (2, 1, 3, 3) and (2, 1, 3)",
        ),
        (
            "next_probabilities",
            """
            def next_probabilities(logits, temperature=1.0, top_k=None):
                if temperature == 0:
                    return torch.zeros_like(logits).index_fill(0, logits.argmax(), 1.0)
                probabilities = (logits / temperature).softmax(dim=0)
                if top_k is None:
                    return probabilities
                keep = torch.zeros_like(probabilities)
                keep[probabilities.topk(top_k).indices] = 1
                return nn.functional.normalize(probabilities * keep, dim=0)""",
            "they are divided by the root of the sum of their squares",
        ),
        (
            "attention_entropy",
            """
            def attention_entropy(weights):
                surprise = np.frompyfunc(lambda w: -w * np.log(w) if w > 0 else 0.0, 1, 1)
                return surprise(weights).sum(axis=1)""",
            "its entries are numbers, but NumPy holds them as Python objects",
        ),
        (
            "next_letter_projections",
            """
            def next_letter_projections(letters, sharpness):
                w_key = np.zeros((letters, letters))
                w_query = np.zeros((letters, letters))
                for i in range(letters):
                    w_key[i, i] = 1
                    w_query[i, i + 1 % letters] = sharpness
                return w_query, w_key""",
            "Python reads `i + 1 % letters` as `i + (1 % letters)`",
        ),
        (
            "tied_logits",
            """
            def tied_logits(model, x):
                normed = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * model["norm"]
                return torch.mm(normed, model["embedding"].t())""",
            "`mm` only takes two matrices",
        ),
        (
            "score_variance",
            """
            def score_variance(d, samples, rng):
                q = torch.from_numpy(rng.normal(size=(samples, d)))
                k = torch.from_numpy(rng.normal(size=(samples, d)))
                variance, mean = torch.var_mean(torch.linalg.vecdot(q, k), correction=0)
                return variance""",
            "what torch computes is a tensor, also where it is one number",
        ),
        (
            "causal_mask",
            """
            def causal_mask(T):
                counts = np.arange(T)
                return np.add.outer(counts, counts[::-1]) >= 3""",
            ">= T - 1` in place of",
        ),
    ],
)
def test_what_a_call_or_an_operator_does_otherwise_is_told(exercise: str, code: str, told: str) -> None:
    text = said_to(exercise, code)
    assert told in text, text
