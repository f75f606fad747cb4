# Right and wrong answers to `rms_norm`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def rms_norm(x, weight):
    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
    return x / root * weight

# %% right: step_by_step
def rms_norm(x, weight):
    squares = x ** 2
    means = squares.mean(dim=-1, keepdim=True)
    roots = torch.sqrt(means + 1e-5)
    outputs = x / roots * weight
    return outputs

# %% right: in_one_line
def rms_norm(x, weight):
    return weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)

# %% right: torchs_function
def rms_norm(x, weight):
    return nn.functional.rms_norm(x, weight.shape, weight, eps=1e-5)

# %% right: torchs_module
def rms_norm(x, weight):
    norm = nn.RMSNorm(x.shape[-1], eps=1e-5)
    with torch.no_grad():
        norm.weight.copy_(weight)
        return norm(x)

# %% right: einsum
def rms_norm(x, weight):
    squares = torch.einsum("...i,...i->...", x, x) / x.shape[-1]
    return torch.einsum("...i,...,i->...i", x, (squares + 1e-5) ** -0.5, weight)

# %% right: by_length
def rms_norm(x, weight):
    k = x.size(-1)
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return weight * (x / torch.sqrt(length ** 2 / k + 1e-5))

# %% right: float64_inside
def rms_norm(x, weight):
    wide = x.to(torch.float64)
    root = math.sqrt(1 / x.shape[-1]) * ((wide * wide).sum(-1, keepdim=True) + x.shape[-1] * 1e-5).sqrt()
    return (wide / root * weight).to(x.dtype)

# %% right: vector_by_vector
def rms_norm(x, weight):
    result = torch.zeros_like(x)
    flat, rows = x.reshape(-1, x.shape[-1]), result.view(-1, x.shape[-1])
    for n, vector in enumerate(flat):
        mean = sum(float(component) ** 2 for component in vector) / len(vector)
        rows[n] = vector / math.sqrt(mean + 1e-5) * weight
    return result

# %% right: numpy_and_back
def rms_norm(x, weight):
    import numpy as np

    a = x.numpy()
    root = np.sqrt(np.mean(a ** 2, axis=-1, keepdims=True) + np.float32(1e-5))
    return torch.from_numpy(a / root * weight.numpy())

# %% wrong: mean_subtracted
# wrong: subtracts the mean, as LayerNorm does
# says: LayerNorm
# likely: the mean of each vector is subtracted first, as LayerNorm does
# next: RMSNorm subtracts nothing: divide x itself by the root of the mean of its squares
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    x = x - x.mean(dim=-1, keepdim=True)
+    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()

# %% wrong: variance
# wrong: divides by the standard deviation of the vector
# says: variance
# likely: x is divided by the root of its variance: the squares are taken after the mean was subtracted
# next: take the mean of the squares of x itself, `x.square().mean(...)`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.var(dim=-1, keepdim=True, correction=0) + 1e-5).sqrt()

# %% wrong: std_of_torch
# wrong: divides by torch's std, over k - 1
# says: standard deviation
# likely: x is divided by its standard deviation, and `std` subtracts the mean and divides by k − 1
# next: take the mean of the squares of x itself, `x.square().mean(...)`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = x.std(dim=-1, keepdim=True) + 1e-5

# %% wrong: mean_subtracted_on_top
# wrong: subtracts the mean from x, and divides by the root of the mean of the squares of x
# says: mean
# likely: the mean is subtracted from x before the division
# next: RMSNorm subtracts nothing: divide x itself
-    return x / root * weight
+    return (x - x.mean(dim=-1, keepdim=True)) / root * weight

# %% wrong: no_epsilon
# wrong: no epsilon: too long for short vectors, nan for zeros
# says: 1e-5
# likely: nothing is added to the mean of the squares: short vectors come out too long, and vectors of zeros as nan
# next: add 1e-5 to the mean, before the root
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = x.square().mean(dim=-1, keepdim=True).sqrt()

# %% wrong: epsilon_outside
# wrong: adds epsilon to the root
# says: outside the root
# likely: 1e-5 is added to the root, outside the root
# next: add it to the mean of the squares, before the root is taken
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = x.square().mean(dim=-1, keepdim=True).sqrt() + 1e-5

# %% wrong: another_epsilon
# wrong: 1e-6, as in other models
# says: 1e-6
# likely: 1e-6 is added to the mean of the squares
# next: add 1e-5, as the model's file does
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().mean(dim=-1, keepdim=True) + 1e-6).sqrt()

# %% wrong: torchs_epsilon
# wrong: torch's own function with its own epsilon
# says: by default
# likely: 1.2e-7 is added to the mean of the squares, as torch's own function does by default
# next: hand it `eps=1e-5`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
-    return x / root * weight
+    return nn.functional.rms_norm(x, weight.shape, weight)

# %% wrong: epsilon_as_the_least
# wrong: takes epsilon as the least mean of squares, and adds nothing
# says: the least
# likely: 1e-5 is the least mean of the squares, and is not added
# next: add it to each mean: `means + 1e-5`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = x.square().mean(dim=-1, keepdim=True).clamp(min=1e-5).sqrt()

# %% wrong: nan_becomes_zero
# wrong: no epsilon, and the nan of zeros made 0
# says: no 1e-5
# likely: no 1e-5 is added to the mean of the squares, and the nan of 0 / 0 is replaced by 0
# next: add 1e-5 to the mean, before the root: nothing is divided by 0 then
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
-    return x / root * weight
+    root = x.square().mean(dim=-1, keepdim=True).sqrt()
+    return torch.nan_to_num(x / root) * weight

# %% wrong: epsilon_in_the_sum
# wrong: adds epsilon to the sum of the squares, before it is divided by k
# says: the sum of the squares
# likely: 1e-5 is added to the sum of the squares, before it is divided by k
# next: take the mean of the squares first, then add 1e-5
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = ((x.square().sum(dim=-1, keepdim=True) + 1e-5) / x.shape[-1]).sqrt()

# %% wrong: weight_forgotten
# wrong: does not use the weight
# says: weight
# likely: `weight` is not used
# next: multiply what comes out of the division by `weight`
-    return x / root * weight
+    return x / root

# %% wrong: weight_added
# wrong: adds the weight
# says: added
# likely: `weight` is added, not multiplied
# next: multiply by `weight`, component by component
-    return x / root * weight
+    return x / root + weight

# %% wrong: one_more_than_the_weight
# wrong: counts the weight from 1, as some models keep it
# says: one more than
# likely: the vectors are multiplied by one more than `weight`
# next: multiply by `weight` itself
-    return x / root * weight
+    return x / root * (1 + weight)

# %% wrong: weight_first
# wrong: normalises weight times x
# says: before
# likely: x is multiplied by `weight` before it is normed
# next: norm x itself; `weight` comes after the division
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
-    return x / root * weight
+    x = x * weight
+    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()
+    return x / root

# %% wrong: sum_of_squares
# wrong: divides by the length of the vector
# says: sum
# likely: x is divided by its length: the squares are summed, not averaged
# next: take the mean of the squares: the sum divided by k
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().sum(dim=-1, keepdim=True) + 1e-5).sqrt()

# %% wrong: normalize
# wrong: torch's normalize, which divides by the length
# says: length
# likely: x is divided by its length: the squares are summed, not averaged, and no 1e-5 is added
# next: divide by the root of (mean of the squares + 1e-5)
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
-    return x / root * weight
+    return nn.functional.normalize(x, dim=-1) * weight

# %% wrong: no_root
# wrong: divides by the mean of the squares itself
# says: root
# likely: x is divided by the mean of its squares, not by the root of it
# next: take the root of the mean, and divide by that
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = x.square().mean(dim=-1, keepdim=True) + 1e-5

# %% wrong: divided_by_rsqrt
# wrong: rsqrt is one over the root already
# says: multiplied by the root
# likely: x is multiplied by the root, not divided by it
# next: divide by the root, or multiply by `rsqrt`, which is 1 / root
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + 1e-5)

# %% wrong: square_of_the_mean
# wrong: the square of the mean in place of the mean of the squares
# says: the square of the mean
# likely: x is divided by the root of the square of the mean
# next: square the components first, then take the mean
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.mean(dim=-1, keepdim=True).square() + 1e-5).sqrt()

# %% wrong: mean_of_lengths
# wrong: the mean of the absolute values
# says: absolute
# likely: x is divided by the mean of its absolute values
# next: take the root of the mean of the squares
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = x.abs().mean(dim=-1, keepdim=True) + 1e-5

# %% wrong: over_the_vectors
# wrong: the mean over the first axis
# says: dim=0
# likely: the mean runs over the vectors, dim=0: each component is divided by its own root
# next: take the mean over the components of each vector, `dim=-1`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().mean(dim=0, keepdim=True) + 1e-5).sqrt()

# %% wrong: second_axis
# wrong: dim=1 is the last axis of a matrix alone
# says: runs along axis 1
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().mean(dim=1, keepdim=True) + 1e-5).sqrt()

# %% wrong: all_axes
# wrong: one mean of all numbers
# says: all
# likely: one mean of all numbers is taken, so all vectors are divided by the same root
# next: take a mean for each vector: `mean(dim=-1, keepdim=True)`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().mean() + 1e-5).sqrt()

# %% wrong: without_keepdim
# wrong: drops the axis, and does not line up with the vectors (catalogue 6)
# says: without `keepdim=True`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().mean(dim=-1) + 1e-5).sqrt()

# %% wrong: components_of_the_card
# wrong: vectors have four components, as on the card (catalogue 42)
# says: times the expected one
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().sum(dim=-1, keepdim=True) / 4 + 1e-5).sqrt()

# %% wrong: in_place
# wrong: divides the learner's own x (catalogue 41)
# says: in-place operation on the argument `x`
-    return x / root * weight
+    x /= root
+    return x * weight

# %% wrong: in_float16
# wrong: squares in half precision, which end at 65504 (catalogue 43)
# says: ✗
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.half().square().mean(dim=-1, keepdim=True) + 1e-5).sqrt().float()

# %% wrong: always_double
# wrong: float32 comes back as float64 (catalogue 43)
# says: the type changed on the way
-    return x / root * weight
+    return (x / root * weight).double()

# %% wrong: numpy_array
# wrong: returns a NumPy array (catalogue 43)
# says: returns a NumPy array
-    return x / root * weight
+    return (x / root * weight).numpy()

# %% wrong: layer_norm_without_weight
# wrong: torch's LayerNorm, with nothing for its weight
# says: LayerNorm
# likely: the mean of each vector is subtracted, as LayerNorm does, and `weight` is not used
# next: divide x itself by the root of the mean of its squares, then multiply by `weight`
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
-    return x / root * weight
+    return nn.functional.layer_norm(x, x.shape[-1:])

# %% wrong: epsilon_squared
# wrong: adds the square of 1e-5
# says: the square of 1e-5
# likely: the square of 1e-5 is added to the mean of the squares
# next: add 1e-5 itself
-    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
+    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5 ** 2).sqrt()
