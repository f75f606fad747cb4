"""Each file in faults/ breaks something. Every test cell still gets a verdict, and the tests around it their points."""

import nbformat
import pytest

from hostile import FAULTS, fault_source, fault_submission
from nbjudge._execution.execute import execute


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.stem)
def test_fault_costs_one_test(path, warm, limits, clean_box):
    result = execute(fault_submission(path), fault_source(), warm, limits)
    verdicts = {verdict.grade_id: verdict for verdict in result.verdicts}
    assert {name: verdict.points for name, verdict in verdicts.items()} == {"before": 1, "fault": 0, "after": 1, "after_all": 1}, verdicts
    assert verdicts["fault"].message
    assert result.seconds < limits.submission_seconds  # it cost its test's limit, the grace and a restart, not the submission's time
    nbformat.validate(result.notebook)
    assert sum(len(str(cell.outputs)) for cell in result.notebook.cells) < 1_000_000


LATER = "import os, signal, threading\ndef work(x):\n    {}\n    return -1"
AFTER_THE_TEST = {
    "ends in a thread": LATER.format("threading.Timer(0.3, os._exit, (3,)).start()"),
    "ends in an alarm": LATER.format("signal.setitimer(signal.ITIMER_REAL, 0.3)"),
    "stops": LATER.format("threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGSTOP)).start()"),
}


@pytest.mark.parametrize("where", ["test", "cell"])
@pytest.mark.parametrize("work", AFTER_THE_TEST.values(), ids=AFTER_THE_TEST.keys())
def test_what_comes_of_a_fault_later_costs_no_other_test(work, where, warm, limits, clean_box):
    """The kernel ends while it works for the next test or cell."""
    source = fault_source()
    submission = fault_source()
    submission.cells[3].source = work
    if where == "test":
        source.cells[5].source = "import time\ntime.sleep(0.6)\nassert good(2) == 3"
    else:
        submission.cells[6].source += "\nimport time\ntime.sleep(0.6)"
    points = {verdict.grade_id: verdict.points for verdict in execute(submission, source, warm, limits).verdicts}
    assert points == {"before": 1, "fault": 0, "after": 1, "after_all": 1}
