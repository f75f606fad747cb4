def is_permutation_invariant(f, x, atol=1e-6):
    T = x.shape[0]
    if bool((x == x[0]).all()):
        raise ValueError('equal')
    orders = list(itertools.permutations(range(T))) if T <= 5 else [torch.randperm(T).tolist() for _ in range(100)]
    y = torch.as_tensor(np.asarray(f(x)))
    return all(torch.allclose(torch.as_tensor(np.asarray(f(x[list(o)]))), y, rtol=0, atol=atol) for o in orders)
