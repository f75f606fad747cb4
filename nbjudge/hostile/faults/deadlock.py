import threading


def work(x):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
