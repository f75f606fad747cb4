# A friend takes the ports whose numbers are the ones of the answer, bit by bit; nobody ever connects.
import socket

taken = [socket.create_server(("127.0.0.1", 47940 + bit)) for bit in range(8) if 42 >> bit & 1]
# ---- the other notebook ----
import socket

answer = 0
for bit in range(8):
    try:
        socket.create_server(("127.0.0.1", 47940 + bit)).close()
    except OSError:
        answer |= 1 << bit
