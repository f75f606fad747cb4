import os
import socket
import time

FULL = b"x" * 65536


def work(x):
    for _ in range(40):
        if os.fork() == 0:
            with socket.create_server(("127.0.0.1", 0), backlog=200) as server:
                held = []
                try:
                    while len(held) < 240:
                        one = socket.create_connection(server.getsockname())
                        other, _ = server.accept()
                        held += [one, other]
                        for end in (one, other):
                            end.setblocking(False)
                            try:
                                while True:
                                    end.send(FULL)
                            except BlockingIOError:
                                pass
                except OSError:
                    pass
                time.sleep(1000)
    time.sleep(1000)
