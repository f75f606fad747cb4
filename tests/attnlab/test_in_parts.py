"""Part of the points for the parts of an answer that work; never for what a grader itself could not do."""

from __future__ import annotations

import numpy as np
import pytest

from attnlab import check
from attnlab.diagnosis.cause import CheckFailed
from authoring.answers import run_test
from nbjudge import KernelGone, OwnFailure, Refused, Unjudgeable, Unsendable

CELL = """
from attnlab import check
check = check.in_parts("attention_scores", {"square": 2, "wide": 1, "one token": 1})
check.attention_scores(attention_scores)
import numpy as np
for name, x in {"square": np.eye(3) + 1, "wide": np.arange(18.0).reshape(2, 9) / 4, "one token": np.array([[2.0, 1]])}.items():
    with check.part(name):
        assert np.allclose(attention_scores(x), x @ x.T), f"{name}: other scores"
check.points()
"""


def graded(answer: object) -> tuple[float, str]:
    return run_test(CELL, 4, {"attention_scores": answer})


def test_an_answer_without_fault_gets_all_points_and_no_report() -> None:
    earned, said = graded(lambda x: x @ x.T)
    assert earned == 4
    assert "points" not in said


def test_parts_that_work_earn_their_points_and_are_named() -> None:
    earned, said = graded(lambda x: x.T @ x if len(x) == 3 and x.shape[1] == 3 else x @ x.T + (len(x) == 1))
    assert earned == 3
    assert "attention_scores: 3 of 4 points" in said
    assert "✓ square     2 of 2" in said
    assert "✗ one token  0 of 1  one token: other scores" in said


def test_what_the_visible_check_refuses_never_gets_all_points() -> None:
    earned, said = graded(lambda x: x @ x.T if x.shape != (3, 4) else x @ x.T + 1)
    assert earned == 3
    assert "✗ attention_scores" in said


def test_nothing_that_works_is_a_failure_with_its_reasons() -> None:
    earned, said = graded(lambda x: None)
    assert earned == 0
    assert "0 of 4 points" in said


def test_an_exception_in_a_part_is_named_without_its_text() -> None:
    def answer(x: np.ndarray) -> np.ndarray:
        if x.shape == (2, 9):
            raise RuntimeError(f"the hidden data are {x}")
        return x @ x.T

    earned, said = graded(answer)
    assert earned == 3
    assert "your code raises RuntimeError on the data of a hidden test" in said
    assert "hidden data are" not in said


@pytest.mark.parametrize("error", [OwnFailure("lost"), Unjudgeable("mend the cell"), Unsendable("a lock"), KernelGone("ended")], ids=repr)
def test_what_is_no_students_fault_ends_the_cell(error: BaseException) -> None:
    parts = check.in_parts("attention_scores", {"square": 4})
    with pytest.raises(type(error)), parts.part("square"):
        raise error


def test_a_value_that_does_not_travel_costs_its_part() -> None:
    parts = check.in_parts("attention_scores", {"square": 3, "wide": 1})
    with parts.part("square"):
        raise Refused("a lock cannot be sent")
    with parts.part("wide"):
        pass
    parts.attention_scores(lambda x: x @ x.T)
    assert parts.points() == 1


def test_parts_are_those_that_were_named_and_each_is_tested_once() -> None:
    parts = check.in_parts("attention_scores", {"square": 3, "wide": 1})
    with pytest.raises(ValueError, match="round"), parts.part("round"):
        pass
    with parts.part("square"):
        pass
    with pytest.raises(ValueError, match="square"), parts.part("square"):
        pass
    with pytest.raises(ValueError, match="no test of wide"):
        parts.points()


def test_everything_else_is_the_check_itself() -> None:
    assert check.in_parts("attention_scores", {"square": 1}).softmax is check.softmax


def stated(cell: str, answer: object) -> tuple[str, bool]:
    """What the points, or the exception in their place, state as the cause: its id, and whether it is established."""
    namespace = {"attention_scores": answer}
    body, last = cell.rstrip().rsplit("\n", 1)
    exec(body, namespace)
    try:
        cause = eval(last, namespace).cause
    except AssertionError as error:
        cause = vars(error)["cause"]
    return cause.id, cause.is_established


def test_the_cause_of_lost_points_is_that_of_the_visible_check_or_of_the_first_part_that_does_not_work() -> None:
    def doubled(x: np.ndarray) -> np.ndarray:
        return 2 * x @ x.T

    for answer in (doubled, lambda x: doubled(x) if x.shape == (3, 4) else x @ x.T):  # no part works, and all of them
        with pytest.raises(CheckFailed) as failed:
            check.attention_scores(answer)
        assert stated(CELL, answer) == (failed.value.cause.id, failed.value.cause.is_established)
    assert stated(CELL, lambda x: x @ x.T + (x.shape == (2, 9)) + np.array_equal(x, [[2, 1]])) == ("attention_scores.wide", True)


@pytest.mark.parametrize(("text", "is_established"), [('Unexplained("other scores")', False), ('""', False), ('"other scores"', True)])
def test_a_part_that_does_not_know_why_states_no_established_cause(text: str, is_established: bool) -> None:
    cell = CELL.replace('f"{name}: other scores"', text).replace(
        "import numpy as np", "import numpy as np\nfrom attnlab.check.in_parts import Unexplained"
    )
    assert stated(cell, lambda x: x @ x.T + np.array_equal(x, [[2, 1]])) == ("attention_scores.one token", is_established)
