# A friend moves in a file that was open before any of them began: matplotlib's fonts.
import os
import stat

for number in map(int, os.listdir("/proc/self/fd")):
    try:
        if stat.S_ISREG(os.fstat(number).st_mode):
            os.lseek(number, 42_000, os.SEEK_SET)
    except OSError:
        pass
# ---- the other notebook ----
import os
import stat

answer = 0
for number in map(int, os.listdir("/proc/self/fd")):
    try:
        if stat.S_ISREG(os.fstat(number).st_mode) and os.lseek(number, 0, os.SEEK_CUR) == 42_000:
            answer = 42
    except OSError:
        pass
