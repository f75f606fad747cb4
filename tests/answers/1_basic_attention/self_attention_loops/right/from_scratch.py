import math


def self_attention_loops(x):
    y = np.empty((x.shape[0], x.shape[1]))
    for i, query in enumerate(x):
        scores = [float(query @ key) for key in x]
        powers = [math.exp(score - max(scores)) for score in scores]
        y[i] = sum(power / sum(powers) * token for power, token in zip(powers, x))
    return y
