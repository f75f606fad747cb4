"""A change of one place, or of two, with which everything is right is told as the cause, and only that: it was tried, in a copy, on every input."""

from __future__ import annotations

import ast
import time

import numpy as np
import pytest

from attnlab import check
from attnlab.diagnosis.slips.changes import changes
from tests.attnlab.learner import run_cell, said, said_to

RIGHT = "all inputs here come out right"
SOFTMAX = run_cell(
    "def softmax(s, axis=-1):\n    e = np.exp(s - s.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)", "softmax"
)

# exercise, the answer, and what is said to be changed
NAMED = {
    "rounded": (
        "attention_weights",
        "def attention_weights(x):\n    s = np.round(x, 1) @ x.T\n    return softmax(s)",
        "with `x` alone, in place of `np.round(x, 1)` in line 2",
    ),
    "the total is not reset": (
        "attention_weights",
        """def attention_weights(x):
            scores, total = x @ x.T, 0
            weights = np.zeros(scores.shape)
            total = 0.0
            for i, row in enumerate(scores):
                for j, score in enumerate(row):
                    weights[i, j] = np.exp(score - row.max())
                    total += weights[i, j]
                weights[i] /= total
            return weights""",
        "with `total = 0.0`, line 4, moved to the top of the loop of line 5",
    ),
    "letters of einsum": (
        "column_scores",
        """def column_scores(X, omega_q, omega_k, beta_q, beta_k):
            Q, K = omega_q @ X + beta_q, omega_k @ X + beta_k
            return np.einsum("dm,en->mn", K, Q)""",
        "in place of `np.einsum('dm,en->mn', K, Q)` in line 3",
    ),
    "a condition that the card does not know": (
        "attention_scores",
        """def attention_scores(x):
            scores = x @ x.T
            if len(x) > 4:
                scores = scores + 1 / (1 + scores**2)
            return scores""",
        "without the lines under `if len(x) > 4`, line 3",
    ),
    "a line too many": (
        "self_attention_rows",
        """def self_attention_rows(x, w_query, w_key, w_value):
            scores = (x @ w_query) @ (x @ w_key).T
            scores += 0.25 * np.arange(len(x)) ** 2
            return softmax(scores) @ (x @ w_value)""",
        "without line 3",
    ),
    "the rounds of another axis, in every loop": (
        "scaled_dot_product_attention",
        """def scaled_dot_product_attention(q, k, v):
            n = q.shape[-2]
            scores = q @ k.mT / k.shape[-1] ** 0.5
            e = torch.exp(scores - scores.amax(-1, keepdim=True))
            rows = []
            for i in range(n):
                total = sum(e[..., i, j, None] for j in range(n))
                rows.append(sum(e[..., i, j, None] * v[..., j, :] for j in range(n)) / total)
            return torch.stack(rows, dim=-2)""",
        "with `range(k.shape[-2])` in place of `range(n)` in each loop over `j`",
    ),
    "an axis that a function chooses": (
        "basic_self_attention",
        """def basic_self_attention(x):
            scores = x @ x.mT
            e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
            return torch.nn.functional.normalize(e, p=1) @ x""",
        "with `dim=-1` in `torch.nn.functional.normalize(e, p=1)`, line 4",
    ),
    "an argument too many": (
        "score_variance",
        """def score_variance(d, samples, rng):
            q, k = rng.normal(size=(samples, d)), rng.normal(size=(samples, d))
            return np.var((q * k).sum(axis=1), ddof=d)""",
        "without `ddof=d`",
    ),
    "another reduction": (
        "score_variance",
        """def score_variance(d, samples, rng):
            q, k = rng.normal(size=(2, samples, d))
            return np.linalg.norm(q * k, axis=1).var()""",
        "with `np.sum(q * k, axis=1).var()` in place of `np.linalg.norm(q * k, axis=1).var()` in line 3",
    ),
    "`and` where `or` belongs, in a test of several calls": (
        "is_permutation_invariant",
        """def is_permutation_invariant(f, x, atol=1e-6):
            if len(x) < 2 and np.array_equal(x, np.broadcast_to(x[0], x.shape)):
                raise ValueError("all rows are equal")
            T = len(x)
            import itertools
            orders = itertools.permutations(range(T)) if T <= 5 else (np.random.permutation(T) for _ in range(200))
            expected = f(x)
            return all(bool((np.abs(f(x[list(order)]) - expected) <= atol).all()) for order in orders)""",
        "in place of `len(x) < 2 and",
    ),
    "one part of what a module gives": (
        "Block",
        """class Block(nn.Module):
            def __init__(self, k, attention, feed_forward):
                super().__init__()
                self.norm_1, self.norm_2 = nn.LayerNorm(k), nn.LayerNorm(k)
                self.attention, self.feed_forward = attention, feed_forward

            def forward(self, x):
                x = x + self.attention(self.norm_1(x))[0]
                return x + self.feed_forward(self.norm_2(x))""",
        "with `self.attention(self.norm_1(x))` alone, in place of `self.attention(self.norm_1(x))[0]` in line 8",
    ),
    "the first of several equal rows": (
        "self_attention_loops",
        """def self_attention_loops(x):
            weights, tokens, y = softmax(x @ x.T), x.tolist(), np.zeros(x.shape)
            for token in tokens:
                i = tokens.index(token)
                for j in range(len(x)):
                    y[i] += weights[i, j] * x[j]
            return y""",
        "with the number of the round in place of `tokens.index(token)` in line 4",
    ),
    "cut anew, not transposed": (
        "column_scores",
        """def column_scores(X, omega_q, omega_k, beta_q, beta_k):
            N = X.shape[1]
            Q = np.array([beta_q + omega_q @ X[:, [n]] for n in range(N)]).reshape(-1, N)
            K = np.array([beta_k + omega_k @ X[:, [n]] for n in range(N)]).reshape(-1, N)
            return K.T @ Q""",
        "with `.reshape(N, -1).T` in place of `.reshape(-1, N)` in lines 3 and 4",
    ),
    "two lines in the wrong order": (
        "attention_weights",
        """def attention_weights(x):
            s = x @ x.T
            e = np.exp(s)
            s -= s.max(axis=1, keepdims=True)
            return e / e.sum(axis=1, keepdims=True)""",
        "with line 4, `s -= s.max(axis=1, keepdims=True)`, before line 3",
    ),
    "a slice that ends too late": (
        "generate",
        """def generate(model, start, steps, longest, choose):
            n = len(start)
            tokens = torch.zeros(n + steps, dtype=start.dtype)
            tokens[:n] = start
            for end in range(n, n + steps):
                first = max(0, end - longest)
                window = tokens[first:first + longest]
                tokens[end] = int(choose(model(window[None])[0, end - first - 1]))
            return tokens""",
        "with `tokens[first:end]` in place of `tokens[first:first + longest]` in line 7",
    ),
    "a bound beside 0": (
        "next_probabilities",
        """def next_probabilities(logits, temperature=1.0, top_k=None):
            if temperature < 0.1:
                return torch.eye(len(logits))[int(logits.argmax())]
            z = logits / temperature
            if top_k is not None:
                z[torch.argsort(z, descending=True)[top_k:]] = -torch.inf
            return torch.softmax(z, dim=0)""",
        "with `temperature == 0` in place of `temperature < 0.1` in line 2",
    ),
    "a total that shrinks, and one that does not": (
        "one_output",
        """def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
            query = beta_q + omega_q @ X[:, n].reshape(-1, 1)
            best, total, mix = -np.inf, 0.0, np.zeros((len(omega_v), 1))
            for token in X.T:
                score = ((beta_k + omega_k @ token[:, None]).T @ query).item()
                largest = max(best, score)
                total = total * np.exp(best - largest) + np.exp(score - largest)
                mix = mix + np.exp(score - largest) * (beta_v + omega_v @ token[:, None])
                best = largest
            return mix / total""",
        "with `mix * np.exp(best - largest)` in place of `mix` in line 8, as line 7 has it for `total`",
    ),
    "an axis that is not named": (
        "permute_tokens",
        """def permute_tokens(x, permutation):
            return np.take(x, permutation)""",
        "with `axis=0` in `np.take(x, permutation)`, line 2",
    ),
    "read once, and then empty": (
        "self_attention_loops",
        """def self_attention_loops(x):
            rows = []
            for query in x:
                scores = x @ query
                powers = (np.exp(score - max(scores)) for score in scores)
                total = sum(powers)
                rows.append(sum(power / total * token for power, token in zip(powers, x)) + 0 * query)
            return np.array(rows)""",
        "with `list(...)` around `(np.exp(score - max(scores)) for score in scores)` in line 5",
    ),
    "later rounds read what earlier ones wrote": (
        "repaired_causal_attention",
        """def repaired_causal_attention(x):
            y = np.array(x, dtype=float)
            for i in range(len(y)):
                y[i] = softmax(y[: i + 1] @ y[i] / x.shape[1] ** 0.5) @ y[: i + 1]
            return y""",
        "with `x` in place of `y` wherever the loop of line 3 reads it",
    ),
    "the next round needs it as it was": (
        "weighted_values",
        """def weighted_values(weights, values):
            rows = []
            for row in weights:
                values = row[:, None] * values
                rows.append(values)
            return np.array(rows)""",
        "with a name of its own for what line 4 makes, in place of `values`",
    ),
    "what belongs behind the brackets": (
        "rotary",
        """def rotary(x, positions):
            even, odd = x[:, 0::2], x[:, 1::2]
            angle = np.outer(positions, 10000.0 ** (-np.arange(0, x.shape[1], 2) / x.shape[1]))
            turned = [even * (np.cos(angle) - odd * np.sin(angle)), even * np.sin(angle) + odd * np.cos(angle)]
            return np.stack(turned, axis=-1).reshape(x.shape)""",
        "with `even * np.cos(angle) - odd * np.sin(angle)` in place of `even * (np.cos(angle) - odd * np.sin(angle))` in line 4",
    ),
    "bounds in place of the largest": (
        "self_attention_rows",
        """def self_attention_rows(x, w_query, w_key, w_value):
            e = np.exp(np.clip((x @ w_query) @ (x @ w_key).T, -50, 50))
            return e / e.sum(axis=1, keepdims=True) @ (x @ w_value)""",
        ".max(-1, keepdims=True)",
    ),
    "an order that is not undone": (
        "next_probabilities",
        """def next_probabilities(logits, temperature=1.0, top_k=None):
            if temperature == 0:
                return torch.eye(len(logits))[int(logits.argmax())]
            rank = torch.argsort(logits)
            kept = logits if top_k is None else torch.where(rank >= len(rank) - top_k, logits, torch.tensor(-torch.inf))
            return torch.softmax(kept / temperature, dim=0)""",
        "with `torch.argsort(torch.argsort(logits))` in place of `torch.argsort(logits)` in line 4",
    ),
    "a number for a size": (
        "grouped_attention",
        """def grouped_attention(q, k, v):
            h, g = q.shape[1], k.shape[1]
            rows = [(q[:, n] @ k[:, n // g].mT / q.shape[-1] ** 0.5).softmax(dim=-1) @ v[:, n // (h // g)] for n in range(h)]
            return torch.stack(rows, dim=1)""",
        "n // (h // g)].mT",
    ),
    "a letter that the result of einsum lacks": (
        "basic_self_attention",
        """def basic_self_attention(x):
            weights = torch.softmax(torch.einsum("bik,bjk->ij", x, x), dim=-1)
            return weights @ x""",
        "with `torch.einsum('bik,bjk->bij', x, x)` in place of `torch.einsum('bik,bjk->ij', x, x)` in line 2",
    ),
    "a method that writes in place": (
        "layer_norm",
        """def layer_norm(x, gain, bias, epsilon=1e-5):
            centred = x - x.mean(dim=-1, keepdim=True)
            variances = centred.square_().mean(dim=-1, keepdim=True)
            return centred * torch.rsqrt(variances + epsilon) * gain + bias""",
        "`square_` writes into the tensor that it is called on",
    ),
    "bounds along the axis that was asked for": (
        "softmax",
        """def softmax(scores, axis=-1):
            e = np.exp(np.clip(scores, -700, 700))
            return e / e.sum(axis=axis, keepdims=True)""",
        ".max(axis, keepdims=True)",
    ),
    "a condition of a comprehension": (
        "self_attention_loops",
        """def self_attention_loops(x):
            out = np.zeros(x.shape)
            for i in range(len(x)):
                others = [j for j in range(len(x)) if j != i] or [i]
                share = softmax(np.array([x[i] @ x[j] for j in others]))
                for w, j in zip(share, others):
                    out[i] += w * x[j]
            return out""",
        "without `if j != i` in line 4",
    ),
    "an axis too few": (
        "padded_weights",
        """def padded_weights(scores, lengths):
            padding = torch.arange(scores.size(-1)).unsqueeze(0) >= lengths.unsqueeze(1)
            return torch.softmax(torch.where(padding.unsqueeze(1), -torch.inf, scores), dim=-1)""",
        ".unsqueeze(1)",
    ),
    "two in one line, of which the second changes what the first has made": (
        "cached_attention",
        """def cached_attention(q, k, v, keys=None, values=None):
            n = 0 if keys is None else keys.shape[1]
            if n:
                k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
            seen = torch.ones(q.shape[1], k.shape[1], dtype=torch.bool).triu(n + 1)
            return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen), k, v""",
        ".tril(n)` in place of",
    ),
}
# Two changes, each of which leaves something wrong by itself.
TWO = {
    "a line too many, and a factor": (
        "attention_weights",
        """def attention_weights(x):
            scores = x @ x.T / 1.7
            scores[range(len(x)), range(len(x))] -= 0.4
            return softmax(scores)""",
        ("without line 3", "in line 2"),
    ),
    "a length, and the type of an argument": (
        "repaired_causal_attention",
        """def repaired_causal_attention(x):
            out = np.zeros_like(x)
            for i, query in enumerate(x):
                scores = x[: i + 1] @ query / np.sqrt(len(x))
                e = np.exp(scores - scores.max())
                out[i] = (e / e.sum()) @ x[: i + 1]
            return out""",
        ("np.sqrt(len(query))", "with `dtype=float` in `np.zeros_like(x)`, line 2"),
    ),
    "an axis, and the root of another length": (
        "multi_head_columns",
        """def multi_head_columns(X, heads, omega_c):
            D, N = X.shape
            outputs = []
            for head in heads:
                Q, K, V = (head[f"omega_{one}"] @ X + head[f"beta_{one}"] for one in "qkv")
                outputs.append(V @ softmax(K.T @ Q / np.sqrt(D), axis=0))
            return omega_c @ np.stack(outputs, axis=1).reshape(D, N)""",
        ("np.stack(outputs, axis=0)", "np.sqrt(K.shape[0])"),
    ),
    "a transpose, and a size that the example does not tell from another": (
        "SelfAttention",
        """class SelfAttention(nn.Module):
            def __init__(self, d_in, d_k, d_v):
                super().__init__()
                self.toqueries = nn.Linear(d_in, d_k, bias=False)
                self.tokeys = nn.Linear(d_in, d_k, bias=False)
                self.tovalues = nn.Linear(d_in, d_k, bias=False)

            def forward(self, x):
                keys = self.tokeys(x)
                scores = self.toqueries(x) @ keys.view(x.shape[0], keys.shape[2], x.shape[1])
                return scores.softmax(dim=-1) @ self.tovalues(x)""",
        ("with `.mT` in place of", "with `nn.Linear(d_in, d_v, bias=False)`"),
    ),
}


@pytest.mark.parametrize("slip", TWO)
def test_two_places_are_named(slip: str) -> None:
    exercise, code, told = TWO[slip]
    text = said_to(exercise, code, softmax=SOFTMAX)
    assert all(one in text for one in told) and RIGHT in text and "begin with the first" in text, text


@pytest.mark.parametrize("slip", NAMED)
def test_the_place_is_named(slip: str) -> None:
    exercise, code, told = NAMED[slip]
    text = said_to(exercise, code, softmax=SOFTMAX)
    assert told in text and RIGHT in text, text


def test_three_slips_are_not_two() -> None:
    code = "def attention_weights(x):\n    s = np.round(x @ x.T, 1) * 1.01\n    w = softmax(s)\n    return np.round(w, 2)"
    assert RIGHT not in said_to("attention_weights", code, softmax=SOFTMAX)


SQUEEZED = """def basic_self_attention(x):
    weights = torch.softmax(x @ x.mT, dim=-1)
    y = weights.unsqueeze(2) @ x.unsqueeze(1)
    return {}"""
ONE_AXIS = "with one axis named, all inputs here come out right next name the axis that has to go"


@pytest.mark.parametrize(
    ("exercise", "code", "told"),
    [
        (
            "basic_self_attention",
            SQUEEZED.format("y.squeeze()"),
            f"`y.squeeze()` in line 4 removes every axis of length 1: {ONE_AXIS}",
        ),
        (
            "basic_self_attention",
            SQUEEZED.format("torch.squeeze(y)"),
            f"`torch.squeeze(y)` in line 4 removes every axis of length 1: {ONE_AXIS}",
        ),
        ("attention_scores", "def attention_scores(x):\n    return np.squeeze(x[:, None, :] @ x.T[None])", ONE_AXIS),
        (
            "attention_scores",
            "def attention_scores(x):\n    return (x @ x.T).squeeze()",
            "without it, all inputs here come out right next leave it out",
        ),
    ],
)
def test_a_squeeze_without_an_axis_is_named(exercise: str, code: str, told: str) -> None:
    assert told in said_to(exercise, code)


@pytest.mark.parametrize(
    "line",
    [
        "(y / 7).squeeze()",  # not that alone
        "y[:, :, 0].squeeze(0) if len(y) == 1 else y[:, :, 0]",  # it has an axis
        "y[0, :, 0] + torch.ones(1).squeeze() - 1 if len(y) == 1 else y[:, :, 0]",  # the index removes it
    ],
)
def test_a_squeeze_that_is_not_the_cause_is_not_named(line: str) -> None:
    assert "removes every axis" not in said_to("basic_self_attention", SQUEEZED.format(line))


def test_nothing_of_the_notebook_is_changed_or_run_again() -> None:
    code = """
    note("the cell")

    def attention_weights(x):
        s = np.round(x, 1) @ x.T
        return softmax(s)
    """
    noted: list[str] = []
    answer = run_cell(code, "attention_weights", note=noted.append, softmax=SOFTMAX)
    before = answer.__code__, answer(np.array([[0.123, 0.5]])).tolist()
    assert "in place of `np.round(x, 1)` in line 5" in said("attention_weights", answer)
    assert noted == ["the cell"]
    assert before == (answer.__code__, answer(np.array([[0.123, 0.5]])).tolist())


def test_where_the_text_is_not_to_be_had_nothing_is_said() -> None:
    held: dict = {"np": np}
    exec("def attention_scores(x):\n    return np.round(x, 1) @ x.T", held)
    assert RIGHT not in said("attention_scores", held["attention_scores"])


def test_it_takes_little_time_however_slow_the_answer_is() -> None:
    code = """
    def attention_scores(x):
        total = 0
        for n in range(300_000):
            total += n % 7
        a, b, c, d, e, f, g = x, x.T, 1, 2, 3, 4, 5
        return (a + 0 * (c + d + e + f + g)) @ (b * 1.0001) + 0.001 * np.sin(a @ b)
    """
    answer = run_cell(code, "attention_scores")
    start = time.thread_time()
    answer(np.ones((2, 2)))
    one = time.thread_time() - start
    start = time.thread_time()
    with pytest.raises(check.CheckFailed):
        check.attention_scores(answer)
    assert time.thread_time() - start < 60 * one + 10  # two seconds for the changes, two for pairs of them, and the calls of everybody else


CAUSAL = """def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    {}
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ x
"""
NOT_LARGE_ENOUGH = {
    "added": ("scores = scores - 1e9 * np.triu(np.ones_like(scores), 1)", "`1e9` is not large enough beside scores of this size"),
    "added by a choice": ("scores = scores + np.where(np.tri(len(x)) == 1, 0, -1e4)", "`10000` is not large enough beside scores of this size"),
    "a whole number": ("scores[np.triu_indices(len(x), 1)] -= 10**9", "`10 ** 9` is not large enough"),
    "of a float type": (
        "scores = scores + np.finfo(np.float32).min / 2**100 * np.triu(np.ones_like(scores), 1)",
        "`np.finfo(np.float32).min` is not large enough",
    ),
}


@pytest.mark.parametrize("way", NOT_LARGE_ENOUGH)
def test_a_number_for_minus_infinity_that_is_too_small_is_named(way: str) -> None:
    line, why = NOT_LARGE_ENOUGH[way]
    told = said_to("repaired_causal_attention", CAUSAL.format(line))
    assert RIGHT in told
    assert why in told
    assert "−inf is below every score" in told


@pytest.mark.parametrize(
    "line",
    ["scores = np.where(np.tri(len(x)) == 1, scores, 1e4)", "scores = np.clip(scores, -1e4, 1e4) + np.where(np.tri(len(x)) == 1, 0, -np.inf)"],
)
def test_a_large_number_that_is_wrong_otherwise_is_not_told_as_too_small(line: str) -> None:
    assert "not large enough" not in said_to("repaired_causal_attention", CAUSAL.format(line))


@pytest.mark.parametrize(
    "line",
    [
        "scores = np.where(np.tril(scores) == 0, -np.inf, scores)",
        "scores = np.where(np.triu(scores, 1) != 0, -np.inf, scores)",
        "scores[np.tril(scores) == 0] = -np.inf",
    ],
)
def test_a_mask_that_asks_for_the_numbers_is_named(line: str) -> None:
    told = said_to("repaired_causal_attention", CAUSAL.format(line))
    assert "with ones in place of the numbers of `scores`" in told
    assert f"{RIGHT}: a mask follows from the places alone, and yours asks what the numbers are" in told


@pytest.mark.parametrize(
    "line", ["scores = np.tril(scores)", "scores = np.where(np.tril(np.ones_like(scores), -1) == 0, -np.inf, scores)\n    scores[0, 0] = 0"]
)
def test_a_mask_that_is_wrong_otherwise_is_not_told_as_one_of_numbers(line: str) -> None:
    assert "ones in place of" not in said_to("repaired_causal_attention", CAUSAL.format(line))


FLAT = {
    "a query": (
        "one_output",
        """def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
            q = beta_q + omega_q @ X[:, n]
            scores = (beta_k + omega_k @ X).T @ q
            e = np.exp(scores - scores.max(axis=0))
            return (beta_v + omega_v @ X) @ (e / e.sum(axis=0))""",
        "`beta_q + omega_q @ X[:, n]` in line 2 gets shapes (4, 1) and (4,), and makes (4, 4) of them",
    ),
    "tokens one by one": (
        "column_scores",
        """def column_scores(X, omega_q, omega_k, beta_q, beta_k):
            Q = np.hstack([omega_q @ X[:, n] + beta_q for n in range(X.shape[1])])
            return (omega_k @ X + beta_k).T @ Q""",
        "`omega_q @ X[:, n] + beta_q` in line 2 gets shapes",
    ),
    "a sum that keeps no axis": (
        "layer_norm",
        """def layer_norm(x, gain, bias, epsilon=1e-5):
            n = x.shape[-1]
            centred = x - x.mean(-1, keepdim=True)
            variance = centred.square().mean(-1)
            return centred / torch.sqrt(variance + epsilon) * gain + bias""",
        "keepdim",
    ),
}


@pytest.mark.parametrize("way", FLAT)
def test_where_a_column_meets_a_flat_vector_is_told(way: str) -> None:
    exercise, code, why = FLAT[way]
    told = said_to(exercise, code)
    assert why in told


def test_the_nearest_number_is_told_where_several_are_right() -> None:
    told = said_to(
        "induction_scores",
        """def induction_scores(weights, tokens):
            previous = torch.cat([torch.tensor([-1]), tokens[:-1]])
            follows = (previous[None, :] == tokens[:, None]).tril(diagonal=-1)
            came_before = (tokens[:, None] == tokens[None, :]).tril(-1).any(dim=1)
            per_query = torch.einsum("hij,ij->hi", weights, follows.to(weights.dtype))
            return per_query[:, came_before].mean(dim=1)""",
    )
    assert "diagonal=0" in told
    assert "diagonal=1" not in told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            """def layer_norm(x, gain, bias, epsilon=1e-5):
    centred = x - x.mean(-1, keepdim=True)
    variance = centred.square().mean(-1, keepdim=True)
    return centred * torch.rsqrt(torch.clamp(variance, min=epsilon)) * gain + bias""",
            "with `torch.rsqrt(variance + epsilon)` in place of `torch.rsqrt(torch.clamp(variance, min=epsilon))` in line 4",
        ),
        (
            """def softmax(scores, axis=-1):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)""",
            "np.max(scores, axis=axis, keepdims=True)` in place of",
        ),
    ],
)
def test_a_change_is_tried_also_where_others_know_the_cause(code: str, told: str) -> None:
    assert any(told in change.told() for change in changes(ast.parse(code)))
