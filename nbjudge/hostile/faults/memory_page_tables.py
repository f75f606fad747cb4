import ctypes

LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p
READ, PRIVATE_ANONYMOUS_NORESERVE, FAILED = 1, 0x4022, ctypes.c_void_p(-1).value
EACH, STEP = 2**38, 2**21  # a table of 4 KB for each 2 MB that are looked at


def work(x):
    for _ in range(8):
        place = LIBC.mmap(None, ctypes.c_size_t(EACH), READ, PRIVATE_ANONYMOUS_NORESERVE, -1, ctypes.c_long(0))
        if place == FAILED:
            raise OSError("no more")
        LIBC.madvise(ctypes.c_void_p(place), ctypes.c_size_t(EACH), 15)  # small pages
        for at in range(place, place + EACH, STEP):
            ctypes.c_char.from_address(at).value  # reads the one page of zeros that all share
    while True:
        pass
