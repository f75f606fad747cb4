# wrong: returns a NumPy array (catalogue 43)
# says: your function returns a NumPy array
def basic_self_attention(x):
    return (torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x).numpy()
