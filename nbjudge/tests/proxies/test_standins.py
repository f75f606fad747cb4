"""What a test may do with students' functions, classes and objects: the same as beside the student's code, which each case is tried with."""

import pytest

from helpers.standins.functions import FUNCTIONS
from helpers.standins.libraries import LIBRARIES
from helpers.standins.objects import OBJECTS

CASES = {**FUNCTIONS, **OBJECTS, **LIBRARIES}


@pytest.mark.parametrize("answer, test", CASES.values(), ids=CASES.keys())
def test_it_works_beside_the_student_and_over_the_wire(answer, test, verdict_on, tmp_path):
    own = tmp_path / "cell.py"  # inspect reads the text of functions from a file
    own.write_text(answer)
    names = {"__name__": "__main__"}
    exec(compile(answer, str(own), "exec"), names)
    exec(compile(test, "<test>", "exec", dont_inherit=True), names)
    verdict = verdict_on(answer, test)
    assert (verdict.kind, verdict.points, verdict.message) == ("passed", 2, "")
