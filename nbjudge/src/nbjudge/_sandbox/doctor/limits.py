"""Attempts to use more than the limits allow: those that grading uses, whatever they are."""

from nbjudge._sandbox.doctor.attempts import Attempt

AMOUNTS = (
    Attempt(
        "limits",
        "take more memory than allowed",
        """
try:
    data = bytearray((about["limits"]["memory_mb"] + 64) * 1048576)
    escaped = True
except MemoryError:
    escaped = False
data = None""",
    ),
    Attempt(
        "limits",
        "take it in many processes",
        """
import time
each = about["limits"]["memory_mb"] // 4 * 1048576
reads, writes = os.pipe()
for _ in range(5):
    if os.fork() == 0:
        data = bytearray(each)
        for start in range(0, each, 4096):
            data[start] = 1
        os.write(writes, b"x")
        time.sleep(60)
        os._exit(0)
for _ in range(5):
    os.read(reads, 1)
time.sleep(2)  # its supervisor looks five times a second
escaped = True""",
    ),
    Attempt(
        "limits",
        "write a larger file than allowed",
        """
escaped = False
with open("large", "wb") as file:
    size, number = (about["limits"]["file_mb"] + 1) * 1048576, file.fileno()
    for action, *values in ((os.truncate, size), (os.pwrite, b"x", size), (os.posix_fallocate, 0, size)):
        escaped = escaped or done(action, number, *values)
os.unlink("large")""",
    ),
    Attempt(
        "limits",
        "fill its scratch folder and shared memory beyond their size",
        """
escaped = []
for folder in (".", "/tmp", "/dev/shm"):
    left, names = (about["limits"]["scratch_mb"] + about["limits"]["file_mb"]) * 1048576, []
    while left > 0:
        size = min(left, about["limits"]["file_mb"] * 1048576)
        names.append(f"{folder}/full{len(names)}")
        with open(names[-1], "wb") as file:
            if not done(os.posix_fallocate, file.fileno(), 0, size):
                break
        left -= size
    if left <= 0:
        escaped.append(folder)
    for name in names:
        os.unlink(name)""",
    ),
    Attempt(
        "limits",
        "make files without end",
        """
escaped = True
for number in range(21_000):
    if not done(os.mknod, f"file{number}"):
        escaped = False
        break""",
    ),
    Attempt(
        "limits",
        "start more processes than allowed",
        """
import time
escaped = True
for _ in range(about["limits"]["processes"] + 8):
    try:
        child = os.fork()
    except OSError:
        escaped = False
        break
    if child == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(2 * escaped)""",
    ),
    Attempt(
        "limits",
        "start more threads than allowed",
        """
import threading, time
escaped = True
for _ in range(about["limits"]["processes"] + 8):
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except RuntimeError:
        escaped = False
        break
time.sleep(2 * escaped)""",
    ),
    Attempt(
        "limits",
        "open more files than allowed",
        """
files = []
try:
    for _ in range(about["limits"]["open_files"] + 8):
        files.append(os.dup(0))
    escaped = True
except OSError:
    escaped = False
for file in files:
    os.close(file)""",
    ),
    Attempt(
        "limits",
        "raise its own limits",
        """
import resource
escaped = []
for name in ("RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_DATA", "RLIMIT_CORE"):
    which = getattr(resource, name)
    most = resource.getrlimit(which)[1]
    if most == resource.RLIM_INFINITY or done(resource.setrlimit, which, (most + 1, most + 1)):
        escaped.append(name)""",
    ),
    Attempt(
        "limits",
        "leave a picture of its memory on the disk",
        """
import resource
escaped = resource.getrlimit(resource.RLIMIT_CORE)[1] != 0""",
    ),
)
