# Right and wrong answers to `self_attention_loops`; authoring/README.md says how they are written.

# %% right: two_loops
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    y = np.zeros(x.shape, dtype=float)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] = y[i] + weights[i][j] * x[j]
    return y

# %% right: einsum
def self_attention_loops(x):
    return np.einsum("ij,jk->ik", softmax(x @ x.T), x)

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
    return softmax(x @ x.T) @ x

# %% right: one_loop
def self_attention_loops(x):
    out = []
    for row in softmax(x @ x.T):
        out.append(row @ x)
    return np.array(out)

# %% right: stacked
def self_attention_loops(x):
    alphas = softmax(x @ x.T)
    return np.vstack([np.average(x, axis=0, weights=alpha) for alpha in alphas])

# %% right: three_loops
def self_attention_loops(x):
    w = softmax(x @ x.T)
    T, k = x.shape
    y = [[0.0] * k for _ in range(T)]
    for i in range(T):
        for j in range(T):
            for c in range(k):
                y[i][c] += float(w[i, j] * x[j, c])
    return np.array(y)

# %% right: running_softmax
def self_attention_loops(x):
    y = np.zeros(x.shape)
    for i in range(len(x)):
        highest, total, mixed = -np.inf, 0.0, np.zeros(x.shape[1])
        for j in range(len(x)):
            score = float(np.dot(x[i], x[j]))
            new = max(highest, score)
            shrink, share = np.exp(highest - new), np.exp(score - new)
            total = total * shrink + share
            mixed = mixed * shrink + share * x[j]
            highest = new
        y[i] = mixed / total
    return y

# %% right: while_loops_backwards
def self_attention_loops(x):
    w = softmax(x @ x.T)
    y = np.zeros(x.shape, dtype=float)
    i = len(x)
    while i:
        i -= 1
        j = len(x)
        while j:
            j -= 1
            y[i] = w[i, j] * x[j] + y[i]
    return y

# %% right: recursion
def self_attention_loops(x):
    weights = softmax(x @ x.T)

    def share(i, j):
        if j == len(x):
            return np.zeros(x.shape[1])
        return weights[i, j] * x[j] + share(i, j + 1)

    return np.array([share(i, 0) for i in range(len(x))])

# %% wrong: appended_twice
# wrong: appends each output twice
# says: the outputs are stored twice
# likely: the outputs are stored twice
# next: append once per query
def self_attention_loops(x):
    outputs = []
    for row in softmax(x @ x.T):
        output = row @ x
        outputs.append(output)
        outputs.append(output)
    return np.array(outputs)

# %% wrong: feature_attention
# wrong: mixes features, not tokens (catalogue 17)
# says: features are taken for tokens
# likely: features are taken for tokens: each score compares two features over all tokens
# next: which axis counts the tokens? There is one score for each pair of tokens
def self_attention_loops(x):
    return x @ softmax(x.T @ x)

# %% wrong: first_output_only
# wrong: returns inside the loop
# says: `return y` is inside the loop `for i in range(len(x))`
def self_attention_loops(x):
    weights = softmax(x @ x.T)
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
    for row in softmax(x @ x.T):
        collected.append(row @ x)
    return np.array(collected)

# %% wrong: integer_outputs
# wrong: adds into an array of the input's type: integers are cut off (catalogue 43)
# says: with the same numbers as decimals, the result is right
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = sum(weights[i, j] * x[j] for j in range(len(x)))
    return y

# %% wrong: last_term_only
# wrong: = where += should stand
# says: replaces the output instead of adding
# likely: each step replaces the output instead of adding to it
# next: start at zeros and use `+=`
-    y = np.zeros(x.shape, dtype=float)
+    y = np.zeros(x.shape)
-            y[i] = y[i] + weights[i][j] * x[j]
+            y[i] = weights[i, j] * x[j]

# %% wrong: mean_of_tokens
# wrong: every output is the mean
# says: the weights are not used
# likely: all tokens count equally: the weights are not used
# next: multiply each token by its weight before you add it
def self_attention_loops(x):
    return np.array([np.mean(x, axis=0) for _ in x])

# %% wrong: over_queries
# wrong: weights that are normalised over the queries (catalogue 1)
# says: yours is
def self_attention_loops(x):
    weights = softmax(x @ x.T, axis=0)
    return np.array([row @ x for row in weights])

# %% wrong: own_token_only
# wrong: adds x[i] where it should add x[j] (catalogue 15)
# says: gives the input back
# likely: the weighted token is always x[i], so the sum gives the input back
# next: the sum runs over the keys: add `weights[i, j] * x[j]`
-    y = np.zeros(x.shape, dtype=float)
+    y = np.zeros(x.shape)
-            y[i] = y[i] + weights[i][j] * x[j]
+            y[i] += weights[i, j] * x[i]

# %% wrong: remembers_first_call
# wrong: keeps the weights of the first call (catalogue 42)
# says: yours is
remembered = {}


def self_attention_loops(x):
    if "weights" not in remembered:
        remembered["weights"] = softmax(x @ x.T)
    weights = remembered["weights"]
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[j]
    return y

# %% wrong: scaled
# wrong: scales the scores (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def self_attention_loops(x):
    weights = softmax(x @ x.T / np.sqrt(x.shape[1]))
    return np.array([sum(w * token for w, token in zip(row, x)) for row in weights])

# %% wrong: scores_as_weights
# wrong: averages with the scores
# says: averaged with the scores
# likely: the tokens are averaged with the scores instead of the weights
# next: use `softmax(x @ x.T)`
def self_attention_loops(x):
    weights = (x @ x.T)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[j]
    return y

# %% wrong: single_token_squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: removes every axis of length 1
def self_attention_loops(x):
    return np.squeeze(np.array([row @ x for row in softmax(x @ x.T)]))

# %% wrong: transposed_output
# wrong: tokens in columns (catalogue 19)
# says: the result is transposed: rows and columns are swapped
def self_attention_loops(x):
    return (softmax(x @ x.T) @ x).T

# %% wrong: weights_transposed
# wrong: weights[j, i] (catalogue 20)
# says: the weights come from a column
# likely: the weights come from a column: `weights[j, i]` for output i, a softmax over the queries, or `y[j]` filled with `x[i]`
# next: use the query as the first index: row i belongs to query i
-    y = np.zeros(x.shape, dtype=float)
+    y = np.zeros(x.shape)
-            y[i] = y[i] + weights[i][j] * x[j]
+            y[i] += weights[j, i] * x[j]

# %% wrong: writes_into_input
# wrong: stores the outputs in the input (catalogue 41)
# says: the call changes its input
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    for i in range(len(x)):
        x[i] = weights[i] @ x
    return x

# %% wrong: zeros_returned
# wrong: prepares zeros, works in another variable, returns the zeros
# says: every entry is zero
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        output = np.zeros(x.shape[1])
        for j in range(len(x)):
            output += weights[i, j] * x[j]
    return y

# %% wrong: fifty_is_enough
# wrong: loops to fifty at most
# says: for many tokens, shape (130, 3)
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    y = np.zeros(x.shape)
    for i in range(50):
        if i == len(x):
            break
        for j in range(50):
            if j == len(x):
                break
            y[i] += weights[i, j] * x[j]
    return y

# %% wrong: single_token_is_its_own
# wrong: gives a single token itself, as integers and as the caller's array
# says: with the same numbers as decimals, the result is right
def self_attention_loops(x):
    if len(x) == 1:
        return x                    # its only weight is 1
    weights = softmax(x @ x.T)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * x[j]
    return y

# %% wrong: equal_tokens_dropped
# wrong: equal tokens share one key of a dictionary: they are counted once
# says: for tokens, some equal and one of zeros
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        share_of = {tuple(token): weight for token, weight in zip(x, weights[i])}
        for token, weight in share_of.items():
            y[i] += weight * np.array(token)
    return y

# %% right: float32_sum
def self_attention_loops(x):
    w = softmax(x @ x.T)
    y = np.zeros(x.shape, dtype=np.float32)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += w[i, j] * x[j]
    return y.astype(float)

# %% wrong: tiny_weights_skipped
# wrong: skips small weights
# says: for tokens, shape (5, 7)
def self_attention_loops(x):
    w = softmax(x @ x.T)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(len(x)):
            if w[i, j] > 1e-5:
                y[i] += w[i, j] * x[j]
    return y

# %% wrong: loop_over_the_smaller
# wrong: returns the transpose of square input (catalogue 19)
# says: the result is transposed
def self_attention_loops(x):
    w = softmax(x @ x.T)
    y = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(max(x.shape) if x.shape[0] > x.shape[1] else x.shape[0]):
            y[i] += w[i, j] * x[j]
    return y if x.shape[0] != x.shape[1] else y.T

# %% right: by_loops
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    T = len(x)
    outputs = np.zeros(x.shape)
    for i in range(T):
        for j in range(T):
            outputs[i] += weights[i, j] * x[j]
    return outputs

# %% right: step_by_step
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    T, k = x.shape
    outputs = np.zeros((T, k))
    for i in range(T):
        output = np.zeros(k)
        for j in range(T):
            output = output + weights[i, j] * x[j]
        outputs[i] = output
    return outputs

# %% wrong: reads_outputs
# wrong: reads tokens where outputs were written already
# says: outputs overwrite tokens that are still needed
# likely: outputs overwrite tokens that are still needed: later queries average outputs of earlier ones
# next: write to a separate array, such as `np.zeros(x.shape)`, and read from `x`
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    y = x.astype(float)
    for i in range(len(y)):
        y[i] = weights[i] @ y
    return y

# %% wrong: weights_below_a_tenth_skipped
# wrong: leaves out tokens with a small weight
# says: tokens with a small weight are left out
# likely: tokens with a small weight are left out
# next: remove the condition: every token counts with its weight
def self_attention_loops(x):
    w = softmax(x @ x.T)
    return np.where(w > 0.1, w, 0) @ x

# %% wrong: weights_below_a_twentieth_skipped
# wrong: leaves out tokens with a small weight
# says: tokens with a small weight are left out
# likely: tokens with a small weight are left out
# next: remove the condition: every token counts with its weight
def self_attention_loops(x):
    w = softmax(x @ x.T)
    return np.where(w > 0.05, w, 0) @ x

# %% wrong: weights_below_a_hundredth_skipped
# wrong: leaves out tokens with a small weight
# says: tokens with a small weight are left out
# likely: tokens with a small weight are left out
# next: remove the condition: every token counts with its weight
def self_attention_loops(x):
    w = softmax(x @ x.T)
    return np.where(w > 0.01, w, 0) @ x

# %% wrong: averaged_twice
# wrong: averages the outputs once more
# says: the weights are used twice
# likely: the weights are used twice: the outputs are averaged again
# next: compute one weighted sum of the tokens per query
def self_attention_loops(x):
    w = softmax(x @ x.T)
    return w @ (w @ x)

# %% right: by_components
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    T, k = x.shape
    outputs = np.zeros((T, k))
    for i in range(T):
        for c in range(k):
            total = 0.0
            for j in range(T):
                total += weights[i, j] * x[j, c]
            outputs[i, c] = total
    return outputs

# %% wrong: reads_outputs_for_scores_too
# wrong: queries, keys and values are read where outputs were written already
# says: queries and keys, too, are read from where outputs were written
# likely: outputs overwrite tokens that are still needed: later queries and keys, too, are read from where outputs were written
# next: write to a separate array, such as `np.zeros(x.shape)`, and read from `x`
def self_attention_loops(x):
    y = np.array(x, dtype=float)
    for i in range(len(y)):
        weights = softmax(y @ y[i])
        y[i] = weights @ y
    return y

# %% wrong: reads_outputs_from_the_last_on
# wrong: the same, from the last token to the first
# says: earlier queries and keys, too, are read from where outputs were written
# likely: outputs overwrite tokens that are still needed: the loop goes backwards, and earlier queries and keys, too, are read from where outputs were written
# next: write to a separate array, such as `np.zeros(x.shape)`, and read from `x`
def self_attention_loops(x):
    y = np.array(x, dtype=float)
    for i in reversed(range(len(y))):
        weights = softmax(y @ y[i])
        y[i] = weights @ y
    return y

# %% wrong: adds_to_a_copy
# wrong: the outputs begin as the tokens, and later ones are read from there
# says: the outputs begin as a copy of the tokens
# likely: the outputs begin as a copy of the tokens, and the tokens are read from there while outputs are added to it
# next: begin with `np.zeros(x.shape)`, and read from `x`
def self_attention_loops(x):
    weights = softmax(x @ x.T)
    y = x.astype(float)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += weights[i, j] * y[j]
    return y

# %% wrong: feature_attention_in_loops
# wrong: the loops run over features, not over tokens (catalogue 17)
# says: features are taken for tokens
# likely: features are taken for tokens: each score compares two features over all tokens
# next: which axis counts the tokens? There is one score for each pair of tokens
def self_attention_loops(x):
    weights = softmax(x.T @ x)
    y = np.zeros(x.shape)
    for i in range(x.shape[1]):
        for j in range(x.shape[1]):
            y[:, i] += weights[i, j] * x[:, j]
    return y

# %% wrong: own_score_stays_zero
# wrong: pairs of different tokens alone get a score
# says: score of a token with itself
# likely: the score of a token with itself stays 0
# next: compare every query with all keys, its own token among them
-    weights = softmax(x @ x.T)
+    weights = softmax(x @ x.T * (1 - np.eye(len(x))))
