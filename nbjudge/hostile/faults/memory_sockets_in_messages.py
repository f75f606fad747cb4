import array
import socket
import time

FULL = b"x" * 65536


def filled():
    """A pair of sockets with as much in them as they take."""
    pair = socket.socketpair()
    for end in pair:
        end.setblocking(False)
        try:
            while True:
                end.send(FULL)
        except BlockingIOError:
            pass
    return pair


def work(x):
    carriers = []
    for _ in range(60):
        carrier, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        carriers.append((carrier, other))
        carrier.setblocking(False)
        try:
            while True:
                pair = filled()
                numbers = array.array("i", [end.fileno() for end in pair])
                carrier.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)])
                for end in pair:  # now they are in a message, and nowhere else
                    end.close()
        except OSError:
            pass
    time.sleep(1000)
