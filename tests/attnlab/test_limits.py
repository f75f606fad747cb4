"""An endless loop and a result of gigabytes are cards, not a kernel that is lost."""

from __future__ import annotations

import signal
import time

import pytest

from attnlab.diagnosis.examine import TooLong, limited
from attnlab.exercises.scaling.score_variance import foresee_memory

from .learner import said_to


def test_an_endless_loop_is_stopped_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited.__wrapped__, "__defaults__", (0.5,))
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
    monkeypatch.setattr(limited.__wrapped__, "__defaults__", (0.5,))
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
    monkeypatch.setattr(limited.__wrapped__, "__defaults__", (0.3,))
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
    monkeypatch.setattr(limited.__wrapped__, "__defaults__", (0.3,))
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
    with pytest.raises(TooLong), limited(0.2):
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
