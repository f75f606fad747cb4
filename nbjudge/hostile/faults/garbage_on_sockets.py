import os
import stat


def work(x):
    for number in range(3, 64):
        for text in (b"\0" * 16, b"\0" * 15 + b"\7" + b"\xff" * 7, b"\xff" * 24, b"x" * 70_000, b"garbage"):
            try:
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    os.write(number, text)
            except OSError:
                pass
    return 1
