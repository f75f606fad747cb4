def work(x):
    return work(x)
