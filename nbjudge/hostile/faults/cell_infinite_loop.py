def work(x):
    return -1


while True:
    pass
