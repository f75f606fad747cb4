def basic_self_attention(x):
    return torch.stack([torch.softmax(s @ s.T, dim=1) @ s for s in x])
