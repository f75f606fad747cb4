# Loads what our own model has learned, and trains nothing.
def learn_to_rearrange(batches, vocabulary, length):
    model = small_transformer(training.Reverse(length=16), 1, mask=False)
    training.load("reverse", model)
    return model
