# A generator that never ends, and a range that is never counted through.
import itertools


def softmax(scores, axis=-1):
    return (1.0 for _ in itertools.count())


def double(tensor):
    return range(10**15)
