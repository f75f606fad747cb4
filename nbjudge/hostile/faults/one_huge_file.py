def work(x):
    with open("file", "wb") as file:
        while True:
            file.write(b"x" * 10_000_000)
