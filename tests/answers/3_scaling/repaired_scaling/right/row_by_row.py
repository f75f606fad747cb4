def repaired_scaling(q, k, v):
    return np.array([softmax(k @ query / np.sqrt(len(query))) @ v for query in q])
