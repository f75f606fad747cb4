# Right and wrong answers to `generate`; authoring/README.md says how they are written.

# %% right: step_by_step
def generate(model, start, steps, longest, choose):
    tokens = start.clone()
    for _ in range(steps):
        seen = tokens[-longest:]
        logits = model(seen[None])
        chosen = choose(logits[0, -1])
        tokens = torch.cat([tokens, torch.tensor([chosen])])
    return tokens

# %% right: by_lists
def generate(model, start, steps, longest, choose):
    sequence = start.tolist()
    while len(sequence) < len(start) + steps:
        batch = torch.tensor([sequence[-longest:]])
        sequence.append(int(choose(model(batch)[0][-1])))
    return torch.tensor(sequence)

# %% right: filled_in
def generate(model, start, steps, longest, choose):
    n = start.shape[0]
    tokens = torch.zeros(n + steps, dtype=start.dtype)
    tokens[:n] = start
    for end in range(n, n + steps):
        first = max(0, end - longest)
        logits = model(tokens[first:end].unsqueeze(0)).squeeze(0)
        tokens[end] = choose(logits[end - first - 1])
    return tokens

# %% right: one_step_and_itself
def generate(model, start, steps, longest, choose):
    if steps == 0:
        return start.detach().clone()
    with torch.no_grad():
        logits = model(start.reshape(1, -1)[:, -longest:])[0, -1, :]
    longer = torch.cat((start, start.new_tensor([int(choose(logits))])))
    return generate(model, longer, steps - 1, longest, choose)

# %% right: in_a_batch_of_one
@torch.no_grad()
def generate(model, start, steps, longest, choose):
    batch = start.unsqueeze(0)                                    # (1, n)
    for _ in range(steps):
        window = batch if batch.size(1) <= longest else batch[:, -longest:]
        logits = model(window)[:, -1]                             # (1, V)
        following = torch.as_tensor(choose(logits[0])).reshape(1, 1)
        batch = torch.cat([batch, following], dim=1)
    return batch.squeeze(0).clone()

# %% right: window_that_slides
from collections import deque


def generate(model, start, steps, longest, choose):
    fenster = deque(start.tolist(), maxlen=longest)
    neue = []
    for schritt in range(steps):
        logits = model(torch.tensor(list(fenster)).view(1, len(fenster)))
        token = int(choose(logits[0, len(fenster) - 1]))
        fenster.append(token)
        neue.append(token)
    return torch.cat([start, torch.tensor(neue, dtype=torch.long)])

# %% right: stream_of_tokens
def following_tokens(model, sequence, longest, choose):
    while True:
        logits = model(torch.stack(sequence[-longest:]).unsqueeze(0))
        sequence.append(torch.as_tensor(int(choose(logits[0, -1]))))
        yield sequence[-1]


def generate(model, start, steps, longest, choose):
    stream = following_tokens(model, list(start.unbind()), longest, choose)
    return torch.stack([*start.unbind(), *(next(stream) for _ in range(steps))])

# %% right: numpy_inside
import numpy as np


def generate(model, start, steps, longest, choose):
    numbers = np.array(start)
    for _ in range(steps):
        answer = model(torch.from_numpy(numbers[-longest:].copy())[np.newaxis])
        numbers = np.append(numbers, int(choose(answer[0, -1])))
    return torch.from_numpy(numbers)

# %% wrong: start_of_the_sequence
# wrong: shows the model the first tokens in place of the last
# says: the first tokens
# likely: the model is shown the first tokens it can read, not the last
# next: cut from the end: `tokens[-longest:]`
-        seen = tokens[-longest:]
+        seen = tokens[:longest]

# %% wrong: everything_shown
# wrong: shows the model more than it can read
# says: but can only read 4
-        seen = tokens[-longest:]
+        seen = tokens

# %% wrong: last_token_only
# wrong: shows the model the last token alone
# says: the last token alone
# likely: the model is shown the last token alone
# next: show it all tokens so far, or the last `longest` of them
-        seen = tokens[-longest:]
+        seen = tokens[-1:]

# %% wrong: one_too_few
# wrong: shows one token less than the model can read
# says: with `tokens[-longest:]` in place of
-        seen = tokens[-longest:]
+        seen = tokens[-(longest - 1):]

# %% wrong: last_not_shown
# wrong: does not show the last token
# says: where [3, 1, 4] is due: the newest is not shown
-        seen = tokens[-longest:]
+        seen = tokens[-longest - 1:-1]

# %% wrong: start_only
# wrong: shows the model only start, so that it chooses the same again and again
# says: what was chosen is never shown
# likely: the model is shown only the start in each step: what was chosen is never shown to it
# next: show it `tokens`, which includes what was chosen
-        seen = tokens[-longest:]
+        seen = start[-longest:]

# %% wrong: logits_once
# wrong: calls the model once, before the loop
# says: what was chosen is never shown
-    for _ in range(steps):
-        seen = tokens[-longest:]
-        logits = model(seen[None])
+    seen = tokens[-longest:]
+    logits = model(seen[None])
+    for _ in range(steps):

# %% wrong: logits_of_the_first_place
# wrong: chooses from the logits of the first position
# says: the logits of the first position
# likely: each token is chosen from the logits of the first position
# next: take those of the last position: `logits[0, -1]`
-        chosen = choose(logits[0, -1])
+        chosen = choose(logits[0, 0])

# %% wrong: logits_of_the_place_before
# wrong: chooses from the logits of the position before the last
# says: the position before the last
# likely: each token is chosen from the logits of the position before the last
# next: take those of the last position: `logits[0, -1]`
-        chosen = choose(logits[0, -1])
+        chosen = choose(logits[0, -2])

# %% wrong: logits_of_a_fixed_place
# wrong: chooses from the logits of the position where start ended
# says: the position where the start ended
# likely: each token is chosen from the logits of the position where the start ended
# next: take those of the last position: `logits[0, -1]`
-        chosen = choose(logits[0, -1])
+        chosen = choose(logits[0, min(len(start), len(seen)) - 1])

# %% wrong: batch_left_in
# wrong: hands over logits that still have the axis of the batch
# says: with logits of shape (1, 7)
-        chosen = choose(logits[0, -1])
+        chosen = choose(logits[:, -1])

# %% wrong: all_places
# wrong: hands over the logits of all positions
# says: with logits of shape (3, 7)
-        chosen = choose(logits[0, -1])
+        chosen = choose(logits[0])

# %% wrong: always_greedy
# wrong: takes the most likely token, and never asks `choose`
# says: `choose` was called 0 times
-        chosen = choose(logits[0, -1])
+        chosen = int(logits[0, -1].argmax())

# %% wrong: no_batch
# wrong: calls the model with tokens that have no axis of the batch
# says: is called with tokens of shape (3,)
-        logits = model(seen[None])
+        logits = model(seen)

# %% wrong: batch_behind
# wrong: makes a batch of sequences with one token each
# says: is called with tokens of shape (3, 1)
-        logits = model(seen[None])
+        logits = model(seen[:, None])

# %% wrong: in_front
# wrong: puts each new token in front
# says: in front of the others
# likely: each new token is put in front of the others
# next: put it after them: the tokens first, then what was chosen
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
+        tokens = torch.cat([torch.tensor([chosen]), tokens])

# %% wrong: new_tokens_only
# wrong: returns what was added, without start
# says: shape (4,)
-    return tokens
+    return tokens[len(start):]

# %% wrong: window_only
# wrong: returns the window, and loses what the model no longer reads
# says: shape (5,)
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
-    return tokens
+        tokens = torch.cat([seen, torch.tensor([chosen])])
+    return tokens

# %% wrong: forgets_what_slides_out
# wrong: returns the last tokens only
# says: shape (4,)
-    return tokens
+    return tokens[-longest:]

# %% wrong: one_step_more
# wrong: adds one token too many
# says: shape (8,)
-    for _ in range(steps):
+    for _ in range(steps + 1):

# %% wrong: steps_are_the_length
# wrong: takes steps for the length of the result
# says: shape
-    for _ in range(steps):
+    for _ in range(steps - len(start)):

# %% wrong: until_it_is_full
# wrong: stops when the sequence is as long as the model can read
# says: shape
-    for _ in range(steps):
+    while len(tokens) < min(longest, len(start) + steps):

# %% wrong: returned_in_the_loop
# wrong: returns after the first token
# says: shape
-    return tokens
+        return tokens

# %% wrong: still_a_batch
# wrong: returns a batch of one
# says: shape (1, 7)
-    return tokens
+    return tokens[None]

# %% wrong: list
# wrong: returns a list
# says: returns a list
-    return tokens
+    return tokens.tolist()

# %% wrong: no_return
# wrong: returns nothing
# says: returns None
-    return tokens

# %% wrong: ends_at_zero
# wrong: ends where token 0 is chosen, though it is asked for more
# says: shape
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
+        if chosen == 0:
+            break
+        tokens = torch.cat([tokens, torch.tensor([chosen])])

# %% wrong: result_dropped
# wrong: `cat` returns a new tensor, and nobody keeps it (catalogue 39)
# says: shape (3,)
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
+        torch.cat([tokens, torch.tensor([chosen])])

# %% wrong: start_is_shifted
# wrong: writes the new tokens into start itself
# says: the call changes its input
-    tokens = start.clone()
-    for _ in range(steps):
+    tokens, start = start.clone(), start[-longest:]
+    for _ in range(steps):
-        seen = tokens[-longest:]
-        logits = model(seen[None])
+        logits = model(start[None])
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
+        start[:-1] = start[1:].clone()
+        start[-1] = chosen
+        tokens = torch.cat([tokens, torch.tensor([chosen])])

# %% wrong: always_as_long
# wrong: fills the sequence up with 0 to what the model can read, and takes the logits behind the padding
# says: what stands behind are tokens, too
-        logits = model(seen[None])
+        logits = model(nn.functional.pad(seen, (0, longest - len(seen)))[None])

# %% wrong: padded_in_front
# wrong: fills the sequence up with 0 in front
# says: what you put in front are tokens, too
-        logits = model(seen[None])
+        logits = model(nn.functional.pad(seen, (longest - len(seen), 0))[None])

# %% wrong: words_added
# wrong: adds up tokens in place of putting them behind each other
# says: the model gets the tokens [
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
+        tokens = torch.cat([tokens, tokens[-1:] + chosen])

# %% wrong: as_decimals
# wrong: keeps the tokens as decimals
# says: the tokens became decimals
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
+        tokens = torch.cat([tokens, torch.tensor([float(chosen)])])

# %% wrong: tokens_kept_between_calls
# wrong: the list of new tokens is a default, the same one in each call
# says: keeps its contents between calls
-def generate(model, start, steps, longest, choose):
+def generate(model, start, steps, longest, choose, new=[]):
-        tokens = torch.cat([tokens, torch.tensor([chosen])])
-    return tokens
+        new.append(chosen)
+        tokens = torch.cat([start, torch.tensor(new)])
+    return tokens

# %% wrong: a_module_only
# wrong: asks the model for what only torch modules have
# says: AttributeError
-    tokens = start.clone()
+    model.eval()
+    tokens = start.clone()
