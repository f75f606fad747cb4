import os
import signal
import threading


def work(x):
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGSTOP)).start()
    return -1
