# Right and wrong answers to `without_head`; authoring/README.md says how they are written.

# %% right: step_by_step
def without_head(unify, heads, head):
    s = unify.shape[1] // heads
    matrix = unify.clone()
    matrix[:, head * s:(head + 1) * s] = 0
    return matrix

# %% right: by_a_mask
def without_head(unify, heads, head):
    own = torch.arange(unify.shape[1]) // (unify.shape[1] // heads) == head
    return unify.masked_fill(own, 0)

# %% right: by_parts
def without_head(unify, heads, head):
    parts = list(unify.chunk(heads, dim=1))
    parts[head] = torch.zeros_like(parts[head])
    return torch.cat(parts, dim=1)

# %% right: as_heads
def without_head(unify, heads, head):
    by_head = unify.reshape(len(unify), heads, -1).clone()
    by_head[:, head] = 0
    return by_head.reshape(unify.shape)

# %% right: by_products
def without_head(unify, heads, head):
    kept = torch.ones(heads)
    kept[head] = 0
    return unify * kept.repeat_interleave(unify.shape[1] // heads)

# %% right: by_loops
def without_head(unify, heads, head):
    s = unify.shape[1] // heads
    matrix = torch.zeros_like(unify)
    for n in range(heads):
        if n != head:
            for column in range(n * s, n * s + s):
                matrix[:, column] = unify[:, column]
    return matrix

# %% wrong: rows
# wrong: the rows of the head, which are components of the result
# says: the rows
# likely: the rows are zero: these are components of the result, to which every head adds
# next: the head's components come in, so they are columns: `[:, head * s:(head + 1) * s]`
-    matrix[:, head * s:(head + 1) * s] = 0
+    matrix[head * s:(head + 1) * s] = 0

# %% wrong: in_place
# wrong: changes the matrix that it was given
# says: is an in-place operation on the argument `unify`
-    matrix = unify.clone()
+    matrix = unify

# %% wrong: one_column
# wrong: one column in place of s
# says: one column
# likely: one column is zero, and a head has s of them
# next: from column head · s up to, and not including, (head + 1) · s
-    matrix[:, head * s:(head + 1) * s] = 0
+    matrix[:, head * s] = 0

# %% wrong: the_others
# wrong: keeps the head and switches the others off
# says: only this head is kept
# likely: only this head is kept, and all others are zero
# next: set the columns of this head to zero, and keep the others
-    matrix[:, head * s:(head + 1) * s] = 0
+    matrix[:, :head * s] = 0
+    matrix[:, (head + 1) * s:] = 0

# %% wrong: every_hth_column
# wrong: takes components in turns
# says: every column
# likely: every column whose number is `head` modulo `heads` is zero: as if heads shared the components in turns
# next: a head has s columns next to each other, from head · s on
-    matrix[:, head * s:(head + 1) * s] = 0
+    matrix[:, head::heads] = 0

# %% wrong: begins_at_its_number
# wrong: begins at column `head`
# says: begin at column `head`
# likely: the s columns begin at column `head`, in place of head · s
# next: head n begins at column n · s
-    matrix[:, head * s:(head + 1) * s] = 0
+    matrix[:, head:head + s] = 0

# %% wrong: counted_from_one
# wrong: takes the head before
# says: the head before
# likely: the columns belong to the head before: heads were counted from 1
# next: head 0 has the columns 0 to s − 1
-    matrix[:, head * s:(head + 1) * s] = 0
+    matrix[:, (head - 1) * s:head * s] = 0

# %% wrong: heads_for_s
# wrong: takes the number of heads for their width
# says: counted with the number of heads
# likely: the columns are counted with the number of heads, in place of s
# next: a head is s = k / heads columns wide: from head · s to (head + 1) · s
-    matrix[:, head * s:(head + 1) * s] = 0
+    matrix[:, head * heads:(head + 1) * heads] = 0
