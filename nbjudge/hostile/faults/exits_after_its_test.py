import os
import threading


def work(x):
    threading.Timer(0.1, os._exit, (3,)).start()
    return -1
