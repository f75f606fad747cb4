import os


def work(x):
    os.closerange(0, 256)
