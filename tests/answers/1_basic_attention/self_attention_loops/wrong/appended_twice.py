# wrong: appends each output twice
# says: the outputs are stored twice
def self_attention_loops(x):
    outputs = []
    for row in attention_weights(x):
        output = row @ x
        outputs.append(output)
        outputs.append(output)
    return np.array(outputs)
