import os
import time


def work(x):
    for _ in range(8):
        if os.fork() == 0:
            data = bytearray(150_000_000)
            for start in range(0, len(data), 4096):
                data[start] = 1
            time.sleep(1000)
    time.sleep(1000)
