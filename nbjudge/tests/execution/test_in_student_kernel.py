"""A test cell that runs beside the student's code can be made to pass; what it makes must not make another one pass."""

from __future__ import annotations

from helpers.instructors import SQUARE

BESIDE = "import math\nwanted = 4\nassert square(2) == wanted"


def test_what_it_makes_is_no_other_tests_standard(verdicts) -> None:
    parts = [SQUARE, BESIDE, "assert square(2) == wanted"]
    assert [verdict.kind for verdict in verdicts(parts)] == ["passed", "passed"], "without it, the test cells share their names"
    cheat = "class Always(int):\n    def __setattr__(self, *_): pass\ndef square(x):\n    globals()['wanted'] = 0\n    return 0"
    for answers in ((), (cheat,)):
        *_, verdict = verdicts(parts, *answers, beside_students=frozenset({"t1"}))
        assert verdict.kind == "unjudged" and "`wanted`, which a test cell makes that runs beside" in verdict.message


def test_what_it_imports_and_what_others_make_themselves_are_theirs(verdicts) -> None:
    parts = [
        SQUARE,
        BESIDE,
        "assert math.isclose(square(3), 9)",
        "wanted = 25\nassert square(5) == wanted",
        "def check():\n    return wanted\nassert check() == 25",
        "assert square(2) == 4",
    ]
    found = verdicts(parts, beside_students=frozenset({"t1"}))
    assert [(verdict.kind, verdict.message) for verdict in found] == [("passed", "")] * 5
