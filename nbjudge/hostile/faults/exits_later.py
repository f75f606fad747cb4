import os
import threading


def work(x):
    threading.Timer(0.05, os._exit, (3,)).start()
    while True:
        pass
