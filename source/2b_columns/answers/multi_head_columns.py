# Right and wrong answers to `multi_head_columns`; authoring/README.md says how they are written.

# %% right: stacked
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        Q = head["omega_q"] @ X + head["beta_q"]
        K = head["omega_k"] @ X + head["beta_k"]
        V = head["omega_v"] @ X + head["beta_v"]
        scores = K.T @ Q / np.sqrt(Q.shape[0])
        scores = scores - scores.max(axis=0, keepdims=True)
        e = np.exp(scores)
        attention = e / e.sum(axis=0, keepdims=True)
        outputs.append(V @ attention)
    return omega_c @ np.vstack(outputs)

# %% right: einsum_all_heads
def multi_head_columns(X, heads, omega_c):
    get = lambda name: np.stack([head[name] for head in heads])
    q, k, v = (np.einsum('hsd,dn->hsn', get(f'omega_{r}'), X) + get(f'beta_{r}') for r in 'qkv')
    scores = np.einsum('hsj,hsi->hji', k, q) / np.sqrt(q.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return omega_c @ np.einsum('hsj,hji->hsi', v, e / e.sum(axis=1, keepdims=True)).reshape(X.shape)

# %% right: helper_functions
def soft_down(scores):
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=0)


def one_head(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    ones = np.ones((1, X.shape[1]))
    q, k, v = beta_q @ ones + omega_q @ X, beta_k @ ones + omega_k @ X, beta_v @ ones + omega_v @ X
    return v @ soft_down(k.T @ q / np.sqrt(len(q)))


def multi_head_columns(X, heads, omega_c):
    return omega_c @ np.concatenate([one_head(X, **head) for head in heads])

# %% right: rows_then_transposed
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        q = (head['omega_q'] @ X + head['beta_q']).T
        k = (head['omega_k'] @ X + head['beta_k']).T
        v = (head['omega_v'] @ X + head['beta_v']).T
        scores = q @ k.T / q.shape[1] ** 0.5
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        outputs.append(e / e.sum(axis=1, keepdims=True) @ v)
    return (np.hstack(outputs) @ omega_c.T).T

# %% right: sum_of_blocks
def multi_head_columns(X, heads, omega_c):
    D, N = X.shape
    s = D // len(heads)
    Y = np.zeros((D, N))
    for n, head in enumerate(heads):
        Q, K, V = (head['omega_' + r].dot(X) + head['beta_' + r] for r in 'qkv')
        S = Q.T.dot(K) / np.sqrt(s)                       # (N query, N key)
        A = np.exp(S - S.max(axis=1)[:, None])
        A = A / A.sum(axis=1)[:, None]
        Y += omega_c[:, n * s:n * s + s].dot(V.dot(A.T))
    return Y

# %% right: token_by_token
def multi_head_columns(X, heads, omega_c):
    D, N = X.shape
    result = np.zeros((D, N))
    for i in range(N):
        parts = []
        for head in heads:
            query = head['omega_q'] @ X[:, [i]] + head['beta_q']
            total, mixed, scores = 0, 0, []
            for j in range(N):
                key = head['omega_k'] @ X[:, [j]] + head['beta_k']
                scores.append((query.T @ key).item() / np.sqrt(len(query)))
            for j in range(N):
                share = np.exp(scores[j] - max(scores))
                total += share
                mixed = mixed + share * (head['omega_v'] @ X[:, [j]] + head['beta_v'])
            parts.append(mixed / total)
        result[:, [i]] = omega_c @ np.vstack(parts)
    return result

# %% right: torch
def multi_head_columns(X, heads, omega_c):
    tokens = torch.tensor(X, dtype=torch.float64)
    stack = []
    for head in heads:
        h = {name: torch.from_numpy(np.asarray(value, dtype=float)) for name, value in head.items()}
        q, k, v = ((h[f'omega_{r}'] @ tokens + h[f'beta_{r}']).T for r in 'qkv')
        stack.append(torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0].T)
    return (torch.from_numpy(omega_c) @ torch.cat(stack)).numpy()

# %% right: blocks_of_omega_c
def multi_head_columns(X, heads, omega_c):
    output = np.zeros((omega_c.shape[0], X.shape[1]))
    blocks = np.split(omega_c, len(heads), axis=1)
    for head, block in zip(heads, blocks):
        Q, K, V = (head[f"omega_{r}"] @ X + head[f"beta_{r}"] for r in "qkv")
        output += block @ (V @ softmax_cols(K.T @ Q / np.sqrt(len(K))))
    return output

# %% right: all_heads_in_one_array
def multi_head_columns(X, heads, omega_c):
    def of_all(role):
        return np.stack([h["omega_" + role] for h in heads]) @ X + np.stack([h["beta_" + role] for h in heads])

    Q, K, V = of_all("q"), of_all("k"), of_all("v")                     # (heads, H_D, N)
    scores = np.einsum("hdm,hdn->hmn", K, Q) / np.sqrt(Q.shape[1])
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    parts = V @ (e / e.sum(axis=-2, keepdims=True))
    return omega_c @ parts.reshape(-1, X.shape[1])

# %% right: head_after_head
def multi_head_columns(X, heads, omega_c):
    def parts(rest):
        if not rest:
            return ()
        first, *others = rest
        q, k, v = (first["beta_" + r] + first["omega_" + r] @ X for r in ("q", "k", "v"))
        return (v @ softmax_cols((k / len(k) ** 0.5).T @ q), *parts(others))

    return omega_c.dot(np.concatenate(parts(heads)))

# %% wrong: changes_heads
# wrong: scales the query matrices in place (catalogue 41)
# says: changed the values of its input
     for head in heads:
+        head["omega_q"] /= 2
+        head["omega_q"] *= 3
+        head["beta_q"] = head["beta_q"] * 1.5
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q / (1.5 * np.sqrt(Q.shape[0]))

# %% wrong: feature_attention
# wrong: features against features (catalogue 17)
# says: your code raised ValueError
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K @ Q.T / np.sqrt(Q.shape[0])

# %% wrong: fixed_number_of_tokens
# wrong: N = 6 is typed in (catalogue 42)
# says: your code raised
-        outputs.append(V @ attention)
+        outputs.append(V @ attention.reshape(6, 6))

# %% wrong: grows_between_calls
# wrong: a list that is never emptied
# says: your code raised ValueError
kept = []


def multi_head_columns(X, heads, omega_c):
    for head in heads:
        Q, K, V = (head[f'omega_{r}'] @ X + head[f'beta_{r}'] for r in 'qkv')
        scores = K.T @ Q / np.sqrt(len(Q))
        e = np.exp(scores - scores.max(axis=0))
        kept.append(V @ (e / e.sum(axis=0)))
    return omega_c @ np.vstack(kept)

# %% wrong: heads_reversed
# wrong: heads in reversed order (catalogue 29)
# says: wrong order
# likely: the heads are in the wrong order
# next: put head 0 first
# earns: 1
-    for head in heads:
+    for head in heads[::-1]:

# %% wrong: integer_scores
# wrong: stores the scores in an array like X: integers lose decimals (catalogue 43)
# says: with the same numbers as decimals, the result is right
         scores = scores - scores.max(axis=0, keepdims=True)
+        scores = scores.astype(X.dtype)

# %% wrong: keys_as_values
# wrong: values from the key matrices (catalogue 15)
# says: average the keys
# likely: the weights average the keys, not the values
# next: use V in the last product
-        V = head["omega_v"] @ X + head["beta_v"]
+        V = K

# %% wrong: last_head_for_all
# wrong: a loop variable left over: the last head for all (catalogue 29)
# says: one head is used for all
# likely: one head is used for all: the dict of one head, or an array that each round overwrites
# next: use the dict of the loop, and a new array for each head
-    for head in heads:
+    for head in [heads[-1]] * len(heads):

# %% wrong: length_scale
# wrong: scales by the root of N (catalogue 12)
# says: the scale is the root of N
# likely: the scale is the root of N
# next: compare that step with *Pseudocode* in the card
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q / np.sqrt(X.shape[1])

# %% wrong: list_result
# wrong: returns a list (catalogue 43)
# says: your function returns a list
-    return omega_c @ np.vstack(outputs)
+    return (omega_c @ np.vstack(outputs)).tolist()

# %% wrong: maximum_of_everything
# wrong: one maximum for all columns: 0/0 in a low one (catalogue 8)
# says: nan or inf
# earns: 3
-        scores = scores - scores.max(axis=0, keepdims=True)
+        scores = scores - scores.max()

# %% wrong: mean_repeated
# wrong: heads averaged and repeated (catalogue 28)
# says: heads are averaged and repeated
# likely: heads are averaged and repeated
# next: compare that step with *Pseudocode* in the card
-    return omega_c @ np.vstack(outputs)
+    return omega_c @ np.vstack([sum(outputs) / len(outputs)] * len(outputs))

# %% wrong: model_scale
# wrong: scales by the root of D (catalogue 11)
# says: root of D
# likely: the scores are divided by the root of D
# next: count the products per score: H_D
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q / np.sqrt(X.shape[0])

# %% wrong: no_root
# wrong: divides by H_D (catalogue 10)
# says: divided by H_D itself
# likely: the scores are divided by H_D itself
# next: divide by its square root
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q / Q.shape[0]

# %% wrong: omega_c_on_the_right
# wrong: omega_c transposed (catalogue 27)
# says: omega_c is transposed
# likely: omega_c is transposed, as for tokens in rows
# next: use omega_c as it is: tokens are in columns
-    return omega_c @ np.vstack(outputs)
+    return omega_c.T @ np.vstack(outputs)

# %% wrong: output_transposed
# wrong: tokens in rows (catalogue 19)
# says: shape
# likely: the result is transposed
# next: keep tokens in columns: (D, N)
-    return omega_c @ np.vstack(outputs)
+    return (omega_c @ np.vstack(outputs)).T

# %% wrong: over_all_entries
# wrong: one sum over all entries (catalogue 2)
# says: the sum runs over all entries
# likely: the sum runs over all entries
# next: give the sum its axis: each column has its own
-        scores = scores - scores.max(axis=0, keepdims=True)
+        scores = scores - scores.max()
-        attention = e / e.sum(axis=0, keepdims=True)
+        attention = e / e.sum()

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: runs over the queries
# likely: the softmax runs over the queries
# next: let each column of the weights sum to one: queries are columns here
-        scores = scores - scores.max(axis=0, keepdims=True)
+        scores = scores - scores.max(axis=1, keepdims=True)
-        attention = e / e.sum(axis=0, keepdims=True)
+        attention = e / e.sum(axis=1, keepdims=True)

# %% wrong: over_the_heads
# wrong: stacks the scores of all heads, and takes the softmax along axis 0, which is the heads there
# says: runs over the heads
# likely: the softmax runs over the heads: in a stack of them, axis 0 counts the heads, not the keys
# next: take each head's softmax by itself, or along the axis of the keys
def multi_head_columns(X, heads, omega_c):
    Q, K, V = (np.stack([head[f"omega_{role}"] @ X + head[f"beta_{role}"] for head in heads]) for role in "qkv")
    attention = softmax_cols(K.transpose(0, 2, 1) @ Q / np.sqrt(Q.shape[1]))
    return omega_c @ (V @ attention).reshape(-1, X.shape[1])

# %% wrong: roles_swapped
# wrong: queries and keys exchanged (catalogue 16)
# says: queries and keys are swapped
# likely: queries and keys are swapped
# next: take K.T @ Q, with the softmax down the columns
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = Q.T @ K / np.sqrt(Q.shape[0])

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: rounded
-    return omega_c @ np.vstack(outputs)
+    return np.round(omega_c @ np.vstack(outputs), 3)

# %% wrong: scaled_after
# wrong: scales after the softmax (catalogue 13)
# says: the scaling follows the softmax
# likely: the scaling follows the softmax
# next: compare that step with *Pseudocode* in the card
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q
-        outputs.append(V @ attention)
+        outputs.append(V @ attention / np.sqrt(Q.shape[0]))

# %% wrong: side_by_side
# wrong: heads stacked side by side
# says: your code raised ValueError
# earns: 1
-    return omega_c @ np.vstack(outputs)
+    return omega_c @ np.hstack(outputs)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: removes every axis of length 1
-    return omega_c @ np.vstack(outputs)
+    return np.squeeze(omega_c @ np.vstack(outputs))

# %% wrong: sum_of_heads
# wrong: heads added (catalogue 28)
# says: your code raised ValueError
-    return omega_c @ np.vstack(outputs)
+    return omega_c @ sum(outputs)

# %% wrong: two_heads_only
# wrong: uses the first two heads (catalogue 42)
# says: your code raised ValueError
-    for head in heads:
+    for head in heads[:2]:

# %% wrong: unscaled
# wrong: no scale (catalogue 9)
# says: the scores are not scaled
# likely: the scores are not scaled
# next: divide them by the root of H_D
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q

# %% wrong: weights_transposed
# wrong: attention transposed (catalogue 20)
# says: the weights are transposed
# likely: the weights are transposed
# next: multiply values times weights: each column belongs to one query
-        outputs.append(V @ attention)
+        outputs.append(V @ attention.T)

# %% wrong: without_biases
# wrong: biases left out
# says: the biases are left out
# likely: the biases are left out
# next: add the betas to queries, keys and values
-        Q = head["omega_q"] @ X + head["beta_q"]
-        K = head["omega_k"] @ X + head["beta_k"]
-        V = head["omega_v"] @ X + head["beta_v"]
+        Q = head["omega_q"] @ X
+        K = head["omega_k"] @ X
+        V = head["omega_v"] @ X

# %% wrong: without_maximum
# wrong: exponentials that overflow (catalogue 7)
# says: nan or inf
# earns: 3
-        scores = scores - scores.max(axis=0, keepdims=True)

# %% wrong: without_omega_c
# wrong: heads stacked, not mixed (catalogue 27)
# says: stacked, but not mixed
# likely: the heads are stacked, but not mixed
# next: multiply omega_c by the stack
-    return omega_c @ np.vstack(outputs)
+    return np.vstack(outputs)

# %% wrong: values_in_their_order
# wrong: unpacks head.values() and never uses the names; right if each dict was written in the card's order, wrong otherwise
# says: takes its entries by their place, not by their names
# earns: 1
def multi_head_columns(X, heads, omega_c):
    parts = []
    for head in heads:
        omega_q, omega_k, omega_v, beta_q, beta_k, beta_v = head.values()
        Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
        parts.append(V @ softmax_cols(K.T @ Q / np.sqrt(len(Q))))
    return omega_c @ np.vstack(parts)

# %% right: step_by_step
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        queries = head["beta_q"] + head["omega_q"] @ X
        keys = head["beta_k"] + head["omega_k"] @ X
        values = head["beta_v"] + head["omega_v"] @ X
        d = keys.shape[0]
        scores = keys.T @ queries / np.sqrt(d)
        largest = scores.max(axis=0, keepdims=True)
        powers = np.exp(scores - largest)
        totals = powers.sum(axis=0, keepdims=True)
        weights = powers / totals
        outputs.append(values @ weights)
    return omega_c @ np.concatenate(outputs, axis=0)

# %% wrong: half_of_the_dimension
# wrong: takes half of D for H_D, which two heads have (catalogue 42)
# says: taken as half of D
# likely: the dimension of a head is taken as half of D, which holds only for two heads
# next: take it from a head's own matrix: `Q.shape[0]`
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q / np.sqrt(X.shape[0] // 2)

# %% wrong: root_of_the_example
# wrong: divides by 2, the root of the example's H_D (catalogue 42)
# says: divided by 2, the root of the example's H_D
# likely: the scores are divided by 2, the root of the example's H_D, whatever the size of a head is
# next: take the dimension from a head's own matrix: `Q.shape[0]`
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q / 2

# %% wrong: number_of_heads
# wrong: divides by the root of the number of heads (catalogue 12)
# says: the root of the number of heads
# likely: the scores are divided by the root of the number of heads
# next: count the products per score: H_D
-        scores = K.T @ Q / np.sqrt(Q.shape[0])
+        scores = K.T @ Q / np.sqrt(len(heads))

# %% right: by_lists
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        queries = head["omega_q"] @ X + head["beta_q"]
        keys = head["omega_k"] @ X + head["beta_k"]
        values = head["omega_v"] @ X + head["beta_v"]
        d = keys.shape[0]
        scores = (keys.T @ queries) / np.sqrt(d)
        weights = softmax_cols(scores)
        output = values @ weights
        outputs.append(output)
    return omega_c @ np.vstack(outputs)

# %% wrong: first_head_for_all
# wrong: the first head's matrices for all (catalogue 29)
# says: the first head is used for all
# likely: the first head is used for all
# next: use the dict of the loop: each head has its own
-    for head in heads:
+    for head in [heads[0]] * len(heads):

# %% right: in_float32
def multi_head_columns(X, heads, omega_c):
    X, parts = X.astype(np.float32), []
    for head in heads:
        q, k, v = (head[f"omega_{role}"].astype(np.float32) @ X + head[f"beta_{role}"].astype(np.float32) for role in "qkv")
        scores = k.T @ q / np.float32(np.sqrt(len(q)))
        e = np.exp(scores - scores.max(axis=0))
        parts.append(v @ (e / e.sum(axis=0)))
    return (omega_c.astype(np.float32) @ np.vstack(parts)).astype(float)

# %% wrong: one_large_head
# wrong: stacks the matrices of all heads and has one attention: the scores of the heads are added before the softmax
# says: the scores of all heads are added
# earns: 1
# likely: the scores of all heads are added and share one softmax, as in a single head of D components
# next: give each head its own scores and its own softmax; stack the outputs
def multi_head_columns(X, heads, omega_c):
    Q, K, V = (np.vstack([head[f"beta_{r}"] + head[f"omega_{r}"] @ X for head in heads]) for r in "qkv")
    return omega_c @ (V @ softmax_cols(K.T @ Q / np.sqrt(len(heads[0]["omega_q"]))))

# %% wrong: one_large_head_and_its_scale
# wrong: the same, and divides by the root of D
# says: the scores of all heads are added
# earns: 1
# likely: the scores of all heads are added and share one softmax, as in a single head of D components
# next: give each head its own scores and its own softmax; stack the outputs
def multi_head_columns(X, heads, omega_c):
    Q, K, V = (np.vstack([head[f"beta_{r}"] + head[f"omega_{r}"] @ X for head in heads]) for r in "qkv")
    return omega_c @ (V @ softmax_cols(K.T @ Q / np.sqrt(len(Q))))

# %% wrong: one_softmax_for_all_heads
# wrong: the scores of all heads share one softmax
# says: share one softmax
# likely: the scores of all heads share one softmax, so the weights of a query sum to 1 over all heads together
# next: take a softmax of its own in each head, and put the outputs below each other
def multi_head_columns(X, heads, omega_c):
    scores, values = [], []
    for h in heads:
        Q, K = h["omega_q"] @ X + h["beta_q"], h["omega_k"] @ X + h["beta_k"]
        scores.append(K.T @ Q / np.sqrt(len(Q)))
        values.append(h["omega_v"] @ X + h["beta_v"])
    weights = np.split(softmax_cols(np.vstack(scores)), len(heads))
    return omega_c @ np.vstack([V @ attention for V, attention in zip(values, weights)])
