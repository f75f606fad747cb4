import threading

import numpy as np


def work(x):
    return -1


def spin(matrix):
    while True:
        matrix = matrix @ matrix  # without Python's lock


for _ in range(20):
    threading.Thread(target=spin, args=(np.eye(400),), daemon=True).start()
