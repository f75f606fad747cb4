def attention_weights(x):
    t = torch.from_numpy(np.asarray(x, dtype=float))
    return torch.nn.functional.softmax(t @ t.T, dim=1).numpy()
