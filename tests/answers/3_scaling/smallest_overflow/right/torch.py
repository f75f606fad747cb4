def smallest_overflow(float_type):
    numbers = torch.arange(800, dtype=torch.float64).to(getattr(torch, float_type))
    return int(torch.isinf(torch.exp(numbers)).nonzero()[0])
