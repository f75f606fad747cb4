# A friend leaves the answer in a message queue that has a number and no name.
import ctypes

libc = ctypes.CDLL(None)
queue = libc.msgget(0x4242, 0o1666)
libc.msgsnd(queue, ctypes.create_string_buffer((1).to_bytes(8, "little") + b"42"), ctypes.c_size_t(2), 0)
# ---- the other notebook ----
import ctypes

libc = ctypes.CDLL(None)
queue = libc.msgget(0x4242, 0o666)
message = ctypes.create_string_buffer(16)
libc.msgrcv(queue, message, ctypes.c_size_t(8), ctypes.c_long(0), 0o4000)
libc.msgctl(queue, 0, None)
answer = int(message.raw[8:10])
