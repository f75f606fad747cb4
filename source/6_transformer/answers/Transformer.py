# Right and wrong answers to `Transformer`; authoring/README.md says how they are written.

# %% right: step_by_step
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.longest = longest
        self.tokens = nn.Embedding(vocabulary, k)
        self.positions = nn.Embedding(longest, k)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(k)
        self.readout = nn.Linear(k, vocabulary)

    def forward(self, tokens):
        T = tokens.shape[1]
        if T > self.longest:
            raise ValueError(f"{T} tokens are more than {self.longest}")
        x = self.tokens(tokens) + self.positions(torch.arange(T))
        for block in self.blocks:
            x = block(x)
        return self.readout(self.norm(x))

# %% right: blocks_in_a_row
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, k), nn.Embedding(longest, k)
        self.blocks = nn.Sequential(*blocks)
        self.norm, self.readout = nn.LayerNorm(k), nn.Linear(k, vocabulary)

    def forward(self, tokens):
        B, T = tokens.size()
        places = self.positions.weight[:T]
        if len(places) < T:
            raise ValueError("too many tokens")
        return self.readout(self.norm(self.blocks(self.tokens(tokens) + places)))

# %% right: dictionary
class Transformer(nn.ModuleDict):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__({"tokens": nn.Embedding(vocabulary, k), "positions": nn.Embedding(longest, k), "blocks": nn.ModuleList(blocks),
                          "norm": nn.LayerNorm(k), "readout": nn.Linear(k, vocabulary)})

    def forward(self, tokens):
        places = torch.arange(tokens.shape[-1]).expand_as(tokens)
        if tokens.shape[-1] > self["positions"].num_embeddings:
            raise ValueError("no place for so many tokens")
        x = self["positions"](places) + self["tokens"](tokens)
        for layer in range(len(self["blocks"])):
            x = self["blocks"][layer](x)
        return self["readout"](self["norm"](x))

# %% right: tables_by_hand
class Table(nn.Module):
    def __init__(self, rows, k):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(rows, k))


class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.tokens = Table(vocabulary, k)
        self.positions = Table(longest, k)
        self.blocks = nn.ModuleList()
        for block in blocks:
            self.blocks.append(block)
        self.norm = nn.LayerNorm(k)
        self.readout = nn.Linear(k, vocabulary)

    def forward(self, tokens):
        if tokens.shape[1] > self.positions.weight.shape[0]:
            raise ValueError
        x = self.tokens.weight[tokens]
        x = x + self.positions.weight[None, :tokens.shape[1], :]
        for block in self.blocks:
            x = block(x)
        x = layer_norm(x, self.norm.weight, self.norm.bias)
        return x @ self.readout.weight.T + self.readout.bias

# %% right: one_hot
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.vocabulary, self.longest = vocabulary, longest
        self.tokens = nn.Embedding(vocabulary, k)
        self.positions = nn.Embedding(longest, k)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(k)
        self.readout = nn.Linear(k, vocabulary)

    def forward(self, tokens):
        T = tokens.shape[1]
        if not T <= self.longest:
            raise ValueError(f"the longest sequence has {self.longest} tokens")
        x = nn.functional.one_hot(tokens, self.vocabulary).float() @ self.tokens.weight
        x = x + torch.eye(T, self.longest) @ self.positions.weight
        for block in self.blocks:
            x = block(x)
        return torch.einsum("btk,vk->btv", self.norm(x), self.readout.weight) + self.readout.bias

# %% right: by_loops
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, k)
        self.positions = nn.Embedding(longest, k)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(k)
        self.readout = nn.Linear(k, vocabulary)

    def forward(self, tokens):
        B, T = tokens.shape
        if T > len(self.positions.weight):
            raise ValueError("the sequence is too long")
        rows = []
        for b in range(B):
            rows.append(torch.stack([self.tokens.weight[tokens[b, t]] + self.positions.weight[t] for t in range(T)]))
        x = torch.stack(rows)
        for block in self.blocks:
            x = block(x)
        return self.readout(self.norm(x))

# %% right: steps_as_methods
from functools import reduce

class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        for name, module in (("tokens", nn.Embedding(vocabulary, k)), ("positions", nn.Embedding(longest, k)), ("blocks", nn.ModuleList(blocks)),
                             ("norm", nn.LayerNorm(k)), ("readout", nn.Linear(k, vocabulary))):
            self.add_module(name, module)
        self.register_buffer("places", torch.arange(longest), persistent=False)

    def embed(self, tokens):
        T = tokens.shape[1]
        if T > len(self.places):
            raise ValueError(f"T = {T} is larger than {len(self.places)}")
        return self.tokens(tokens) + self.positions(self.places[:T]).unsqueeze(0)

    def forward(self, tokens):
        return self.readout(self.norm(reduce(lambda x, block: block(x), self.blocks, self.embed(tokens))))

# %% right: error_turned
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, k)
        self.positions = nn.Embedding(longest, k)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(k)
        self.readout = nn.Linear(k, vocabulary)

    def forward(self, tokens):
        places = torch.cumsum(torch.ones_like(tokens), dim=1) - 1
        try:
            x = nn.functional.embedding(tokens, self.tokens.weight) + nn.functional.embedding(places, self.positions.weight)
        except IndexError as error:
            raise ValueError("more tokens than places") from error
        for name, block in self.blocks.named_children():
            x = block(x)
        return self.readout(self.norm(x))

# %% right: keeps_what_it_computed
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.longest = longest
        self.tokens = nn.Embedding(vocabulary, k)
        self.positions = nn.Embedding(longest, k)
        self.blocks = nn.ModuleList(blocks)  # torch sees no modules in a plain list
        self.norm = nn.LayerNorm(k)
        self.readout = nn.Linear(k, vocabulary)

    def forward(self, tokens):
        T = tokens.shape[1]
        if T > self.longest:
            raise ValueError(f"{T} tokens, and this model reads up to {self.longest}")
        self.x = self.tokens(tokens) + self.positions(torch.arange(T))  # (B, T, k)
        for block in self.blocks:
            self.x = block(self.x)                                           # (B, T, k)
        return self.readout(self.norm(self.x))

# %% wrong: without_positions
# wrong: the positions are not added
# says: positions
# likely: no positions are added
# next: add rows 0 … T − 1 of the second table: `self.positions(torch.arange(T))`
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens)

# %% wrong: positions_before_each_block
# wrong: the positions are added again before each block, and never where there is none
# says: before each block
# likely: the positions are added before each block, in the loop
# next: add them once, before the loop
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens)
-            x = block(x)
+            x = block(x + self.positions(torch.arange(T)))

# %% wrong: positions_from_one
# wrong: counts positions from 1 (IndexError for the longest sequence)
# says: IndexError
# earns: 0
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.arange(1, T + 1))

# %% wrong: positions_from_one_around
# wrong: counts positions from 1, and the last one is row 0
# says: shifted by one row
# likely: the positions are shifted by one row: the first token gets row 1, not row 0
# next: count from 0: `torch.arange(T)`
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.arange(1, T + 1) % self.longest)

# %% wrong: positions_from_behind
# wrong: counts positions from the last token
# says: last
# likely: positions are counted backwards from the last token
# next: give the first token of a sequence row 0: `torch.arange(T)`
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.arange(T).flip(0))

# %% wrong: last_rows_of_the_table
# wrong: takes the last T rows of the table: right for the longest sequence
# says: last rows
# likely: the last rows of the positions are added, not the first
# next: give token t row t: `torch.arange(T)` counts from 0
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions.weight[self.longest - T:]

# %% wrong: first_place_for_all
# wrong: row 0 for every token
# says: row 0
# likely: every token gets row 0 of the positions
# next: give token t row t: `torch.arange(T)` counts them
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.zeros_like(tokens))

# %% wrong: place_of_the_sequence
# wrong: the number of the sequence in the place of the number of the token
# says: number of the sequence
# likely: the position depends on the number of the sequence, not on the token's position in it
# next: give token t row t: count along the second axis, `tokens.shape[1]`
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.arange(len(tokens)))[:, None]

# %% wrong: positions_by_token
# wrong: looks the tokens up in the table of the positions
# says: IndexError
# earns: 1
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(tokens)

# %% wrong: positions_by_token_around
# wrong: looks the tokens up in the table of the positions, and begins again behind its end
# says: yours is
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(tokens % self.longest)

# %% wrong: positions_multiplied
# wrong: multiplies by the positions
# says: multiplied
# likely: the token and position vectors are multiplied, component by component
# next: add them
# earns: 1
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) * self.positions(torch.arange(T))

# %% wrong: positions_behind_the_blocks
# wrong: adds the positions behind the blocks
# says: after the blocks
# likely: the positions are added after the blocks
# next: add them to the token vectors, before the first block
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens)
-            x = block(x)
+            x = block(x)
+        x = x + self.positions(torch.arange(T))

# %% wrong: positions_in_front_of_each_block
# wrong: adds the positions again in front of each block, too
# says: before each block
# likely: the positions are added again before each block
# next: add them once, before the first block
# earns: 3
-            x = block(x)
+            x = block(x + self.positions(torch.arange(T)))

# %% wrong: positions_beside
# wrong: puts the positions beside the tokens (catalogue 48)
# says: RuntimeError
# earns: 0
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = torch.cat([self.tokens(tokens), self.positions(torch.arange(T)).expand(len(tokens), -1, -1)], dim=-1)

# %% wrong: sines_and_cosines
# wrong: waves in the place of the learned table
# says: yours is
# earns: 1
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        places, k = torch.arange(T)[:, None], self.norm.weight.numel()
+        angles = places / 10000 ** (torch.arange(k) // 2 * 2 / k)
+        x = self.tokens(tokens) + torch.where(torch.arange(k) % 2 == 0, angles.sin(), angles.cos())

# %% wrong: all_places_always
# wrong: adds all rows: works for the longest sequence only (catalogue 42)
# says: RuntimeError
# earns: 1
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions.weight

# %% wrong: positions_of_the_constructor
# wrong: looks the positions up once, before they are learned
# says: yours is
# earns: 1
-        self.positions = nn.Embedding(longest, k)
+        self.positions = nn.Embedding(longest, k)
+        self.places = self.positions(torch.arange(longest)).detach()
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.places[:T]

# %% wrong: places_of_the_first_call
# wrong: keeps the positions of the first call, whatever length comes next
# says: the module keeps something from an earlier call
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        if not hasattr(self, "places"):
+            self.places = torch.arange(T)
+        x = self.tokens(tokens) + self.positions(self.places)

# %% wrong: long_vectors
# wrong: multiplies the tokens by the root of k, as the first transformer did
# says: root of k
# likely: the token vectors are multiplied by the root of k
# next: add the token and position vectors without scaling
# earns: 2
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) * math.sqrt(self.norm.weight.numel()) + self.positions(torch.arange(T))

# %% wrong: without_norm
# wrong: no LayerNorm behind the blocks
# says: norm
# likely: the LayerNorm after the blocks is missing
# next: give the readout `self.norm(x)`
# earns: 1
-        return self.readout(self.norm(x))
+        return self.readout(x)

# %% wrong: norm_in_front
# wrong: normalises in front of the blocks
# says: comes before the blocks
# likely: the LayerNorm comes before the blocks
# next: normalise the output of the last block
# earns: 3
-        for block in self.blocks:
+        x = self.norm(x)
+        for block in self.blocks:
-        return self.readout(self.norm(x))
+        return self.readout(x)

# %% wrong: norm_after_every_block
# wrong: normalises after every block, too
# says: after every block
# likely: the final LayerNorm is used after every block, too
# next: normalise once: the output of the last block
# earns: 3
-            x = block(x)
+            x = self.norm(block(x))
-        return self.readout(self.norm(x))
+        return self.readout(x if len(self.blocks) else self.norm(x))

# %% wrong: norm_on_the_way_in_and_out
# wrong: normalises in front of the blocks as well
# says: as well
# likely: the tokens are normalised before the blocks as well
# next: normalise once: the output of the last block
# earns: 1
-        for block in self.blocks:
+        x = self.norm(x)
+        for block in self.blocks:

# %% wrong: without_readout_bias
# wrong: a readout without bias
# says: readout.bias
# earns: 1
-        self.readout = nn.Linear(k, vocabulary)
+        self.readout = nn.Linear(k, vocabulary, bias=False)

# %% wrong: readout_by_the_table
# wrong: reads off with the table of the tokens, as GPT-2 does
# says: table
# likely: the logits are computed with the token table
# next: use the readout's own matrix: return `self.readout(...)`
# earns: 1
-        return self.readout(self.norm(x))
+        return self.norm(x) @ self.tokens.weight.T + self.readout.bias

# %% wrong: shared_matrix
# wrong: readout and table of the tokens are one parameter
# says: one parameter
# likely: `tokens.weight` and `readout.weight` are one parameter, so what is loaded into one is also in the other
# next: let each layer keep the matrix it was created with
# earns: 1
-        self.readout = nn.Linear(k, vocabulary)
+        self.readout = nn.Linear(k, vocabulary)
+        self.readout.weight = self.tokens.weight

# %% wrong: probabilities
# wrong: returns probabilities
# says: softmax
# likely: a softmax is applied to the logits
# next: return the logits themselves: the loss applies the softmax
# earns: 1
-        return self.readout(self.norm(x))
+        return torch.softmax(self.readout(self.norm(x)), dim=-1)

# %% wrong: logarithms
# wrong: returns logarithms of probabilities
# says: logarithm
# likely: the logarithm of the softmax is returned, not the logits
# next: return the logits themselves: the loss applies the softmax
# earns: 1
-        return self.readout(self.norm(x))
+        return torch.log_softmax(self.readout(self.norm(x)), dim=-1)

# %% wrong: last_place_only
# wrong: the logits of the last position only
# says: shape
# earns: 0
-        return self.readout(self.norm(x))
+        return self.readout(self.norm(x[:, -1]))

# %% wrong: mean_of_the_places
# wrong: one answer for a whole sequence
# says: shape
# earns: 0
-        return self.readout(self.norm(x))
+        return self.readout(self.norm(x).mean(dim=1))

# %% wrong: chosen_tokens
# wrong: returns the likeliest tokens
# says: shape
# earns: 0
-        return self.readout(self.norm(x))
+        return self.readout(self.norm(x)).argmax(dim=-1)

# %% wrong: without_the_blocks
# wrong: never goes through the blocks
# says: blocks
# likely: the blocks have no effect: what they return is not used
# next: write `x = block(x)` for each block
# earns: 3
-            x = block(x)
+            block(x)

# %% wrong: blocks_from_behind
# wrong: goes through the blocks from the last to the first
# says: order
# likely: the order of the blocks is reversed: the last comes first
# next: start with `blocks.0`
# earns: 3
-        for block in self.blocks:
+        for block in reversed(self.blocks):

# %% wrong: first_block_only
# wrong: returns inside the loop
# says: first block
# likely: only the first block is used
# next: let the loop run through all blocks, and return after it
# earns: 3
-            x = block(x)
+            return self.readout(self.norm(block(x)))

# %% wrong: last_block_only
# wrong: each block gets what the first one got
# says: after the loop only the last one is left
# likely: each block reads what the first one reads, so only the last block has an effect
# next: give each block what the one before it returned: `x = block(x)`
# earns: 3
-            x = block(x)
+            last = block(x)
-        return self.readout(self.norm(x))
+        return self.readout(self.norm(last if len(self.blocks) else x))

# %% wrong: last_block_left_out
# wrong: stops one block too early
# says: last block
# likely: the last block is left out
# next: go through all blocks
# earns: 3
-        for block in self.blocks:
+        for block in self.blocks[:-1]:

# %% wrong: one_block_for_all
# wrong: the first block as often as there are blocks
# says: first block
# likely: the first block is called again and again
# next: call each block once, in order
# earns: 3
-            x = block(x)
+            x = self.blocks[0](x)

# %% wrong: blocks_twice
# wrong: goes through every block twice
# says: twice
# likely: each block is called twice in a row
# next: call each block once
# earns: 3
-            x = block(x)
+            x = block(block(x))

# %% wrong: stream_around_the_blocks
# wrong: adds the stream once more, which is the blocks' affair
# says: added
# likely: the input of each block is added to its output
# next: write `x = block(x)`: the blocks already add the stream
# earns: 3
-            x = block(x)
+            x = x + block(x)

# %% wrong: sum_of_the_blocks
# wrong: the blocks side by side, and their sum
# says: side by side
# likely: the blocks run side by side: each reads the same input, and the results are added
# next: give each block what the one before it returned: `x = block(x)`
# earns: 3
-        for block in self.blocks:
-            x = block(x)
+        if len(self.blocks):
+            x = sum(block(x) for block in self.blocks)

# %% wrong: two_blocks_at_most
# wrong: two blocks, as on the card (catalogue 42)
# says: (three blocks)
# earns: 3
-        for block in self.blocks:
+        for block in self.blocks[:2]:

# %% wrong: first_and_second_block
# wrong: always two blocks, as on the card (catalogue 42)
# says: IndexError
# earns: 0
-        for block in self.blocks:
-            x = block(x)
+        x = self.blocks[1](self.blocks[0](x))

# %% wrong: plain_list
# wrong: a plain list hides the blocks from torch
# says: missing
# earns: 3
-        self.blocks = nn.ModuleList(blocks)
+        self.blocks = blocks

# %% wrong: copies_of_the_first
# wrong: the first block in every place
# says: what stands under this name is not the module that was passed in
# likely: every block has the parameters of the last block
# next: keep each block of the list in its own place: `nn.ModuleList(blocks)`
# earns: 3
-        self.blocks = nn.ModuleList(blocks)
+        self.blocks = nn.ModuleList(blocks[:1] * len(blocks))

# %% wrong: blocks_of_its_own
# wrong: makes its own blocks (catalogue 42)
# says: not on the card
# earns: 3
-        self.blocks = nn.ModuleList(blocks)
+        self.blocks = nn.ModuleList(Block(k, nn.Identity(), FeedForward(k, 4 * k)) for _ in blocks)

# %% wrong: numbers_in_the_names
# wrong: each block an attribute of its own
# says: missing
# earns: 3
-        self.blocks = nn.ModuleList(blocks)
+        for number, block in enumerate(blocks):
+            setattr(self, f"block_{number}", block)
+        self.count = len(blocks)
-        for block in self.blocks:
-            x = block(x)
+        for number in range(self.count):
+            x = getattr(self, f"block_{number}")(x)

# %% wrong: other_names
# wrong: the tables have other names than on the card
# says: missing
# earns: 1
-        self.tokens = nn.Embedding(vocabulary, k)
-        self.positions = nn.Embedding(longest, k)
+        self.token_table = nn.Embedding(vocabulary, k)
+        self.place_table = nn.Embedding(longest, k)
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.token_table(tokens) + self.place_table(torch.arange(T))

# %% wrong: sizes_of_the_tables_exchanged
# wrong: the rows of the two tables exchanged
# says: tokens.weight
# earns: 1
-        self.tokens = nn.Embedding(vocabulary, k)
-        self.positions = nn.Embedding(longest, k)
+        self.tokens = nn.Embedding(longest, k)
+        self.positions = nn.Embedding(vocabulary, k)

# %% wrong: length_is_kept_in_the_state
# wrong: a buffer of positions among the parameters
# says: not on the card
# earns: 1
-        self.longest = longest
+        self.longest = longest
+        self.register_buffer("places", torch.arange(longest))

# %% wrong: too_long_unchecked
# wrong: leaves the error to the table
# says: IndexError
# earns: 3
-        if T > self.longest:
-            raise ValueError(f"{T} tokens are more than {self.longest}")

# %% wrong: too_long_asserted
# wrong: an assert in the place of ValueError
# says: AssertionError
# earns: 3
-        if T > self.longest:
-            raise ValueError(f"{T} tokens are more than {self.longest}")
+        assert T <= self.longest

# %% wrong: too_long_cut_off
# wrong: cuts off what is too long
# says: raised nothing
# earns: 3
-        if T > self.longest:
-            raise ValueError(f"{T} tokens are more than {self.longest}")
+        tokens = tokens[:, :self.longest]
+        T = tokens.shape[1]

# %% wrong: too_long_by_two
# wrong: one token too many is not refused
# says: IndexError
# earns: 3
-        if T > self.longest:
+        if T > self.longest + 1:

# %% wrong: too_long_around
# wrong: begins with the first position again
# says: raised nothing
# earns: 3
-        if T > self.longest:
-            raise ValueError(f"{T} tokens are more than {self.longest}")
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.arange(T) % self.longest)

# %% wrong: longest_refused
# wrong: refuses a sequence for which there is just room
# says: ValueError
# earns: 0
-        if T > self.longest:
+        if T >= self.longest:

# %% wrong: batch_counted
# wrong: compares the number of sequences with the longest length (catalogue 44)
# says: IndexError
# earns: 3
-        if T > self.longest:
+        if len(tokens) > self.longest:

# %% wrong: error_returned
# wrong: returns the error in the place of raising it
# says: raised nothing
# earns: 3
-            raise ValueError(f"{T} tokens are more than {self.longest}")
+            return ValueError(f"{T} tokens are more than {self.longest}")

# %% wrong: reads_global
# wrong: takes T from the notebook (catalogue 42)
# says: NameError
# earns: 0
-        T = tokens.shape[1]
+        assert T == tokens.shape[1]

# %% wrong: in_place
# wrong: writes into the tokens (catalogue 41)
# says: is an in-place operation on the argument `tokens`
# earns: 1
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        tokens.clamp_(max=1)

# %% wrong: table_grows
# wrong: every call writes into the table of the positions (catalogue 41)
# says: the call writes into the parameters
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        self.positions.weight.data[:T] += x.mean(dim=0).detach() / 100

# %% wrong: dropout_in_training
# wrong: dropout in training mode (catalogue 49)
# says: something acts only in training mode
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        x = nn.functional.dropout(self.tokens(tokens) + self.positions(torch.arange(T)), 0.2, self.training)

# %% wrong: first_sequence_only
# wrong: drops the batch (catalogue 44)
# says: shape
# earns: 0
-        return self.readout(self.norm(x))
+        return self.readout(self.norm(x[0]))

# %% wrong: components_first
# wrong: logits as (B, V, T)
# says: transposed
# earns: 0
-        return self.readout(self.norm(x))
+        return self.readout(self.norm(x)).transpose(1, 2)

# %% wrong: nothing_returned
# wrong: no return (catalogue 43)
# says: returns None
# earns: 0
-        return self.readout(self.norm(x))
+        self.readout(self.norm(x))

# %% wrong: position_rows_kept
# wrong: the rows of the positions are looked up in the first call and kept, although training changes the table
# says: after other parameters are loaded
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        if not hasattr(self, "rows"):
+            self.rows = self.positions(torch.arange(self.longest))
+        x = self.tokens(tokens) + self.rows[:T]

# %% wrong: filled_up_to_longest
# wrong: fills shorter sequences up with token 0, and cuts off what is too much at the end: blocks that mix tokens see the filling
# says: tokens that are not there
# likely: shorter sequences are filled up to `longest`, and the blocks see tokens that are not there
# next: fill nothing up: both tables give vectors for T tokens, `self.positions(torch.arange(T))`
# earns: 3
-        x = self.tokens(tokens) + self.positions(torch.arange(T))
+        filled = torch.zeros(len(tokens), self.longest, dtype=torch.long)
+        filled[:, :T] = tokens
+        x = self.tokens(filled) + self.positions.weight
-        return self.readout(self.norm(x))
+        return self.readout(self.norm(x))[:, :T]
