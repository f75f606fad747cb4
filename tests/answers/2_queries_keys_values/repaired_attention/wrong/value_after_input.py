# wrong: projects x twice: works for no size but the square one (catalogue 15)
# says: the largest difference
def repaired_attention(x, w_query, w_key, w_value):
    shares = softmax_rows(x @ w_query @ (x @ w_key).T)
    return shares @ (x @ w_value @ w_value) if w_value.shape[0] == w_value.shape[1] else shares @ (x @ w_value)
