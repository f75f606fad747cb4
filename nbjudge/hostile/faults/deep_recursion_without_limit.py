import sys


def work(x):
    sys.setrecursionlimit(10**9)
    return repr_of(x)


def repr_of(x):
    deep = []
    for _ in range(1_000_000):
        deep = [deep]
    return repr(deep)
