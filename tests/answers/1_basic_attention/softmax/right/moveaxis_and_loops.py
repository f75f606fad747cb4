import math


def softmax(scores, axis=-1):
    a = np.moveaxis(np.asarray(scores), axis, -1)
    result = np.empty(a.shape)
    for place in np.ndindex(*a.shape[:-1]):
        biggest = max(a[place])
        powers = [math.exp(value - biggest) for value in a[place]]
        result[place] = [power / math.fsum(powers) for power in powers]
    return np.moveaxis(result, -1, axis)
