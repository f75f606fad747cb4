"""What all processes of one student kernel take together, also what none of them shows, stays within its limit."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hostile import FAULTS, fault_source
from nbjudge._execution.execute import execute
from nbjudge._sandbox import doctor, memory_groups, starting
from nbjudge._sandbox.channel import Channel
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.errors import KernelStartFailed
from nbjudge._wire.errors import TestStopped as Stopped
from nbjudge._wire.limits import MB, Limits

ATTACKS = [path for path in FAULTS if path.stem.startswith("memory_")]
# They are not refused and stay below the limit: Linux itself bounds them.
SMALL = {"memory_in_pipes", "memory_messages", "memory_sockets_in_messages"}
GROUPS = pytest.mark.skipif(memory_groups.groups_can_be_had() is None, reason="this user can make no memory group here")


@pytest.fixture(scope="module")
def counted() -> Iterator[WarmKernels]:
    """Kernels without memory groups, as on a machine where there are none to be had."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory_groups, "groups_can_be_had", lambda: None)
        kernels = WarmKernels()
    with kernels:
        kernels.wait_until_warm()
        yield kernels


def free() -> int:
    """Bytes that this machine could still give to somebody."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith("MemAvailable:")))


class Lowest:
    """By how much the free memory of the machine falls meanwhile, at most."""

    def __enter__(self) -> Lowest:
        self.fallen, self._before, self._runs = 0, free(), True
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._runs = False
        self._thread.join()

    def _look(self) -> None:
        while self._runs:
            self.fallen = max(self.fallen, self._before - free())
            time.sleep(0.002)


@GROUPS
@pytest.mark.quiet
@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_the_machine_loses_no_more_than_the_limit_and_a_tenth(path: Path, warm: WarmKernels) -> None:
    limits = Limits(memory_mb=512)
    kernel = warm.start(limits)
    try:
        channel = Channel(kernel, limits)
        channel.run("pass", 10)
        with Lowest() as memory:
            try:
                channel.run(f"{path.read_text()}\nwork(1)", 6)
            except Stopped:
                pass
    finally:
        kernel.close()
    assert memory.fallen <= 1.1 * limits.memory_mb * MB


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_without_a_group_it_is_refused_or_counted(path: Path, counted: WarmKernels, limits: Limits) -> None:
    submission = fault_source()
    submission.cells[3].source = path.read_text()
    result = execute(submission, fault_source(), counted, limits)
    verdicts = {verdict.grade_id: verdict for verdict in result.verdicts}
    assert {name: verdict.points for name, verdict in verdicts.items()} == {"before": 1, "fault": 0, "after": 1, "after_all": 1}, verdicts
    if path.stem not in SMALL:
        assert verdicts["fault"].kind in ("ended", "timeout", "failed") and verdicts["fault"].message


def test_memory_that_processes_inherit_is_not_theirs(counted: WarmKernels, limits: Limits) -> None:
    """Many processes share what the warm process had, and what the kernel took before they were forked."""
    kernel = counted.start(limits)
    try:
        code = """
import os, time
held = b"x" * 200_000_000
children = []
for _ in range(12):
    if (child := os.fork()) == 0:
        time.sleep(3)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
print("all well")
"""
        assert Channel(kernel, limits).run(code, 20)[0].text == "all well\n"
    finally:
        kernel.close()


@GROUPS
def test_too_much_is_an_error_of_python_before_it_is_the_end(warm: WarmKernels) -> None:
    limits = Limits(memory_mb=512)
    kernel = warm.start(limits)
    try:
        code = """
held = []
try:
    while True:
        held.append(b"x" * 10_000_000)
except MemoryError:
    held = None
    print("told")
"""
        assert Channel(kernel, limits).run(code, 20)[0].text == "told\n"
    finally:
        kernel.close()


@GROUPS
def test_groups_are_removed_with_their_kernels() -> None:
    with WarmKernels() as warm:
        kernel = warm.start(Limits())
        [group] = warm._groups.parent.glob("k*")
        Channel(kernel, Limits()).run("import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True)", 10)
        kernel.close()
        assert not group.exists()
        parent = warm._groups.parent
    assert not parent.exists()


@GROUPS
def test_groups_of_a_killed_grader_are_removed_by_the_next() -> None:
    left, lock = starting.new_folder()
    groups = memory_groups.groups_named(left.name)
    groups.make("k1", 100).close()
    lock.close()  # what the system does when the owner is gone
    starting.remove_left()
    assert not groups.parent.exists()


@GROUPS
def test_a_kernel_without_its_group_does_not_start(warm: WarmKernels, limits: Limits) -> None:
    starter = warm.starter()
    starter._groups = memory_groups.MemoryGroups(Path("/nowhere"), 1)
    with pytest.raises(KernelStartFailed, match="memory group"):
        starter.start(limits)


def test_the_doctor_says_what_holds() -> None:
    said = memory_groups.what_holds()
    assert ("memory group" in said) == (memory_groups.groups_can_be_had() is not None)


@pytest.mark.slow
@pytest.mark.parametrize("attempt", [one for one in doctor.ATTEMPTS if one.layer == "memory"], ids=lambda one: one.what)
def test_the_doctors_attempts_fail_without_groups(attempt, counted: WarmKernels) -> None:
    limits = Limits(memory_mb=400)
    patient = doctor.examination.Patient(counted, limits, {"limits": limits.as_dict(), "numbers": {}})
    try:
        found = doctor.examination._make(attempt, patient)
    finally:
        patient.close()
    assert found.holds, found


def test_version_and_place_are_read_from_the_tree() -> None:
    """The folder where this process is, in each tree that is mounted, lists this process."""
    for controller in ("memory", ""):
        folder = memory_groups._own_folder(controller)
        if folder is not None and (folder / "cgroup.procs").exists():
            assert str(os.getpid()) in (folder / "cgroup.procs").read_text().split()
