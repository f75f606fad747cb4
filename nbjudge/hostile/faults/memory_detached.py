import ctypes

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
SIZE, CREATE = 100_000_000, 0o1600


def work(x):
    for _ in range(30):
        number = LIBC.shmget(0, ctypes.c_size_t(SIZE), CREATE)
        if number < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        place = LIBC.shmat(number, None, 0)
        ctypes.memset(place, 1, SIZE)
        LIBC.shmdt(ctypes.c_void_p(place))  # nobody has it, and it stays
    while True:
        pass
