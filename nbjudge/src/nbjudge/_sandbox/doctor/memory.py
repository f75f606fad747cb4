"""Attempts to take memory that no process shows as its own: see `nbjudge._sandbox.memory_groups`."""

from nbjudge._sandbox.doctor.attempts import Attempt

# `most` is more than is allowed. `held(size, take)`: whether as much can be taken, a piece of `size` bytes with each call of `take`.
TAKE = """
import mmap, time
most = (about["limits"]["memory_mb"] + 128) * 1048576
libc.mmap.restype = libc.shmat.restype = ctypes.c_void_p
FAILED = ctypes.c_void_p(-1).value
def held(size, take):
    left = most
    try:
        while left > 0:
            take()
            left -= size
    except (OSError, MemoryError):
        return False
    time.sleep(2)  # its supervisor looks five times a second
    return True
def refused(result):
    if result in (-1, FAILED):
        raise OSError(ctypes.get_errno())
    return result
def in_processes(number, take):
    for _ in range(min(number, about["limits"]["processes"] - 8)):
        if os.fork() == 0:
            try:
                take()
            finally:
                time.sleep(60)
    time.sleep(6)
    return True
def filled(end):
    end.setblocking(False)
    sent = 0
    try:
        while True:
            sent += end.send(bytes(65536))
    except BlockingIOError:
        return sent
SIZE = 64 * 1048576
"""

MEMORY = tuple(
    Attempt("memory", what, TAKE + code, limits={"scratch_mb": 128})  # two such folders hold more than `most` is above what is allowed
    for what, code in (
        (
            "hold shared memory that is out of its sight",
            """
kept = []
def take():
    kept.append(mmap.mmap(-1, SIZE))
    kept[-1].write(bytes(1) * SIZE)
    kept[-1].madvise(mmap.MADV_DONTNEED)
escaped = held(SIZE, take)""",
        ),
        (
            "hold shared memory of which it has one page",
            """
def take():
    place = refused(libc.mmap(None, ctypes.c_size_t(SIZE), 3, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, ctypes.c_long(0)))
    ctypes.memset(place, 1, SIZE)
    libc.munmap(ctypes.c_void_p(place + 4096), ctypes.c_size_t(SIZE - 4096))
escaped = held(SIZE, take)""",
        ),
        (
            "hold shared memory by way of a device",
            """
zero, kept = os.open("/dev/zero", os.O_RDWR), []
def take():
    kept.append(mmap.mmap(zero, SIZE))
    kept[-1].write(b"x" * SIZE)
    kept[-1].madvise(mmap.MADV_DONTNEED)
escaped = held(SIZE, take)""",
        ),
        (
            "hold System V's shared memory that nobody has",
            """
def take():
    number = refused(libc.shmget(0, ctypes.c_size_t(SIZE), 0o1600))
    place = refused(libc.shmat(number, None, 0))
    ctypes.memset(place, 1, SIZE)
    libc.shmdt(ctypes.c_void_p(place))
escaped = held(SIZE, take)""",
        ),
        (
            "hold memory of the system's in semaphores",
            """
escaped = held(32000 * 64, lambda: refused(libc.semget(0, 32000, 0o1600)))  # 64 bytes each, and what Linux rounds up is not sure""",
        ),
        (
            "hold memory of the system's in tables of pages",
            """
EACH = 2 ** 38
def take():
    place = refused(libc.mmap(None, ctypes.c_size_t(EACH), 1, 0x4022, -1, ctypes.c_long(0)))
    libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(EACH), 15)  # small pages
    for at in range(place, place + EACH, 2 ** 21):
        ctypes.c_char.from_address(at).value
escaped = held(EACH // 512, take)""",
        ),
        (
            "hold memory in its files, and as much besides as it may without them",
            """
kept = []
for folder in (".", "/dev/shm"):
    number = 0
    try:
        while True:
            with open(f"{folder}/held{number}", "wb") as file:
                os.posix_fallocate(file.fileno(), 0, 8 * 1048576)
            number += 1
    except OSError:
        pass
files = sum(os.stat(f"{folder}/{name}").st_blocks * 512 for folder in (".", "/dev/shm") for name in os.listdir(folder))
most -= files
escaped = held(SIZE, lambda: kept.append(b"x" * SIZE))""",
        ),
        (
            "hold memory in the buffers of its sockets",
            """
kept = []
def take():
    left = 2 * most // 30  # of each process, so that all together hold more than `most`, and come to an end
    while left > 0:
        kept.append(socket.socketpair())
        for end in kept[-1]:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 ** 30)
            left -= filled(end)
escaped = in_processes(60, take)""",
        ),
        (
            "hold memory in the buffers of connections",
            """
def take():
    kept, server = [], socket.create_server(("127.0.0.1", 0), backlog=200)
    while True:
        kept += [socket.create_connection(server.getsockname()), server.accept()[0]]
        for end in kept[-2:]:
            filled(end)
escaped = in_processes(60, take)""",
        ),
    )
)
