# Right and wrong answers to `self_attention_loops`; authoring/README.md says how they are written.

# %% right: two_loops
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros(x.shape, dtype=float)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] = y[i] + weights[i][j] * x[j]
    return y

# %% right: einsum
def self_attention_loops(x):
    return np.einsum("ij,jk->ik", attention_weights(x), x)

# %% right: from_scratch
import math


def self_attention_loops(x):
    y = np.empty((x.shape[0], x.shape[1]))
    for i, query in enumerate(x):
        scores = [float(query @ key) for key in x]
        powers = [math.exp(score - max(scores)) for score in scores]
        y[i] = sum(power / sum(powers) * token for power, token in zip(powers, x))
    return y

# %% right: matrix_product
def self_attention_loops(x):
    return attention_weights(x) @ x

# %% right: one_loop
def self_attention_loops(x):
    out = []
    for row in attention_weights(x):
        out.append(row @ x)
    return np.array(out)

# %% right: stacked
def self_attention_loops(x):
    alphas = attention_weights(x)
    return np.vstack([np.average(x, axis=0, weights=alpha) for alpha in alphas])

# %% right: three_loops
def self_attention_loops(x):
    w = attention_weights(x)
    T, k = x.shape
    y = [[0.0] * k for _ in range(T)]
    for i in range(T):
        for j in range(T):
            for c in range(k):
                y[i][c] += float(w[i, j] * x[j, c])
    return np.array(y)

# %% wrong: appended_twice
# wrong: appends each output twice
# says: the outputs are stored twice
def self_attention_loops(x):
    outputs = []
    for row in attention_weights(x):
        output = row @ x
        outputs.append(output)
        outputs.append(output)
    return np.array(outputs)

# %% wrong: feature_attention
# wrong: mixes features, not tokens (catalogue 17)
# says: the largest difference
def self_attention_loops(x):
    return x @ softmax(x.T @ x)

# %% wrong: first_output_only
# wrong: returns inside the loop
# says: an axis was summed away
def self_attention_loops(x):
    weights = attention_weights(x)
    for i in range(len(x)):
        y = np.zeros(x.shape[1])
        for j in range(len(x)):
            y += weights[i, j] * x[j]
        return y

# %% wrong: grows_between_calls
# wrong: collects into a list of the notebook, so a second call returns more (catalogue 42)
# says: shape
collected = []


def self_attention_loops(x):
    for row in attention_weights(x):
        collected.append(row @ x)
    return np.array(collected)

# %% wrong: integer_outputs
# wrong: adds into an array of the input's type: integers are cut off (catalogue 43)
# says: array of integers
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = sum(weights[i, j] * x[j] for j in range(len(x)))
    return y

# %% wrong: last_term_only
# wrong: = where += should stand
# says: replaces the output instead of adding
-    y = np.zeros(x.shape, dtype=float)
+    y = np.zeros(x.shape)
-            y[i] = y[i] + weights[i][j] * x[j]
+            y[i] = weights[i, j] * x[j]

# %% wrong: mean_of_tokens
# wrong: every output is the mean
# says: the weights are not used
def self_attention_loops(x):
    return np.array([np.mean(x, axis=0) for _ in x])

# %% wrong: over_queries
# wrong: weights that are normalised over the queries (catalogue 1)
# says: the largest difference
def self_attention_loops(x):
    weights = softmax(x @ x.T, axis=0)
    return np.array([row @ x for row in weights])

# %% wrong: own_token_only
# wrong: adds x[i] where it should add x[j] (catalogue 15)
# says: gives the input back
-    y = np.zeros(x.shape, dtype=float)
+    y = np.zeros(x.shape)
-            y[i] = y[i] + weights[i][j] * x[j]
+            y[i] += weights[i, j] * x[i]

# %% wrong: remembers_first_call
# wrong: keeps the weights of the first call (catalogue 42)
# says: the largest difference
remembered = {}


def self_attention_loops(x):
    if "weights" not in remembered:
        remembered["weights"] = attention_weights(x)
    weights = remembered["weights"]
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[j]
    return y

# %% wrong: scaled
# wrong: scales the scores (catalogue 14)
# says: the scores were scaled
def self_attention_loops(x):
    weights = softmax(x @ x.T / np.sqrt(x.shape[1]))
    return np.array([sum(w * token for w, token in zip(row, x)) for row in weights])

# %% wrong: scores_as_weights
# wrong: averages with the scores
# says: averaged with the scores
def self_attention_loops(x):
    weights = attention_scores(x)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[j]
    return y

# %% wrong: single_token_squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def self_attention_loops(x):
    return np.squeeze(np.array([row @ x for row in attention_weights(x)]))

# %% wrong: transposed_output
# wrong: tokens in columns (catalogue 19)
# says: the axes are in another order
def self_attention_loops(x):
    return (attention_weights(x) @ x).T

# %% wrong: weights_transposed
# wrong: weights[j, i] (catalogue 20)
# says: the weights of the column are used
-    y = np.zeros(x.shape, dtype=float)
+    y = np.zeros(x.shape)
-            y[i] = y[i] + weights[i][j] * x[j]
+            y[i] += weights[j, i] * x[j]

# %% wrong: writes_into_input
# wrong: stores the outputs in the input (catalogue 41)
# says: the largest difference
def self_attention_loops(x):
    weights = attention_weights(x)
    for i in range(len(x)):
        x[i] = weights[i] @ x
    return x

# %% wrong: zeros_returned
# wrong: prepares zeros, works in another variable, returns the zeros
# says: every entry is zero
def self_attention_loops(x):
    weights = attention_weights(x)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        output = np.zeros(x.shape[1])
        for j in range(len(x)):
            output += weights[i, j] * x[j]
    return y
