def softmax(scores, axis=-1):
    return torch.softmax(torch.as_tensor(np.asarray(scores, dtype=float)), dim=axis).numpy()
