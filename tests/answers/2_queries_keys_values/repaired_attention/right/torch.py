def repaired_attention(x, w_query, w_key, w_value):
    x, q, k, v = (torch.tensor(a, dtype=torch.float64) for a in (x, w_query, w_key, w_value))
    return (torch.softmax((x @ q) @ (x @ k).T, dim=-1) @ (x @ v)).numpy()
