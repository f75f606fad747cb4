# wrong: looks only at itself and what came before: a mask nobody asked for
# says: the largest difference
def attention_weights(x):
    scores = attention_scores(x).astype(float)
    return softmax(np.where(np.tri(len(x), dtype=bool), scores, -1e9))
