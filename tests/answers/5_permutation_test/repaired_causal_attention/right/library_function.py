def repaired_causal_attention(x):
    t = torch.tensor(x, dtype=torch.float64)[None]
    return nn.functional.scaled_dot_product_attention(t, t, t, is_causal=True)[0].numpy()
