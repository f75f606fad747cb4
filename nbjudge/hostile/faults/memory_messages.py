import ctypes

LIBC = ctypes.CDLL(None, use_errno=True)
CREATE, NO_WAIT, SIZE = 0o1600, 0o4000, 8192


def work(x):
    message = ctypes.create_string_buffer(8 + SIZE)
    message[0] = 1
    while True:
        queue = LIBC.msgget(0, CREATE)
        if queue < 0:
            raise OSError(ctypes.get_errno(), "msgget")
        while LIBC.msgsnd(queue, message, ctypes.c_size_t(SIZE), NO_WAIT) == 0:
            pass
