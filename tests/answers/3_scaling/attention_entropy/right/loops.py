import math


def attention_entropy(weights):
    entropies = []
    for row in weights:
        entropies.append(-sum(w * math.log(w) for w in row if w > 0) + 0.0)
    return np.array(entropies, dtype=float)
