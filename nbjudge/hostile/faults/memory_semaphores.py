import ctypes

LIBC = ctypes.CDLL(None, use_errno=True)
MOST_OF_A_SET, CREATE = 32_000, 0o1600


def work(x):
    for _ in range(1500):  # about 2 MB of the system's each
        if LIBC.semget(0, MOST_OF_A_SET, CREATE) < 0:
            raise OSError(ctypes.get_errno(), "semget")
    while True:
        pass
