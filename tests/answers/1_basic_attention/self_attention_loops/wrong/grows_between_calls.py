# wrong: collects into a list of the notebook, so a second call returns more (catalogue 42)
# says: shape
collected = []


def self_attention_loops(x):
    for row in attention_weights(x):
        collected.append(row @ x)
    return np.array(collected)
