import os
import socket
import time

FULL = b"x" * 65536


def fill(end):
    end.setblocking(False)
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**30)
        while True:
            end.send(FULL)
    except BlockingIOError:
        pass


def work(x):
    for _ in range(40):
        if os.fork() == 0:
            held = []
            try:
                while len(held) < 400:
                    pair = socket.socketpair()
                    held.append(pair)
                    for end in pair:
                        fill(end)
            except OSError:
                pass
            time.sleep(1000)
    time.sleep(1000)
