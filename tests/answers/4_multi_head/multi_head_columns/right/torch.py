def multi_head_columns(X, heads, omega_c):
    tokens = torch.tensor(X, dtype=torch.float64)
    stack = []
    for head in heads:
        h = {name: torch.from_numpy(np.asarray(value, dtype=float)) for name, value in head.items()}
        q, k, v = ((h[f'omega_{r}'] @ tokens + h[f'beta_{r}']).T for r in 'qkv')
        stack.append(nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0].T)
    return (torch.from_numpy(omega_c) @ torch.cat(stack)).numpy()
