# Right and wrong answers to `looks_at`; authoring/README.md says how they are written.

# %% right: argmax
def looks_at(weights):
    return np.argmax(weights, axis=1)

# %% right: argsort
def looks_at(weights):
    return np.argsort(weights, axis=-1)[:, -1]

# %% right: loop
def looks_at(weights):
    places = []
    for row in weights:
        best = 0
        for j in range(len(row)):
            if row[j] > row[best]:
                best = j
        places.append(best)
    return np.array(places)

# %% right: negated_minimum
def looks_at(weights):
    return (-weights).argmin(axis=1)

# %% right: python_lists
def looks_at(weights):
    return np.array([row.index(max(row)) for row in weights.tolist()])

# %% right: torch
def looks_at(weights):
    return torch.from_numpy(weights).argmax(dim=-1).numpy()

# %% right: transposed
def looks_at(weights):
    return weights.T.argmax(axis=0)

# %% right: where
def looks_at(weights):
    queries, keys = np.where(weights == weights.max(axis=1, keepdims=True))
    return keys

# %% right: max_with_a_key
def looks_at(weights):
    return np.array([max(range(len(row)), key=row.__getitem__) for row in weights], dtype=int)

# %% right: nonzero_of_the_mask
def looks_at(weights):
    _, places = (weights == weights.max(axis=1, keepdims=True)).nonzero()
    return places

# %% right: object_with_call
class Looker:
    def __init__(self, axis):
        self.axis = axis

    def __call__(self, weights):
        places = np.argsort(weights, axis=self.axis, kind="stable").take(-1, axis=self.axis)
        return places.astype(np.min_scalar_type(max(len(weights), 256)))


looks_at = Looker(axis=1)

# %% wrong: over_queries
# wrong: the largest of each column: which query looks at a key most (catalogue 1)
# says: you went down the columns
# likely: you went down the columns: for each key, the query that looks at it most
# next: go along the last axis: each row is one query
-    return np.argmax(weights, axis=1)
+    return np.argmax(weights, axis=0)

# %% wrong: smallest
# wrong: argmin
# says: the place of the smallest weight
# likely: the place of the smallest weight is returned
# next: look for the largest
-    return np.argmax(weights, axis=1)
+    return np.argmin(weights, axis=1)

# %% wrong: not_itself
# wrong: leaves the diagonal out
# says: the token's own weight is left out
# likely: the token's own weight is left out
# next: let a query look at its own token: here some do
-    return np.argmax(weights, axis=1)
+    return np.argmax(np.where(np.eye(len(weights)) == 1, -1, weights), axis=1)

# %% wrong: one_place_for_all
# wrong: no axis, so a place in the flattened matrix; taken modulo T for every query (catalogue 2)
# says: one place is returned for all queries
# likely: one place is returned for all queries: that of the largest weight in the whole matrix
# next: give the search an axis: each row has its own place
-    return np.argmax(weights, axis=1)
+    return np.full(len(weights), np.argmax(weights) % len(weights))

# %% wrong: without_axis
# wrong: no axis: one number comes back (catalogue 2)
# says: `argmax` has no `axis`, so it takes all entries at once
-    return np.argmax(weights, axis=1)
+    return np.array(np.argmax(weights))

# %% wrong: second_largest
# wrong: takes the one before the last after sorting
# says: the place of the second largest weight
# likely: the place of the second largest weight is returned
# next: take the one that sorting puts *last*
-    return np.argmax(weights, axis=1)
+    return np.argsort(weights, axis=1)[:, max(weights.shape[1] - 2, 0)]

# %% wrong: counts_from_one
# wrong: counts places from 1
# says: every place is one too large
# likely: every place is one too large
# next: count places from 0
-    return np.argmax(weights, axis=1)
+    return np.argmax(weights, axis=1) + 1

# %% wrong: weights_instead
# wrong: returns the weights themselves
# says: the largest weights themselves
# likely: the largest weights themselves are returned, not their places
# next: return the place of the maximum, not the maximum
-    return np.argmax(weights, axis=1)
+    return weights.max(axis=1)

# %% wrong: list
# wrong: returns a list
# says: your function returns a list
-    return np.argmax(weights, axis=1)
+    return [int(row.argmax()) for row in weights]

# %% wrong: column
# wrong: keeps the axis of the keys (catalogue 46)
# says: shape (3, 1)
-    return np.argmax(weights, axis=1)
+    return np.argmax(weights, axis=1, keepdims=True)

# %% wrong: words
# wrong: returns the words of the picture, whatever the weights are
# says: your code raised
-    return np.argmax(weights, axis=1)
+    return np.array([words[place] for place in range(len(weights))]).astype(int)

# %% wrong: sorts_in_place
# wrong: sorts the weights of its caller on the way
# says: `weights.sort(axis=1)` in line 3 is an in-place operation on the argument `weights`
-    return np.argmax(weights, axis=1)
+    places = np.argmax(weights, axis=1)
+    weights.sort(axis=1)
+    return places

# %% wrong: picture_only
# wrong: knows the answer for the picture alone
# says: the answer fits only the picture
# likely: the answer fits only the picture
# next: compare that step with *Pseudocode* in the card
-    return np.argmax(weights, axis=1)
+    return np.array([0, 1, 0])

# %% wrong: more_than_half
# wrong: only sees weights above a half, and says 0 where there is none
# says: only weights clearly above a half
# likely: only weights clearly above a half count, and a row without one gives 0
# next: compare that step with *Pseudocode* in the card
-    return np.argmax(weights, axis=1)
+    return np.argmax(weights > 0.52, axis=1)

# %% wrong: floats
# wrong: the places are floats, which no array takes as an index
# says: the places are not whole numbers, so they cannot be used
-    return np.argmax(weights, axis=1)
+    return np.argmax(weights, axis=1).astype(float)

# %% wrong: rounds_first
# wrong: weights that differ after the fourth digit become equal, and the first one wins (also for large T, where all weights are small)
# says: for many tokens, shape (300, 300)
def looks_at(weights):
    return np.argmax(np.round(weights, 4), axis=1)

# %% wrong: small_integers
# wrong: int8 saves memory, and places from 128 on become negative
# says: for many tokens, shape (300, 300)
def looks_at(weights):
    return weights.argmax(axis=-1).astype(np.int8)

# %% wrong: through_float32
# wrong: float32 makes weights equal that differ in a late digit, also large whole numbers
# says: without `dtype=torch.float32`
def looks_at(weights):
    return torch.tensor(weights, dtype=torch.float32).argmax(dim=1).numpy()

# %% wrong: in_the_order_of_memory
# wrong: order "K" walks through memory, so the columns of a transposed array are read as rows
# says: for weights in an array that was transposed, shape (5, 5)
def looks_at(weights):
    T = len(weights)
    flat = weights.ravel(order="K")
    return np.array([flat[i * T:(i + 1) * T].argmax() for i in range(T)])

# %% right: step_by_step
def looks_at(weights):
    places = weights.argmax(axis=1)
    return places

# %% right: by_loops
def looks_at(weights):
    T = len(weights)
    places = np.zeros(T, dtype=int)
    for i in range(T):
        largest = 0
        for j in range(T):
            if weights[i, j] > largest:
                largest = weights[i, j]
                places[i] = j
    return places

# %% wrong: order_of_the_last_query
# wrong: takes the last row of the sorted places, not the last of each row
# says: the places of the last query are returned
# likely: the places of the last query are returned, sorted by weight: `[-1]` takes the last row
# next: take the last column, `[:, -1]`: it has the largest of each row
-    return np.argmax(weights, axis=1)
+    return np.argsort(weights, axis=1)[-1]

# %% wrong: order_of_the_first_query
# wrong: takes the first row of the sorted places
# says: the places of the first query are returned
# likely: the places of the first query are returned, sorted by weight: an index takes the first row
# next: take the last column, `[:, -1]`: it has the largest of each row
-    return np.argmax(weights, axis=1)
+    return np.argsort(weights, axis=1)[0]

# %% wrong: whole_order
# wrong: sorts, and takes nothing out
# says: all places are returned
# likely: all places are returned, sorted by weight, not only that of the largest
# next: take the last column, `[:, -1]`: it has the largest of each row
-    return np.argmax(weights, axis=1)
+    return np.argsort(weights, axis=1)

# %% wrong: numbers_of_the_rows
# wrong: takes the row numbers of np.where, not those of the columns
# says: the row numbers, not the column numbers
# likely: the result is 0, 1, 2, … whatever the weights are: the row numbers, not the column numbers
# next: `np.where` gives the rows first, then the columns; in a loop over i, store the place of its largest weight, not i
-    return np.argmax(weights, axis=1)
+    return np.where(weights == weights.max(axis=1, keepdims=True))[0]

# %% wrong: maximum_of_another_row
# wrong: compares with the row maxima without keepdims (catalogue 6)
# says: compared with the largest of another row
# likely: each entry is compared with the largest of another row: shape (T,) lines up with the columns
# next: keep the axis: `weights.max(axis=1, keepdims=True)`
-    return np.argmax(weights, axis=1)
+    return np.argmax(weights == weights.max(axis=1), axis=1)

# %% wrong: maximum_of_the_matrix
# wrong: compares with the largest weight of all (catalogue 2)
# says: compared with the largest weight of the whole matrix
# likely: each entry is compared with the largest weight of the whole matrix, and only one row holds it
# next: give the maximum its axis, and keep it: `weights.max(axis=1, keepdims=True)`
-    return np.argmax(weights, axis=1)
+    return np.argmax(weights == weights.max(), axis=1)

# %% right: by_lists
def looks_at(weights):
    T = len(weights)
    places = []
    for i in range(T):
        best = 0
        for j in range(T):
            if weights[i, j] > weights[i, best]:
                best = j
        places.append(best)
    return np.array(places)

# %% wrong: first_query_for_all
# wrong: the place of the first query, for all (catalogue 44)
# says: the first query's place is used for all
# likely: the first query's place is used for all queries
# next: use the row of each round: `weights[i]`
-    return np.argmax(weights, axis=1)
+    return np.full(len(weights), np.argmax(weights[0]))

# %% wrong: last_query_for_all
# wrong: the place of the last query, for all (catalogue 44)
# says: the last query's place is used for all
# likely: the last query's place is used for all queries
# next: in each round, use its own row and store its own place
-    return np.argmax(weights, axis=1)
+    return np.full(len(weights), np.argmax(weights[-1]))

# %% wrong: row_of_the_largest
# wrong: the row in which the largest weight of all stands, for every query (catalogue 2)
# says: the row that holds the largest weight of all
# likely: one number is returned for all queries: the row that holds the largest weight of all
# next: give the search an axis: each row has its own place
-    return np.argmax(weights, axis=1)
+    return np.full(len(weights), np.argmax(weights) // len(weights))

# %% wrong: last_rise
# wrong: compares with the weight before, not with the largest so far
# says: the last place where the weight rises
# likely: each row gives the last place where the weight rises, not where it is largest
# next: compare with the largest so far, and keep that
def looks_at(weights):
    places = np.zeros(len(weights), dtype=int)
    for i in range(len(weights)):
        for j in range(1, len(weights)):
            if weights[i, j] > weights[i, j - 1]:
                places[i] = j
    return places
