def work(x):
    return 7 ** (7**9)  # no interrupt gets in before it is done
