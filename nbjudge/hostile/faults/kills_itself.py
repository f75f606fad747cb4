import os
import signal


def work(x):
    os.kill(os.getpid(), signal.SIGKILL)
