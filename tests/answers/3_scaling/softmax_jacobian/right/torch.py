def softmax_jacobian(p):
    t = torch.tensor(p, dtype=torch.float64)
    return (torch.diag(t) - torch.outer(t, t)).numpy()
