"""A slip is named when it gives the learner's numbers on every input, however the learner wrote it."""

from __future__ import annotations

import ast

import pytest

from attnlab import reference
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.slips import claims, slips
from attnlab.diagnosis.slips.claims import Words, words_for
from attnlab.diagnosis.slips.slips import mark_of, slip_with

from .learner import run_cell, said_to

THE_SAME = "same numbers as when "
UNKNOWN = "does not know"


@pytest.mark.parametrize(
    ("exercise", "code", "cause"),
    [
        (
            "attention_scores",
            """
        def attention_scores(tokens):
            turned = tokens.reshape(tokens.shape[1], -1)
            return np.einsum("ik,kj->ij", tokens, turned)""",
            "`reshape` or `view` is used instead of a transpose",
        ),
        (
            "attention_weights",
            """
        def attention_weights(x):
            table = np.inner(x, x) + 0.0
            for t in range(len(x)):
                table[t, t] = -np.inf
            powers = np.exp(table - table.max(1)[:, None])
            return powers / powers.sum(1)[:, None]""",
            "no query looks at its own token",
        ),
        (
            "self_attention_loops",
            """
        def self_attention_loops(x):
            w = torch.softmax(torch.tensor(x @ x.T, dtype=torch.float64), 1).numpy()
            rows, own = [], 0 * x[0]
            for i in range(len(x)):
                for j in range(len(x)):
                    own = own + w[i, j] * x[j]
                rows.append(own)
            return np.array(rows)""",
            "never reset",
        ),
        (
            "scaled_dot_product_attention",
            """
        def scaled_dot_product_attention(q, k, v):
            table = torch.einsum("...td,...sd->...ts", q, k) / q.size(-1) ** 0.5
            return torch.softmax(table.abs(), -1) @ v""",
            "the absolute value of the scores is taken",
        ),
        (
            "embed",
            """
        def embed(words, vocabulary, table):
            return np.stack([table[vocabulary[word] - 1] for word in words])""",
            "one too small",
        ),
    ],
)
def test_a_slip_is_known_by_its_numbers(exercise: str, code: str, cause: str) -> None:
    text = said_to(exercise, code)
    assert THE_SAME in text and cause in text


def test_what_gives_the_numbers_of_a_slip_for_one_input_alone_is_not_taken_for_it() -> None:
    text = said_to(
        "attention_scores",
        """
        def attention_scores(x):
            return x @ x.reshape(x.shape[1], -1) if x.shape == (3, 4) else x @ x.T + np.arange(len(x)) ** 2 / 7
    """,
    )
    assert THE_SAME not in text


def test_nothing_known_is_said_to_be_nothing_known() -> None:
    text = said_to(
        "attention_scores",
        """
        def attention_scores(x):
            return np.sin(x @ x.T) * np.arange(1, len(x) + 1) ** 1.5 + np.cos(np.arange(len(x)))[:, None]
    """,
    )
    assert UNKNOWN in text and THE_SAME not in text


def test_a_right_result_has_no_slip() -> None:
    marks = [{"shape": [1], "numbers": [1.0, 1.0, 1.0, 0.0]}] * 9
    assert slip_with("softmax", None, marks, marks) is None


def test_noise_beside_parts_that_are_right_is_no_slip() -> None:
    """The slip's outputs are noise, and its keys and values are the right ones: nothing is left that a result can agree with."""
    right = [mark_of(case.expected) if case.label == "nothing earlier" else ... for case in reference.cases("cached_attention")]
    got = [[{**mark[0], "numbers": [1.0, 2.0, 3.0, 0.0]}, *mark[1:]] if mark is not ... else ... for mark in right]
    assert slip_with("cached_attention", None, got, right) is None


def test_one_small_result_beside_exceptions_is_no_slip() -> None:
    """For one token, `x[0] * x.T` is `x * x.T`; for the example, both raise."""
    assert "same numbers" not in said_to("attention_scores", "def attention_scores(x):\n    first = x[0]\n    return first * x.T\n")


@pytest.mark.parametrize(
    ("exercise", "code", "cause"),
    [
        (
            "column_scores",
            """
        def column_scores(X, omega_q, omega_k, beta_q, beta_k):
            K, Q = (beta_k + omega_k) @ X, (beta_q + omega_q) @ X
            return np.einsum("dm,dn->mn", K, Q)""",
            "Python reads `(beta_q + omega_q) @ X`, and the same for `(beta_k + omega_k) @ X`",
        ),
        (
            "self_attention",
            """
        def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
            table = (omega_q @ X + beta_q).T @ (omega_v @ X + beta_v)
            powers = np.exp(table - table.max(axis=0))
            return (omega_v @ X + beta_v) @ (powers / powers.sum(axis=0)), powers / powers.sum(axis=0)
        """,
            "the queries are computed as the values should be and the keys are computed as the queries should be",
        ),
        (
            "self_attention_rows",
            """
        def self_attention_rows(x, w_query, w_key, w_value):
            q, k = (m / np.linalg.norm(m, axis=1, keepdims=True) for m in (x @ w_query, x @ w_key))
            powers = np.exp(q @ k.T - (q @ k.T).max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True) @ x @ w_value""",
            "every row of the queries and of the keys is divided by its length",
        ),
        (
            "one_output",
            """
        def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
            shares = np.exp([((omega_k @ x + beta_k[:, 0]) @ (omega_q @ X[:, n] + beta_q[:, 0])) for x in X.T])
            for x in X.T:
                value = omega_v @ x[:, None] + beta_v
            return value * 1.0""",
            "from the last round of a loop is used for all rounds",
        ),
        (
            "scaled_dot_product_self_attention",
            """
        def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
            table = (omega_k @ X + beta_k).T @ (omega_q @ X + beta_q) / (len(beta_k) ** 0.5 // 1)
            powers = np.exp(table - table.max(axis=0))
            return (omega_v @ X + beta_v) @ (powers / powers.sum(axis=0))""",
            "the square root is rounded down to a whole number",
        ),
        (
            "multi_head_columns",
            """
        def multi_head_columns(X, heads, omega_c):
            parts = []
            for h in heads:
                q, k, v = h["omega_q"] @ X + h["beta_q"], h["omega_k"] @ X + h["beta_k"], h["omega_v"] @ X + h["beta_q"]
                table = np.exp(k.T @ q / len(q) ** 0.5 - (k.T @ q / len(q) ** 0.5).max(axis=0))
                parts.append(v @ (table / table.sum(axis=0)))
            return omega_c @ np.concatenate(parts)""",
            "a line uses `beta_q` instead of `beta_v`",
        ),
        (
            "scaled_dot_product_self_attention",
            """
        def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
            q, k, v = (torch.tensor(b + w @ X)[None] for w, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
            return nn.functional.scaled_dot_product_attention(q, k, v)[0].numpy()""",
            "features are taken for tokens",
        ),
        (
            "basic_self_attention",
            """
        def basic_self_attention(x):
            weights = torch.einsum("bti,btj->bij", x, x).softmax(dim=-1)
            return torch.einsum("bij,btj->bti", weights, x)""",
            "features are taken for tokens",
        ),
        (
            "two_layers",
            """
        def two_layers(x, first, second):
            one = np.exp(x @ first[0] @ (x @ first[1]).T)
            one = one / one.sum(axis=1, keepdims=True)
            asks = np.hstack([x, one @ x @ first[2]]) @ second[0]
            two = np.exp(asks @ (x @ second[1][: x.shape[1]]).T)
            two = two / two.sum(axis=1, keepdims=True)
            return one, two, two @ x @ second[2][: x.shape[1]]""",
            "the later keys and the later values are computed from `x` alone, not from both parts that are joined",
        ),
        (
            "two_layers",
            """
        def two_layers(x, first, second):
            one = np.exp(x @ first[0] @ (x @ first[1]).T)
            one = one / one.sum(axis=1, keepdims=True)
            seen, collected = np.hstack([x, one @ x @ first[2]]), one @ x @ first[2]
            two = np.exp(collected @ second[0][x.shape[1] :] @ (seen @ second[1]).T)
            two = two / two.sum(axis=1, keepdims=True)
            return one, two, two @ seen @ second[2]""",
            "the later queries are computed from the part beside `x` alone",
        ),
    ],
)
def test_slips_in_several_places_and_of_other_roles_are_known(exercise: str, code: str, cause: str) -> None:
    text = said_to(exercise, code)
    assert " as when " in text and cause in text, text


def test_an_answer_that_raises_everywhere_is_no_slip() -> None:
    text = said_to(
        "column_scores",
        """
        def column_scores(X, omega_q, omega_k, beta_q, beta_k):
            return (omega_k @ X + beta_k) @ X @ X""",
    )
    assert "as when" not in text


def test_a_name_of_the_notebook_is_nobodys_slip() -> None:
    text = said_to(
        "attention_scores",
        """
        def attention_scores(x):
            return np.array([[x[i] @ x[j] for j in range(x.shape[1])] for i in range(len(x))])""",
    )
    assert "counts axis 1 of `x`, here 4; `j` is an index of axis 0, here 3" in text and "the values" not in text


HAS_ANOTHER_FORM = "your lines write that differently"


ENTRY_BY_ENTRY = Words("product.entry_by_entry", "`*` is used instead of `@`", "multiply rows by columns", (frozenset({"Mult", "multiply"}),))
NO_AXIS = Words("axis.missing", "`sum` has no `axis`", "name the axis", (frozenset({"sum()"}),))
FIRST_ROUND = Words("loop.without_first", "a loop skips the first round", "count from 0", (frozenset({"For", "While"}),))
NO_SOFTMAX = Words("weights.without_softmax", "the softmax is missing", "take the softmax")


@pytest.mark.parametrize(
    ("lines", "said", "told", "fits"),
    [
        ("    return x * x", [ENTRY_BY_ENTRY, NO_AXIS], [ENTRY_BY_ENTRY], True),
        ("    return np.square(x)", [ENTRY_BY_ENTRY, NO_AXIS], [ENTRY_BY_ENTRY, NO_AXIS], False),
        ("    for row in x:\n        print(row)", [NO_AXIS, FIRST_ROUND], [FIRST_ROUND], True),
        ("    for row in x:\n        print(row)", [NO_SOFTMAX, FIRST_ROUND], [FIRST_ROUND], True),  # what lines say for sure comes first
        ("    return x", [NO_SOFTMAX, FIRST_ROUND], [NO_SOFTMAX], True),
        ("    return x.sum() * 2", [FIRST_ROUND, NO_AXIS, NO_SOFTMAX, ENTRY_BY_ENTRY], [NO_AXIS, ENTRY_BY_ENTRY], True),
    ],
)
def test_words_are_told_whose_claims_are_true_of_the_lines(lines: str, said: list[Words], told: list[Words], fits: bool) -> None:
    answer = run_cell(f"def made(x):\n{lines}", "made")
    assert words_for(said, answer) == (told, fits)


def test_without_a_text_all_words_may_fit() -> None:
    assert words_for([NO_AXIS, FIRST_ROUND, NO_SOFTMAX], None) == ([NO_AXIS, FIRST_ROUND], True)


def cause_of_first_slip(claimed: str, code: str) -> Cause:
    """What is said of the first slip of `attention_scores` that claims something, when these lines give its numbers."""
    exercise = "attention_scores"
    slip = next(slip for slip in slips._slips(exercise) if {claimed} <= {token for claim in slip.said[0].claims for token in claim})
    cause = slip_with(exercise, run_cell(code, exercise), slip.marks, [mark_of(case.expected) for case in reference.cases(exercise)])
    assert cause
    return cause


def test_a_cause_has_the_id_and_the_claims_of_what_is_told() -> None:
    cause = cause_of_first_slip("reshape", "def attention_scores(x):\n    return x @ x.reshape(x.shape[1], -1)")
    assert cause.id == "slip.transpose.reshaped" and frozenset({"reshape", "view", "resize"}) in cause.claims
    assert "`reshape` or `view` is used instead of a transpose" in cause.words and HAS_ANOTHER_FORM not in cause.words


def test_words_that_speak_of_what_is_not_there_say_so_and_claim_nothing() -> None:
    cause = cause_of_first_slip("reshape", "def attention_scores(x):\n    return x")
    assert cause.id == "slip.transpose.reshaped" and HAS_ANOTHER_FORM in cause.words and cause.claims == ()


SYNTAX = """
def made(x):
    for i in [i for i in x]:
        while -i < x <= i > x >= i == x != i:
            x += x + i - x * i / x // i % x ** i @ x
"""


def line_with(token: str) -> str:
    """A line in which a claim is true that names this."""
    name, parenthesis, how = token.partition("(")
    if " @ " in token:
        return token
    if parenthesis:
        return f"np.{name}(x{', axis=0' if how in ('axis)', 'squeezed)') else f', {how[:-1]}' if how != ')' else ''})"
    return f"x.{token}" if token.isidentifier() else token


def test_what_is_claimed_can_stand_in_lines() -> None:
    names = {name for lesson in reference.lessons() for item in reference.graded(lesson) for name in item.asks_for}
    said = [one for name in sorted(names) for slip in slips._slips(name) for one in slip.said]
    claimed = {token for one in said for claim in one.claims for token in claim}
    assert len(said) > 5000 and len(claimed) > 100 and all(claim for one in said for claim in one.claims)
    syntax = {token for token in claimed if (token[0].isupper() and hasattr(ast, token)) or token == claims.REBOUND}
    assert len(syntax) > 10 and syntax <= claims._found_in(run_cell(SYNTAX, "made"))
    for token in claimed - syntax:
        assert token in claims._found_in(run_cell(f"def made(x):\n    return {line_with(token)}", "made")), token


def test_a_slip_that_lines_say_in_another_form_gives_way_to_the_exception() -> None:
    text = said_to(
        "self_attention_rows",
        """
        def self_attention_rows(x, w_query, w_key, w_value):
            merged = w_query.T @ w_key
            scores = x @ merged @ x.T
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True) @ (x @ w_value)""",
    )
    assert "here they are 4 and 3" in text and "as when" not in text


def test_a_slip_says_more_than_what_a_property_guesses() -> None:
    text = said_to(
        "softmax_jacobian",
        """
        def softmax_jacobian(p):
            p = p.reshape(-1, 1)
            return np.diag(p) - p @ p.T""",
    )
    assert "`diag` gets a column" in text


def test_a_number_is_told_with_its_sign() -> None:
    text = said_to(
        "positional_encoding",
        """
        def positional_encoding(T, k):
            t, i = np.arange(T)[:, np.newaxis], np.arange(k)[np.newaxis, :]
            angle = t / np.power(10000.0, 2 * i / k)
            angle[:, 0::2] = np.sin(angle[:, 0::2])
            angle[:, 1::2] = np.cos(angle[:, 1::2])
            return angle""",
    )
    assert "the `// 2` is missing" in text and "the number 1 is used" not in text
