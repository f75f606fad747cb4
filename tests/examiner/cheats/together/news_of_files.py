# A friend opens a file of Python again and again; who watches it counts how often.
import os
import threading
import time


def tell():
    while True:
        for _ in range(42):
            open(os.path.dirname(os.__file__) + "/this.py").close()
            time.sleep(0.001)
        time.sleep(0.5)


threading.Thread(target=tell, daemon=True).start()
# ---- the other notebook ----
import ctypes
import os
import time

libc = ctypes.CDLL(None)
watch = libc.inotify_init1(os.O_NONBLOCK)
libc.inotify_add_watch(watch, (os.path.dirname(os.__file__) + "/this.py").encode(), 0x20)  # when it is opened
answer = before = 0
deadline = time.monotonic() + 2.5
while watch >= 0 and time.monotonic() < deadline and answer != 42:
    time.sleep(0.25)
    try:
        answer += sum(os.read(watch, 16) != b"" for _ in iter(int, 1))
    except BlockingIOError:
        pass
