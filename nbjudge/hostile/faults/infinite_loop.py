def work(x):
    while True:
        pass
