"""An endless loop and a result of gigabytes are cards, not a kernel that is lost."""

from __future__ import annotations

import itertools
import signal
import sys
import threading
import time

import pytest

from attnlab import check
from attnlab.diagnosis import limits
from attnlab.diagnosis.cause import CheckTimeoutError
from attnlab.diagnosis.limits import CodeTimeoutError, limited
from attnlab.exercises.scaling.score_variance import foresee_memory
from attnlab.figures import compare

from .learner import run_cell, said_to


def test_an_endless_loop_is_stopped_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    text = said_to(
        "smallest_overflow",
        """
        def smallest_overflow(float_type):
            x = 1
            while np.exp(np.float64(x)) > 0:
                x = 1
            return x
    """,
    )
    assert "your code was stopped: it was still running after 0.5 seconds, in line " in text
    assert "x is 1" in text
    assert "a loop never ends, or there are far too many steps" in text


def test_a_loop_whose_condition_nothing_changes_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    code = """
        def attention_scores(x):
            i = 0
            while i < 3:
                {}
            return x @ x.T
    """
    assert "no line in the loop `while i < 3` changes `i`, so the loop never ends" in said_to("attention_scores", code.format("j = i + 1"))
    assert "this check cannot tell which" in said_to("attention_scores", code.format("i = 0")), "a line changes it, only not enough"


@pytest.mark.parametrize(
    ("condition", "line", "told"),
    [
        ("i < len(x)", "rows.append(x[i])", "changes `i`, so the loop never ends"),
        ("i < x.shape[0]", "total = x[i].sum()", "changes `i`, so the loop never ends"),
        ("i < x.shape[-1]", "total = x[0, i]", "changes `i`, so the loop never ends"),
        ("i < len(rows)", "rows.append(rows.pop())", "cannot tell which"),
        ("i < len(rows)", "total = rows[i].sum()", "cannot tell which"),
        ("i < len(x)", "x = x[:2]", "cannot tell which"),
    ],
)
def test_a_length_that_stays_is_no_change(condition: str, line: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.3)
    text = said_to(
        "attention_scores",
        f"""
        def attention_scores(x):
            i, rows, kept = 0, [x[0]], []
            while {condition}:
                {line}
                kept = kept[:5] + [i]
            return x @ x.T
    """,
    )
    assert told in text, text


@pytest.mark.parametrize("line", ["rows = [rows, rows]", "rows = rows + rows[:1000]", "rows.append(x)"])
def test_what_an_endless_loop_has_filled_is_not_written_out(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.3)
    text = said_to(
        "attention_scores",
        f"""
        def attention_scores(x):
            rows = [x]
            while len(rows) > 0:
                {line}
            return x @ x.T
    """,
    )
    assert "your code was stopped" in text
    assert "rows is a list of length " in " ".join(text.split()), text


def test_code_that_swallows_everything_is_stopped_too() -> None:
    with pytest.raises(CodeTimeoutError), limited(0.2):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue


def test_what_ends_in_time_leaves_no_alarm_behind() -> None:
    with limited(5):
        pass
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_somebody_elses_alarm_is_left_alone() -> None:
    rung: list[int] = []
    signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        with limited(0.05):
            time.sleep(0.2)
        assert rung == []
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_all_pairs_of_the_samples_are_foreseen() -> None:
    text = said_to(
        "score_variance",
        """
        def score_variance(d, samples, rng):
            q, k = rng.normal(size=(samples, d)), rng.normal(size=(samples, d))
            return (q @ k.T).var()
    """,
    )
    assert "so 40,000 would take about 25 GB; the check did not try it" in text
    assert "one entry for each *pair* of samples" in text


def test_memory_that_grows_as_it_should_is_no_matter() -> None:
    assert foresee_memory(lambda count: [0.5] * (1000 * count), 40_000) is None


HANGING = {
    "a bare except": ("while True:\n        try:\n            len(x)\n        except:\n            pass", "`while True:`"),
    "bare excepts in each other": (
        "while True:\n        try:\n            while True:\n                try:\n                    len(x)\n                except:\n"
        "                    pass\n        except:\n            continue",
        "your code was stopped",
    ),
    "finally": ("while True:\n        try:\n            len(x)\n        finally:\n            continue", "`while True:`"),
    "a loop in a function that it calls": ("return x @ rounds(x)", "in the loop `while n > 0:` of line 10"),
    "a quick function in a loop": ("while len(x):\n        one(x)", "no line in the loop `while len(x)` changes `x`"),
    "a generator": ("return sum(1 for _ in itertools.count())", "itertools.count()"),
    "a sleep": ("time.sleep(1000)", "it computed next to nothing: it waits for something"),
    "a lock": ("lock = threading.Lock()\n    lock.acquire()\n    lock.acquire()", "it computed next to nothing: it waits for something"),
    "a thread": ("t = threading.Thread(target=time.sleep, args=(9,), daemon=True)\n    t.start()\n    t.join()", "it waits for something"),
    "a loop that prints": ("while True:\n        print('x' * 100)", "in the loop `while True:` of line 2"),
    "a hook": ("layer = nn.Linear(2, 2)\n    layer.register_forward_hook(rounds)\n    return layer(torch.ones(2, 2))", "while n > 0:"),
}
BESIDE = """

def rounds(*_):
    n = 1
    while n > 0:
        for _ in range(3):
            n = n % 7 + 1

def one(x):
    return len(x)
"""


@pytest.mark.parametrize(("body", "told"), HANGING.values(), ids=HANGING)
def test_whatever_hangs_is_stopped_once_and_the_picture_does_not_call_it_again(
    body: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    begun: list[object] = []
    monkeypatch.setattr(limits.Limit, "begin", lambda limit, begin=limits.Limit.begin: (begun.append(limit), begin(limit)))
    held = {"itertools": itertools, "time": time, "threading": threading}
    code = f"def attention_scores(x):\n    {body}{BESIDE}" if "rounds(x)" not in body else f"def attention_scores(x):\n    {body}\n\n\n\n{BESIDE}"
    answer = run_cell(code, "attention_scores", **held)
    with pytest.raises(CheckTimeoutError) as caught:
        check.attention_scores(answer)
    text = " ".join(str(caught.value).split())
    assert "step 2 of 11: runs" in text and told in text, text
    assert "your code was stopped" in compare("attention_scores", answer).says
    assert len(begun) == 1, "the check waits once, the picture does not"
    assert len(capsys.readouterr().out) < 2 * limits.MOST_PRINTED
    assert "limits" not in repr(sys.gettrace())
    again = run_cell("def attention_scores(x):\n    return x @ x.T", "attention_scores")
    check.attention_scores(again)
    assert "yours equals the target" in f"{compare('attention_scores', again).before}"


def test_a_picture_has_the_limit_too_and_its_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.3)
    answer = run_cell("def attention_scores(x):\n    while True:\n        pass", "attention_scores")
    for _ in range(2):
        assert "your code was stopped: it was still running after 0.3 seconds, in line " in compare("attention_scores", answer).says
    right = run_cell("def attention_scores(x):\n    return x @ x.T\n\ndef means(_):\n    while True:\n        pass", "attention_scores")
    picture = compare("attention_scores", right, means=right.__globals__["means"])
    assert "The picture of what it means is missing: your code was stopped" in picture.says


def test_the_first_stage_that_hangs_ends_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    begun: list[object] = []
    monkeypatch.setattr(limits.Limit, "begin", lambda limit, begin=limits.Limit.begin: (begun.append(limit), begin(limit)))
    code = """
        class MultiHeadSelfAttention(nn.Module):
            def __init__(self, k, heads=4, causal=False):
                super().__init__()
                while k: pass
    """
    with pytest.raises(CheckTimeoutError, match="✗ constructor, – one head, – several heads, – scale") as caught:
        check.MultiHeadSelfAttention(run_cell(code, "MultiHeadSelfAttention"))
    assert "no line in the loop `while k` changes `k`" in " ".join(str(caught.value).split())
    assert len(begun) == 1


def test_what_hangs_only_for_an_input_of_an_explanation_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    code = """
        def attention_scores(x, calls=[]):
            calls.append(1)
            while len(calls) > 1:
                pass
            return x @ x.T + len(x) * x[0, 0] + 0.1
    """
    text = said_to("attention_scores", code)
    assert "yours is" in text and "your code was stopped" not in text, text


def test_what_is_known_is_told_where_the_search_for_more_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    code = """
        def self_attention_loops(x):
            y = []
            for query in x:
                scores = [sum(p * q for p, q in zip(query, key)) for key in x]
                top = max(scores)
                e = map(lambda s: np.exp(s - top) + 0.01 * s, scores)
                total = 1.1 * sum(e)
                output = np.zeros(x.shape[1])
                for share, token in zip(e, x):
                    output += share / total * token
                y.append(output)
            return np.array(y)
    """
    assert "every entry is zero" in said_to("self_attention_loops", code)


def test_code_that_waits_for_a_busy_processor_is_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.time, "monotonic", lambda: 0.0)
    monkeypatch.setattr(limits.time, "thread_time", lambda: 0.0)
    monkeypatch.setattr(limits.time, "process_time", lambda: 0.0)
    limit = limits.Limit(5.0, sys._getframe())
    limit.start()
    monkeypatch.setattr(limits.time, "monotonic", lambda: 19.0)
    monkeypatch.setattr(limits.time, "thread_time", lambda: 1.0)
    monkeypatch.setattr(limits.time, "process_time", lambda: 1.0)
    assert limit._left() > 0, "one second of the processor in 19 on the clock"
    monkeypatch.setattr(limits.time, "monotonic", lambda: 20.5)
    assert limit._left() < 0, "four times as long on the clock ends it in any case"
    monkeypatch.setattr(limits.time, "monotonic", lambda: 5.5)
    monkeypatch.setattr(limits.time, "process_time", lambda: 0.01)
    assert limit._left() < 0, "code that waits for something else is stopped by the clock"


def test_where_no_loop_is_at_work_none_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.3)
    code = """
        def attention_scores(x):
            slow = sum(range(4 * 10**7))
            slow = sum(range(4 * 10**7))
            return x @ x.T
    """
    text = said_to("attention_scores", code)
    assert "no loop of this function is at work in that line" in text and "a loop never ends" not in text, text
