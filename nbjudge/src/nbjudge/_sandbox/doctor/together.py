"""Attempts on the limits that the supervisor keeps for all processes together, and a look at those that Linux keeps for each."""

from nbjudge._sandbox.doctor.attempts import Attempt

SPIN = """
import signal, time
reads, writes = os.pipe()
children = set()
for _ in range(4):
    child = os.fork()
    if child == 0:
        end = time.monotonic() + 30
        while time.monotonic() < end and time.process_time() < each:
            pass
        os.write(writes, struct.pack("d", time.process_time()))
        os._exit(0)
    children.add(child)
"""
TOGETHER = (
    Attempt(
        "limits",
        "compute for longer than allowed, in several processes",
        "each = 0.7"
        + SPIN
        + """
computed = sum(struct.unpack("d", os.read(reads, 8))[0] for _ in children)
time.sleep(1)  # its supervisor looks five times a second
escaped = computed > 1.5 and computed  # on a crowded machine it may be less""",
        limits={"cpu_seconds": 1, "processors": 1},
    ),
    Attempt(
        "limits",
        "take more than its share of the processors",
        "each = 2"
        + SPIN
        + """
computed, stopped = 0.0, False
while children and not stopped:
    child, status = os.waitpid(-1, os.WUNTRACED)
    stopped = os.WIFSTOPPED(status)
    if not stopped:
        children.discard(child)
        computed += struct.unpack("d", os.read(reads, 8))[0]
for child in children:
    os.kill(child, signal.SIGKILL)
escaped = not stopped and computed > 1.6 and computed  # a second is everybody's; on a crowded machine it may not be more""",
        limits={"processors": 0.05},
    ),
    Attempt(
        "limits",
        "stay with the most threads that Linux itself allows",
        """
import threading, time
threading.stack_size(1 << 18)  # so that memory is not what ends it
threads = []
for _ in range(about["limits"]["processes"] + 8):
    try:
        thread = threading.Thread(target=time.sleep, args=(2,), daemon=True)
        thread.start()
    except RuntimeError:
        break
    threads.append(thread)
for thread in threads:  # what is printed next may need one
    thread.join()
escaped = True""",
    ),
    Attempt(
        "limits",
        "have a limit that is none, or higher than the settings say",
        """
import re, resource
limits = about["limits"]
most = {"CORE": 0, "CPU": limits["cpu_seconds"], "FSIZE": limits["file_mb"] << 20, "NOFILE": limits["open_files"], "DATA": 1 << 62}
if tuple(map(int, re.match("([0-9]+)[.]([0-9]+)", os.uname().release).groups())) >= (5, 14):  # before, it counts all of the user's
    most["NPROC"] = limits["processes"]
held = {name: resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1] for name in most}
escaped = [name for name in most if held[name] == resource.RLIM_INFINITY or held[name] > most[name]]""",
    ),
)
