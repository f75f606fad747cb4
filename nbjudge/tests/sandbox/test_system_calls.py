"""The filter of system calls: what honest notebooks do goes on, on both kinds of kernel; and where it cannot be made, nothing is graded."""

from __future__ import annotations

import ctypes.util
import importlib.util
import subprocess
import sys

import pytest
from jupyter_client import BlockingKernelClient

from nbjudge._sandbox import bubblewrap, starting
from nbjudge._sandbox.channel import Channel
from nbjudge._student import system_calls
from nbjudge._wire.errors import SandboxMissing

HONEST = {
    "a database in a file": """
import sqlite3
with sqlite3.connect("students.db") as database:
    database.execute("create table points (name, points)")
    database.executemany("insert into points values (?, ?)", [("a", 1), ("b", 2)])
other = sqlite3.connect("students.db")
print(other.execute("select sum(points) from points").fetchone()[0] == 3)""",
    "a pool of processes": """
import multiprocessing
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(abs, [-1, -2, 3]) == [1, 2, 3])""",
    "processes that are started anew": """
from concurrent.futures import ProcessPoolExecutor
import multiprocessing
with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
    print(pool.submit(abs, -1).result() == 1)""",
    "shared memory of processes": """
from multiprocessing import Array, Lock, Process, Queue, shared_memory
numbers, queue = Array("d", 3), Queue()
def work():
    with numbers.get_lock():
        numbers[1] = 5
    queue.put("done")
process = Process(target=work)
process.start()
said = queue.get()
process.join()
block = shared_memory.SharedMemory(create=True, size=100)
block.close()
block.unlink()
print(said == "done" and numbers[1] == 5)""",
    "loading data with workers": """
import torch
from torch.utils.data import DataLoader, TensorDataset
numbers = torch.arange(12.0)
batches = [batch for (batch,) in DataLoader(TensorDataset(numbers), batch_size=4, num_workers=2)]
print(torch.equal(torch.cat(batches), numbers))""",
    "training": """
import torch
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(2, 3)).sum().backward()
optimizer.step()
torch.save(model.state_dict(), "model.pt")
print(set(torch.load("model.pt")) == {"weight", "bias"})""",
    "commands of the shell": "[line] = get_ipython().getoutput('echo hello | tr a-z A-Z')\nprint(line == 'HELLO')",
    "a command that is shown": "!echo True",
    "a script of the shell": "open('script.sh', 'w').write('echo True')\n!bash script.sh",
    "another Python": """
import subprocess, sys
print(subprocess.check_output([sys.executable, "-c", "import numpy; print(1)"], text=True) == "1\\n")""",
    "a command beside an event loop": """
import asyncio
async def ask():
    process = await asyncio.create_subprocess_exec("echo", "hello", stdout=asyncio.subprocess.PIPE)
    return (await process.communicate())[0]
print(await ask() == b"hello\\n")""",
    "threads": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(abs, range(-9, 0))) == 45)""",
    "pictures": """
import matplotlib.pyplot as plt
figure = plt.figure()
figure.gca().set_title("a title")
figure.savefig("picture.pdf")
plt.close()
print(True)""",
    "a server and its client": """
import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/", timeout=5).status == 200)""",
    "messages of ZeroMQ": """
import zmq
context = zmq.Context()
hears, says = context.socket(zmq.PULL), context.socket(zmq.PUSH)
says.connect(f"tcp://127.0.0.1:{hears.bind_to_random_port('tcp://127.0.0.1')}")
says.send(b"hello")
print(hears.recv() == b"hello")""",
    "files and folders": """
import os, pathlib, shutil, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "a")
    path.write_text("text")
    shutil.copy(path, path.with_name("b"))
    path.chmod(0o600)
    path.with_name("c").symlink_to(path)
    os.utime(path)
    print(sorted(os.listdir(folder)) == ["a", "b", "c"] and shutil.disk_usage(folder).total > 0)""",
    "a lock on a file": """
import fcntl
file = open("lock", "w")
fcntl.lockf(file, fcntl.LOCK_EX)
fcntl.lockf(file, fcntl.LOCK_UN)
print(True)""",
    "arrays in files": """
import numpy as np
numbers = np.lib.format.open_memmap("n.npy", mode="w+", shape=(9,))
numbers[:] = 1
numbers.flush()
print(np.load("n.npy", mmap_mode="r").sum() == 9)""",
    "what the machine is": "import os, platform\nprint(bool(platform.machine() and os.cpu_count() and os.sysconf('SC_PHYS_PAGES') > 0))",
    "machine code of its own": "import ctypes\nprint(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x + 1)(1) == 2)",
}


@pytest.mark.parametrize("what", HONEST)
def test_honest_work_goes_on(warm, limits, what: str) -> None:
    kernel = warm.start(limits)
    try:
        outputs = Channel(kernel, limits).run(HONEST[what], 60)
    finally:
        kernel.close()
    assert (outputs[-1].get("text") or str(outputs[-1])).strip() == "True"


EVERY_THREAD = """
import os
for thread in os.listdir("/proc/self/task"):
    print([line.split()[1] for line in open(f"/proc/self/task/{thread}/status") if line.startswith(("Cap", "Seccomp:", "NoNewPrivs:"))])
"""


def test_every_thread_of_a_kernel_on_sockets_is_sealed(warm, limits) -> None:
    """Its sockets and their threads are made on the way; rights belong to threads, so those that were there before would keep theirs."""
    kernel = warm.start(limits, connection={})
    client = BlockingKernelClient()
    client.load_connection_info(kernel.connection)
    client.start_channels()
    said: list[str] = []
    try:
        client.wait_for_ready(timeout=60)
        client.execute_interactive(EVERY_THREAD, timeout=30, output_hook=lambda message: said.append(message["content"].get("text", "")))
    finally:
        client.stop_channels()
        kernel.close()
    threads = "".join(said).splitlines()
    assert len(threads) > 5
    assert set(threads) == {str([*["0" * 16] * 5, "1", "2"])}


def test_a_call_that_this_processor_does_not_have_is_left_out(monkeypatch) -> None:
    monkeypatch.setattr(system_calls, "ALLOWED", (*system_calls.ALLOWED, "nobody_ever_heard_of_it"))
    monkeypatch.setattr(system_calls, "NOT_PERMITTED", (*system_calls.NOT_PERMITTED, "nor_of_this"))
    assert all(system_calls.compiled().programs)


def test_the_filter_is_made_for_other_processors(monkeypatch) -> None:
    """What aarch64 has of the lists is known to libseccomp; `compiled` leaves the rest out."""
    import pyseccomp

    names = (*system_calls.ALLOWED, *system_calls.NOT_PERMITTED)
    missing = {name for name in names if pyseccomp.resolve_syscall(pyseccomp.Arch.AARCH64, name) < 0}
    needed = "clone openat execve prctl keyctl mount ptrace seccomp ppoll epoll_pwait dup3 pipe2"
    assert not missing & set(needed.split())


NEXT = {"pyseccomp": "pip install pyseccomp", "libseccomp": "sudo apt-get install -y libseccomp2"}


@pytest.mark.parametrize("missing", NEXT)
def test_without_a_filter_nothing_is_graded(monkeypatch, missing: str) -> None:
    find = importlib.util.find_spec
    if missing == "pyseccomp":
        monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "pyseccomp" else find(name, *rest))
    else:
        monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    bubblewrap.why_not.cache_clear()
    try:
        with pytest.raises(SandboxMissing, match=NEXT[missing]) as caught:
            starting.WarmKernels()
    finally:
        bubblewrap.why_not.cache_clear()
    assert "Nothing was graded" in str(caught.value)


def test_a_filter_that_linux_refuses_is_told_as_such(monkeypatch) -> None:
    monkeypatch.setattr(bubblewrap, "PROBE", bubblewrap.PROBE.replace("try_filter(made.load)", "try_filter(lambda: os.stat('/nowhere'))"))
    bubblewrap.why_not.cache_clear()
    try:
        assert "System calls cannot be filtered here" in (bubblewrap.why_not() or "")
    finally:
        bubblewrap.why_not.cache_clear()


def test_a_warm_process_without_the_library_does_not_come_up() -> None:
    """It is looked for before; should it go between, no kernel starts without a filter."""
    code = "import sys; sys.modules['pyseccomp'] = None\nfrom nbjudge._student import system_calls\nsystem_calls.compiled()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "ModuleNotFoundError" in done.stderr
