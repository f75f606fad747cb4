import fcntl
import os
import time

FULL = b"x" * 2**20


def work(x):
    for _ in range(40):
        if os.fork() == 0:
            try:
                for _ in range(120):
                    _, end = os.pipe()
                    os.set_blocking(end, False)
                    try:
                        fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 2**20)
                    except OSError:
                        pass
                    try:
                        while True:
                            os.write(end, FULL)
                    except BlockingIOError:
                        pass
            except OSError:
                pass
            time.sleep(1000)
    time.sleep(1000)
