"""A slip is named when it gives the learner's numbers on every input, however the learner wrote it."""

from __future__ import annotations

import pytest

from attnlab.check.slips import slip_with

from .learner import said_to

THE_SAME = "the same numbers come out, on every input of this check, when "
UNKNOWN = "does not know"


@pytest.mark.parametrize(("exercise", "code", "cause"), [
    ("attention_scores", """
        def attention_scores(tokens):
            turned = tokens.reshape(tokens.shape[1], -1)
            return np.einsum("ik,kj->ij", tokens, turned)""", "`reshape` or `view` takes the place of a transpose"),
    ("attention_weights", """
        def attention_weights(x):
            table = np.inner(x, x) + 0.0
            for t in range(len(x)):
                table[t, t] = -np.inf
            powers = np.exp(table - table.max(1)[:, None])
            return powers / powers.sum(1)[:, None]""", "no query looks at its own token"),
    ("self_attention_loops", """
        def self_attention_loops(x):
            w = torch.softmax(torch.tensor(x @ x.T, dtype=torch.float64), 1).numpy()
            rows, own = [], 0 * x[0]
            for i in range(len(x)):
                for j in range(len(x)):
                    own = own + w[i, j] * x[j]
                rows.append(own)
            return np.array(rows)""", "never set back"),
    ("scaled_dot_product_attention", """
        def scaled_dot_product_attention(q, k, v):
            table = torch.einsum("...td,...sd->...ts", q, k) / q.size(-1) ** 0.5
            return torch.softmax(table.abs(), -1) @ v""", "the signs of the scores are lost"),
    ("embed", """
        def embed(words, vocabulary, table):
            return np.stack([table[vocabulary[word] - 1] for word in words])""", "one too small")])
def test_a_slip_is_known_by_its_numbers(exercise: str, code: str, cause: str) -> None:
    text = said_to(exercise, code)
    assert THE_SAME in text and cause in text


def test_what_gives_the_numbers_of_a_slip_for_one_input_alone_is_not_taken_for_it() -> None:
    text = said_to("attention_scores", """
        def attention_scores(x):
            return x @ x.reshape(x.shape[1], -1) if x.shape == (3, 4) else x @ x.T + np.arange(len(x)) ** 2 / 7
    """)
    assert THE_SAME not in text


def test_nothing_known_is_said_to_be_nothing_known() -> None:
    text = said_to("attention_scores", """
        def attention_scores(x):
            return np.sin(x @ x.T) * np.arange(1, len(x) + 1) ** 1.5 + np.cos(np.arange(len(x)))[:, None]
    """)
    assert UNKNOWN in text and THE_SAME not in text


def test_a_right_result_has_no_slip() -> None:
    marks = [{"shape": [1], "numbers": [1.0, 1.0, 1.0, 0.0]}] * 9
    assert slip_with("softmax", marks, marks) is None
