import ctypes

LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p
SIZE, READ_WRITE, SHARED_ANONYMOUS, FAILED = 100_000_000, 3, 0x21, ctypes.c_void_p(-1).value


def work(x):
    for _ in range(30):
        place = LIBC.mmap(None, ctypes.c_size_t(SIZE), READ_WRITE, SHARED_ANONYMOUS, -1, ctypes.c_long(0))
        if place == FAILED:
            raise OSError("no more")
        ctypes.memset(place, 1, SIZE)
        LIBC.munmap(ctypes.c_void_p(place + 4096), ctypes.c_size_t(SIZE - 4096))  # one page is left, and keeps all
    while True:
        pass
