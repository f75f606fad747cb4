"""The second road: named test cells run together with the student's code, in a process of their own."""

from __future__ import annotations

from helpers.instructors import SQUARE

BESIDE = "import math\nwanted = 4\nassert square(2) == wanted"


def test_what_it_makes_is_made_for_the_tests_below_of_the_instructors_text(verdicts) -> None:
    parts = [SQUARE, BESIDE, "assert square(2) == wanted"]
    named = frozenset({"t1"})
    assert [verdict.kind for verdict in verdicts(parts, beside_students=named)] == ["passed", "passed"]
    cheat = "class Always(int):\n    def __setattr__(self, *_): pass\ndef square(x):\n    globals()['wanted'] = 0\n    return 0"
    assert [verdict.kind for verdict in verdicts(parts, cheat, beside_students=named)] == ["failed", "failed"]


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
