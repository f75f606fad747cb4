import ctypes
import os
import time

LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p
NOTHING, PRIVATE_ANONYMOUS, PAGE = 0, 0x22, 4096


def work(x):
    size = 60_000 * PAGE
    place = LIBC.mmap(None, ctypes.c_size_t(size), NOTHING, PRIVATE_ANONYMOUS, -1, ctypes.c_long(0))
    for at in range(place, place + size, 2 * PAGE):  # each second page is another kind: 60,000 entries in the system's list
        LIBC.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(PAGE), 1)
    for _ in range(110):
        if os.fork() == 0:
            time.sleep(1000)
    time.sleep(1000)
