"""How the processes of an account end, in a process namespace of their own: nothing of this machine's can be hit."""

import json
import subprocess
import sys

import pytest

ENDED = """
import json, os, signal, sys, time
from nbjudge._student import namespaces, supervisor

def started(uid, work):
    if (process := os.fork()) == 0:
        os.setsid()
        namespaces.become(uid)
        try:
            work()
        finally:
            os._exit(0)
    return process

def sleep():
    if os.fork() == 0:
        os.setsid()
    time.sleep(300)

def stop_all():  # whoever comes to end them
    for _ in range(8):
        if os.fork() == 0:
            break
    while True:
        os.kill(-1, signal.SIGSTOP)

mine, another = 1_400_000_006, 1_400_000_007
started(another, sleep)
if (ending := os.fork()) == 0:
    namespaces.prctl(namespaces.PR_SET_CHILD_SUBREAPER, 1)
    started(mine, {"sleep": sleep, "stop_all": stop_all}[sys.argv[1]])
    time.sleep(0.5)
    began = time.monotonic()
    supervisor.end_account(mine)
    print(json.dumps(time.monotonic() - began), flush=True)
    os._exit(0)
os.waitpid(ending, 0)
print(json.dumps([os.stat(f"/proc/{name}").st_uid for name in os.listdir("/proc") if name.isdigit()]))
"""


pytestmark = pytest.mark.root


def alone(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it where it sees no process but its own."""
    line = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, "-c", script, *arguments]
    done = subprocess.run(line, text=True, capture_output=True, timeout=60, check=False)
    if "unshare failed" in done.stderr:
        pytest.skip(f"no namespace can be made here: {done.stderr}")
    return done


@pytest.mark.parametrize("work", ["sleep", "stop_all"])
def test_an_account_ends_at_once_and_no_other_does(work):
    seconds, users = map(json.loads, alone(ENDED, work).stdout.splitlines())
    assert seconds < 5
    assert sorted(users) == [0, 1_400_000_007, 1_400_000_007]  # this script, and the other account's two


def test_root_is_no_kernels_account():
    done = alone("from nbjudge._student import supervisor\nsupervisor.end_account(0)")
    assert "RuntimeError: root's processes are not one kernel's" in done.stderr
