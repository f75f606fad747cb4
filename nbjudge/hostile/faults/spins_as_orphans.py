import os
import time


def work(x):
    return -1


for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        while True:
            if os.fork() == 0:
                if os.fork() == 0:
                    end = time.monotonic() + 0.05
                    while time.monotonic() < end:
                        pass
                os._exit(0)
            os.wait()
            time.sleep(0.05)
