import mmap
import os


def work(x):
    zero = os.open("/dev/zero", os.O_RDWR)
    for _ in range(30):
        with mmap.mmap(zero, 100_000_000) as memory:
            memory.write(b"x" * 100_000_000)
            if os.fork() == 0:  # a process that shows nothing of it
                memory.madvise(mmap.MADV_DONTNEED)
                while True:
                    pass
    while True:
        pass
