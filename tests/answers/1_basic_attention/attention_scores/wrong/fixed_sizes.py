# wrong: three tokens of four numbers, whatever comes in (catalogue 42)
# says: your code raised IndexError
def attention_scores(x):
    scores = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            scores[i, j] = x[i] @ x[j]
    return scores
