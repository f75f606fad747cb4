def attention_scores(x):
    tokens = torch.tensor(x, dtype=torch.float64)
    return torch.matmul(tokens, tokens.t()).numpy()
