# Right and wrong answers to `two_layers`; authoring/README.md says how they are written.

# %% right: one_after_the_other
def two_layers(x, first, second):
    w_query, w_key, w_value = first
    first_weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
    both = np.hstack([x, first_weights @ (x @ w_value)])
    w_query, w_key, w_value = second
    second_weights = softmax_rows((both @ w_query) @ (both @ w_key).T)
    return first_weights, second_weights, second_weights @ (both @ w_value)

# %% right: helper
def attend(x, layer):
    w_query, w_key, w_value = layer
    weights = softmax_rows(x @ w_query @ (x @ w_key).T)
    return weights, weights @ x @ w_value


def two_layers(x, first, second):
    first_weights, collected = attend(x, first)
    second_weights, outputs = attend(np.concatenate([x, collected], axis=1), second)
    return first_weights, second_weights, outputs

# %% right: own_function
def two_layers(x, first, second):
    both = np.column_stack([x, self_attention_rows(x, *first)])
    maps = [softmax_rows((t @ w_query) @ (t @ w_key).T) for t, (w_query, w_key, _) in ((x, first), (both, second))]
    return [*maps, self_attention_rows(both, *second)]

# %% right: torch
def two_layers(x, first, second):
    x, *layers = torch.tensor(x, dtype=torch.float64), *([torch.tensor(w, dtype=torch.float64) for w in layer] for layer in (first, second))
    results, seen = [], x
    for q, k, v in layers:
        weights = torch.softmax(torch.einsum("ia,ac,bc,jb->ij", seen, q, k, seen), dim=-1)
        outputs = weights @ seen @ v
        results.append(weights.numpy())
        seen = torch.cat([x, outputs], dim=-1)
    return results[0], results[1], outputs.numpy()

# %% right: from_scratch
def two_layers(x, first, second):
    maps, seen = [], np.array(x, dtype=float)
    for w_query, w_key, w_value in (first, second):
        queries, keys, values = seen @ w_query, seen @ w_key, seen @ w_value
        weights, outputs = np.zeros((len(x), len(x))), np.zeros(values.shape)
        for i in range(len(x)):
            scores = [queries[i] @ key for key in keys]
            powers = np.exp(np.array(scores) - max(scores))
            weights[i] = powers / powers.sum()
            for j in range(len(x)):
                outputs[i] += weights[i, j] * values[j]
        maps.append(weights)
        seen = np.concatenate([seen, outputs], axis=1)
    return maps[0], maps[1], outputs

# %% right: filled_table
def two_layers(x, first, second):
    weights = softmax_rows((x @ first[0]) @ (x @ first[1]).T)
    T, d = x.shape
    both = np.zeros((T, d + first[2].shape[1]))
    both[:, :d] = x
    both[:, d:] = weights @ x @ first[2]
    later = softmax_rows((both @ second[0]) @ (both @ second[1]).T)
    return weights, later, later @ both @ second[2]

# %% right: step_by_step
def two_layers(x, first, second):
    queries, keys, values = x @ first[0], x @ first[1], x @ first[2]
    scores = queries @ keys.T
    first_weights = softmax_rows(scores)
    collected = first_weights @ values
    both = np.concatenate([x, collected], axis=1)
    later_queries, later_keys, later_values = both @ second[0], both @ second[1], both @ second[2]
    later_scores = later_queries @ later_keys.T
    second_weights = softmax_rows(later_scores)
    outputs = second_weights @ later_values
    return first_weights, second_weights, outputs

# %% wrong: collected_in_front
# wrong: puts what was collected in front of the token's own vector
# says: stands in front of the token's own vector
# likely: what the first layer collected stands in front of the token's own vector
# next: put x first, then what was collected: `[x, collected]`
# earns: 2
-    both = np.hstack([x, first_weights @ (x @ w_value)])
+    both = np.hstack([first_weights @ (x @ w_value), x])

# %% wrong: first_weights_twice
# wrong: the outputs are mixed with the weights of the first layer
# says: the outputs are mixed with the weights of the first layer
# likely: the outputs are mixed with the weights of the first layer
# next: mix the values of the second layer with its own weights
# earns: 4
-    return first_weights, second_weights, second_weights @ (both @ w_value)
+    return first_weights, second_weights, first_weights @ (both @ w_value)

# %% wrong: values_of_x
# wrong: puts the values beside x, without mixing them
# says: the values of the first layer are not mixed
# likely: the values of the first layer are not mixed: each token has its own beside it
# next: multiply the first weights with the values, then put that beside x
# earns: 2
-    both = np.hstack([x, first_weights @ (x @ w_value)])
+    both = np.hstack([x, x @ w_value])

# %% wrong: parts_exchanged
# wrong: returns the second weights first
# says: the two weights are in the wrong order
# likely: the two weights are in the wrong order
# next: return the weights of the first layer first
# earns: 1
-    return first_weights, second_weights, second_weights @ (both @ w_value)
+    return second_weights, first_weights, second_weights @ (both @ w_value)

# %% wrong: over_queries
# wrong: softmax down the columns in both layers
# says: columns to 1.00
-    first_weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
+    first_weights = softmax_rows((x @ w_key) @ (x @ w_query).T).T

-    second_weights = softmax_rows((both @ w_query) @ (both @ w_key).T)
+    second_weights = softmax_rows((both @ w_key) @ (both @ w_query).T).T

# %% wrong: outputs_only
# wrong: returns the outputs alone
# says: a part is missing
def two_layers(x, first, second):
    return self_attention_rows(np.hstack([x, self_attention_rows(x, *first)]), *second)

# %% wrong: sum_for_concatenation
# wrong: adds what was collected to x
# says: raised ValueError
-    both = np.hstack([x, first_weights @ (x @ w_value)])
+    both = x + first_weights @ (x @ w_value)

# %% wrong: joined_and_cut_anew
# wrong: joins the two arrays behind each other and reshapes: rows hold parts of different tokens
# says: cut into rows anew
# likely: `x` and what was collected are joined behind each other and cut into rows anew, so that a row holds parts of different tokens
# next: join each row of one with the same row of the other: `np.concatenate([x, collected], axis=1)`
# earns: 2
-    both = np.hstack([x, first_weights @ (x @ w_value)])
+    both = np.concatenate([x.ravel(), (first_weights @ (x @ w_value)).ravel()]).reshape(len(x), -1)

# %% wrong: without_maximum
# wrong: overflows for long queries
# says: nan or inf
def two_layers(x, first, second):
    maps = []
    seen = x
    for w_query, w_key, w_value in (first, second):
        e = np.exp((seen @ w_query) @ (seen @ w_key).T)
        maps.append(e / e.sum(axis=1, keepdims=True))
        outputs = maps[-1] @ (seen @ w_value)
        seen = np.hstack([x, outputs])
    return maps[0], maps[1], outputs
