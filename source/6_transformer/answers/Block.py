# Right and wrong answers to `Block`; authoring/README.md says how they are written.

# %% right: step_by_step
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.attention = attention
        self.feed_forward = feed_forward
        self.norm_1 = nn.LayerNorm(k)
        self.norm_2 = nn.LayerNorm(k)

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.feed_forward(self.norm_2(x))

# %% right: small_steps
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.norm_1 = nn.LayerNorm(k)
        self.attention = attention
        self.norm_2 = nn.LayerNorm(k)
        self.feed_forward = feed_forward

    def forward(self, x):
        normed = self.norm_1(x)
        attended = self.attention(normed)
        middle = torch.add(x, attended)
        normed = self.norm_2(middle)
        computed = self.feed_forward(normed)
        return torch.add(middle, computed)

# %% right: pairs_in_a_loop
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.attention, self.feed_forward = attention, feed_forward
        self.norm_1, self.norm_2 = (nn.LayerNorm(k) for _ in range(2))

    def forward(self, x):
        for norm, part in ((self.norm_1, self.attention), (self.norm_2, self.feed_forward)):
            x = part(norm(x)) + x
        return x

# %% right: dictionary
class Block(nn.ModuleDict):
    def __init__(self, k, attention, feed_forward):
        super().__init__(dict(norm_1=nn.LayerNorm(k), attention=attention, norm_2=nn.LayerNorm(k), feed_forward=feed_forward))

    def forward(self, x):
        after = self["attention"](self["norm_1"](x))
        return x + after + self["feed_forward"](self["norm_2"](x + after))

# %% right: own_layer_norm
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.attention = attention
        self.feed_forward = feed_forward
        self.norm_1 = nn.LayerNorm(k)
        self.norm_2 = nn.LayerNorm(k)

    def forward(self, x):
        x = x + self.attention(layer_norm(x, self.norm_1.weight, self.norm_1.bias))
        return x + self.feed_forward(layer_norm(x, self.norm_2.weight, self.norm_2.bias))

# %% right: stream_in_place_on_a_copy
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.attention = attention
        self.feed_forward = feed_forward
        for name in ("norm_1", "norm_2"):
            setattr(self, name, nn.LayerNorm(k, eps=1e-5))

    def forward(self, x):
        stream = x.clone()
        stream += self.attention(self.norm_1(x))
        stream += self.feed_forward(self.norm_2(stream.clone()))
        return stream

# %% right: own_norm_class
class Norm(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(k)), nn.Parameter(torch.zeros(k))

    def forward(self, x):
        away = x - x.mean(-1, True)
        return self.weight * away * torch.rsqrt(away.pow(2).mean(-1, True) + 1e-5) + self.bias


class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.attention = attention
        self.feed_forward = feed_forward
        self.norm_1 = Norm(k)
        self.norm_2 = Norm(k)

    def forward(self, x):
        y = x + self.attention(self.norm_1(x))
        z = y + self.feed_forward(self.norm_2(y))
        return z

# %% right: branches_as_functions
def beside(branch):
    """A function that adds to the stream what the branch makes of it."""
    return lambda stream: stream + branch(stream)


class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.add_module("attention", attention)
        self.add_module("feed_forward", feed_forward)
        self.norm_1, self.norm_2 = nn.LayerNorm(k), nn.LayerNorm(k)

    def forward(self, x):
        first = beside(lambda stream: self.attention(self.norm_1(stream)))
        second = beside(lambda stream: self.feed_forward(self.norm_2(stream)))
        return second(first(x))

# %% right: half_a_block_each
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        nn.Module.__init__(self)
        self.feed_forward, self.attention = feed_forward, attention
        self.norm_2, self.norm_1 = nn.LayerNorm((k,)), nn.LayerNorm([k])

    def mix(self, x):
        return torch.stack([x, self.attention(self.norm_1(x))]).sum(dim=0)

    def compute(self, x):
        return torch.stack([x, self.feed_forward(self.norm_2(x))]).sum(dim=0)

    def forward(self, x):
        return self.compute(self.mix(x))

# %% right: keeps_what_it_computed
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(k), nn.LayerNorm(k)
        self.attention, self.feed_forward = attention, feed_forward

    def forward(self, x):
        self.between = x + self.attention(self.norm_1(x))
        return self.between + self.feed_forward(self.norm_2(self.between))

# %% wrong: norm_behind_the_sum
# wrong: normalises the stream after each sum, as the first transformer did
# says: after each sum
# earns: 0
# likely: there is a norm after each sum, so the stream itself is normalised: that is post-norm
# next: normalise only what a part reads, `self.attention(self.norm_1(x))`, and add the result to the unnormalised x
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = self.norm_1(x + self.attention(x))
+        return self.norm_2(x + self.feed_forward(x))

# %% wrong: norm_of_what_comes_out
# wrong: normalises what the parts return
# says: return
# earns: 0
# likely: the norms come after the parts: they normalise what the parts return
# next: normalise what a part reads: `self.attention(self.norm_1(x))`
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.norm_1(self.attention(x))
+        return x + self.norm_2(self.feed_forward(x))

# %% wrong: norm_in_the_stream
# wrong: the stream itself is normalised, in front of each part
# says: stream
# earns: 0
# likely: the stream itself is normalised before each part, and the part's result is added to it
# next: add to the unnormalised x: the norm belongs inside the branch
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = self.norm_1(x)
+        x = x + self.attention(x)
+        x = self.norm_2(x)
+        return x + self.feed_forward(x)

# %% wrong: without_norms
# wrong: the norms are there, and never used
# says: neither part reads
# earns: 0
# likely: neither part reads a normalised stream
# next: normalise what each part reads: `self.norm_1(x)` for the attention, `self.norm_2(x)` for the feed-forward part
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.attention(x)
+        return x + self.feed_forward(x)

# %% wrong: without_the_first_norm
# wrong: the attention reads the stream as it is
# says: attention
# likely: the attention reads the unnormalised stream
# next: give it `self.norm_1(x)`
# earns: 0
-        x = x + self.attention(self.norm_1(x))
+        x = x + self.attention(x)

# %% wrong: without_the_second_norm
# wrong: the feed-forward part reads the stream as it is
# says: feed-forward
# likely: the feed-forward part reads the unnormalised stream
# next: give it `self.norm_2(x)`
# earns: 2
-        return x + self.feed_forward(self.norm_2(x))
+        return x + self.feed_forward(x)

# %% wrong: one_norm_for_both
# wrong: norm_1 for both parts
# says: norm_1
# likely: both parts read the stream through `norm_1`
# next: give the feed-forward part its own norm: `self.norm_2(x)`
# earns: 2
-        return x + self.feed_forward(self.norm_2(x))
+        return x + self.feed_forward(self.norm_1(x))

# %% wrong: one_norm_with_two_names
# wrong: norm_2 is norm_1 under another name
# says: gain and bias of `norm_2`
# likely: both parts use the gain and bias of `norm_2`
# next: make two norms and give each part its own
# earns: 0
-        self.norm_2 = nn.LayerNorm(k)
+        self.norm_2 = self.norm_1

# %% wrong: norms_exchanged
# wrong: the two norms exchanged
# says: reads the stream through `norm_2`
# likely: the attention reads the stream through `norm_2`, the feed-forward part through `norm_1`
# next: use `norm_1` for the attention and `norm_2` for the feed-forward part
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.attention(self.norm_2(x))
+        return x + self.feed_forward(self.norm_1(x))

# %% wrong: without_stream
# wrong: each part passes on only what it makes
# says: stream
# likely: the stream is missing: each part passes on only its own result
# next: add what each part returns to the x it was computed from
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = self.attention(self.norm_1(x))
+        return self.feed_forward(self.norm_2(x))

# %% wrong: without_the_first_sum
# wrong: the attention replaces the stream
# says: attention
# likely: what the attention returns replaces the stream instead of being added to it
# next: begin with `x = x + ...`
# earns: 0
-        x = x + self.attention(self.norm_1(x))
+        x = self.attention(self.norm_1(x))

# %% wrong: without_the_second_sum
# wrong: the feed-forward part replaces the stream
# says: feed-forward
# likely: what the feed-forward part returns replaces the stream instead of being added to it
# next: return `x + ...`
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        return self.feed_forward(self.norm_2(x))

# %% wrong: side_by_side
# wrong: both parts read the x that came in
# says: came in
# likely: both parts read the same x, the one that came in
# next: give the feed-forward part the stream after the attention has added to it
# earns: 2
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        return x + self.attention(self.norm_1(x)) + self.feed_forward(self.norm_2(x))

# %% wrong: added_to_what_came_in
# wrong: the second sum goes back to the x that came in, and the attention's part is lost
# says: lost
# likely: the second sum adds to the x that came in, so what the attention added is lost
# next: add to the stream as the first line left it
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        middle = x + self.attention(self.norm_1(x))
+        return x + self.feed_forward(self.norm_2(middle))

# %% wrong: attention_without_its_sum_before_the_second
# wrong: the feed-forward part reads what the attention returned, not the stream
# says: not the stream
# likely: the feed-forward part reads what the attention returned, not the stream
# next: add first, so that `norm_2` reads the sum
# earns: 2
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        mixed = self.attention(self.norm_1(x))
+        return x + mixed + self.feed_forward(self.norm_2(mixed))

# %% wrong: added_twice
# wrong: x once more at the end
# says: added again
# likely: the x that came in is added again at the end
# next: use two sums, one for each part: the stream already contains the x that came in
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        y = x + self.attention(self.norm_1(x))
+        return x + y + self.feed_forward(self.norm_2(y))

# %% wrong: normalised_token_added
# wrong: adds the normalised token in the place of the token
# says: normalised token
# likely: what the attention returns is added to the normalised token, not to the token
# next: keep x as it is and normalise only what a part reads
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        normed = self.norm_1(x)
+        normed = normed + self.attention(normed)
+        again = self.norm_2(normed)
+        return normed + self.feed_forward(again)

# %% wrong: computes_first
# wrong: feed-forward part before the attention, each with its norm
# says: before the attention
# likely: the feed-forward part comes before the attention
# next: put the attention first, and give the feed-forward part the resulting stream
# earns: 2
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.feed_forward(self.norm_2(x))
+        return x + self.attention(self.norm_1(x))

# %% wrong: attention_twice
# wrong: the attention where the feed-forward part belongs
# says: attention
# likely: the second line calls the attention again
# next: call `self.feed_forward` in the second line
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        return x + self.attention(self.norm_2(x))

# %% wrong: attention_only
# wrong: the feed-forward part is never called
# says: feed-forward
# likely: the feed-forward part is never added
# next: add `self.feed_forward(self.norm_2(x))` in a second line
# earns: 2
-        return x + self.feed_forward(self.norm_2(x))
+        return x

# %% wrong: feed_forward_only
# wrong: the attention is never called
# says: attention
# likely: the attention is never added
# next: add `self.attention(self.norm_1(x))` in a first line
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        return x + self.feed_forward(self.norm_2(x))

# %% wrong: subtracted
# wrong: subtracts what the parts return
# says: subtracted
# likely: what the parts return is subtracted
# next: add it to the stream
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x - self.attention(self.norm_1(x))
+        return x - self.feed_forward(self.norm_2(x))

# %% wrong: halves
# wrong: the mean of stream and part in the place of the sum
# says: mean
# likely: the mean of the stream and what a part returns is used instead of their sum
# next: add them without dividing
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = (x + self.attention(self.norm_1(x))) / 2
+        return (x + self.feed_forward(self.norm_2(x))) / 2

# %% wrong: norm_at_the_end
# wrong: normalises the result once more
# says: normalised
# likely: the output is normalised again, with gain 1 and bias 0
# next: return the second sum as it is: the last norm belongs to the whole model
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.feed_forward(self.norm_2(x))
+        return nn.functional.layer_norm(x, x.shape[-1:])

# %% wrong: bend_at_the_end
# wrong: a ReLU behind the second sum
# says: negative
# likely: negative numbers in the stream become 0 at the end
# next: return the second sum as it is
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        return torch.relu(x + self.feed_forward(self.norm_2(x)))

# %% wrong: norms_without_parameters
# wrong: norms without gain and bias
# says: missing
# earns: 0
-        self.norm_1 = nn.LayerNorm(k)
-        self.norm_2 = nn.LayerNorm(k)
+        self.norm_1 = nn.LayerNorm(k, elementwise_affine=False)
+        self.norm_2 = nn.LayerNorm(k, elementwise_affine=False)

# %% wrong: norm_without_parameters_in_the_call
# wrong: a norm of its own kind that does not use gain and bias
# says: gain
# likely: the gain and bias of the norms are not used
# next: call the norms: `self.norm_1(x)` multiplies by its gain and adds its bias
# earns: 0
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        norm = lambda stream: nn.functional.layer_norm(stream, stream.shape[-1:])
+        x = x + self.attention(norm(x))
+        return x + self.feed_forward(norm(x))

# %% wrong: other_names
# wrong: the norms have other names than on the card
# says: missing
# earns: 0
-        self.norm_1 = nn.LayerNorm(k)
-        self.norm_2 = nn.LayerNorm(k)
+        self.norm1 = nn.LayerNorm(k)
+        self.norm2 = nn.LayerNorm(k)
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.attention(self.norm1(x))
+        return x + self.feed_forward(self.norm2(x))

# %% wrong: in_a_list
# wrong: a plain list hides the two modules from torch
# says: missing
# earns: 0
-        self.attention = attention
-        self.feed_forward = feed_forward
+        self.parts = [attention, feed_forward]
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.parts[0](self.norm_1(x))
+        return x + self.parts[1](self.norm_2(x))

# %% wrong: parts_of_its_own
# wrong: makes its own attention and feed-forward part (catalogue 42)
# says: not on the card
# earns: 0
-        self.attention = attention
-        self.feed_forward = feed_forward
+        self.attention = MultiHeadSelfAttention(k, 1)
+        self.feed_forward = FeedForward(k, 4 * k)

# %% wrong: norm_over_tokens
# wrong: normalises each component over the tokens
# says: RuntimeError
# earns: 0
-        x = x + self.attention(self.norm_1(x))
+        x = x + self.attention(self.norm_1(x.transpose(1, 2)).transpose(1, 2))

# %% wrong: components_of_the_card
# wrong: norms for four components, as on the card (catalogue 42)
# says: has shape (4,)
# earns: 0
-        self.norm_1 = nn.LayerNorm(k)
-        self.norm_2 = nn.LayerNorm(k)
+        self.norm_1 = nn.LayerNorm(4)
+        self.norm_2 = nn.LayerNorm(4)

# %% wrong: in_place
# wrong: adds to the x that it was given (catalogue 41)
# says: is an in-place operation on the argument `x`
# earns: 0
-        x = x + self.attention(self.norm_1(x))
+        x += self.attention(self.norm_1(x))

# %% wrong: dropout_in_training
# wrong: dropout on both branches in training mode (catalogue 49)
# says: something acts only in training mode
# earns: 2
-        x = x + self.attention(self.norm_1(x))
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + nn.functional.dropout(self.attention(self.norm_1(x)), 0.1, self.training)
+        return x + nn.functional.dropout(self.feed_forward(self.norm_2(x)), 0.1, self.training)

# %% wrong: first_sequence_only
# wrong: drops the batch (catalogue 44)
# says: shape
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        return (x + self.feed_forward(self.norm_2(x)))[0]

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        return (x + self.feed_forward(self.norm_2(x))).squeeze()

# %% wrong: both_streams
# wrong: returns the stream and what was added (catalogue 43)
# says: tuple
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        added = self.feed_forward(self.norm_2(x))
+        return x + added, added

# %% wrong: nothing_returned
# wrong: no return (catalogue 43)
# says: returns None
# earns: 0
-        return x + self.feed_forward(self.norm_2(x))
+        x = x + self.feed_forward(self.norm_2(x))
