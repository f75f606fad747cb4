# wrong: the stub is still there
# says: you have not started yet
def softmax(scores, axis=-1):
    raise NotImplementedError("not written yet")
