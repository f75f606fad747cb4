def work(x):
    while True:
        print("x" * 10_000)
