"""Where the time goes: the parts of a grading are the whole, also where a notebook is judged again without a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from nbjudge import Course
from nbjudge.testing import parts, small_course

MASKED = "import numpy as np\ndef double(x):\n    return np.ma.array([2 * x])"  # can pass for what it is not: accepted, as the solution gives it, too


@pytest.mark.parametrize(
    ("answer", "test", "is_judged_again"), [(small_course.ANSWERS["ada"], small_course.TEST, False), (MASKED, "assert double(4)[0] == 8", True)]
)
def test_the_parts_of_a_grading_are_the_whole(tmp_path: Path, answer: str, test: str, is_judged_again: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(small_course.ANSWERS, "ada", answer)
    replayed: list[object] = []
    replay = parts.transcript.Replay.__init__
    monkeypatch.setattr(parts.transcript.Replay, "__init__", lambda self, *about: (replayed.append(self), replay(self, *about))[1])
    root = small_course.make(tmp_path, answers={"ada": answer, "bob": f"# mine\n{answer}"}, test=test)
    found = list(parts.graded_in_parts(Course(root)))
    assert [student for student, _, _ in found] == ["ada", "bob"] and bool(replayed) is is_judged_again
    for _, _, one in found:
        assert one.questions.total() > 0 and one.kernels >= 1
        assert sum(spent.processor for spent in one.parts.values()) == pytest.approx(one.whole.processor)
        assert 0 <= one.parts[parts.REST].processor < one.whole.processor / 2
