import time


def work(x):
    time.sleep(10_000)
