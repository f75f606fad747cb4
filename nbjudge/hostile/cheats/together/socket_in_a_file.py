# A friend answers on a socket in the folder that every program may write to.
import os
import socket
import threading

if os.path.exists("/tmp/friends-meet"):
    os.unlink("/tmp/friends-meet")
server = socket.socket(socket.AF_UNIX)
server.bind("/tmp/friends-meet")
server.listen()


def serve():
    while True:
        server.accept()[0].sendall(b"42")


threading.Thread(target=serve, daemon=True).start()
# ---- the other notebook ----
import os
import socket

with socket.socket(socket.AF_UNIX) as friend:
    friend.connect("/tmp/friends-meet")
    os.unlink("/tmp/friends-meet")
    answer = int(friend.recv(10))
