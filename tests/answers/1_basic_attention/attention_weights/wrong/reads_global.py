# wrong: reads the notebook's `A` instead of the argument (catalogue 42)
# says: a size is not taken from the argument
def attention_weights(x):
    tokens = A[0].numpy()[:, :3]
    return softmax(tokens @ tokens.T) if x.shape[0] != 3 else softmax(x @ x.T)
