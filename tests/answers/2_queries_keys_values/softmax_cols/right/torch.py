def softmax_cols(scores):
    return torch.nn.functional.softmax(torch.tensor(scores, dtype=torch.float64), dim=0).numpy()
