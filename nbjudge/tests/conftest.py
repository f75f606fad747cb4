import os
import time
from pathlib import Path

import pytest

from helpers.instructors import LIMITS, build, handed_in
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.execute import execute
from nbjudge._execution.verdicts import Verdict
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import code, notebook, test_cell
from nbjudge.testing.processes import descendants


@pytest.fixture(scope="session")
def warm():
    with WarmKernels() as kernels:
        yield kernels


@pytest.fixture
def limits() -> Limits:
    """Tight enough that a suite of faults stays quick."""
    return Limits(
        cell_seconds=3,
        test_seconds=2,
        grace_seconds=0.4,
        submission_seconds=300,
        memory_mb=400,
        scratch_mb=64,
        file_mb=32,
        processes=96,
        output_kb=64,
    )


@pytest.fixture
def verdict_on(warm):
    """What a test cell says of an answer; the solution is the same unless another is given."""

    def run(answer: str, test: str, solution: str | None = None, excuse: bool = True, **limits):
        cells = [code(text, solution=True, grade_id="work", cell_type="code") for text in (answer, answer if solution is None else solution)]
        submitted, source = (notebook(own, test_cell("test", test, 2)) for own in cells)
        chosen = Limits(**{"test_seconds": 20, "cell_seconds": 20, **limits})
        return execute(submitted, Instructor(source), warm, chosen, excuse=excuse and solution is not None).verdicts[0]

    return run


@pytest.fixture
def verdicts(warm):
    """Grades the instructor's own solution, or a student's answers."""

    def run(parts: list, *answers: str, folder: Path | None = None, **about) -> list[Verdict]:
        source = build(*parts)
        files = [folder] if folder else []
        submitted = handed_in(source, *answers) if answers else source
        return execute(submitted, Instructor(source, folder, **about), warm, LIMITS, files).verdicts

    return run


@pytest.fixture
def clean_box(warm):
    """Fails when a test leaves a process of a student kernel, or a file of one, behind."""
    warm.wait_until_warm()
    before = descendants(warm._process.pid)
    yield
    deadline = time.monotonic() + 10  # a process that is already without memory stays listed for a moment
    while (left := descendants(warm._process.pid) - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left
    assert list(warm._boxes.glob("k*")) == []


def pytest_collection_modifyitems(items):
    if os.name != "posix":
        for item in items:
            item.add_marker(pytest.mark.skip(reason="student kernels are forked"))
