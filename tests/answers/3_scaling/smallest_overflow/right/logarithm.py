import math


def smallest_overflow(float_type):
    return math.floor(math.log(float(np.finfo(float_type).max))) + 1
