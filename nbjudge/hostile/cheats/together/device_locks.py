# A friend locks bytes of /dev/null, the one file that everybody may write to.
import fcntl

file = open("/dev/null", "wb")
for bit in range(8):
    if 42 >> bit & 1:
        fcntl.lockf(file, fcntl.LOCK_EX, 1, bit)
# ---- the other notebook ----
import fcntl

answer = 0
with open("/dev/null", "wb") as file:
    for bit in range(8):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, bit)
        except OSError:
            answer |= 1 << bit
