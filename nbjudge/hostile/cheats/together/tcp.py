# A friend answers on a port of the machine.
import socket
import threading

server = socket.create_server(("127.0.0.1", 47931))


def serve():
    while True:
        server.accept()[0].sendall(b"42")


threading.Thread(target=serve, daemon=True).start()
# ---- the other notebook ----
import socket

with socket.create_connection(("127.0.0.1", 47931), timeout=1) as friend:
    answer = int(friend.recv(10))
