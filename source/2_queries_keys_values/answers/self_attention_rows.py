# Right and wrong answers to `self_attention_rows`; authoring/README.md says how they are written.

# %% right: columns_transposed
def self_attention_rows(x, w_query, w_key, w_value):
    X = x.T                                                        # (d_in, T), one token per column
    scores = (w_key.T @ X).T @ (w_query.T @ X)                     # (T key, T query)
    return (w_value.T @ X @ softmax_rows(scores.T).T).T            # (T, d_v)

# %% right: eight_steps
def self_attention_rows(x, w_query, w_key, w_value):
    keys, queries, values = x @ w_key, x @ w_query, x @ w_value
    scores = queries @ keys.T
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weighted_values(weights, values).sum(axis=1)

# %% right: einsum
def self_attention_rows(x, w_query, w_key, w_value):
    scores = np.einsum("ia,ad,bd,jb->ij", x, w_query, w_key, x, optimize=True)
    return np.einsum("ij,jc,cd->id", softmax_rows(scores), x, w_value, optimize=True)

# %% right: fused_projection
def self_attention_rows(x, w_query, w_key, w_value):
    d_k = w_query.shape[1]
    q, k, v = np.split(x @ np.hstack([w_query, w_key, w_value]), [d_k, 2 * d_k], axis=1)
    return softmax_rows(np.inner(q, k)) @ v

# %% right: loops
def self_attention_rows(x, w_query, w_key, w_value):
    y = np.zeros((x.shape[0], w_value.shape[1]))
    for i, token in enumerate(x):
        scores = [np.dot(token @ w_query, other @ w_key) for other in x]
        powers = [np.exp(score - max(scores)) for score in scores]
        for j, other in enumerate(x):
            y[i] += powers[j] / sum(powers) * (other @ w_value)
    return y

# %% right: own_functions
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)

# %% right: torch_library
def self_attention_rows(x, w_query, w_key, w_value):
    q, k, v = (torch.tensor(x @ w, dtype=torch.float64)[None] for w in (w_query, w_key, w_value))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=1.0)[0].numpy()

# %% right: values_last
def self_attention_rows(x, w_query, w_key, w_value):
    # (W X) W_v ist dasselbe wie W (X W_v)
    return (softmax_rows((x @ w_query) @ (x @ w_key).T) @ x) @ w_value

# %% right: running_softmax
import math


def self_attention_rows(x, w_query, w_key, w_value):
    queries, keys, values = (np.asarray(x, dtype=float) @ w for w in (w_query, w_key, w_value))
    outputs = []
    for query in queries:
        largest, total, mix = -math.inf, 0.0, np.zeros(values.shape[1])
        for key, value in zip(keys, values):
            score = float(query @ key)
            new = max(largest, score)
            shrink = math.exp(largest - new)
            e = math.exp(score - new)
            total, mix, largest = total * shrink + e, mix * shrink + e * value, new
        outputs.append(mix / total)
    return np.array(outputs)

# %% right: columns_inside
def self_attention_rows(x, w_query, w_key, w_value):
    from scipy.special import softmax as column_softmax
    X = x.T
    Q, K, V = w_query.T @ X, w_key.T @ X, w_value.T @ X
    return (V @ column_softmax(K.T @ Q, axis=0)).T

# %% wrong: changes_input
# wrong: centres x in place (catalogue 41)
# says: in-place operation
def self_attention_rows(x, w_query, w_key, w_value):
    y = softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)
    x -= x.mean(axis=0)
    return y

# %% wrong: elementwise
# wrong: `*` for the scores (catalogue 21)
# says: yours is
def self_attention_rows(x, w_query, w_key, w_value):
    queries, keys = x @ w_query, x @ w_key
    scores = queries * keys.T if queries.shape == keys.T.shape else queries @ keys.T
    return softmax_rows(scores) @ (x @ w_value)

# %% wrong: feature_attention
# wrong: queries.T @ keys: components with components (catalogue 17)
# says: components with components
# likely: the product sums over the tokens and compares components with components
# next: let the axes of length d_k meet, so that the scores are tokens by tokens
def self_attention_rows(x, w_query, w_key, w_value):
    weights = softmax_rows((x @ w_query).T @ (x @ w_key))
    return (x @ w_value) @ weights if weights.shape[0] == w_value.shape[1] else (x @ w_value)[:, :1] * weights.sum()

# %% wrong: first_output_only
# wrong: returns the first output alone (catalogue 43)
# says: only the first row of the expected result is returned
def self_attention_rows(x, w_query, w_key, w_value):
    return (softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value))[0]

# %% wrong: float16
# wrong: computes with few digits (catalogue 43)
# says: for floats, shape (5, 7) and (7, 3)
def self_attention_rows(x, w_query, w_key, w_value):
    x = x.astype(np.float16)
    return softmax_rows((x @ w_query.astype(np.float16)) @ (x @ w_key.astype(np.float16)).T) @ (x @ w_value.astype(np.float16))

# %% wrong: inputs_for_values
# wrong: weights times x (catalogue 15)
# says: the inputs are mixed instead of the values
# likely: the inputs are mixed instead of the values
# next: use the values, which the third matrix makes, in the last product
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_key).T) @ x

# %% wrong: keys_from_queries
# wrong: the keys use the query's matrix (catalogue 15)
# says: the keys come from the query's matrix
# likely: the keys come from the query's matrix
# next: use w_key for the keys
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_query).T) @ (x @ w_value)

# %% wrong: matrices_transposed
# wrong: transposes the matrices (catalogue 18)
# says: same numbers and errors as when the two
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query.T) @ (x @ w_key.T).T) @ (x @ w_value.T)

# %% wrong: maximum_of_everything
# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
# earns: 3
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True) @ (x @ w_value)

# %% wrong: output_transposed
# wrong: the output in columns (catalogue 19)
# says: rows and columns are swapped
def self_attention_rows(x, w_query, w_key, w_value):
    return (softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)).T

# %% wrong: over_all_entries
# wrong: softmax over all entries (catalogue 2)
# says: over all entries
# likely: the softmax runs over all entries instead of one query at a time
# next: give the sum the axis of the keys, and keep that axis
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    e = np.exp(s - s.max())
    return e / e.sum() @ (x @ w_value)

# %% wrong: reads_global
# wrong: uses the notebook's weights (catalogue 42)
# says: your code uses `w_key`, `w_query`, `w_value`: no argument, but a
def self_attention_rows(x, wq, wk, wv):
    return softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)

# %% wrong: rounds_weights
# wrong: rounds the weights, as the page does (catalogue 50)
# says: the weights are rounded before
# likely: the weights are rounded before they are used
# next: use exact weights; round only when you print
def self_attention_rows(x, w_query, w_key, w_value):
    return np.round(softmax_rows((x @ w_query) @ (x @ w_key).T), 1) @ (x @ w_value)

# %% wrong: scaled
# wrong: divides by sqrt(d_k) (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_key).T / np.sqrt(w_key.shape[1])) @ (x @ w_value)

# %% wrong: softmax_over_queries
# wrong: softmax over the queries (catalogue 1)
# says: you normalised over queries
# likely: you normalised over queries: the softmax runs down the columns
# next: softmax along the last axis, then `weights @ values`: each row is one query
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows(((x @ w_query) @ (x @ w_key).T).T).T @ (x @ w_value)

# %% wrong: squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: removes every axis of length 1
# earns: 2
def self_attention_rows(x, w_query, w_key, w_value):
    return np.squeeze(softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value))

# %% wrong: swapped_roles
# wrong: keys ask, queries are asked; invisible in the integer example (catalogue 16)
# says: query and key have swapped roles
# likely: query and key have swapped roles: the scores are transposed before the softmax
# next: check which factor belongs to the token that asks: it gives its query
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_key) @ (x @ w_query).T) @ (x @ w_value)

# %% wrong: values_from_keys
# wrong: the values use the key's matrix (catalogue 15)
# says: the values come from the key's matrix
# likely: the values come from the key's matrix
# next: use w_value for the values
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_key)

# %% wrong: weights_transposed
# wrong: weights.T @ values (catalogue 20)
# says: the weights are those of the card, transposed
# likely: the weights are those of the card, transposed: rows and columns are swapped before the last product
# next: softmax along the last axis, then `weights @ values` without a transpose: row i of the weights belongs to query i
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_key).T).T @ (x @ w_value)

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: without the exponential
# likely: the scores are divided by their sum, without the exponential
# next: take the exponential of the scores first
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    return s / s.sum(axis=1, keepdims=True) @ (x @ w_value)

# %% wrong: without_keepdims
# wrong: divides by another row's sum (catalogue 6)
# says: the sum of another row
# likely: the division uses the sum of another row: shape (T,) lines up with the columns
# next: keep the axis that you sum over: `keepdims=True`
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1) @ (x @ w_value)

# %% wrong: without_maximum
# wrong: nan for long vectors (catalogue 7)
# says: nan or inf
# earns: 3
def self_attention_rows(x, w_query, w_key, w_value):
    e = np.exp((x @ w_query) @ (x @ w_key).T)
    return e / e.sum(axis=1, keepdims=True) @ (x @ w_value)

# %% wrong: without_softmax
# wrong: no softmax between the products
# says: there is no softmax
# likely: there is no softmax: the values are weighted by the scores
# next: put the scores through a softmax over the keys
def self_attention_rows(x, w_query, w_key, w_value):
    return (x @ w_query) @ (x @ w_key).T @ (x @ w_value)

# %% wrong: without_sum
# wrong: does not normalise (catalogue 5)
# says: are not divided by their sum
# likely: the exponentials are not divided by their sum
# next: divide them by their sum, so that the weights sum to one
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    return np.exp(s - s.max(axis=1, keepdims=True)) @ (x @ w_value)

# %% wrong: scales_big_keys
# wrong: divides by sqrt(d_k) as soon as d_k is 16 or more
# says: without the lines under `if d_k >= 16`
# earns: 2
def self_attention_rows(x, w_query, w_key, w_value):
    queries, keys, values = (x @ w_query), (x @ w_key), (x @ w_value)
    scores = queries @ keys.T
    d_k = keys.shape[1]
    if d_k >= 16:
        scores = scores / np.sqrt(d_k)
    return softmax_rows(scores) @ values

# %% right: step_by_step
def self_attention_rows(x, w_query, w_key, w_value):
    queries = x @ w_query
    keys = x @ w_key
    values = x @ w_value
    scores = queries @ keys.T
    weights = softmax_rows(scores)
    outputs = weights @ values
    return outputs

# %% right: by_loops
def self_attention_rows(x, w_query, w_key, w_value):
    queries = x @ w_query
    keys = x @ w_key
    values = x @ w_value
    scores = queries @ keys.T
    weights = softmax_rows(scores)
    T, k = values.shape
    outputs = np.zeros((T, k))
    for i in range(T):
        output = np.zeros(k)
        for j in range(T):
            output = output + weights[i, j] * values[j]
        outputs[i] = output
    return outputs

# %% wrong: own_key_alone
# wrong: the products of query i with key i, as one row of scores for all
# says: each query is compared only with its own key
# likely: each query is compared only with its own key: one score per token instead of one per pair
# next: compare every query with every key: `queries @ keys.T`
def self_attention_rows(x, w_query, w_key, w_value):
    scores = ((x @ w_query) * (x @ w_key)).sum(axis=1)
    return softmax_rows(scores) @ (x @ w_value)

# %% wrong: own_key_and_own_value
# wrong: the products of query i with key i, times value i
# says: each query is compared only with its own key
# likely: each query is compared only with its own key: one score per token instead of one per pair
# next: compare every query with every key: `queries @ keys.T`
def self_attention_rows(x, w_query, w_key, w_value):
    scores = ((x @ w_query) * (x @ w_key)).sum(axis=1)
    return softmax_rows(scores)[:, None] * (x @ w_value)

# %% right: in_one_line
def self_attention_rows(x, w_query, w_key, w_value):
    weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
    outputs = weights @ (x @ w_value)
    return outputs

# %% right: by_lists
def self_attention_rows(x, w_query, w_key, w_value):
    T, d = x.shape
    outputs = []
    for i in range(T):
        query = x[i] @ w_query
        scores = []
        values = []
        for j in range(T):
            key = x[j] @ w_key
            value = x[j] @ w_value
            scores.append(query @ key)
            values.append(value)
        weights = softmax_rows(np.array(scores))
        output = np.zeros(w_value.shape[1])
        for j in range(T):
            output = output + weights[j] * values[j]
        outputs.append(output)
    outputs = np.array(outputs)
    return outputs

# %% right: own_softmax
def self_attention_rows(x, w_query, w_key, w_value):
    queries = x @ w_query
    keys = x @ w_key
    values = x @ w_value
    scores = queries @ keys.T
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=1, keepdims=True)
    weights = powers / totals
    outputs = weights @ values
    return outputs

# %% wrong: values_times_transpose
# wrong: the page's `(values * weights.T).sum(axis=0)` (catalogue 21)
# says: component c of the output of query c
# likely: without a new axis, `values * weights.T` pairs component c of a value with query c; the sum is component c of the output of query c
# next: multiply as matrices: `weights @ values`
def self_attention_rows(x, w_query, w_key, w_value):
    values = x @ w_value
    weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
    return (values * weights.T).sum(axis=0)

# %% wrong: values_times_transpose_not_summed
# wrong: the page's `values * weights.T`, before its sum (catalogue 21)
# says: component c of a value with query c
# likely: without a new axis, `values * weights.T` pairs component c of a value with query c, and nothing is added up
# next: multiply as matrices: `weights @ values`
def self_attention_rows(x, w_query, w_key, w_value):
    values = x @ w_value
    weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
    return values * weights.T

# %% wrong: weights_times_values_summed
# wrong: `(weights * values).sum(axis=1)`: a number for each query (catalogue 21)
# says: a number for each query
# likely: without a new axis, `weights * values` pairs component c of value i with key c; the sum leaves a number for each query, not a vector
# next: multiply as matrices: `weights @ values`
def self_attention_rows(x, w_query, w_key, w_value):
    values = x @ w_value
    weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
    return (weights * values).sum(axis=1)

# %% wrong: dictionary_of_tokens
# wrong: keys and values are kept by token: equal tokens are counted once
# says: for floats, tokens some equal and one of zeros
# earns: 2
def self_attention_rows(x, w_query, w_key, w_value):
    known = {tuple(token): (token @ w_key, token @ w_value) for token in x}
    keys, values = (np.array(each) for each in zip(*known.values()))
    return softmax_rows((x @ w_query) @ keys.T) @ values

# %% wrong: softmax_before_the_product
# wrong: a softmax of the queries and one of the keys, and none of their scores
# says: of the queries and of the keys
# likely: the softmax is taken of the queries and of the keys, and not of their scores
# next: multiply first: the softmax makes weights of the scores `Q @ K.T`, row by row
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows(x @ w_query) @ softmax_rows(x @ w_key).T @ (x @ w_value)
