"""What an answer keeps its contents between calls is named, and only where it is why a result is wrong."""

from __future__ import annotations

import pytest

from attnlab import check

from .learner import run_cell, said_to

KEEPS = "is made only once and keeps its contents between calls"


@pytest.mark.parametrize(
    ("exercise", "code", "what"),
    [
        (
            "smallest_overflow",
            """
        def smallest_overflow(float_type, found=[]):
            if found:
                return found[0]
            n = 0
            with np.errstate(over="ignore"):
                while np.isfinite(np.exp(float_type(n) if callable(float_type) else np.dtype(float_type).type(n))):
                    n += 1
            found.append(n)
            return n""",
            "`found=[]` in line 2, a default,",
        ),
        (
            "attention_scores",
            """
        rows = []

        def attention_scores(x):
            for one in x:
                rows.append([one @ other for other in x])
            return np.array(rows[:len(x)])""",
            "`rows = []` in line 2",
        ),
        (
            "attention_scores",
            """
        def with_row(x, i, seen=[]):
            seen.append(x[i] @ x.T)
            return seen

        def attention_scores(x):
            both = [with_row(x, i) for i in range(len(x))]
            return np.array(both[0][:len(x)])""",
            "`seen=[]` in line 2, a default,",
        ),
        (
            "attention_scores",
            """
        class Table:
            def __init__(self):
                self.rows = []

        table = Table()

        def attention_scores(x):
            table.rows += [one @ x.T for one in x]
            return np.array(table.rows[:len(x)])""",
            "`table = Table()` in line 6",
        ),
        (
            "attention_scores",
            """
        class Table:
            rows = []

            def add(self, row):
                self.rows.append(row)

        def attention_scores(x):
            table = Table()
            for one in x:
                table.add(one @ x.T)
            return np.array(table.rows[:len(x)])""",
            "`rows = []` in line 3",
        ),
        (
            "attention_scores",
            """
        first = None

        def attention_scores(x):
            global first
            if first is None:
                first = x
            return x @ first[:len(x)].T if first.shape[1] == x.shape[1] else x @ x.T * 1.5""",
            "`first = None` in line 2",
        ),
        (
            "attention_scores",
            """
        def attention_scores(x, seen={}):
            if x.shape[1] not in seen:
                seen[x.shape[1]] = x @ x.T
            return seen[x.shape[1]]""",
            "`seen={}` in line 2, a default,",
        ),
    ],
)
def test_what_is_kept_is_named(exercise: str, code: str, what: str) -> None:
    text = said_to(exercise, code)
    assert what in text and KEEPS in text, text


def test_a_class_keeps_what_stands_in_its_body() -> None:
    text = said_to(
        "SelfAttention",
        """
        class SelfAttention(nn.Module):
            made = []

            def __init__(self, d_in, d_k, d_v):
                super().__init__()
                self.toqueries, self.tokeys = nn.Linear(d_in, d_k, bias=False), nn.Linear(d_in, d_k, bias=False)
                self.tovalues = nn.Linear(d_in, d_v, bias=False)

            def forward(self, x):
                self.made.append(self.toqueries(x))
                return torch.softmax(self.made[-1] @ self.tokeys(x).transpose(-2, -1) / len(self.made), dim=-1) @ self.tovalues(x)""",
    )
    assert "`made = []` in line 3" in text and KEEPS in text, text


def test_a_memory_that_does_no_harm_is_not_named() -> None:
    check.attention_scores(
        run_cell(
            """
        def attention_scores(x, calls=[]):
            calls.append(1)
            return x @ x.T""",
            "attention_scores",
        )
    )
    text = said_to(
        "attention_scores",
        """
        def attention_scores(x, calls=[]):
            calls.append(1)
            return 2 * x @ x.T""",
    )
    assert KEEPS not in text and "an extra factor of 2" in text


@pytest.mark.parametrize(
    "code",
    [
        """
        k = 4

        def attention_scores(x):
            return x @ x.T / k

        k = 8""",
        """
        calls = 0

        def attention_scores(x):
            global calls
            calls += 1
            return x @ x.T + np.random.randn(len(x), len(x))""",
        """
        def attention_scores(x, calls=[]):
            calls.append(1)
            return {"scores": x @ x.T}""",
    ],
    ids=["another line changes it", "chance", "no array"],
)
def test_what_the_function_does_not_remember_is_no_memory(code: str) -> None:
    assert KEEPS not in said_to("attention_scores", code)


def test_arrays_that_are_kept_do_not_stop_the_check() -> None:
    text = said_to(
        "SelfAttention",
        """
        class SelfAttention(nn.Module):
            cache = {"q": 0}

            def __init__(self, d_in, d_k, d_v):
                super().__init__()
                self.toqueries, self.tokeys = nn.Linear(d_in, d_k, bias=False), nn.Linear(d_in, d_k, bias=False)
                self.tovalues = nn.Linear(d_in, d_v, bias=False)

            def forward(self, x):
                self.cache["q"] = self.toqueries(x)
                return torch.softmax(self.cache["q"] @ self.tokeys(x).transpose(-2, -1), dim=-2) @ self.tovalues(x)""",
    )
    assert text.startswith("✗ SelfAttention") and KEEPS not in text


def test_what_earlier_calls_left_is_there_again_after_the_check() -> None:
    answer = run_cell(
        """
        def attention_scores(x, seen=[]):
            seen.append(x)
            return seen[0] @ seen[0].T""",
        "attention_scores",
    )
    with pytest.raises(check.CheckFailed):
        check.attention_scores(answer)
    assert len(answer.__defaults__[0]) > 1


def test_a_result_that_has_a_gradient_is_right() -> None:
    """Torch's own layer has parameters, so what it returns has a gradient, and cannot be copied deeply."""
    code = """
        def layer_norm(x, gain, bias, epsilon=1e-5):
            norm = nn.LayerNorm(x.size(2), eps=epsilon)
            norm.load_state_dict({"weight": gain, "bias": bias})
            return norm(x)"""
    check.layer_norm(run_cell(code, "layer_norm"))


def test_entries_of_a_dictionary_that_are_taken_by_their_place_are_named() -> None:
    code = """
        def multi_head_columns(X, heads, omega_c):
            rows = []
            for head in heads:
                a, b, c, d, e, f = head.values()
                Q, K, V = a @ X + d, b @ X + e, c @ X + f
                scores = K.T @ Q / len(Q) ** 0.5
                weights = np.exp(scores - scores.max(axis=0))
                rows.append(V @ (weights / weights.sum(axis=0)))
            return omega_c @ np.concatenate(rows)"""
    assert "your code takes its entries by their place, not by their names" in said_to("multi_head_columns", code)


LAYER_NORM = """
def layer_norm(x, gain, bias, epsilon=1e-5):
    means = x.mean(-1, keepdim=True)
    variances = {variances}
    return {scaled} / torch.sqrt(variances + epsilon) + bias
"""
CENTRED = "((x - means) ** 2).mean(-1, keepdim=True)"


@pytest.mark.parametrize(
    "variances", ["(x * x).mean(-1, keepdim=True) - means ** 2", "((x ** 2).sum(-1, keepdim=True) / x.shape[-1] - means * means).abs()"]
)
def test_digits_that_float32_does_not_have_are_told(variances: str) -> None:
    text = said_to("layer_norm", LAYER_NORM.format(variances=variances, scaled="gain * (x - means)"))
    assert "with the same numbers in float64, the result is right" in text


@pytest.mark.parametrize(
    ("variances", "scaled"), [(CENTRED, "(gain + bias) * (x - means)"), ("(x * x).mean(-1, keepdim=True)", "gain * (x - means)")]
)
def test_numbers_that_more_digits_do_not_mend_are_not_told_as_that(variances: str, scaled: str) -> None:
    assert "float64" not in said_to("layer_norm", LAYER_NORM.format(variances=variances, scaled=scaled))
