"""Attempts of two students who are graded at the same time to tell each other something.

`tell` runs in the first kernel and goes on in the background where it serves; `hear` runs in the second.
"""

from nbjudge._sandbox.doctor.attempts import Pair

SERVE = """
server.listen()
def serve():
    while True:
        server.accept()[0].sendall(b"the answer")
import threading
threading.Thread(target=serve, daemon=True).start()"""
SHARED = '"/bin/true"'  # a file that all kernels see
LOCK = "import fcntl\nfile = open(" + SHARED + ', "rb")\n'


def _connects(what: str, family: str, address: str) -> Pair:
    hear = f"escaped = done(socket.socket({family}).connect, {address})"
    clean = f"\ndone(os.unlink, {address})" if "/" in address else ""
    return Pair(what, f"server = socket.socket({family})\nserver.bind({address})" + SERVE, hear + clean)


def _file(what: str, path: str) -> Pair:
    return Pair(what, f"open({path!r}, 'w').write('the answer')", f"escaped = readable({path!r})\ndone(os.unlink, {path!r})")


def _lock(what: str, tell: str, hear: str) -> Pair:
    return Pair(what, LOCK + tell, LOCK + hear)


RECORD = 'struct.pack("hhqqi4x", {kind}, 0, 0, 1, 0)'  # of a lock, as fcntl(2) takes it on 64-bit machines
ASK = f"""
try:
    kind = struct.unpack("h", fcntl.fcntl(file, COMMAND, {RECORD.format(kind="fcntl.F_WRLCK")})[:2])[0]
    escaped = kind == fcntl.F_RDLCK
except OSError:
    escaped = False"""
WAITS = """
import mmap
libc.mmap.restype = ctypes.c_void_p
with open("/bin/true", "rb") as file:
    address = libc.mmap(None, ctypes.c_size_t(4096), mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), ctypes.c_long(0))
first = ctypes.c_int.from_address(address).value
pause = ctypes.create_string_buffer(struct.pack("qq", 20, 0))
"""
PAIRS = (
    _connects("an abstract socket", "socket.AF_UNIX", '"\\0nbjudge-doctor"'),
    _connects("a socket in the scratch folder", "socket.AF_UNIX", '"/tmp/doctor-socket"'),
    _connects("a socket in shared memory", "socket.AF_UNIX", '"/dev/shm/doctor-socket"'),
    _connects("TCP on the loopback", "socket.AF_INET", '("127.0.0.1", 47998)'),
    _connects("TCP on the loopback, version 6", "socket.AF_INET6", '("::1", 47998)'),
    Pair(
        "a port that is taken",
        'taken = socket.socket()\ntaken.bind(("127.0.0.1", 47997))',
        'escaped = not done(socket.socket().bind, ("127.0.0.1", 47997))',
    ),
    Pair(
        "UDP on the loopback",
        """
waits = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
waits.bind(("127.0.0.1", 47996))
def echo():
    while True:
        said, sender = waits.recvfrom(100)
        waits.sendto(said, sender)
import threading
threading.Thread(target=echo, daemon=True).start()""",
        """
asks = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asks.settimeout(0.2)
asks.sendto(b"?", ("127.0.0.1", 47996))
escaped = done(asks.recv, 100)""",
    ),
    _file("a file in the scratch folder", "/tmp/doctor-file"),
    _file("a file in shared memory", "/dev/shm/doctor-file"),
    Pair(
        "shared memory of System V",
        "told = libc.shmget(0x4711, 4096, 0o1666)",
        "found = libc.shmget(0x4711, 4096, 0o666)\nescaped = found >= 0\nlibc.shmctl(found, 0, 0)",
    ),
    Pair(
        "semaphores of System V",
        "told = libc.semget(0x4711, 1, 0o1666)",
        "found = libc.semget(0x4711, 1, 0o666)\nescaped = found >= 0\nlibc.semctl(found, 0, 0)",
    ),
    Pair(
        "messages of System V",
        "told = libc.msgget(0x4711, 0o1666)",
        "found = libc.msgget(0x4711, 0o666)\nescaped = found >= 0\nlibc.msgctl(found, 0, 0)",
    ),
    Pair(
        "a message queue",
        "told = call('mq_open', b'doctor', os.O_CREAT | os.O_RDWR, 0o666, 0)",
        "escaped = call('mq_open', b'doctor', os.O_RDWR, 0o666, 0) >= 0\ncall('mq_unlink', b'doctor')",
    ),
    _lock("a lock on a file that both see (flock)", "told = done(fcntl.flock, file, fcntl.LOCK_EX)", "escaped = reached('flock', file.fileno(), 6)"),
    _lock("a record lock on one", "told = done(fcntl.lockf, file, fcntl.LOCK_SH, 1)", ASK.replace("COMMAND", "fcntl.F_GETLK")),
    _lock(
        "a lock of an open file on one",
        "told = done(fcntl.fcntl, file, 37, " + RECORD.format(kind="fcntl.F_RDLCK") + ")",
        ASK.replace("COMMAND", "36"),
    ),
    Pair(
        "a record lock on /dev/null, which both may write to",
        'import fcntl\nfile = open("/dev/null", "wb")\ntold = done(fcntl.lockf, file, fcntl.LOCK_EX, 1)',
        'import fcntl\nfile = open("/dev/null", "wb")\nescaped = not done(fcntl.lockf, file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)',
    ),
    _lock(
        "a lease on one",
        "told = done(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)",
        "escaped = done(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_WRLCK) or done(fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    ),
    Pair(
        "news of files that both see (inotify)",
        """
watch = call("inotify_init1", os.O_NONBLOCK)
told = watch >= 0 and call("inotify_add_watch", watch, b"/bin", 0x20)""",
        "escaped = call('inotify_init1', 0) >= 0",
    ),
    Pair(
        "news of folders that both see (dnotify)",
        "told = True",
        """
import fcntl, signal
signal.signal(signal.SIGIO, signal.SIG_IGN)
escaped = done(fcntl.fcntl, os.open("/bin", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)""",
    ),
    Pair(
        "a key that is kept by Linux",
        "told = call('add_key', b'user', b'doctor', b'the answer', 10, -4)",
        """
escaped = call("request_key", b"user", b"doctor", 0, -4) > 0 or reached("keyctl", 0, -4, 0)""",
    ),
    Pair(
        "the name of a process",
        """
told = libc.prctl(15, b"the-answer", 0, 0, 0)
thread = open("/proc/self/comm").read()""",
        """
escaped = [name for name in os.listdir("/proc") if name.isdigit() and open(f"/proc/{name}/comm").read() == "the-answer\\n"]""",
    ),
    Pair(
        "signals",
        "told = os.getpid()",
        """
others = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {os.getpid(), os.getppid()}
escaped = [process for process in others if done(os.kill, process, 0)]""",
    ),
    Pair(
        "memory that has no name, through /proc",
        """
memory = call("memfd_create", b"the-answer", 0)
told = memory >= 0 and os.write(memory, b"the answer")""",
        """
import glob
def named(path):
    try:
        return "the-answer" in os.readlink(path)
    except OSError:
        return False
escaped = [path for path in glob.glob("/proc/[0-9]*/fd/*") if named(path)]""",
    ),
    Pair(
        "the time of a device's last change",
        'told = done(os.utime, "/dev/null")',
        'import time\nescaped = time.time() - os.stat("/dev/null").st_mtime < 5 and done(os.utime, "/dev/null")',
    ),
    Pair(
        "the place in a file that was open before both began",
        """
def regular():
    import stat
    return [number for number in map(int, os.listdir("/proc/self/fd")) if os.path.exists(f"/proc/self/fd/{number}")
            and stat.S_ISREG(os.fstat(number).st_mode)]
before = {number: os.lseek(number, 0, os.SEEK_CUR) for number in regular()}
told = [os.lseek(number, 4711, os.SEEK_SET) for number in before]""",
        """
import stat
escaped = [number for number in map(int, os.listdir("/proc/self/fd")) if os.path.exists(f"/proc/self/fd/{number}")
           and stat.S_ISREG(os.fstat(number).st_mode) and os.lseek(number, 0, os.SEEK_CUR) == 4711]""",
    ),
    Pair(
        "the number of a terminal",
        "import pty\nterminals = [pty.openpty() for _ in range(7)]",
        "import pty\nescaped = int(os.ttyname(pty.openpty()[1]).rsplit('/', 1)[1]) >= 7",
    ),
    Pair(
        "locks, sockets and queues that /proc lists",
        "server = socket.socket(socket.AF_UNIX)\nserver.bind('\\0doctor-listed')",
        """
lists = [path for path in ("/proc/net/unix", "/proc/locks", "/proc/sysvipc/shm") if os.path.exists(path)]
escaped = [path for path in lists if b"doctor-listed" in open(path, "rb").read()]""",
    ),
    Pair(
        "a place in a file that both see, to wait at and be woken (futex)",
        WAITS
        + """
import threading
threading.Thread(target=lambda: call("futex", address, 0, first, pause), daemon=True).start()
told = True""",
        WAITS
        + """
import time
time.sleep(0.1)
escaped = call("futex", address, 1, 1, 0) > 0""",
        open="locks between processes of one notebook need the same call",
    ),
    Pair(
        "how much memory the machine has left",
        """
with open("/dev/shm/ballast", "wb") as ballast:
    told = done(os.posix_fallocate, ballast.fileno(), 0, 1 << 20)""",
        """
shared = [int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("Shmem:")] if readable("/proc/meminfo") else []
numbers = ctypes.create_string_buffer(256)
escaped = bool(shared) or libc.sysinfo(numbers) == 0
done(os.unlink, "/dev/shm/ballast")""",
        open="all see how busy the machine is",
    ),
    Pair(
        "how busy the machine is",
        "told = sum(range(1000))",
        """
escaped = [path for path in ("/proc/loadavg", "/proc/stat", "/proc/cpuinfo") if readable(path)]""",
        open="all see how busy the machine is",
    ),
)
