import os
from pathlib import Path

import pytest

from examiner.kernels import WarmKernels
from examiner.limits import Limits


@pytest.fixture(scope="session")
def warm():
    with WarmKernels() as kernels:
        yield kernels


@pytest.fixture
def limits() -> Limits:
    """Tight enough that a suite of faults stays quick."""
    return Limits(cell_seconds=3, test_seconds=2, grace_seconds=0.4, submission_seconds=60, memory_mb=400, scratch_mb=64,
                  file_mb=32, processes=96, output_kb=64)  # fmt: skip


@pytest.fixture
def clean_box(warm):
    """Fails when a test leaves a process of a student kernel, or a file of one, behind."""
    yield
    assert student_processes() == []
    assert list(warm._boxes.glob("k*")) == []


def student_processes() -> list[str]:
    """Processes of student kernels: the children of warm processes, and what no longer has a parent but them."""
    processes = [folder.name for folder in Path("/proc").glob("[0-9]*")]
    warm = {name for name in processes if _is_warm(name)}
    return [name for name in processes if name not in warm and _parent(name) in warm]


def _is_warm(name: str) -> bool:
    return b"examiner.warm" in _read(name, "cmdline") and not _read(name, "comm").startswith(b"bwrap")


def _parent(name: str) -> str:
    fields = _read(name, "stat").rsplit(b")", 1)
    return fields[1].split()[1].decode() if len(fields) == 2 else ""


def _read(name: str, what: str) -> bytes:
    try:
        return Path("/proc", name, what).read_bytes()
    except OSError:
        return b""


def pytest_collection_modifyitems(items):
    if os.name != "posix":
        for item in items:
            item.add_marker(pytest.mark.skip(reason="student kernels are forked"))
