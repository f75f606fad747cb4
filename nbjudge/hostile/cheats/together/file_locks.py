# A friend locks whole files of Python, one for each bit of the answer.
import fcntl
import glob
import os

files = [open(path, "rb") for path in sorted(glob.glob(os.path.dirname(os.__file__) + "/*.py"))[:8]]
for bit, file in enumerate(files):
    if 42 >> bit & 1:
        fcntl.flock(file, fcntl.LOCK_EX)
# ---- the other notebook ----
import fcntl
import glob
import os

answer = 0
for bit, path in enumerate(sorted(glob.glob(os.path.dirname(os.__file__) + "/*.py"))[:8]):
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            answer |= 1 << bit
