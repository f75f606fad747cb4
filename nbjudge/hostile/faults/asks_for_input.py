def work(x):
    return input("what now? ")
