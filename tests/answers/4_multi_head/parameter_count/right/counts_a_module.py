def parameter_count(k, heads, variant):
    if variant not in ['narrow', 'wide']:
        raise ValueError("narrow or wide")
    width = {'narrow': k, 'wide': k * heads}[variant]
    layers = [nn.Linear(k, width, bias=False) for _ in range(3)] + [nn.Linear(width, k)]
    return sum(weight.numel() for layer in layers for weight in layer.parameters())
