# Right and wrong answers to `layer_norm`; authoring/README.md says how they are written.

# %% right: step_by_step
def layer_norm(x, gain, bias, epsilon=1e-5):
    means = x.mean(dim=-1, keepdim=True)
    centred = x - means
    variances = (centred ** 2).mean(dim=-1, keepdim=True)
    normal = centred / torch.sqrt(variances + epsilon)
    return gain * normal + bias

# %% right: by_loops
def layer_norm(x, gain, bias, epsilon=1e-5):
    B, T, k = x.shape
    outputs = torch.zeros_like(x)
    for b in range(B):
        for t in range(T):
            mean = sum(x[b, t]) / k
            variance = sum((x[b, t, j] - mean) ** 2 for j in range(k)) / k
            for j in range(k):
                outputs[b, t, j] = gain[j] * (x[b, t, j] - mean) / (variance + epsilon) ** 0.5 + bias[j]
    return outputs

# %% right: torchs_function
def layer_norm(x, gain, bias, epsilon=1e-5):
    return nn.functional.layer_norm(x, gain.shape, gain, bias, eps=epsilon)

# %% right: torchs_module
def layer_norm(x, gain, bias, epsilon=1e-5):
    norm = nn.LayerNorm(x.size(2), eps=epsilon, dtype=x.dtype)
    norm.load_state_dict({"weight": gain, "bias": bias})
    return norm(x)

# %% right: variance_and_mean_at_once
def layer_norm(x, gain, bias, epsilon=1e-5):
    variances, means = torch.var_mean(x, -1, unbiased=False, keepdim=True)
    return torch.addcmul(bias, gain, (x - means) * torch.rsqrt(variances + epsilon))

# %% right: numpy_inside
import numpy as np

def layer_norm(x, gain, bias, epsilon=1e-5):
    a = x.detach().numpy().astype(np.float64)
    a = (a - a.mean(axis=2)[..., None]) / np.sqrt(a.var(axis=2)[..., None] + epsilon)
    a = a * gain.detach().numpy() + bias.detach().numpy()
    return torch.from_numpy(a).to(x.dtype)

# %% right: centring_matrix
def layer_norm(x, gain, bias, epsilon=1e-5):
    k = len(gain)
    centring = torch.eye(k, dtype=torch.float64) - 1 / k
    away = x.double() @ centring
    lengths = torch.linalg.vector_norm(away, dim=2, keepdim=True)
    return (away / (lengths ** 2 / k + epsilon).sqrt() @ torch.diag(gain).double() + bias).to(x)

# %% right: one_group
def layer_norm(x, gain, bias, epsilon=1e-5):
    return nn.functional.group_norm(x.flatten(0, 1), 1, gain, bias, epsilon).view_as(x)

# %% right: one_token_mapped
def of_one_token(token, epsilon):
    away = token - token.sum() / token.numel()
    return away / ((away @ away) / away.numel() + epsilon) ** 0.5


def layer_norm(x, gain, bias, epsilon=1e-5):
    rows = [torch.stack([of_one_token(token, epsilon) for token in sequence]) for sequence in x]
    return torch.stack(rows).mul(gain).add(bias)

# %% right: in_place_on_a_copy
def layer_norm(x, gain, bias, epsilon=1e-5):
    y = x.clone()
    y -= y.mean(-1, keepdim=True)
    y /= (torch.einsum("btj,btj->bt", y, y)[:, :, None] / y.shape[-1] + epsilon).sqrt()
    y *= gain
    y += bias
    return y

# %% right: components_first
def layer_norm(x, gain, bias, epsilon=1e-5):
    columns = x.permute(2, 0, 1)
    columns = columns - columns.mean(0)
    columns = columns / torch.sqrt(columns.square().mean(0) + epsilon)
    return (columns * gain[:, None, None] + bias[:, None, None]).permute(1, 2, 0)

# %% right: standard_deviation
def layer_norm(x, gain, bias, epsilon=1e-5):
    sigma = torch.std(x, dim=-1, correction=0, keepdim=True)
    return bias + gain * (x - x.mean(axis=-1, keepdims=True)) / torch.hypot(sigma, torch.full_like(sigma, epsilon ** 0.5))

# %% wrong: over_tokens
# wrong: mean and variance of each component over the tokens
# says: over the tokens
# likely: mean and variance run over the tokens of a sequence, so each token depends on the others
# next: take both along the last axis, `dim=-1`: it holds a token's own components
-    means = x.mean(dim=-1, keepdim=True)
+    means = x.mean(dim=1, keepdim=True)
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).mean(dim=1, keepdim=True)

# %% wrong: over_batch
# wrong: mean and variance over the sequences of the batch
# says: over the batch
# likely: mean and variance run over the batch, so sequences depend on each other
# next: take both along the last axis, `dim=-1`: it holds a token's own components
-    means = x.mean(dim=-1, keepdim=True)
+    means = x.mean(dim=0, keepdim=True)
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).mean(dim=0, keepdim=True)

# %% wrong: batch_norm
# wrong: one mean per component over all tokens of the batch: batch norm
# says: batch norm
# likely: each component has one mean and one variance over all tokens of the batch: that is batch norm
# next: take both along the last axis, `dim=-1`: it holds a token's own components
-    means = x.mean(dim=-1, keepdim=True)
+    means = x.mean(dim=(0, 1), keepdim=True)
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).mean(dim=(0, 1), keepdim=True)

# %% wrong: over_the_sequence
# wrong: one mean and one variance for all entries of a sequence
# says: for a whole sequence
# likely: there is one mean and one variance for a whole sequence
# next: give each token its own: take both along the last axis only, `dim=-1`
-    means = x.mean(dim=-1, keepdim=True)
+    means = x.mean(dim=(1, 2), keepdim=True)
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).mean(dim=(1, 2), keepdim=True)

# %% wrong: over_everything
# wrong: one mean and one variance for all entries
# says: over all entries
# likely: mean and variance run over all entries of `x`
# next: give each token its own: use `dim=-1` and `keepdim=True` for both
-    means = x.mean(dim=-1, keepdim=True)
+    means = x.mean()
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).mean()

# %% wrong: variance_of_everything
# wrong: its own mean for each token, one variance for all
# says: one variance
# likely: each token has its own mean, but all entries of `x` share one variance
# next: take the variance along the last axis, too, with `dim=-1` and `keepdim=True`
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).mean()

# %% wrong: by_k_less_one
# wrong: torch's var divides by k - 1
# says: k − 1
# likely: the variance divides by k − 1 instead of k
# next: divide by k; torch's `var` and `std` do that with `correction=0`
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = x.var(dim=-1, keepdim=True)

# %% wrong: sum_of_squares
# wrong: divides by the length of the vector: sum, not mean of the squares
# says: sum of the squares
# likely: the sum of the squares is used instead of their mean, so each token is too short by a factor of the root of k
# next: take the mean of the squares: divide their sum by k
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).sum(dim=-1, keepdim=True)

# %% wrong: no_root
# wrong: divides by the variance
# says: not by its root
# likely: each token is divided by the variance, not by its root
# next: divide by `torch.sqrt(variance + epsilon)`
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred / (variances + epsilon)

# %% wrong: multiplied
# wrong: multiplies by the standard deviation
# says: multiplied by
# likely: each token is multiplied by its standard deviation instead of divided by it
# next: subtract the mean, then divide by the root
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred * torch.sqrt(variances + epsilon)

# %% wrong: only_centred
# wrong: subtracts the mean and never divides
# says: never divided
# likely: the mean is subtracted, but the tokens are never divided by their standard deviation
# next: divide by `torch.sqrt(variance + epsilon)` before you apply gain and bias
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred

# %% wrong: mean_stays
# wrong: divides x, not what is left of it after the mean
# says: never subtracted
# likely: each token is divided by its standard deviation, but its mean is never subtracted
# next: subtract the mean first, then divide
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = x / torch.sqrt(variances + epsilon)

# %% wrong: root_mean_square
# wrong: RMSNorm: the mean appears nowhere
# says: root mean square
# likely: each token is divided by its root mean square, and its mean is left in: that is RMSNorm
# next: subtract the mean first, then take the mean of the squares
-    centred = x - means
+    centred = x

# %% wrong: squares_of_x
# wrong: centres the token, but takes the mean square of the one that is not
# says: squares of
# likely: the tokens are centred, but the variance is the mean of the squares of `x` itself
# next: subtract the mean before you square
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (x ** 2).mean(dim=-1, keepdim=True)

# %% wrong: mean_distance
# wrong: the mean of the absolute values in the place of the standard deviation
# says: absolute values
# likely: the tokens are divided by the mean of the absolute values, not by the root of the mean of the squares
# next: square the centred components, take the mean, and then the root
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = centred.abs().mean(dim=-1, keepdim=True) ** 2

# %% wrong: scaled_to_the_range
# wrong: divides by largest less smallest
# says: largest
# likely: the tokens are divided by their range, largest minus smallest component
# next: divide by the standard deviation: subtract the mean, then take the root of the mean of the squares
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred / (x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True) + epsilon)

# %% wrong: without_gain_and_bias
# wrong: forgets gain and bias
# says: neither gain nor bias
# likely: neither gain nor bias is used
# next: multiply each component by its gain and add its bias
-    return gain * normal + bias
+    return normal

# %% wrong: without_gain
# wrong: forgets the gain
# says: the gain
# likely: the bias is added, but the gain is never used
# next: multiply the normalised token by `gain` before you add `bias`
-    return gain * normal + bias
+    return normal + bias

# %% wrong: without_bias
# wrong: forgets the bias
# says: the bias
# likely: the gain is used, but the bias is never added
# next: add `bias` last
-    return gain * normal + bias
+    return gain * normal

# %% wrong: gain_times_bias
# wrong: multiplies the bias by the gain, too
# says: multiplies the bias
# likely: the gain multiplies the bias as well
# next: multiply by the gain first, and add the bias afterwards
-    return gain * normal + bias
+    return gain * (normal + bias)

# %% wrong: exchanged
# wrong: bias and gain exchanged
# says: are swapped
# likely: gain and bias are swapped
# next: multiply by `gain` and add `bias`
-    return gain * normal + bias
+    return bias * normal + gain

# %% wrong: gain_from_one
# wrong: counts the gain from 1, as some models keep it
# says: one more than
# likely: the tokens are multiplied by one more than the gain
# next: multiply by `gain` itself
-    return gain * normal + bias
+    return (1 + gain) * normal + bias

# %% wrong: gain_first
# wrong: normalises gain times x
# says: before
# likely: the gain is applied before the token is normalised
# next: normalise first; gain and bias come after the division
-    means = x.mean(dim=-1, keepdim=True)
-    centred = x - means
+    scaled = gain * x
+    centred = scaled - scaled.mean(dim=-1, keepdim=True)
-    return gain * normal + bias
+    return normal + bias

# %% wrong: gain_and_bias_first
# wrong: normalises gain times x plus bias
# says: and the bias added
# likely: each token is multiplied by the gain, and the bias added, before it is normalised
# next: normalise x itself; gain and bias come after the division
-    means = x.mean(dim=-1, keepdim=True)
-    centred = x - means
+    scaled = gain * x + bias
+    centred = scaled - scaled.mean(dim=-1, keepdim=True)
-    return gain * normal + bias
+    return normal

# %% wrong: epsilon_behind_the_root
# wrong: adds epsilon to the standard deviation
# says: outside the root
# likely: epsilon is added to the standard deviation, outside the root
# next: add it to the variance: `torch.sqrt(variances + epsilon)`
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred / (torch.sqrt(variances) + epsilon)

# %% wrong: epsilon_squared
# wrong: adds the square of epsilon
# says: the square of epsilon
# likely: the square of epsilon is added to the variance
# next: add epsilon itself: `torch.sqrt(variances + epsilon)`
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred / torch.sqrt(variances + epsilon ** 2)

# %% wrong: epsilon_left_out
# wrong: no epsilon: nan where all components are equal
# says: makes no difference to your result
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred / torch.sqrt(variances)

# %% wrong: nan_becomes_zero
# wrong: no epsilon, and the nan of equal components made 0
# says: epsilon
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = torch.nan_to_num(centred / torch.sqrt(variances))

# %% wrong: epsilon_as_the_least
# wrong: takes epsilon as the least variance, and adds nothing
# says: epsilon is the least that the variance may be
# likely: epsilon is the least that the variance may be; it is not added to it
# next: add epsilon to every variance, below the root
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred / torch.sqrt(variances.clamp(min=epsilon))

# %% wrong: epsilon_of_its_own
# wrong: ignores the argument epsilon
# says: makes no difference to your result
# likely: the argument `epsilon` makes no difference to your result: nothing, or a number of its own, is added to the variance
# next: add `epsilon`; to torch's own function, hand it on as `eps`
-    normal = centred / torch.sqrt(variances + epsilon)
+    normal = centred / torch.sqrt(variances + 1e-5)

# %% wrong: mean_of_squares_less_square_of_mean
# wrong: loses digits far from 0
# says: far from 0
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (x ** 2).mean(dim=-1, keepdim=True) - means ** 2

# %% wrong: the_same_with_nothing_below_zero
# wrong: loses digits far from 0, and hides the nan
# says: far from 0
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = ((x * x).mean(dim=-1, keepdim=True) - means * means).clamp(min=0)

# %% wrong: without_keepdim
# wrong: drops the axis, and does not line up with the tokens (catalogue 6)
# says: RuntimeError
-    means = x.mean(dim=-1, keepdim=True)
+    means = x.mean(dim=-1)

# %% wrong: components_of_the_card
# wrong: tokens have four components, as on the card (catalogue 42)
# says: tokens of six components
-    means = x.mean(dim=-1, keepdim=True)
+    means = x.sum(dim=-1, keepdim=True) / 4
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).sum(dim=-1, keepdim=True) / 4

# %% wrong: first_sequence
# wrong: normalises the first sequence and returns it alone (catalogue 44)
# says: shape
-    centred = x - means
+    centred = (x - means)[0]
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = (centred ** 2).mean(dim=-1, keepdim=True)   # of (T, k)

# %% wrong: statistics_of_the_first_sequence
# wrong: mean and variance of the first sequence for all (catalogue 44)
# says: first sequence
# likely: mean and variance of the first sequence are used for all
# next: leave the batch axis alone: `mean(dim=-1, keepdim=True)` handles all sequences at once
-    centred = x - means
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances, means = torch.var_mean(x[:1], dim=-1, correction=0, keepdim=True)
+    centred = x - means

# %% wrong: in_place
# wrong: subtracts the mean from the learner's own x (catalogue 41)
# says: is an in-place operation on the argument `x`
-    centred = x - means
+    x -= means
+    centred = x

# %% wrong: always_double
# wrong: float32 comes back as float64 (catalogue 43)
# says: the type changed on the way
-    return gain * normal + bias
+    return (gain * normal + bias).double()

# %% wrong: numpy_array
# wrong: returns a NumPy array (catalogue 43)
# says: returns a NumPy array
-    return gain * normal + bias
+    return (gain * normal + bias).numpy()

# %% wrong: prints
# wrong: prints and returns nothing (catalogue 43)
# says: returns None
-    return gain * normal + bias
+    print(gain * normal + bias)

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
-    return gain * normal + bias
+    return (gain * normal + bias).squeeze()

# %% wrong: remembers_the_means
# wrong: keeps the means of the first call for each shape
# says: is made only once and keeps its contents between calls
MEANS = {}

def layer_norm(x, gain, bias, epsilon=1e-5):
    means = MEANS.setdefault(x.shape, x.mean(dim=-1, keepdim=True))
    variances = ((x - means) ** 2).mean(dim=-1, keepdim=True)
    return gain * (x - means) / torch.sqrt(variances + epsilon) + bias

# %% wrong: sixty_four_components
# wrong: looks at 64 components at most
# says: for tokens, shape (1, 60, 96)
-    means = x.mean(dim=-1, keepdim=True)
+    means = x[..., :64].mean(dim=-1, keepdim=True)

# %% wrong: gain_times_bias_and_k_less_one
# wrong: two mistakes: the variance divides by k - 1, and the bias is multiplied by the gain
# says: the gain multiplies the bias as well
# likely: two things: the variance divides by k − 1 instead of k, and the gain multiplies the bias as well
# next: use `correction=0` in `var` and `std`; multiply by the gain before you add the bias
-    variances = (centred ** 2).mean(dim=-1, keepdim=True)
+    variances = x.var(dim=-1, keepdim=True)
-    return gain * normal + bias
+    return gain * (normal + bias)

# %% wrong: bias_divided_too
# wrong: the bias is added before the division
# says: the bias is divided by the standard deviation
# likely: the bias is divided by the standard deviation, too
# next: divide first; then multiply by `gain`, and add `bias` last
-    normal = centred / torch.sqrt(variances + epsilon)
-    return gain * normal + bias
+    return (gain * centred + bias) / torch.sqrt(variances + epsilon)

# %% wrong: constant_token_becomes_zero
# wrong: a token of equal components becomes zeros, without the bias
# says: yours is
-    return gain * normal + bias
+    return torch.where(variances > 0, gain * normal + bias, torch.zeros_like(normal))
