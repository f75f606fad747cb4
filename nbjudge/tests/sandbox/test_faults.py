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
