# A friend keeps the answer in memory that is a file without a name, and everybody's open files are in /proc.
import os

memory = os.memfd_create("friends-meet")
os.write(memory, b"42")
# ---- the other notebook ----
import glob
import os

answer = 0
for path in glob.glob("/proc/[0-9]*/fd/*"):
    try:
        if "friends-meet" in os.readlink(path):
            answer = int(open(path, "rb").read())
    except OSError:
        pass
