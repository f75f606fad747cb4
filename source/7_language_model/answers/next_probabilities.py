# Right and wrong answers to `next_probabilities`; authoring/README.md says how they are written.

# %% right: step_by_step
def next_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        probabilities = torch.zeros_like(logits)
        probabilities[torch.argmax(logits)] = 1
        return probabilities
    if top_k is not None:
        kept = torch.topk(logits, top_k).indices
        cut = torch.full_like(logits, -math.inf)
        cut[kept] = logits[kept]
        logits = cut
    scaled = logits / temperature
    probabilities = torch.softmax(scaled, dim=-1)
    return probabilities

# %% right: scattered
def next_probabilities(logits, temperature=1.0, top_k=None):
    if not temperature:
        return torch.eye(len(logits), dtype=logits.dtype)[logits.argmax()]
    largest, places = logits.topk(top_k or len(logits))
    return torch.zeros_like(logits).scatter(0, places, (largest / temperature).softmax(0))

# %% right: own_softmax
def next_probabilities(logits, temperature=1.0, top_k=None):
    V = logits.shape[0]
    if temperature == 0:
        top_k, temperature = None, 1.0
        first = int((logits == logits.max()).nonzero()[0])
        powers = (torch.arange(V) == first).to(logits.dtype)
    else:
        powers = torch.exp((logits - logits.max()) / temperature)
    if top_k is not None:
        order = torch.argsort(logits, descending=True)
        dropped = order[top_k:]
        powers = powers.index_fill(0, dropped, 0.0)
    return powers / powers.sum()

# %% right: numpy_inside
import numpy as np


def next_probabilities(logits, temperature=1.0, top_k=None):
    z = logits.detach().numpy().astype(np.float64)
    p = np.zeros_like(z)
    if temperature == 0:
        p[np.argmax(z)] = 1.0
    else:
        behalten = np.argsort(-z, kind="stable")[:top_k]
        e = np.exp((z[behalten] - z[behalten].max()) / temperature)
        p[behalten] = e / e.sum()
    return torch.from_numpy(p).to(logits.dtype)

# %% right: by_lists
def next_probabilities(logits, temperature=1.0, top_k=None):
    numbers = logits.tolist()
    places = sorted(range(len(numbers)), key=lambda place: -numbers[place])
    if temperature == 0:
        places, temperature = places[:1], 1
    elif top_k is not None:
        places = places[:top_k]
    best = numbers[places[0]]
    shares = [0.0] * len(numbers)
    for place in places:
        shares[place] = math.exp((numbers[place] - best) / temperature)
    total = sum(shares)
    return torch.tensor([share / total for share in shares], dtype=logits.dtype)

# %% right: greedy_is_top_one
def next_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return nn.functional.one_hot(logits.argmax(), num_classes=logits.numel()).to(logits)
    keep = torch.zeros(logits.shape, dtype=torch.bool)
    keep[torch.sort(logits, descending=True, stable=True).indices[:top_k]] = True
    return torch.where(keep, logits / temperature, torch.tensor(-math.inf, dtype=logits.dtype)).softmax(dim=0)

# %% right: drops_one_after_the_other
def next_probabilities(logits, temperature=1.0, top_k=None):
    result = logits.clone()
    if temperature == 0:
        best = result.argmax().item()
        return torch.tensor([1.0 if place == best else 0.0 for place in range(len(result))], dtype=logits.dtype)
    if top_k is not None:
        for _ in range(len(logits) - top_k):
            alive = torch.isfinite(result).nonzero().flatten()
            result[alive[result[alive].argmin()]] = float("-inf")
    result /= temperature
    return torch.log_softmax(result, dim=0).exp()

# %% right: softmax_first
def next_probabilities(logits, temperature=1.0, top_k=None):
    """The shares of all tokens; then only those that are kept, shared out again."""
    def shares(z):
        return nn.functional.softmax(z / temperature, dim=-1, dtype=torch.float64)
    if temperature == 0:
        return (torch.arange(logits.numel()) == logits.argmax()).type_as(logits)
    p = shares(logits)
    if top_k is not None and top_k < p.numel():
        mask = torch.zeros_like(p)
        mask[logits.topk(top_k)[1]] = 1
        p = p * mask
        p = p / p.sum()
    return p.to(logits.dtype)

# %% right: ranks
def next_probabilities(logits, temperature=1.0, top_k=None):
    rank = torch.empty(len(logits), dtype=torch.long)
    rank[logits.sort(descending=True, stable=True)[1]] = torch.arange(len(logits))
    kept = 1 if temperature == 0 else len(logits) if top_k is None else top_k
    bent = logits if temperature == 0 else logits / temperature
    return torch.softmax(bent.masked_fill(rank >= kept, -math.inf), dim=0)

# %% wrong: temperature_multiplies
# wrong: multiplies by the temperature
# says: multiplied by the temperature
# earns: 1
# likely: the logits are multiplied by the temperature: a large one makes likely tokens even more likely
# next: divide by it
-    scaled = logits / temperature
+    scaled = logits * temperature

# %% wrong: temperature_left_out
# wrong: leaves the temperature out
# says: as if the temperature were 1
# earns: 1
# likely: the result is as if the temperature were 1
# next: divide the logits by the temperature before the softmax
-    scaled = logits / temperature
+    scaled = logits

# %% wrong: temperature_behind_the_softmax
# wrong: divides the probabilities by the temperature
# says: divided by the temperature
# earns: 1
# likely: the probabilities are divided by the temperature after the softmax: they do not sum to 1
# next: divide the logits before the softmax
-    scaled = logits / temperature
-    probabilities = torch.softmax(scaled, dim=-1)
+    probabilities = torch.softmax(logits, dim=-1) / temperature

# %% wrong: root_of_the_temperature
# wrong: divides by the root of the temperature, as attention does by that of d_k
# says: the root of the temperature
# earns: 1
# likely: the logits are divided by the root of the temperature
# next: divide by the temperature itself
-    scaled = logits / temperature
+    scaled = logits / temperature ** 0.5

# %% wrong: no_largest_subtracted
# wrong: exp of large logits is infinite
# says: exp
# earns: 1
-    probabilities = torch.softmax(scaled, dim=-1)
+    probabilities = torch.exp(scaled) / torch.exp(scaled).sum()

# %% wrong: no_greedy
# wrong: divides by 0 at temperature 0
# says: `/`
# earns: 3
-    if temperature == 0:
-        probabilities = torch.zeros_like(logits)
-        probabilities[torch.argmax(logits)] = 1
-        return probabilities

# %% wrong: nearly_zero
# wrong: takes a very small temperature for 0, so that two largest logits share the 1
# says: share the 1
# earns: 3
# likely: where two logits are the largest, they share the 1
# next: at temperature 0 give the 1 to only one of them: `argmax` finds the first
-    if temperature == 0:
-        probabilities = torch.zeros_like(logits)
-        probabilities[torch.argmax(logits)] = 1
-        return probabilities
+    temperature = max(temperature, 1e-8)

# %% wrong: all_of_the_largest
# wrong: gives a 1 to each of the largest
# says: sum
# earns: 3
# likely: each of the largest logits gets a 1, so with a tie the sum is more than 1
# next: give the 1 to only one of them: `argmax` finds the first
-        probabilities[torch.argmax(logits)] = 1
+        probabilities[logits == logits.max()] = 1

# %% wrong: last_of_the_largest
# wrong: of two largest the last one
# says: the last of the largest
# earns: 3
# likely: the last of the largest logits gets the 1, not the first
# next: take the first: `argmax` finds it
-        probabilities[torch.argmax(logits)] = 1
+        probabilities[len(logits) - 1 - torch.argmax(logits.flip(0))] = 1

# %% wrong: greedy_number
# wrong: returns the number of the token in the place of a distribution
# says: int64
# earns: 3
-        probabilities[torch.argmax(logits)] = 1
-        return probabilities
+        return torch.argmax(logits)

# %% wrong: greedy_whole_numbers
# wrong: returns whole numbers at temperature 0
# says: int64
# earns: 3
-        probabilities[torch.argmax(logits)] = 1
+        probabilities = nn.functional.one_hot(torch.argmax(logits), len(logits))

# %% wrong: uniform_at_zero
# wrong: takes temperature 0 for no preference at all
# says: all tokens equally likely
# earns: 3
# likely: temperature 0 makes all tokens equally likely, as a very large one does
# next: at temperature 0 give the largest logit a 1 and the others 0
-        probabilities[torch.argmax(logits)] = 1
-        return probabilities
+        return probabilities + 1 / len(logits)

# %% wrong: zero_is_one
# wrong: temperature 0 leaves the logits as they are
# says: temperature 0 gives the same as temperature 1
# earns: 3
# likely: temperature 0 gives the same as temperature 1
# next: at temperature 0 give the largest logit a 1 and the others 0
-    if temperature == 0:
-        probabilities = torch.zeros_like(logits)
-        probabilities[torch.argmax(logits)] = 1
-        return probabilities
+    temperature = temperature or 1.0

# %% wrong: smallest_at_zero
# wrong: the smallest logit gets the 1
# says: the smallest logit
# earns: 3
# likely: at temperature 0 the smallest logit gets the 1
# next: use `argmax`
-        probabilities[torch.argmax(logits)] = 1
+        probabilities[torch.argmin(logits)] = 1

# %% wrong: ties_are_kept
# wrong: keeps every token that is as likely as the last one kept
# says: equal ones come out alike
# earns: 2
-        kept = torch.topk(logits, top_k).indices
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut
+        least = torch.topk(logits, top_k).values[-1]
+        logits = logits.masked_fill(logits < least, -math.inf)

# %% wrong: least_is_dropped
# wrong: drops the last one that should be kept
# says: the last token that should be kept
# earns: 2
# likely: the last token that should be kept is dropped, too
# next: keep what equals the smallest of the `top_k` largest, and count how many remain
-        kept = torch.topk(logits, top_k).indices
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut
+        least = torch.topk(logits, top_k).values[-1]
+        logits = logits.masked_fill(logits <= least, -math.inf)

# %% wrong: one_more
# wrong: keeps one token too many
# says: one token too many
# earns: 2
# likely: one token too many is kept
# next: keep `top_k` of them
-        kept = torch.topk(logits, top_k).indices
+        kept = torch.argsort(logits, descending=True)[:top_k + 1]

# %% wrong: smallest_kept
# wrong: keeps the least likely tokens
# says: the least likely tokens are kept
# earns: 2
# likely: the least likely tokens are kept: `argsort` begins with the smallest
# next: take the largest: `torch.topk`
-        kept = torch.topk(logits, top_k).indices
+        kept = torch.argsort(logits)[:top_k]

# %% wrong: counted_from_the_smallest
# wrong: `kthvalue` counts from the smallest, so all but `top_k - 1` tokens are kept
# says: counted from the smallest
# earns: 2
# likely: the `top_k` are counted from the smallest logit: all tokens but the `top_k - 1` least likely ones are kept
# next: `torch.topk` counts from the largest; `kthvalue` and sorting count from the smallest
-        kept = torch.topk(logits, top_k).indices
+        kept = torch.argsort(logits)[top_k - 1:]

# %% wrong: top_k_dropped
# wrong: the `top_k` least likely tokens are dropped, and all others kept
# says: tokens are dropped
# earns: 2
# likely: as many tokens are dropped as are to be kept: the `top_k` least likely ones
# next: keep the `top_k` most likely ones: `torch.topk`
-        kept = torch.topk(logits, top_k).indices
+        kept = torch.argsort(logits)[top_k:]

# %% wrong: first_kept
# wrong: keeps the first top_k tokens
# says: the first tokens are kept
# earns: 2
# likely: the first tokens are kept, whether they are likely or not
# next: `torch.topk` finds the most likely ones
-        kept = torch.topk(logits, top_k).indices
+        kept = torch.arange(top_k)

# %% wrong: largest_sizes
# wrong: keeps the logits that are furthest from 0
# says: furthest from 0
# earns: 2
# likely: the logits furthest from 0 are kept, even those below it
# next: compare the logits themselves, without `abs`
-        kept = torch.topk(logits, top_k).indices
+        kept = torch.topk(logits.abs(), top_k).indices

# %% wrong: dropped_logits_become_zero
# wrong: sets dropped logits to 0, which the softmax turns into a share
# says: the other logits are 0
# earns: 2
# likely: the other logits are 0, and the softmax gives them a share: e to the 0 is 1
# next: set them to minus infinity
-        cut = torch.full_like(logits, -math.inf)
+        cut = torch.zeros_like(logits)

# %% wrong: minus_one_hundred
# wrong: sets dropped logits to −100, which is not small enough where the others are as small
# says: the dropped logits become a large negative number
# earns: 2
-        cut = torch.full_like(logits, -math.inf)
+        cut = torch.full_like(logits, -100)

# %% wrong: minus_one_thousand
# wrong: sets dropped logits to −1000, which a large temperature brings back
# says: top-k, τ = 1 and logits around -9990
# earns: 2
-        cut = torch.full_like(logits, -math.inf)
+        cut = torch.full_like(logits, -1000)

# %% wrong: not_shared_out
# wrong: sets dropped shares to 0 and does not share them out again
# says: do not sum to 1
# earns: 2
# likely: the shares of the dropped tokens are missing: the kept ones do not sum to 1
# next: normalise again: divide by the sum of what is kept, or cut before the softmax
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut
-    scaled = logits / temperature
-    probabilities = torch.softmax(scaled, dim=-1)
+        whole = torch.softmax(logits / temperature, dim=-1)
+        probabilities = torch.zeros_like(logits)
+        probabilities[kept] = whole[kept]
+        return probabilities
+    scaled = logits / temperature
+    probabilities = torch.softmax(scaled, dim=-1)

# %% wrong: only_the_kept
# wrong: returns the kept tokens alone
# says: shape
# earns: 2
-        kept = torch.topk(logits, top_k).indices
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut
+        logits = torch.topk(logits, top_k).values

# %% wrong: in_falling_order
# wrong: the largest probabilities in front, whichever tokens they belong to
# says: in descending order
# earns: 2
# likely: the probabilities are in descending order, not at the positions of their tokens
# next: put each one at the position that `torch.topk(...).indices` gives
-        kept = torch.topk(logits, top_k).indices
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut
+        cut = torch.full_like(logits, -math.inf)
+        cut[:top_k] = torch.topk(logits, top_k).values
+        logits = cut

# %% wrong: top_k_without_temperature
# wrong: forgets the temperature where top_k is given
# says: the temperature is left out when
# earns: 2
# likely: the temperature is left out when `top_k` is given
# next: divide by the temperature in both cases
-        logits = cut
+        return torch.softmax(cut, dim=-1)

# %% wrong: top_k_left_out
# wrong: does not use top_k
# says: top_k
# earns: 2
# likely: all tokens are kept, whatever `top_k` says
# next: set all logits but the `top_k` largest to minus infinity
-    if top_k is not None:
-        kept = torch.topk(logits, top_k).indices
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut

# %% wrong: cut_without_top_k
# wrong: cuts also where top_k is None
# says: expected
# earns: 3
-    if top_k is not None:
-        kept = torch.topk(logits, top_k).indices
+    if True:
+        kept = torch.topk(logits, 3 if top_k is None else top_k).indices

# %% wrong: cut_in_place
# wrong: writes −∞ into the logits that it is given
# says: an in-place operation on the argument
# earns: 2
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut
+        dropped = torch.ones_like(logits, dtype=torch.bool)
+        dropped[kept] = False
+        logits[dropped] = -math.inf

# %% wrong: divided_in_place
# wrong: divides the logits that it is given
# says: an in-place operation on the argument
# earns: 3
-    scaled = logits / temperature
+    scaled = logits.div_(temperature)

# %% wrong: a_draw
# wrong: draws a token in the place of saying how likely each is
# says: int64
# earns: 1
-    return probabilities
+    return torch.multinomial(probabilities, 1)

# %% wrong: logarithms
# wrong: returns logarithms of the probabilities
# says: logarithms of the probabilities
# earns: 1
# likely: the logarithms of the probabilities are returned
# next: use `torch.softmax` instead of `log_softmax`
-    probabilities = torch.softmax(scaled, dim=-1)
+    probabilities = torch.log_softmax(scaled, dim=-1)

# %% wrong: numpy_array
# wrong: returns a NumPy array
# says: returns a NumPy array
# earns: 1
-    return probabilities
+    return probabilities.numpy()

# %% wrong: prints
# wrong: prints the probabilities and returns nothing
# says: returns None
# earns: 1
-    return probabilities
+    print(probabilities)

# %% wrong: whole_number_zero_only
# wrong: knows 0 only as a whole number, not as 0.0
# says: nan or inf
# earns: 3
-    if temperature == 0:
+    if isinstance(temperature, int) and temperature == 0:

# %% wrong: order_taken_for_ranks
# wrong: reads `argsort` as the rank of each token
# says: which token has a rank
# earns: 2
# likely: `argsort` is read as the rank of each token, but it says which token has a rank
# next: keep the tokens `order[:top_k]`; `argsort` of `argsort` gives ranks
-    if top_k is not None:
-        kept = torch.topk(logits, top_k).indices
-        cut = torch.full_like(logits, -math.inf)
-        cut[kept] = logits[kept]
-        logits = cut
+    if top_k is not None:
+        logits = logits.masked_fill(logits.argsort(descending=True) >= top_k, -math.inf)

# %% wrong: a_second_softmax_of_what_is_kept
# wrong: a softmax of the probabilities that are kept, not of their logits
# says: a second softmax
# earns: 2
# likely: what is kept goes through a second softmax: the probabilities are taken for logits
# next: a softmax of the logits that are kept, or the probabilities that are kept divided by their sum
def next_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.eye(len(logits), dtype=logits.dtype)[logits.argmax()]
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is None:
        return p
    largest, places = p.topk(top_k)
    return torch.zeros_like(p).scatter(0, places, largest.softmax(dim=0))
