# A friend answers whoever sends a datagram.
import socket
import threading

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 47932))


def serve():
    while True:
        server.sendto(b"42", server.recvfrom(10)[1])


threading.Thread(target=serve, daemon=True).start()
# ---- the other notebook ----
import socket

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as friend:
    friend.settimeout(1)
    friend.sendto(b"?", ("127.0.0.1", 47932))
    answer = int(friend.recv(10))
