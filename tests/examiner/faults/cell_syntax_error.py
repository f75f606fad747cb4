def work(x)
    return
