import numpy as np


def work(x):
    return int(np.ones(10_000_000_000, dtype=np.uint8).sum())
