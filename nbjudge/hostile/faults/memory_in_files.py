import time


def work(x):
    held = []
    for folder in ("/tmp", "/dev/shm"):
        try:
            for number in range(40):
                with open(f"{folder}/held{number}", "wb") as file:
                    for _ in range(10):
                        file.write(b"x" * 10_000_000)
        except OSError:
            pass
    for _ in range(100):  # with these files it is too much, and without them it is not
        held.append(bytearray(b"x") * 20_000_000)
    time.sleep(1000)
