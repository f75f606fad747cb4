# A friend answers on an abstract Unix socket, which has a name and no file.
import socket
import threading

server = socket.socket(socket.AF_UNIX)
server.bind("\0friends-meet")
server.listen()


def serve():
    while True:
        server.accept()[0].sendall(b"42")


threading.Thread(target=serve, daemon=True).start()
# ---- the other notebook ----
import socket

with socket.socket(socket.AF_UNIX) as friend:
    friend.connect("\0friends-meet")
    answer = int(friend.recv(10))
