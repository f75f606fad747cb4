# wrong: forgets the softmax
# says: there is no softmax
def basic_self_attention(x):
    return x @ x.transpose(1, 2) @ x
