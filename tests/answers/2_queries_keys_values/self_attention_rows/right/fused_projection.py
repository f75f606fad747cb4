def self_attention_rows(x, w_query, w_key, w_value):
    d_k = w_query.shape[1]
    q, k, v = np.split(x @ np.hstack([w_query, w_key, w_value]), [d_k, 2 * d_k], axis=1)
    return softmax_rows(np.inner(q, k)) @ v
