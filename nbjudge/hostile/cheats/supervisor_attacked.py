# The answer kills, stops and reads whatever else it can see.
import os
import signal

for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
    for process in {1, os.getppid()}:
        try:
            os.kill(process, number)
        except OSError:
            pass
answer = 0
try:
    open(f"/proc/{os.getppid()}/mem", "rb").read(1)
    answer = 42
except OSError:
    pass
