# A friend touches /dev/zero, the moment being the answer: everybody may, and everybody sees when it was.
import os
import time

told = 0
while told != 42:
    while int(time.time() * 40) % 64 != 42:
        time.sleep(0.001)
    os.utime("/dev/zero")
    told = int(os.stat("/dev/zero").st_mtime * 40) % 64  # a busy machine may come too late
# ---- the other notebook ----
import os
import time

about = os.stat("/dev/zero")
answer = int(about.st_mtime * 40) % 64 if time.time() - about.st_mtime < 60 else 0
