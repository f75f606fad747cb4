def basic_self_attention(x):
    raw = torch.bmm(x, x.permute(0, 2, 1))
    return torch.bmm(torch.nn.functional.softmax(raw, dim=-1), x)
