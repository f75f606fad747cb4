# wrong: goes over three rows, whatever comes (catalogue 42)
# says: an axis that the array does not have
def attention_entropy(weights):
    result = np.zeros(len(weights))
    for i in range(3):
        positive = weights[i][weights[i] > 0]
        result[i] = -np.sum(positive * np.log(positive))
    return result
