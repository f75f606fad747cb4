# Right and wrong answers to `induction_scores`; authoring/README.md says how they are written.

# %% right: by_a_mask
def induction_scores(weights, tokens):
    same = tokens[:, None] == tokens
    follows = torch.zeros_like(same)
    follows[:, 1:] = same[:, :-1]
    follows = follows.tril()
    asked = follows.any(dim=1)
    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)

# %% right: step_by_step
def induction_scores(weights, tokens):
    T = len(tokens)
    follows = torch.zeros(T, T)
    for i in range(T):
        for j in range(1, i + 1):
            if tokens[j - 1] == tokens[i]:
                follows[i, j] = 1
    asked = follows.sum(dim=1) > 0
    found = (weights * follows).sum(dim=-1)
    scores = found[:, asked].mean(dim=-1)
    return scores

# %% right: by_lists
def induction_scores(weights, tokens):
    heads = weights.shape[0]
    letters = tokens.tolist()
    scores = []
    for n in range(heads):
        found = []
        for i in range(len(letters)):
            keys = [j for j in range(1, i + 1) if letters[j - 1] == letters[i]]
            if keys:
                found.append(float(weights[n, i, keys].sum()))
        scores.append(sum(found) / len(found))
    return torch.tensor(scores)

# %% right: by_products
def induction_scores(weights, tokens):
    same = (tokens[:, None] == tokens[None, :]).tril(-1).to(weights.dtype)
    follows = torch.roll(same, 1, dims=1)
    asked = same.sum(1) > 0
    return torch.einsum("hij,ij->h", weights, follows) / asked.sum()

# %% right: padded
def induction_scores(weights, tokens):
    before = nn.functional.pad(tokens, (1, 0), value=-1)[:-1]
    positions = torch.arange(len(tokens))
    keys = (before == tokens[:, None]) & (positions <= positions[:, None])
    has = keys.any(-1)
    return torch.where(keys, weights, 0.0).sum(-1).T[has].mean(0)

# %% right: query_by_query
def induction_scores(weights, tokens):
    total, asked = torch.zeros(len(weights)), 0
    for i in range(1, len(tokens)):
        keys = (tokens[:i] == tokens[i]).nonzero()[:, 0] + 1
        if len(keys):
            total += weights[:, i, keys].sum(1)
            asked += 1
    return total / asked

# %% right: numpy_inside
import numpy as np

def induction_scores(weights, tokens):
    w, t = weights.numpy(), tokens.numpy()
    follows = np.tril(np.pad(t[:, None] == t[None, :-1], ((0, 0), (1, 0))))
    return torch.from_numpy((w * follows).sum(2)[:, follows.any(1)].mean(1).astype(np.float32))

# %% wrong: the_token_itself
# wrong: looks at the earlier occurrence itself, not at what followed it
# says: the same token as the query
# likely: what is summed is the weight on keys that hold the same token as the query, and not on the keys behind them
# next: take the keys one position further: key j counts where token j − 1 equals the query's
-    follows[:, 1:] = same[:, :-1]
-    follows = follows.tril()
+    follows = same.tril(-1)

# %% wrong: before_it
# wrong: looks at what stood before the earlier occurrence
# says: in front of
# likely: what is summed is the weight on keys in front of the earlier occurrence
# next: shift the other way: key j counts where token j − 1 equals the query's
-    follows[:, 1:] = same[:, :-1]
-    follows = follows.tril()
+    follows[:, :-1] = same[:, 1:]
+    follows = follows.tril(-2)

# %% wrong: all_queries
# wrong: takes the mean over all queries, also of those whose token is new
# says: over all T queries
# likely: the mean is taken over all T queries, also where the token comes for the first time
# next: take the mean over queries that have a key j ≤ i that counts: `.tril()`, then `.any(dim=1)`
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    return (weights * follows).sum(dim=-1).mean(dim=-1)

# %% wrong: the_letter_counts_itself
# wrong: without tril the query's own occurrence counts as an earlier one, so all queries but the last do
# says: ✗
-    follows = follows.tril()

# %% wrong: last_occurrence_alone
# wrong: only what followed the last earlier occurrence
# says: the last earlier occurrence alone
# likely: what followed the last earlier occurrence alone is counted
# next: sum over all earlier occurrences
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    positions = torch.arange(len(tokens))
+    last = (follows * positions).amax(dim=1)
+    return weights[:, positions, last][:, asked].mean(dim=-1)

# %% wrong: mean_over_keys
# wrong: the mean over the keys that follow, not their sum
# says: ✗
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    return ((weights * follows).sum(dim=-1) / follows.sum(dim=-1))[:, asked].mean(dim=-1)

# %% wrong: rolled_round
# wrong: `roll` brings the last column round to column 0
# says: came round
# likely: the last column came round to column 0, as `roll` does
# next: shift without coming round: `follows[:, 1:] = same[:, :-1]`, or take `same` below the diagonal first
-    follows = torch.zeros_like(same)
-    follows[:, 1:] = same[:, :-1]
-    follows = follows.tril()
+    follows = same.roll(1, dims=1).tril()

# %% wrong: without_its_own_key
# wrong: key i itself does not count, which follows where a token comes twice in a row
# says: key j = i
# likely: key j = i is left out: it counts where the token just before is the same
# next: key i itself may count, too: with `.tril()` and not `.tril(-1)`, or in a loop up to i
-    follows = follows.tril()
+    follows = follows.tril(-1)

# %% wrong: heads_lost
# wrong: one number for all heads
# says: shape ()
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    return (weights * follows).sum(dim=-1)[:, asked].mean()

# %% wrong: keys_and_queries_exchanged
# wrong: takes the rows for the keys
# says: ✗
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    return (weights.mT * follows).sum(dim=-1)[:, asked].mean(dim=-1)

# %% wrong: first_occurrence_alone
# wrong: only what followed the first earlier occurrence, as `index` finds it
# says: the first earlier occurrence alone
# likely: what followed the first earlier occurrence alone is counted, as with `index` or `argmax`
# next: sum over all earlier occurrences
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    positions = torch.arange(len(tokens))
+    first = follows.int().argmax(dim=1)
+    return weights[:, positions, first][:, asked].mean(dim=-1)

# %% wrong: mean_over_pairs
# wrong: one mean over all pairs of a query and a key that counts, as by a mask
# says: over all pairs
# likely: the mean is taken over all pairs of a query and a key that counts, so queries with several keys count more than once
# next: sum over the keys of each query first, then take the mean over these queries
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    return weights[:, follows].mean(dim=-1)

# %% wrong: queries_that_found_something
# wrong: the mean over queries with weight on a key that counts, so that a query that looks elsewhere is left out
# says: queries that put no weight on them are left out
# likely: queries that put no weight on them are left out of the mean, as with `> 0` on the weights; whether a query counts is for the tokens to say
# next: count a query where one of its keys counts, whatever its weights are: `follows.any(dim=1)`
-    return (weights * follows).sum(dim=-1)[:, asked].mean(dim=-1)
+    found = (weights * follows).sum(dim=-1)
+    return found.sum(dim=-1) / (found > 0).sum(dim=-1).clamp(min=1)
