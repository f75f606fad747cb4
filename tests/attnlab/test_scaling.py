"""Lesson 3: what is drawn, how edges of exp stand to the right ones, what divides the scores; and no cause where that is not established."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attnlab import check

from .learner import run_cell, said, said_to

UNKNOWN = "does not know"


def simulation(body: str) -> str:
    return said_to("score_variance", f"def score_variance(d, samples, rng):\n    {body}")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return float(np.var(rng.normal(samples, d) * rng.normal(samples, d)))", "`rng.normal(samples, d)` gives no shape"),
        ("return (rng.normal(0, 3, (samples, d)) * rng.normal(0, 3, (samples, d))).sum(1).var()", "mean 0 and standard deviation 3"),
        ("return (rng.rand(samples, d) * rng.randn(samples, d)).sum(1).var()", "drawn with `rng.rand`, which is uniform between 0 and 1"),
        ("return (rng.randn(samples, d) @ rng.randn(d)).var()", "drawn once for all pairs"),
        ("return (rng.randn(50, d) * rng.randn(50, d)).sum(1).var()", "50 pairs are drawn, whatever `samples` is"),
        ("q = rng.randn(samples, d); return (q * q).sum(1).var()", "queries and keys are the same numbers"),
        ("q, k = rng.randn(2, samples, d); return (q * k).sum(1).std()", "the standard deviation of the scores"),
        (
            "import copy; q, k = (copy.deepcopy(rng).randn(samples, d) for _ in range(2)); return (q * k).sum(1).var()",
            "queries and keys are the same numbers: the generator, or its copy, begins at the same place for both",
        ),
        (
            "state = rng.get_state(); twins = [np.random.RandomState() for _ in range(2)]; [twin.set_state(state) for twin in twins]\n"
            "    q, k = (twin.randn(samples, d) for twin in twins); return (q * k).sum(1).var()",
            "queries and keys are the same numbers",
        ),
        ("return float(np.var([rng.randn(d) @ rng.randn(d) / d for _ in range(samples)]))", "the scores are divided by d"),
    ],
)
def test_what_is_drawn_and_what_is_made_of_it_says_why(body: str, told: str) -> None:
    assert told in simulation(body)


def test_twice_the_variance_is_not_always_a_vector_with_itself() -> None:
    text = simulation("q, k = rng.randn(2, samples, d); return (q + k).sum(1).var()")
    assert "queries and keys are added, not multiplied" in text
    assert "by itself" not in text


BATCHES = """
    scores = [(rng.randn({0}, d) * rng.randn({0}, d)).sum(1) for _ in range(samples // {0})]
    return float(np.mean([s.var() for s in scores]))"""


def test_nan_is_told_before_anything_is_said_of_the_generator() -> None:
    text = simulation(BATCHES.format(500))
    assert "for d = 4, 100 samples give nan" in text and "for 7 samples, no number is drawn with `rng`" in text, text
    assert "given mean" not in text and "come from elsewhere" not in text


def test_batches_of_one_size_are_no_fixed_number_of_pairs() -> None:
    text = simulation(BATCHES.format(6).replace("s.var()", "s.std()"))
    assert "60 numbers are drawn, but 70 are needed" in text and "whatever `samples` is" not in text, text


def test_numbers_from_elsewhere_are_seen() -> None:
    assert "drawn from `np.random`" in simulation("return (np.random.randn(samples, d) * rng.randn(samples, d)).sum(1).std()")


def test_a_result_that_is_kept_is_no_matter_of_the_generator() -> None:
    text = said_to(
        "score_variance",
        """
        def score_variance(d, samples, rng, known={}):
            if d not in known:
                known[d] = (rng.randn(samples, d) * rng.randn(samples, d)).sum(1).var()
            return known[d]
    """,
    )
    assert "something is kept between calls" in text


def test_a_generator_that_cannot_be_watched_says_nothing() -> None:
    """A grader has no code of the answer, and hands it a copy."""
    answer = run_cell("def score_variance(d, samples, rng):\n    return 1.5 * d + rng.rand() / 100", "score_variance")
    assert UNKNOWN in said("score_variance", np.vectorize(answer, otypes=[float], cache=False).pyfunc.__call__)


def overflow(body: str) -> str:
    return said_to("smallest_overflow", f"def smallest_overflow(float_type):\n    {body}")


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ((12, 89, 500), UNKNOWN),
        ((11, 89, 710), "rounded to the *nearest*"),
        ((15, 90, 720), "steps of 15"),
        ((16, 128, 1024), "powers of 2"),
        ((27, 243, 729), "powers of 3"),
        ((13, 90, 711), "1 too large"),
        ((89, 89, 89), "all three types give 89"),
        ((89, 89, 710), '"float16" gives the number that is right for "float32"'),
        ((10, 88, 709), "the wrong side"),
        ((16, 32, 64), "number of bits"),
        ((13, 89, 700), UNKNOWN),
        ((20, 100, 1000), UNKNOWN),
    ],
)
def test_three_edges_say_why_or_nothing(numbers: tuple[int, int, int], told: str) -> None:
    assert told in overflow(f"return dict(zip(('float16', 'float32', 'float64'), {numbers}))[float_type]")


def test_an_end_that_is_written_in_the_code_is_told() -> None:
    text = overflow("return next((n for n in range(300) if np.isinf(np.exp(np.dtype(float_type).type(n)))), 0)")
    assert "your code has the number 300, in `range(300)`" in text


def test_another_number_in_the_code_is_no_end() -> None:
    text = overflow("part = 300; return {'float16': 12, 'float32': 89, 'float64': 411 + part}[float_type]")
    assert "the search ends there" not in text


def test_a_counter_that_goes_on_is_no_computation_in_float64() -> None:
    text = said_to(
        "smallest_overflow",
        """
        start = [0]
        def smallest_overflow(float_type):
            while not np.isinf(np.exp(np.dtype(float_type).type(start[0]))):
                start[0] += 1
            return start[0]
    """,
    )
    assert "keeps its contents between calls" in text
    assert "float64 " not in text.partition("likely")[2]


def attention(divided: str) -> str:
    return said_to(
        "scaled_dot_product_attention",
        f"""
        def scaled_dot_product_attention(q, k, v):
            scores = q @ k.transpose(-2, -1)
            return torch.softmax({divided}, dim=-1) @ v
    """,
    )


@pytest.mark.parametrize(
    ("divided", "told"),
    [
        ("scores / q.shape[-1]", "divided by d_k itself"),
        ("scores / v.shape[-1] ** 0.5", "divided by the root of d_v"),
        ("scores / k.numel() ** 0.5", "the root of the number of entries of k"),
        ("scores / 7", "divided by 7 for every input"),
        ("-scores / q.shape[-1] ** 0.5", "the opposite sign"),
        ("scores * 0.6931471805599453 / q.shape[-1] ** 0.5", "powers of 2"),
        ("0 * scores", "all weights of a query are equal"),
        ("scores / scores.shape[-1]", "divided by S, the number of keys"),
    ],
)
def test_the_divisor_is_found_from_the_outputs(divided: str, told: str) -> None:
    assert told in attention(divided)


@pytest.mark.parametrize("divided", ["scores / q.shape[-1] ** 0.5 + torch.arange(k.shape[-2]) / 9", "scores / (1 + scores.abs())"])
def test_scores_that_no_divisor_explains_have_none(divided: str) -> None:
    assert "divided by" not in attention(divided).partition("likely")[2]


def test_a_whole_root_is_not_taken_for_the_root_of_the_keys() -> None:
    text = attention("scores / int(q.shape[-1] ** 0.5)")
    assert "the root of d_k (rounded down to a whole number)" in text
    assert "other inputs" not in text


def test_results_that_differ_from_call_to_call_are_told() -> None:
    text = attention("scores / (1 + torch.rand(1))")
    assert "two calls with the same input give different results" in text


def entropy(body: str) -> str:
    return said_to("attention_entropy", f"def attention_entropy(weights):\n    {body}")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return -(weights * np.log(weights + 0.005)).sum(-1)", "0.005 is added to the weights before the logarithm"),
        ("w = np.clip(weights, 1e-3, 1); return -(w * np.log(w)).sum(-1)", "weights below 0.001 are set to it"),
    ],
)
def test_a_number_against_the_logarithm_of_zero_is_told(body: str, told: str) -> None:
    assert told in entropy(body)


def test_no_number_is_told_where_every_result_is_right() -> None:
    text = said_to(
        "attention_entropy",
        """
        def attention_entropy(weights):
            if len(weights) == 1:
                raise ValueError("too few")
            safe = np.where(weights > 0, weights, 1)
            return -(weights * np.log(safe)).sum(axis=1)
    """,
    )
    assert "added to the weights" not in text


def test_a_table_whose_diagonal_is_wanted_is_told_though_some_tables_are_zero() -> None:
    assert "the expected numbers are the diagonal" in entropy("return -(weights @ np.log(np.where(weights > 0, weights, 1)).T)")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("q = ds @ k; k = ds.T @ q; v = p.T @ g; return q, k, v", "`q` is overwritten with the gradient at `q` before a later step needs it"),
        ("v = p.T @ g; q = ds @ k; return q, ds.T @ q, v", "`q` is overwritten with the gradient at `q`"),
    ],
)
def test_a_name_that_is_overwritten_too_early_is_told(lines: str, told: str) -> None:
    def softmax(scores: np.ndarray) -> np.ndarray:
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    assert told in said_to(
        "attention_gradients",
        f"""
        def attention_gradients(q, k, v, g):
            root = q.shape[1] ** 0.5
            p = soft(q @ k.T / root)
            dp = g @ v.T
            ds = p * (dp - (p * dp).sum(axis=1, keepdims=True)) / root
            {lines}
    """,
        soft=softmax,
        torch=torch,
    )


def test_a_generator_that_is_set_back_is_named() -> None:
    code = """
        def score_variance(d, samples, rng):
            rng.seed(0)
            return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).var()"""
    assert "`rng.seed(0)` in line 3 sets the generator back" in said_to("score_variance", code)


MODULE = """
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys = torch.nn.Linear(d_in, d_k, bias=False), torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
        for layer in (self.toqueries, self.tokeys, self.tovalues):
            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)
        self.kept = {}

    def weights(self, x):
        {}

    def forward(self, x):
        q, k = self.toqueries(x), self.tokeys(x)
        self.kept = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
        return self.kept @ self.tovalues(x)
"""
STORED = "`weights` in line 11 does not use its argument `x`: it takes `self.kept`, which `forward` stores in line 16"


@pytest.mark.parametrize(
    ("kept", "line", "told"),
    [
        ("None", "return self.kept", STORED),
        ("torch.zeros(1)", "return self.kept", STORED),
        ("None", "return self.kept / self.kept.sum(-1)", STORED),  # raises
        ("None", "return torch.eye(3).expand(2, 3, 3)", "`weights` in line 11 does not use its argument `x` next compute the weights of `x`"),
    ],
)
def test_a_method_that_does_not_use_its_argument_is_told_so(kept: str, line: str, told: str) -> None:
    assert told in said_to("ScaledSelfAttention", MODULE.format(kept, line))


@pytest.mark.parametrize("line", ["self(x); return self.kept.mT", "return self.kept if x is None else x", "x = self.kept; return x"])
def test_a_method_that_uses_its_argument_is_not(line: str) -> None:
    assert "does not use its argument" not in said_to("ScaledSelfAttention", MODULE.format("None", line))


@pytest.mark.parametrize("line", ["if self.kept is None: self(x)", "if self.kept is None or len(x) != len(self.kept): self(x)"])
def test_weights_of_the_last_call_are_told_so(line: str) -> None:
    told = said_to("ScaledSelfAttention", MODULE.format("None", f"{line}\n        return self.kept"))
    assert "after a call on other tokens, `weights(x)` returns the weights of those" in told


@pytest.mark.parametrize("kept", ["self.last = w", "self.maps = [*self.maps, w]"])
def test_weights_that_are_kept_to_be_looked_at_do_no_harm(kept: str) -> None:
    code = MODULE.format("None; self.maps = []", "q, k = self.toqueries(x), self.tokeys(x); return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)")
    code = code.replace("self.kept = torch", "w = torch").replace("return self.kept @", f"{kept}; return w @")
    check.ScaledSelfAttention(run_cell(code, "ScaledSelfAttention"))
