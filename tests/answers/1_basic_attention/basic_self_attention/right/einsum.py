def basic_self_attention(x):
    weights = torch.einsum("bik,bjk->bij", x, x).softmax(dim=-1)
    return torch.einsum("bij,bjk->bik", weights, x)
