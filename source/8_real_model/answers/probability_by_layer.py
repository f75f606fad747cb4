# Right and wrong answers to `probability_by_layer`; authoring/README.md says how they are written. Each run takes a fifth of a second, so no
# right answer has a name from which the build takes slips.

# %% right: as_in_the_lesson
def probability_by_layer(text, word):
    streams = residual_streams(model, words.encode(text))            # (31, T, k)
    logits = tied_logits(model, streams[:, -1])                      # (31, V)
    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]

# %% right: each_step_named
def probability_by_layer(text, word):
    tokens = words.encode(text)
    token = words.encode(word).item()
    streams = residual_streams(model, tokens)
    last = streams[:, -1, :]
    logits = tied_logits(model, last)
    probabilities = logits.softmax(dim=1)
    return probabilities[:, token]

# %% right: layer_after_layer
def probability_by_layer(text, word):
    token = int(words.encode(word)[0])
    found = []
    for stream in residual_streams(model, words.encode(text)):
        found.append(torch.softmax(tied_logits(model, stream[-1]), dim=-1)[token].item())
    return torch.tensor(found)

# %% right: all_positions
def probability_by_layer(text, word):
    logits = tied_logits(model, residual_streams(model, words.encode(text)))
    probabilities = torch.softmax(logits, dim=-1)                    # (31, T, V)
    return probabilities[:, -1, words.encode(word)].squeeze(-1)

# %% right: by_logarithms
@torch.no_grad()
def probability_by_layer(text, word):
    logits = tied_logits(model, residual_streams(model, words.encode(text))[:, -1])
    own = logits[:, words.encode(word)[-1]]
    return torch.exp(own - torch.logsumexp(logits, dim=-1))

# %% right: softmax_by_hand
def probability_by_layer(text, word):
    streams = residual_streams(model, words.encode(text))
    logits = tied_logits(model, streams[:, len(words.encode(text)) - 1])
    powers = torch.exp(logits - logits.max(dim=-1, keepdim=True).values)
    return (powers / powers.sum(dim=-1, keepdim=True))[:, words.encode(word)[0]]

# %% right: cross_entropy
def probability_by_layer(text, word):
    logits = tied_logits(model, residual_streams(model, words.encode(text))[:, -1])
    loss = nn.functional.cross_entropy(logits, words.encode(word).expand(len(logits)), reduction="none")
    return torch.exp(-loss)

# %% right: transposed
def probability_by_layer(text, word):
    streams = residual_streams(model, words.encode(text)).transpose(0, 1)      # (T, 31, k)
    by_token = torch.softmax(tied_logits(model, streams[-1]), dim=-1).T        # (V, 31)
    return by_token[words.encode(word)][0]

# %% wrong: first_position
# wrong: reads the first position
# says: the first position
# likely: the first position is read
# next: what comes after the text is said at its last position: `streams[:, -1]`
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
+    logits = tied_logits(model, streams[:, 0])

# %% wrong: mean_over_positions
# wrong: the mean of the probabilities at all positions
# says: the mean over all positions
# likely: the probabilities are the mean over all positions
# next: read the last position alone: `streams[:, -1]`
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    logits = tied_logits(model, streams)
+    return torch.softmax(logits, dim=-1)[:, :, words.encode(word)[0]].mean(dim=1)

# %% wrong: mean_stream
# wrong: reads the mean of the positions' streams
# says: the mean or the sum of all positions
# likely: the stream that is read is the mean or the sum of all positions
# next: read the last position alone: `streams[:, -1]`
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
+    logits = tied_logits(model, streams.mean(dim=1))

# %% wrong: logits_returned
# wrong: returns logits
# says: without a softmax
# likely: these are the logits of the word, without a softmax
# next: apply softmax over the tokens before you take the word's column
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return logits[:, words.encode(word)[0]]

# %% wrong: softmax_over_layers
# wrong: the softmax goes over the layers
# says: over the layers
# likely: the softmax goes over the layers, so that the result sums to 1
# next: apply it over the tokens, the last axis of the logits: `dim=-1`
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=0)[:, words.encode(word)[0]]

# %% wrong: last_token_of_the_text
# wrong: takes the column of the text's own last token
# says: the last token of the text
# likely: the column is that of the last token of the text
# next: take the column of the word: `words.encode(word)[0]`
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1)[:, words.encode(text)[-1]]

# %% wrong: column_keeps_its_axis
# wrong: indexes with the tensor of one token, which keeps an axis
# says: shape (31, 1)
# likely: `words.encode(word)` is a tensor of one token, and as an index it keeps its axis: there is one column in place of none
# next: take the token itself: `words.encode(word)[0]`
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1)[:, words.encode(word)]

# %% wrong: not_normalised
# wrong: powers without their sum
# says: not divided by
# likely: these are the powers of the logits, not divided by their sum over the tokens
# next: divide by the sum over the tokens, or use `torch.softmax`
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.exp(logits)[:, words.encode(word)[0]]

# %% wrong: cumulative
# wrong: adds the probabilities up
# says: summed up
# likely: the probabilities are summed up from layer to layer
# next: return the probability after each layer by itself
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]].cumsum(dim=0)

# %% wrong: without_the_first
# wrong: leaves out what is read before the first layer
# says: before the first layer
# likely: what is read before the first layer is missing
# next: return all 31: before the first layer, and after each
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
+    logits = tied_logits(model, streams[1:, -1])

# %% wrong: last_layer_alone
# wrong: returns the probability after the last layer
# says: only the last entry
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1)[-1, words.encode(word)[0]]

# %% wrong: log_probabilities
# wrong: returns logarithms
# says: logarithms
# likely: these are logarithms of the probabilities
# next: use softmax in place of log-softmax
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.log_softmax(logits, dim=-1)[:, words.encode(word)[0]]

# %% wrong: norm_left_out
# wrong: multiplies by the embedding without the last norm
# says: without the norm
# likely: the stream is read without the norm
# next: use your `tied_logits`, which norms first
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
+    logits = streams[:, -1] @ model["embedding"].T

# %% wrong: word_behind_the_text
# wrong: the word stands behind the text already
# says: the word itself is read, too
# likely: the word itself is read, too: the probability is that of the word coming after itself
# next: encode the text alone, and read its last position
-    streams = residual_streams(model, words.encode(text))            # (31, T, k)
+    streams = residual_streams(model, words.encode(text + word))

# %% wrong: word_not_encoded
# wrong: takes the word itself for the number of its column
# says: a text stands where torch takes numbers
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1)[:, word]

# %% wrong: text_not_encoded
# wrong: gives the text itself to the model
# says: with a str as `tokens`
-    streams = residual_streams(model, words.encode(text))            # (31, T, k)
+    streams = residual_streams(model, text)

# %% wrong: without_its_space
# wrong: takes the space off the word
# says: without the space
# likely: the column is that of the word without the space in front of it, which is another token
# next: encode the word as it is given
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1)[:, words.encode(word.strip())[0]]

# %% wrong: largest_probability
# wrong: returns the probability of the most likely token
# says: the most likely token
# likely: these are the probabilities of the most likely token, whichever it is
# next: take the column of the word: `words.encode(word)[0]`
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1).max(dim=-1).values

# %% wrong: by_a_sigmoid
# wrong: a sigmoid of each logit
# says: sigmoid
# likely: each logit goes through a sigmoid, so that the tokens do not share one sum
# next: apply softmax over the tokens
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.sigmoid(logits)[:, words.encode(word)[0]]

# %% wrong: position_before
# wrong: reads one position too early
# says: the position before the last
# likely: the position before the last one is read
# next: what comes after the text is said at its last position: `streams[:, -1]`
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
+    logits = tied_logits(model, streams[:, -2])

# %% wrong: last_layers_positions
# wrong: takes the last layer in place of the last position
# says: after the last layer alone, at every position
# likely: the stream is read after the last layer alone, at every position
# next: the first axis of the streams is the layers, the second the positions: `streams[:, -1]`
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
+    logits = tied_logits(model, streams[-1])

# %% wrong: every_position
# wrong: returns all positions
# says: at every position
# likely: the word's probability is returned at every position
# next: return that at the last position alone: `streams[:, -1]`
-    logits = tied_logits(model, streams[:, -1])                      # (31, V)
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    logits = tied_logits(model, streams)
+    return torch.softmax(logits, dim=-1)[..., words.encode(word)[0]]

# %% wrong: axis_of_the_word_kept
# wrong: keeps the axis of the word's one token
# says: an extra axis of length 1
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return torch.softmax(logits, dim=-1)[:, words.encode(word)]

# %% wrong: in_per_cent
# wrong: in per cent
# says: 100 times the expected one
-    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
+    return 100 * torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]

# %% wrong: normed_twice
# wrong: norms the streams, and tied_logits norms them again
# says: the streams are normed twice
# likely: the streams are normed twice: once here, and once more in `tied_logits`
# next: give `tied_logits` the streams as they are
def probability_by_layer(text, word):
    streams = residual_streams(model, words.encode(text))
    logits = tied_logits(model, rms_norm(streams[:, -1], model["norm"]))
    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
