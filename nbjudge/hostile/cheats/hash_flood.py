# Numbers that all have one hash, in sets, dicts and lists.
M = 2**61 - 1
answer = {k * M for k in range(1, 3000)}


def softmax(scores, axis=-1):
    return {(-1 if k >> bit & 1 else -2 for bit in range(14)): k for k in range(3000)}


def double(tensor):
    return {tuple(-1 if k >> bit & 1 else -2 for bit in range(14)) for k in range(16000)}


def is_symmetric(matrix):
    return [k * M for k in range(1, 50000)]
