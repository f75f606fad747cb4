# Right and wrong answers to `two_layers`; authoring/README.md says how they are written.

# %% right: one_after_the_other
def two_layers(x, first, second):
    w_query, w_key, w_value = first
    first_weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
    x = x + first_weights @ (x @ w_value)
    w_query, w_key, w_value = second
    second_weights = softmax_rows((x @ w_query) @ (x @ w_key).T)
    return first_weights, second_weights, x + second_weights @ (x @ w_value)

# %% right: one_loop
def two_layers(x, first, second):
    maps = []
    for w_query, w_key, w_value in (first, second):
        scores = (x @ w_query) @ (x @ w_key).T
        maps.append(softmax_rows(scores))
        x = x + maps[-1] @ (x @ w_value)
    return (*maps, x)

# %% right: helper
def attend(x, layer):
    w_query, w_key, w_value = layer
    weights = softmax_rows(x @ w_query @ (x @ w_key).T)
    return weights, weights @ x @ w_value


def two_layers(x, first, second):
    first_weights, collected = attend(x, first)
    between = x + collected
    second_weights, collected = attend(between, second)
    return first_weights, second_weights, between + collected

# %% right: own_function
def two_layers(x, first, second):
    between = x + self_attention_rows(x, *first)
    first_weights = softmax_rows((x @ first[0]) @ (x @ first[1]).T)
    second_weights = softmax_rows((between @ second[0]) @ (between @ second[1]).T)
    return [first_weights, second_weights, between + self_attention_rows(between, *second)]

# %% right: torch
def two_layers(x, first, second):
    x, *layers = torch.tensor(x, dtype=torch.float64), *([torch.tensor(w, dtype=torch.float64) for w in layer] for layer in (first, second))
    maps = []
    for q, k, v in layers:
        maps.append(torch.softmax(torch.einsum("ia,ac,bc,jb->ij", x, q, k, x), dim=-1))
        x = x + maps[-1] @ x @ v
    return maps[0].numpy(), maps[1].numpy(), x.numpy()

# %% right: from_scratch
def two_layers(x, first, second):
    maps, x = [], np.array(x, dtype=float)
    for w_query, w_key, w_value in (first, second):
        queries, keys, values = x @ w_query, x @ w_key, x @ w_value
        weights, collected = np.zeros((len(x), len(x))), np.zeros(x.shape)
        for i in range(len(x)):
            scores = [queries[i] @ key for key in keys]
            powers = np.exp(np.array(scores) - max(scores))
            weights[i] = powers / powers.sum()
            for j in range(len(x)):
                collected[i] += weights[i, j] * values[j]
        maps.append(weights)
        x = x + collected
    return maps[0], maps[1], x

# %% right: step_by_step
def two_layers(x, first, second):
    queries, keys, values = x @ first[0], x @ first[1], x @ first[2]
    scores = queries @ keys.T
    first_weights = softmax_rows(scores)
    between = x + first_weights @ values
    later_queries, later_keys, later_values = between @ second[0], between @ second[1], between @ second[2]
    later_scores = later_queries @ later_keys.T
    second_weights = softmax_rows(later_scores)
    outputs = between + second_weights @ later_values
    return first_weights, second_weights, outputs

# %% wrong: without_own_vector
# wrong: drops the token's own vector after each layer
# says: the token's own vector is not added
# likely: the token's own vector is not added to what a layer collects
# next: after each layer, add what was collected to x: `x = x + ...`
# earns: 2
def two_layers(x, first, second):
    maps = []
    for w_query, w_key, w_value in (first, second):
        maps.append(softmax_rows((x @ w_query) @ (x @ w_key).T))
        x = maps[-1] @ (x @ w_value)
    return maps[0], maps[1], x

# %% wrong: second_asks_with_x
# wrong: the second layer asks the tokens as they were at first
# says: the second layer reads the tokens as they were before the first
# likely: the second layer reads the tokens as they were before the first
# next: make queries, keys and values of the second layer from what the first returns
# earns: 2
def two_layers(x, first, second):
    maps, out = [], x
    for w_query, w_key, w_value in (first, second):
        maps.append(softmax_rows((x @ w_query) @ (x @ w_key).T))
        out = out + maps[-1] @ (x @ w_value)
    return maps[0], maps[1], out

# %% wrong: first_matrices_twice
# wrong: the second layer uses the first layer's matrices
# says: both layers use the matrices of the first
# likely: both layers use the matrices of the first
# next: take `second` apart for the second layer
# earns: 2
def two_layers(x, first, second):
    maps = []
    for w_query, w_key, w_value in (first, first):
        maps.append(softmax_rows((x @ w_query) @ (x @ w_key).T))
        x = x + maps[-1] @ (x @ w_value)
    return maps[0], maps[1], x

# %% wrong: last_without_own_vector
# wrong: the outputs are what the second layer collects, alone
# says: the outputs are what the second layer collects, alone
# likely: the outputs are what the second layer collects, alone
# next: add it to what went into the second layer
# earns: 4
def two_layers(x, first, second):
    maps = [softmax_rows((x @ first[0]) @ (x @ first[1]).T)]
    x = x + maps[0] @ (x @ first[2])
    maps.append(softmax_rows((x @ second[0]) @ (x @ second[1]).T))
    return maps[0], maps[1], maps[1] @ (x @ second[2])

# %% wrong: over_queries
# wrong: softmax down the columns in both layers
# says: first weights
def two_layers(x, first, second):
    maps = []
    for w_query, w_key, w_value in (first, second):
        maps.append(softmax_rows((x @ w_key) @ (x @ w_query).T).T)
        x = x + maps[-1] @ (x @ w_value)
    return maps[0], maps[1], x

# %% wrong: outputs_only
# wrong: returns the outputs alone
# says: the card asks for 3 parts
def two_layers(x, first, second):
    x = x + self_attention_rows(x, *first)
    return x + self_attention_rows(x, *second)

# %% wrong: adds_in_place
# wrong: `+=` writes into the argument
# says: in-place operation
def two_layers(x, first, second):
    maps = []
    for w_query, w_key, w_value in (first, second):
        maps.append(softmax_rows((x @ w_query) @ (x @ w_key).T))
        x += maps[-1] @ (x @ w_value)
    return maps[0], maps[1], x

# %% wrong: without_maximum
# wrong: overflows for long queries
# says: nan or inf
# earns: 0
def two_layers(x, first, second):
    maps = []
    for w_query, w_key, w_value in (first, second):
        e = np.exp((x @ w_query) @ (x @ w_key).T)
        maps.append(e / e.sum(axis=1, keepdims=True))
        x = x + maps[-1] @ (x @ w_value)
    return maps[0], maps[1], x
