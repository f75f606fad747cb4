# Right and wrong answers to `masked_loss`; authoring/README.md says how they are written.

# %% right: step_by_step
def masked_loss(logits, targets):
    asked = targets != -100
    logarithms = torch.log_softmax(logits[asked], dim=-1)
    N = len(logarithms)
    chosen = logarithms[torch.arange(N), targets[asked]]
    return -chosen.mean()

# %% right: torchs_function
def masked_loss(logits, targets):
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())

# %% right: components_second
def masked_loss(logits, targets):
    return nn.CrossEntropyLoss(ignore_index=-100, reduction="mean")(logits.permute(0, 2, 1), targets)

# %% right: by_loops
def masked_loss(logits, targets):
    B, T = targets.shape
    total, asked = 0, 0
    for b in range(B):
        for t in range(T):
            if targets[b, t] == -100:
                continue
            total = total - torch.log_softmax(logits[b, t], dim=0)[targets[b, t]]
            asked += 1
    return total / asked

# %% right: by_products
def masked_loss(logits, targets):
    B, T, V = logits.shape
    wanted = torch.stack([(targets == v).to(logits.dtype) for v in range(V)], dim=-1)
    logarithms = torch.log_softmax(logits, dim=-1)
    return -torch.einsum("btv,btv->", wanted, logarithms) / wanted.sum()

# %% right: gathered
def masked_loss(logits, targets):
    asked = (targets >= 0)
    logs = logits - logits.logsumexp(dim=2, keepdim=True)
    own = logs.gather(2, targets.clamp(min=0).unsqueeze(2)).squeeze(2)
    return torch.where(asked, -own, torch.zeros_like(own)).sum() / asked.sum()

# %% right: shifted_by_hand
def masked_loss(logits, targets):
    rows, wanted = logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)
    places = torch.nonzero(wanted != -100)[:, 0]
    rows, wanted = rows[places], wanted[places]
    rows = rows - rows.max(dim=1, keepdim=True).values
    totals = torch.log(torch.sum(torch.exp(rows), dim=1))
    return torch.mean(totals - rows[range(len(places)), wanted])

# %% right: distribution
def masked_loss(logits, targets):
    kept = targets.ne(-100)
    return torch.distributions.Categorical(logits=logits[kept]).log_prob(targets[kept]).neg().mean()

# %% right: differences_from_the_target
def masked_loss(logits, targets):
    asked = targets > -1
    logits, targets = logits[asked], targets[asked]
    away = logits - torch.take_along_dim(logits, targets[:, None], dim=1)
    return torch.logsumexp(away, dim=1).sum() / targets.numel()

# %% right: list_of_surprises
def of_place(row, target):
    """Minus the logarithm of the probability of one token."""
    return row.logsumexp(0) - row[target]


def masked_loss(logits, targets):
    pairs = zip(logits.flatten(0, 1).unbind(), targets.flatten().tolist())
    return torch.stack([of_place(row, target) for row, target in pairs if target != -100]).mean()

# %% right: each_sequence_weighed
def masked_loss(logits, targets):
    sums, counts = [], []
    for own, wanted in zip(logits, targets):
        sums.append(nn.functional.nll_loss(own.log_softmax(-1), wanted, reduction="sum"))
        counts.append((wanted != -100).sum().item())
    return sum(sums) / sum(counts)

# %% right: numpy_for_the_places
import numpy as np

def masked_loss(logits, targets):
    b, t = np.nonzero(targets.numpy() != -100)
    return -torch.log_softmax(logits.double(), -1)[b, t, targets[b, t]].mean().to(logits.dtype)

# %% wrong: over_all_places
# wrong: divides by the number of all positions
# says: all positions
# likely: the sum is divided by the number of all positions, even those that are not asked
# next: divide by N, the number of asked positions
-    return -chosen.mean()
+    return -chosen.sum() / targets.numel()

# %% wrong: sum
# wrong: the sum in the place of the mean
# says: added up
# likely: the numbers are added up but not divided by how many there are
# next: take their mean
-    return -chosen.mean()
+    return -chosen.sum()

# %% wrong: over_the_batch
# wrong: divides by the number of sequences
# says: number of sequences
# likely: the sum is divided by the number of sequences
# next: divide by N, the number of asked positions
-    return -chosen.mean()
+    return -chosen.sum() / len(targets)

# %% wrong: over_the_tokens
# wrong: divides by the vocabulary as well
# says: vocabulary
# likely: the loss is also divided by the size of the vocabulary
# next: divide only by N, the number of asked positions
-    return -chosen.mean()
+    return -chosen.mean() / logits.shape[-1]

# %% wrong: mean_of_means
# wrong: a mean for each sequence, and the mean of these
# says: counts as much as
# likely: the mean is taken within each sequence, then over the sequences: a sequence with one asked position counts as much as one with three
# next: take one mean over all asked positions of the batch
def masked_loss(logits, targets):
    parts = []
    for own, wanted in zip(logits, targets):
        if (wanted != -100).any():
            parts.append(nn.functional.cross_entropy(own, wanted))
    return torch.stack(parts).mean()

# %% wrong: padding_as_token_0
# wrong: asks the padding for token 0
# says: token 0
# likely: positions that are not asked count with token 0 as target
# next: leave them out before you take the mean
-    asked = targets != -100
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    targets = targets.clamp(min=0).flatten()
+    logarithms = torch.log_softmax(logits.flatten(0, 1), dim=-1)
-    chosen = logarithms[torch.arange(N), targets[asked]]
+    chosen = logarithms[torch.arange(N), targets]

# %% wrong: padding_as_the_last_token
# wrong: takes −100 as −1: the last token
# says: last
# likely: positions that are not asked count with the last token as target
# next: leave them out before you take the mean
-    asked = targets != -100
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    targets = targets.clamp(min=-1).flatten()
+    logarithms = torch.log_softmax(logits.flatten(0, 1), dim=-1)
-    chosen = logarithms[torch.arange(N), targets[asked]]
+    chosen = logarithms[torch.arange(N), targets]

# %% wrong: padding_indexed
# wrong: looks up row −100
# says: IndexError
-    asked = targets != -100
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.log_softmax(logits.flatten(0, 1), dim=-1)
-    chosen = logarithms[torch.arange(N), targets[asked]]
+    chosen = logarithms[torch.arange(N), targets.flatten()]

# %% wrong: token_0_left_out
# wrong: leaves out token 0, as if that were the padding
# says: token 0
# likely: positions whose target is token 0 are left out, as if they were not asked
# next: token 0 is a token like any other: leave out −100 only
-    asked = targets != -100
+    asked = targets > 0

# %% wrong: minus_one_left_out
# wrong: takes −1 as the mark
# says: IndexError
-    asked = targets != -100
+    asked = targets != -1

# %% wrong: inverted
# wrong: keeps the padding and leaves out what is asked (catalogue 34)
# says: IndexError
-    asked = targets != -100
+    asked = targets == -100

# %% wrong: no_minus
# wrong: no minus sign
# says: minus
# likely: the minus sign before the logarithm is missing
# next: return minus the mean
-    return -chosen.mean()
+    return chosen.mean()

# %% wrong: probabilities
# wrong: minus the mean of p, without the logarithm
# says: logarithm
# likely: p itself is averaged: there is no logarithm
# next: use `torch.log_softmax` instead of the softmax
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.softmax(logits[asked], dim=-1)

# %% wrong: one_less_p
# wrong: the mean of 1 − p
# says: 1 − p
# likely: the loss is the mean of 1 − p
# next: take the mean of −ln p
-    return -chosen.mean()
+    return 1 - chosen.exp().mean()

# %% wrong: logarithm_of_the_mean
# wrong: the logarithm of the mean of p
# says: mean of p
# likely: the loss is minus the logarithm of the mean of p
# next: take the logarithm at each position first, then the mean of the logarithms
-    return -chosen.mean()
+    return -chosen.exp().mean().log()

# %% wrong: bits
# wrong: logarithms to base 2
# says: base 2
# likely: the logarithms have base 2, so the loss is in bits
# next: take natural logarithms: the loss is in nats
-    return -chosen.mean()
+    return -chosen.mean() / math.log(2)

# %% wrong: perplexity
# wrong: e to the power of the loss
# says: power
# likely: the result is e to the power of the loss, the perplexity
# next: return the mean of −ln p itself
-    return -chosen.mean()
+    return torch.exp(-chosen.mean())

# %% wrong: logits_as_logarithms
# wrong: the logits themselves, without a softmax
# says: softmax
# likely: the logits are used as logarithms of probabilities: there is no softmax
# next: put the logits through `torch.log_softmax(..., dim=-1)`
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = logits[asked]

# %% wrong: softmax_before_cross_entropy
# wrong: torch's function takes the softmax itself
# says: twice
# likely: the softmax is applied twice: to the logits, then to the probabilities
# next: `cross_entropy` and `log_softmax` expect logits: give them what the model returned
def masked_loss(logits, targets):
    return nn.functional.cross_entropy(torch.softmax(logits, dim=-1).flatten(0, 1), targets.flatten())

# %% wrong: softmax_over_places
# wrong: the softmax runs over the asked positions (catalogue 1)
# says: positions
# likely: the softmax runs over the asked positions, not over the tokens to choose from
# next: give it the last axis, `dim=-1`
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.log_softmax(logits[asked], dim=0)

# %% wrong: softmax_over_time
# wrong: the softmax runs over the tokens of a sequence (catalogue 1)
# says: sequence
# likely: the softmax runs over the positions of a sequence, not over the tokens to choose from
# next: give it the last axis, `dim=-1`
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.log_softmax(logits, dim=1)[asked]

# %% wrong: softmax_over_batch
# wrong: the softmax runs over the batch (catalogue 3)
# says: batch
# likely: the softmax runs over the batch, not over the tokens to choose from
# next: give it the last axis, `dim=-1`
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.log_softmax(logits, dim=0)[asked]

# %% wrong: softmax_over_everything
# wrong: one softmax over everything that is asked (catalogue 2)
# says: one softmax
# likely: one softmax runs over all logits of all asked positions
# next: give each position its own softmax: `dim=-1`
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    kept = logits[asked]
+    logarithms = kept - kept.flatten().logsumexp(0)

# %% wrong: reshaped
# wrong: reshapes to (B, V, T) instead of exchanging two axes (catalogue 22)
# says: reshape
# likely: a reshape or view to (B, V, T) mixes positions and tokens
# next: exchange the two axes with `transpose(1, 2)`, or use `flatten(0, 1)`
def masked_loss(logits, targets):
    B, T, V = logits.shape
    return nn.functional.cross_entropy(logits.reshape(B, V, T), targets)

# %% wrong: logarithm_of_the_softmax
# wrong: the softmax first, then its logarithm: −∞ for large logits
# says: inf
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.log(torch.softmax(logits[asked], dim=-1))

# %% wrong: logarithm_kept_from_zero
# wrong: a small number added to p: large surprises are cut off
# says: for logits of ten thousand
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.log(torch.softmax(logits[asked], dim=-1) + 1e-30)

# %% wrong: without_maximum
# wrong: exponentials that overflow (catalogue 7)
# says: inf
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    kept = logits[asked]
+    logarithms = kept - kept.exp().sum(dim=-1, keepdim=True).log()

# %% wrong: logits_cut_off
# wrong: cuts logits at 50: finite, and large ones become equal
# says: for logits of ten thousand
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    logarithms = torch.log_softmax(logits[asked].clamp(-50, 50), dim=-1)

# %% wrong: next_token
# wrong: shifts the targets once more
# says: after
# likely: each position is compared with the target of the position after it
# next: use the targets as they are: logits and target of one position belong together
def masked_loss(logits, targets):
    logits, targets = (logits[:, :-1], targets[:, 1:]) if targets.shape[1] > 1 else (logits, targets)
    asked = targets != -100
    return -torch.log_softmax(logits[asked], -1).gather(1, targets[asked][:, None]).mean()

# %% wrong: targets_from_the_front
# wrong: takes the first N targets, padding or not
# says: IndexError
-    chosen = logarithms[torch.arange(N), targets[asked]]
+    chosen = logarithms[torch.arange(N), targets.flatten()[:N]]

# %% wrong: all_pairs
# wrong: every place with every target: the mean over (N, N)
# says: every
# likely: every asked position is compared with the targets of all asked positions
# next: take one entry of each row: `logs[torch.arange(N), targets[asked]]`
-    chosen = logarithms[torch.arange(N), targets[asked]]
+    chosen = logarithms[:, targets[asked]]

# %% wrong: all_tokens
# wrong: the mean of the logarithms of all tokens
# says: all tokens
# likely: the mean runs over the logarithms of all tokens to choose from, not only the right ones
# next: take only the target's entry from each row
-    chosen = logarithms[torch.arange(N), targets[asked]]
+    chosen = logarithms

# %% wrong: likeliest
# wrong: the surprise about the likeliest token, not the right one
# says: likeliest
# likely: the loss is that of the likeliest token at each position, whatever the target is
# next: take only the target's entry from each row
-    chosen = logarithms[torch.arange(N), targets[asked]]
+    chosen = logarithms.amax(dim=-1)

# %% wrong: share_of_errors
# wrong: how many positions are wrong
# says: 0
-    return -chosen.mean()
+    return (logarithms.argmax(dim=-1) != targets[asked]).to(logits.dtype).mean()

# %% wrong: squares
# wrong: squares of the differences from the right answer
# says: mean square
# likely: the loss is the mean square difference between probabilities and right answers
# next: use −ln p of the right token
-    return -chosen.mean()
+    return (logarithms.exp() - nn.functional.one_hot(targets[asked], logits.shape[-1])).square().mean()

# %% wrong: smoothed
# wrong: label smoothing
# says: shared among all tokens
# likely: a tenth of each target is shared among all tokens: that is label smoothing
# next: ask for the right token alone
def masked_loss(logits, targets):
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=0.1)

# %% wrong: first_sequence_only
# wrong: the first sequence only (catalogue 44)
# says: only the first sequence
# likely: only the first sequence counts
# next: take the mean over the asked positions of all sequences
-    asked = targets != -100
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    first = (targets[0] != -100).any()
+    logits, targets = (logits[:1], targets[:1]) if first else (logits, targets)
+    asked = targets != -100
+    logarithms = torch.log_softmax(logits[asked], dim=-1)

# %% wrong: last_place_only
# wrong: the last asked position only
# says: last
# likely: only the last asked position counts
# next: take the mean over all asked positions
-    return -chosen.mean()
+    return -chosen[-1]

# %% wrong: by_the_first_sequence
# wrong: the padding of the first sequence for all (catalogue 44)
# says: in place of `targets[:1]`
-    asked = targets != -100
+    asked = (targets[:1] != -100).expand_as(targets)

# %% wrong: plain_number
# wrong: returns a float: no gradient comes back (catalogue 43)
# says: float
-    return -chosen.mean()
+    return -chosen.mean().item()

# %% wrong: one_for_each_place
# wrong: a loss for each asked position
# says: shape
-    return -chosen.mean()
+    return -chosen

# %% wrong: float64_result
# wrong: float32 logits give a float64 loss (catalogue 43)
# says: the type changed on the way
-    return -chosen.mean()
+    return -chosen.double().mean()

# %% wrong: targets_in_place
# wrong: writes into the targets (catalogue 41)
# says: is an in-place operation on the argument `targets`
-    asked = targets != -100
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    asked = targets != -100
+    targets[~asked] = 0
+    logarithms = torch.log_softmax(logits[asked], dim=-1)

# %% wrong: logits_in_place
# wrong: subtracts the largest from the logits that it was given (catalogue 41)
# says: is an in-place operation on the argument `logits`
-    logarithms = torch.log_softmax(logits[asked], dim=-1)
+    with torch.no_grad():
+        logits -= logits.amax(dim=-1, keepdim=True)
+    logarithms = torch.log_softmax(logits[asked], dim=-1)

# %% wrong: sums_up
# wrong: adds every call to the last
# says: is made only once and keeps its contents between calls
LOSSES = []

def masked_loss(logits, targets):
    LOSSES.append(nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten()))
    return torch.stack([loss.to(logits.dtype) for loss in LOSSES]).mean()

# %% wrong: nothing_returned
# wrong: no return (catalogue 43)
# says: returns None
-    return -chosen.mean()
+    print(-chosen.mean())
