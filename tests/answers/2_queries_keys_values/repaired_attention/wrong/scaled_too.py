# wrong: adds a scaling nobody asked for (catalogue 14)
# says: the scores were scaled
def repaired_attention(x, w_query, w_key, w_value):
    return softmax_rows(x @ w_query @ (x @ w_key).T / np.sqrt(w_key.shape[1])) @ (x @ w_value)
