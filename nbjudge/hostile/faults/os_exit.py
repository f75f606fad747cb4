import os


def work(x):
    os._exit(0)
