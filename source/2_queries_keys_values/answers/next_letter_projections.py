# Right and wrong answers to `next_letter_projections`; authoring/README.md says how they are written.

# %% right: rolled_queries
def next_letter_projections(letters, sharpness):
    keys = np.eye(letters)
    queries = np.roll(np.eye(letters), 1, axis=1)
    return sharpness * queries, keys

# %% right: rolled_keys
def next_letter_projections(letters, sharpness):
    return np.eye(letters), sharpness * np.roll(np.eye(letters), 1, axis=0)

# %% right: loop
def next_letter_projections(letters, sharpness):
    w_query, w_key = np.zeros((letters, letters)), np.zeros((letters, letters))
    for i in range(letters):
        w_key[i, i] = 1
        w_query[i, (i + 1) % letters] = sharpness
    return w_query, w_key

# %% right: any_orthogonal_keys
def next_letter_projections(letters, sharpness):
    keys, _ = np.linalg.qr(np.random.RandomState(1).normal(size=(letters, letters)))
    return sharpness * keys[(np.arange(letters) + 1) % letters], keys

# %% right: roots_in_both
def next_letter_projections(letters, sharpness):
    root = sharpness ** 0.5
    keys = root * np.eye(letters)
    return keys[[*range(1, letters), 0]], keys

# %% right: wider_than_needed
def next_letter_projections(letters, sharpness):
    w_key = np.hstack([np.eye(letters), np.zeros((letters, 3))])
    w_query = sharpness * np.concatenate([w_key[1:], w_key[:1]])
    return w_query, w_key

# %% right: scores_times_identity
def next_letter_projections(letters, sharpness):
    wanted = np.zeros((letters, letters))
    wanted[np.arange(letters), np.arange(1, letters + 1) % letters] = sharpness
    return wanted, np.eye(letters)

# %% right: a_list_of_two
def next_letter_projections(letters, sharpness):
    return [np.eye(letters)[(np.arange(letters) + 1) % letters] * sharpness, np.eye(letters)]

# %% right: cosine_transform
def next_letter_projections(letters, sharpness):
    from scipy.fft import dct
    w_key = dct(np.eye(letters), norm="ortho", axis=0)
    w_query = sharpness * np.concatenate([w_key[1:], w_key[:1]])
    return w_query, w_key

# %% right: wider_than_letters
def next_letter_projections(letters, sharpness):
    w_query = np.zeros((letters, 2 * letters + 1))
    w_key = np.zeros((letters, 2 * letters + 1))
    for j in range(letters):
        w_key[j, 2 * j] = sharpness
        w_query[j - 1, 2 * j] = 1
    w_key[:, 1::2] = 7
    return w_query, w_key

# %% right: random_rotation
def next_letter_projections(letters, sharpness):
    rotation, _ = np.linalg.qr(np.random.default_rng().normal(size=(letters, letters)))
    root = sharpness ** 0.5
    w_key = root * rotation
    next_of = np.arange(1, letters + 1) % letters
    return w_key[next_of], w_key

# %% wrong: letter_before
# wrong: moved the wrong way
# says: every letter looks at the one before it
# likely: every letter looks at the one before it
# next: shift the rows the other way: the query of letter i has to be the key of letter i + 1
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.roll(np.eye(letters), -1, axis=1)

# %% wrong: parts_exchanged
# wrong: returns the keys first (catalogue 16)
# says: looks at the one before it
# likely: queries and keys are swapped, so every letter looks at the one before it
# next: return w_query first
-    return sharpness * queries, keys
+    return keys, sharpness * queries

# %% wrong: itself
# wrong: queries are not moved
# says: every letter looks at itself
# likely: every letter looks at itself: query i is key i
# next: make the query of letter i the key of letter i + 1
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.eye(letters)

# %% wrong: both_neighbours
# wrong: asks for both neighbours
# says: both neighbours get the score
# likely: both neighbours get the score: the matrix is symmetric
# next: make each query the key of one letter: the next
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.roll(np.eye(letters), 1, axis=1) + np.roll(np.eye(letters), -1, axis=1)

# %% wrong: circle_left_open
# wrong: the last letter has no query
# says: the last letter looks at no letter
# likely: the last letter looks at no letter
# next: let the rows wrap around: the letter after the last one is letter 0
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.eye(letters, k=1)

# %% wrong: sharpness_in_both
# wrong: the sharpness is squared
# says: so it is squared
# likely: the sharpness is in both matrices, so it is squared
# next: multiply one of the two only, or each by its root
# earns: 2
-    return sharpness * queries, keys
+    return sharpness * queries, sharpness * keys

# %% wrong: without_sharpness
# wrong: the sharpness is not used
# says: the sharpness is left out
# likely: the sharpness is left out
# next: multiply one of the two matrices by it
# earns: 2
-    return sharpness * queries, keys
+    return queries, keys

# %% wrong: sharpness_added
# wrong: adds the sharpness everywhere
# says: added to every entry
# likely: the sharpness is added to every entry
# next: multiply by it, so that zeros stay 0
-    return sharpness * queries, keys
+    return sharpness + queries, keys

# %% wrong: two_steps
# wrong: moves queries and keys, in opposite directions
# says: every letter looks two letters ahead
# likely: every letter looks two letters ahead
# next: shift either the queries or the keys, not both
-    keys = np.eye(letters)
+    keys = np.roll(np.eye(letters), -1, axis=1)

# %% wrong: one_matrix_for_both
# wrong: one shared projection: the scores are symmetric
# says: queries and keys share one matrix
# likely: queries and keys share one matrix, so the scores are symmetric, which the task forbids
# next: leave the keys as they are, and shift only the rows of the queries
-    return sharpness * queries, keys
+    shared = sharpness ** 0.5 * (queries + keys) / 2
+    return shared, shared

# %% wrong: shared_and_moved
# wrong: moves both alike, which changes nothing
# says: every letter looks at itself
-    keys = np.eye(letters)
+    keys = np.roll(np.eye(letters), 1, axis=1)

# %% wrong: returns_scores
# wrong: returns the scores instead of the two matrices
# says: your function returns a NumPy array
-    return sharpness * queries, keys
+    return sharpness * queries @ keys.T

# %% wrong: only_eight_letters
# wrong: the number of letters is fixed to that of the task
# says: a size is not taken from the argument
-    keys = np.eye(letters)
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    keys = np.eye(8)
+    queries = np.roll(np.eye(8), 1, axis=1)

# %% wrong: prepared_for_odd_numbers
# wrong: closes the circle only for odd numbers of letters
# says: eight letters, sharpness 20
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.roll(np.eye(letters), 1, axis=1) if letters % 2 else np.eye(letters, k=1)

# %% wrong: weights_instead
# wrong: makes the weights 1 by a softmax of its own
# says: an extra softmax turns each row into weights
# likely: an extra softmax turns each row into weights, so the sharpness is no longer the score
# next: compare that step with *Pseudocode* in the card
-    return sharpness * queries, keys
+    return softmax_rows(sharpness * queries), keys

# %% wrong: sharpness_as_whole_number
# wrong: cuts the sharpness to a whole number
# says: every number has lost its decimals
# earns: 2
-    return sharpness * queries, keys
+    return int(sharpness) * queries, keys

# %% wrong: alphabet_has_26
# wrong: goes through the alphabet, IndexError or too few rows beyond 26
# says: `i` is 26, but `alphabet` has 26 entries
# earns: 3
def next_letter_projections(letters, sharpness):
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    place = {alphabet[i]: i for i in range(letters)}
    w_key = np.eye(letters)
    w_query = np.zeros((letters, letters))
    for letter in alphabet[:letters]:
        w_query[place[letter]] = sharpness * w_key[(place[letter] + 1) % letters]
    return w_query, w_key

# %% wrong: only_python_ints
# wrong: a NumPy integer, as from an array's length or arange, is refused with a TypeError
# says: for many letters
# earns: 3
def next_letter_projections(letters, sharpness):
    if not isinstance(letters, int) or not isinstance(sharpness, (int, float)):
        raise TypeError("letters and sharpness must be numbers")
    w_key = np.eye(letters)
    return sharpness * w_key[np.arange(1, letters + 1) % letters], w_key

# %% wrong: powers_as_keys
# wrong: keys are powers (a Vandermonde matrix), queries come from its inverse; exact enough for a few letters, garbage from about 20 on
# says: for many letters
# earns: 3
def next_letter_projections(letters, sharpness):
    w_key = np.vander(np.linspace(-1, 1, letters))
    own = np.linalg.inv(w_key).T            # own[i] · w_key[j] is 1 for i = j, otherwise 0
    return sharpness * np.roll(own, -1, axis=0), w_key

# %% right: letter_by_letter
def next_letter_projections(letters, sharpness):
    w_key = np.eye(letters)

    def rows(i):
        if i == letters:
            return []
        return [sharpness * w_key[(i + 1) % letters]] + rows(i + 1)

    return np.array(rows(0)), w_key

# %% right: rows_by_index
def next_letter_projections(letters, sharpness):
    w_key = np.eye(letters)
    return sharpness * w_key[[*range(1, letters), 0]], w_key

# %% right: step_by_step
def next_letter_projections(letters, sharpness):
    keys = np.zeros((letters, letters))
    queries = np.zeros((letters, letters))
    for i in range(letters):
        keys[i, i] = 1
        queries[i, (i + 1) % letters] = sharpness
    return queries, keys

# %% wrong: rolled_over_the_ends
# wrong: np.roll without an axis moves numbers over the ends of the rows
# says: across the ends of the rows
# likely: `np.roll` without `axis` shifts the numbers across the ends of the rows, so one letter has two places and another has none
# next: shift whole rows or whole columns: give `np.roll` an axis
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.roll(np.eye(letters), 1)

# %% wrong: rolled_back_over_the_ends
# wrong: the same, the other way
# says: across the ends of the rows
# likely: `np.roll` without `axis` shifts the numbers across the ends of the rows, so one letter has two places and another has none
# next: shift whole rows: `axis=0`
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.roll(np.eye(letters), -1)

# %% wrong: keys_rolled_over_the_ends
# wrong: the same for the keys
# says: across the ends of the rows
# likely: `np.roll` without `axis` shifts the numbers across the ends of the rows, so one letter has two places and another has none
# next: shift whole rows: `axis=0`
-    keys = np.eye(letters)
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    keys = np.roll(np.eye(letters), 1)
+    queries = np.eye(letters)

# %% wrong: reads_what_it_wrote
# wrong: the last letter reads row 0, which was written over
# says: was already overwritten
# likely: the last letter gets row 0 of a matrix whose row 0 was already overwritten
# next: read the rows from a matrix that does not change: the keys, or a copy
def next_letter_projections(letters, sharpness):
    w_key = np.eye(letters)
    w_query = np.eye(letters)
    for i in range(letters):
        w_query[i] = sharpness * w_query[(i + 1) % letters]
    return w_query, w_key

# %% wrong: reads_what_it_wrote_unscaled
# wrong: the same, with the sharpness at the end
# says: was already overwritten
# likely: the last letter gets row 0 of a matrix whose row 0 was already overwritten
# next: read the rows from a matrix that does not change: the keys, or a copy
def next_letter_projections(letters, sharpness):
    w_key = np.eye(letters)
    w_query = np.eye(letters)
    for i in range(letters):
        w_query[i] = w_query[(i + 1) % letters]
    return sharpness * w_query, w_key

# %% wrong: two_names_for_one_array
# wrong: queries and keys are one array (catalogue 41)
# says: two names for the same object
# likely: queries and keys are two names for one array: a change to one changes both
# next: make two: `np.eye(letters)` for each, or `.copy()`
def next_letter_projections(letters, sharpness):
    w_query = w_key = np.eye(letters)
    for i in range(letters):
        w_query[i] = sharpness * w_key[(i + 1) % letters]
    return w_query, w_key

# %% wrong: two_names_for_zeros
# wrong: the same, filled place by place
# says: two names for the same object
# likely: queries and keys are two names for one array: a change to one changes both
# next: make two: `np.eye(letters)` for each, or `.copy()`
def next_letter_projections(letters, sharpness):
    w_query = w_key = np.zeros((letters, letters))
    for i in range(letters):
        w_key[i, i] = 1
        w_query[i, (i + 1) % letters] = sharpness
    return w_query, w_key

# %% wrong: half_of_the_sharpness
# wrong: half the sharpness in both matrices, meant as its root (catalogue 10)
# says: half the sharpness
# likely: each matrix is multiplied by half the sharpness, not by its root; `**` comes before `/` in `sharpness ** 1 / 2`
# next: write `sharpness ** 0.5`, or multiply one of the two by the sharpness
-    return sharpness * queries, keys
+    return sharpness / 2 * queries, sharpness / 2 * keys

# %% wrong: pushes_the_others_away
# wrong: every other letter gets minus the sharpness
# says: every other letter gets minus the sharpness
# likely: every other letter gets minus the sharpness, but the card has 0
# next: fill the rest with zeros
-    return sharpness * queries, keys
+    return sharpness * (2 * queries - 1), keys

# %% wrong: on_a_circle
# wrong: keys in two dimensions, which have no room for more than two right angles
# says: no room for more than 2 directions at right angles
def next_letter_projections(letters, sharpness):
    angles = 2 * np.pi * np.arange(letters) / letters
    w_key = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return sharpness * np.roll(w_key, -1, axis=0), w_key

# %% wrong: nearly_at_right_angles
# wrong: random keys of length 1, which are only nearly at right angles
# says: are not at right angles
def next_letter_projections(letters, sharpness):
    keys = np.random.RandomState(7).normal(size=(letters, 500))
    w_key = keys / np.linalg.norm(keys, axis=1, keepdims=True)
    return sharpness * np.roll(w_key, -1, axis=0), w_key

# %% wrong: last_letter_looks_elsewhere
# wrong: the last letter looks at letter 1
# says: all letters but the last are right
-    queries = np.roll(np.eye(letters), 1, axis=1)
+    queries = np.eye(letters, k=1)
+    queries[-1, 1] = 1

# %% wrong: tensors
# wrong: returns tensors, and the card says arrays
# says: `w_query` is a torch tensor
def next_letter_projections(letters, sharpness):
    w_key = torch.eye(letters)
    return sharpness * w_key.roll(-1, dims=0), w_key
