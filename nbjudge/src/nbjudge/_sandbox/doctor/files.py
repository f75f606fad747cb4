"""Attempts on the network and on files."""

from nbjudge._sandbox.doctor.attempts import Attempt

FILES = (
    Attempt(
        "network",
        "connect to a server on this machine",
        """
escaped = socket.socket().connect_ex(("127.0.0.1", about["port"])) == 0""",
    ),
    Attempt(
        "network",
        "connect to an abstract socket on this machine",
        """
escaped = done(socket.socket(socket.AF_UNIX).connect, about["abstract"])""",
    ),
    Attempt(
        "network",
        "connect to a socket that lies in a folder",
        """
escaped = done(socket.socket(socket.AF_UNIX).connect, about["socket"])""",
    ),
    Attempt(
        "network",
        "see any interface but a loopback of its own",
        """
escaped = [name for line in open("/proc/net/dev").readlines()[2:] if (name := line.split(":")[0].strip()) != "lo"]""",
    ),
    Attempt(
        "network",
        "have a way to any other machine",
        """
escaped = any(done(socket.socket(family, socket.SOCK_DGRAM).connect, (address, 53))
              for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")))""",
    ),
    Attempt(
        "network",
        "open a raw socket",
        """
escaped = done(socket.socket, socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)""",
    ),
    Attempt("network", "talk to the host of a virtual machine (AF_VSOCK)", "escaped = done(socket.socket, 40, socket.SOCK_STREAM)"),
    Attempt("network", "talk to Linux about its network (AF_NETLINK)", "escaped = done(socket.socket, 16, socket.SOCK_RAW)"),
    Attempt(
        "network",
        "open a socket of any other family",
        """
kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
others = set(range(3, 64)) - {10, 16, 40}
escaped = [family for family in others if any(done(socket.socket, family, kind) for kind in kinds)]""",
    ),
    Attempt(
        "network",
        "open a socket of a protocol that loads a module (SCTP, DCCP, MPTCP)",
        """
protocols = ((1, 132), (5, 132), (6, 33), (1, 262), (2, 136))
escaped = [number for kind, number in protocols if done(socket.socket, socket.AF_INET, kind, number)]""",
    ),
    Attempt(
        "network",
        "hide a socket's family above its 32nd bit",
        """
escaped = [family for family in (16, 17, 38, 40) if call("socket", family | 1 << 32, 3, 0) >= 0]""",
    ),
    Attempt(
        "files",
        "see the folder that grading runs in",
        """
folder = about["folder"]
escaped = os.path.exists(folder) and [name for name in os.listdir(folder) if name not in about["shown"]]""",
    ),
    Attempt("files", "read a secret of the grading user", """escaped = readable(about["secret"])"""),
    Attempt(
        "files",
        "read it through a link",
        """
os.symlink(about["secret"], "link")
escaped = readable("link")
os.unlink("link")""",
    ),
    Attempt(
        "files",
        "read it through another process's root or working folder",
        """
routes = [f"/proc/{process}/{way}" for process in ("self", "1", *filter(str.isdigit, os.listdir("/proc"))) for way in ("root", "cwd")]
escaped = [route for route in routes if readable(route + about["secret"])]""",
    ),
    Attempt("files", "read it through a chain of parents", """escaped = readable("../" * 40 + about["secret"])"""),
    Attempt("files", "read the passwords file", """escaped = readable("/etc/shadow")"""),
    Attempt(
        "files",
        "read what boots, runs and configures the machine",
        """
places = ("/", "/etc", "/boot", "/root", "/home", "/var", "/run", "/sys", "/opt", "/srv", "/mnt", "/media", "/run/user")
own = ("/dev", "/proc", "/tmp", "/etc", "/run/nbjudge", *about["paths"])
found = [os.path.join(place, name) for place in places if os.path.isdir(place) and os.access(place, os.R_OK) for name in os.listdir(place)]
escaped = [path for path in found if not any((path + "/").startswith(shown + "/") or shown.startswith(path + "/") for shown in own)]
escaped += [path for path in ("/etc/passwd", "/etc/hostname", "/proc/kcore", "/dev/kmsg", "/dev/mem") if readable(path)]""",
    ),
    Attempt(
        "files",
        "open a disk or another device",
        """
escaped = [name for name in os.listdir("/dev") if name not in
           ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "core", "fd", "stdin", "stdout", "stderr")]""",
    ),
    Attempt("files", "make a device", "escaped = done(os.mknod, 'disk', 0o60600, os.makedev(8, 0))"),
    Attempt(
        "files",
        "write to the system, Python or the root",
        """
import sys
scratch = os.stat("/tmp").st_dev
escaped = [path for path in ("/usr", "/etc", "/", "/dev", "/run", sys.prefix, sys.base_prefix, *sys.path)
           if os.path.isdir(path) and os.stat(path).st_dev != scratch and done(os.mkdir, path + "/nbjudge-probe")]
for path in escaped:
    os.rmdir(path + "/nbjudge-probe")""",
    ),
    Attempt(
        "files",
        "have more mounted writable than its scratch, or a set-user bit, device or program count there",
        """
own = {"/tmp": 14, "/dev/shm": 14, "/dev/pts": 10, "/proc": 14}  # where may be written, with the flags that have to be set there
escaped = []
for place in {line.split()[4].encode().decode("unicode_escape") for line in open("/proc/self/mountinfo")}:
    if not os.path.exists(place):  # covered by another
        continue
    flags = os.statvfs(place).f_flag
    needed = next((own[path] for path in own if (place + "/").startswith(path + "/")), 1)
    if not flags & os.ST_RDONLY and flags & needed != needed or not place.startswith("/dev/") and not flags & os.ST_NOSUID:
        escaped.append(place)""",
    ),
    Attempt(
        "files",
        "read the grader's own code",
        """
import nbjudge, sys
places = [*nbjudge.__path__, *(path + "/nbjudge" for path in sys.path)]
escaped = {name for place in places if os.path.isdir(place) for name in os.listdir(place)} - {"__init__.py", "__pycache__", "_student", "_wire"}""",
    ),
    Attempt("files", "find the grading process's environment in its own", """escaped = os.environ.get(about["variable"])"""),
    Attempt(
        "files",
        "change the rights, owner or time of what all kernels see",
        """
import sys
paths = ("/usr", sys.executable, "/dev/null", "/dev/zero", "/dev/tty", "/dev/urandom", "/dev/full", "/dev/random", "/etc/ld.so.cache")
escaped = []
for path in filter(os.path.exists, paths):
    about_it = os.stat(path)
    if (path.startswith("/dev") and done(os.utime, path) or done(os.utime, path, ns=(about_it.st_atime_ns, about_it.st_mtime_ns))
            or done(os.chmod, path, about_it.st_mode & 0o7777) or done(os.chown, path, about_it.st_uid, about_it.st_gid)):
        escaped.append(path)""",
    ),
    Attempt(
        "files",
        "write to the folder of its connection, or mount it anew",
        """
escaped = done(os.mkdir, about["box"] + "/more") or call("mount", b"none", about["box"].encode(), 0, 32 | 4096, 0) == 0""",
    ),
    Attempt(
        "files",
        "see the folders of other kernels",
        """
escaped = [name for name in os.listdir(os.path.dirname(about["box"])) if name != os.path.basename(about["box"])]""",
    ),
    Attempt(
        "files",
        "change a file that may only be read, by what Linux once got wrong (Dirty COW, Dirty Pipe)",
        """
import mmap, threading, time
with open("readable", "wb") as file:
    file.write(b"as it was" * 1000)
os.chmod("readable", 0o400)
file = os.open("readable", os.O_RDONLY)
reads, writes = os.pipe()
for _ in range(16):  # as many parts as a pipe has, each of which remembers that it could be added to
    os.write(writes, bytes(4096))
os.read(reads, 16 * 4096)
os.splice(file, writes, 1, offset_src=0)
os.write(writes, b"DIRTY")
libc.mmap.restype = ctypes.c_void_p
place = libc.mmap(None, ctypes.c_size_t(4096), 1, mmap.MAP_PRIVATE, file, ctypes.c_long(0))
end = time.monotonic() + 0.3
def forget():
    while time.monotonic() < end:
        libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(4096), 4)
forgets = threading.Thread(target=forget)
forgets.start()
try:
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        while time.monotonic() < end:
            memory.seek(place)
            memory.write(b"DIRTY")
except OSError:
    pass
forgets.join()
with open("readable", "rb") as again:
    escaped = b"DIRTY" in again.read()
for number in (file, reads, writes):
    os.close(number)
os.unlink("readable")""",
    ),
    Attempt(
        "files",
        "see through a file handle (open_by_handle_at)",
        """
handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
number = ctypes.create_string_buffer(8)
escaped = reached("name_to_handle_at", -100, b"/", handle, number, 0) or reached("open_by_handle_at", -1, handle, 0)""",
    ),
    Attempt(
        "exec",
        "run a program from its scratch folder",
        """
import shutil
escaped = []
for folder in (".", "/tmp", "/dev/shm"):
    shutil.copy("/bin/true", folder + "/program")
    if done(__import__("subprocess").run, [folder + "/program"]):
        escaped.append(folder)
    os.unlink(folder + "/program")""",
    ),
    Attempt(
        "exec",
        "run one through the loader, or load it as a library",
        """
import glob, shutil, subprocess
shutil.copy("/bin/true", "program")
loaders = glob.glob("/lib*/ld-linux*") + glob.glob("/lib/ld-*")
escaped = [loader for loader in loaders if subprocess.run([loader, "./program"], capture_output=True).returncode == 0]
library = next(line.split()[-1] for line in open("/proc/self/maps") if "libc.so" in line or "libc-" in line or "musl" in line)
shutil.copy(library, "library.so")
escaped = escaped or done(ctypes.CDLL, "./library.so")""",
    ),
    Attempt(
        "exec",
        "run one from memory (memfd_create)",
        """
file = call("memfd_create", b"program", 0)
if file >= 0:
    os.write(file, open("/bin/true", "rb").read())
escaped = file >= 0 and os.spawnv(os.P_WAIT, f"/proc/self/fd/{file}", ["program"]) == 0""",
    ),
    Attempt(
        "exec",
        "gain rights from a setuid program",
        """
import glob, subprocess
programs = [path for path in glob.glob("/usr/bin/*") if os.path.isfile(path) and os.stat(path).st_mode & 0o4000]
held = "NoNewPrivs:\\t1"
escaped = [] if held in open("/proc/self/status").read() else ["nothing keeps it from that"]
null = subprocess.DEVNULL
for path in programs:
    with subprocess.Popen([path], stdin=null, stdout=null, stderr=null, start_new_session=True) as one:
        status = f"/proc/{one.pid}/status"
        users = [line for line in open(status) if line.startswith("Uid:")] if os.path.exists(status) else []
        one.kill()
    if users and "0" in users[0].split():
        escaped.append(path)""",
    ),
)
