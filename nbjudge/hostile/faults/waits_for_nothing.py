import select


def work(x):
    while True:
        select.select([], [], [])
