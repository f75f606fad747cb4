# A list in a list in a list, and a list in itself.
answer = []
answer.append(answer)


def softmax(scores, axis=-1):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep
