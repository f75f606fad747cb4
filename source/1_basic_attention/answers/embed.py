# Right and wrong answers to `embed`; authoring/README.md says how they are written.

# %% right: list_index
def embed(words, vocabulary, table):
    return table[[vocabulary[w] for w in words]]

# %% right: loop
def embed(words, vocabulary, table):
    vectors = np.empty((len(words), table.shape[1]))
    for t in range(len(words)):
        vectors[t, :] = table[vocabulary[words[t]], :]
    return vectors

# %% right: one_hot
def embed(words, vocabulary, table):
    one_hot = np.zeros((len(words), len(table)))
    for t, word in enumerate(words):
        one_hot[t, vocabulary[word]] = 1
    return one_hot @ table

# %% right: own_error
def embed(words, vocabulary, table):
    unknown = [word for word in words if word not in vocabulary]
    if unknown:
        raise KeyError(f"palabra desconocida: {unknown[0]}")
    return np.array([table[vocabulary[word]].tolist() for word in words])

# %% right: stack
def embed(words, vocabulary, table):
    return np.stack([table[vocabulary[word]] for word in words])

# %% right: take
def embed(words, vocabulary, table):
    return np.take(table, list(map(vocabulary.__getitem__, words)), axis=0)

# %% right: torch_embedding
def embed(words, vocabulary, table):
    rows = torch.tensor([vocabulary[word] for word in words])
    return torch.nn.functional.embedding(rows, torch.from_numpy(table)).numpy()

# %% right: own_kind_of_key_error
class UnknownWord(KeyError):
    pass


def embed(words, vocabulary, table):
    unknown = [word for word in words if word not in vocabulary]
    if unknown:
        raise UnknownWord("not in the vocabulary: " + ", ".join(unknown))
    return np.vstack([table[vocabulary[word]] for word in words])

# %% right: column_by_column
from operator import itemgetter


def embed(words, vocabulary, table):
    rows = list(itemgetter(words[0], *words)(vocabulary))[1:]
    return np.column_stack([column[rows] for column in table.T])

# %% wrong: adds_unknown_words
# wrong: adds unknown words to the vocabulary (catalogue 41)
# says: the call writes into `vocabulary`: 'zebra' gets an entry
def embed(words, vocabulary, table):
    for word in words:
        vocabulary.setdefault(word, 0)
    return table[[vocabulary[word] for word in words]]

# %% wrong: columns
# wrong: one word per column (catalogue 19)
# says: the result is transposed: rows and columns are swapped
def embed(words, vocabulary, table):
    return table[[vocabulary[word] for word in words]].T

# %% wrong: error_without_name
# wrong: a KeyError that does not say which word
# says: the text of the error does not name the unknown word
def embed(words, vocabulary, table):
    try:
        return table[[vocabulary[word] for word in words]]
    except KeyError:
        raise KeyError("unknown word") from None

# %% wrong: list_of_rows
# wrong: a list of arrays (catalogue 43)
# says: your function returns a list
def embed(words, vocabulary, table):
    return [table[vocabulary[word]] for word in words]

# %% wrong: own_vocabulary
# wrong: makes a vocabulary from the sentence (catalogue 42)
# says: yours is
def embed(words, vocabulary, table):
    own = {word: row for row, word in enumerate(sorted(set(words)))}
    return np.array([table[own[word] if word in vocabulary else vocabulary[word]] for word in words])

# %% wrong: row_numbers
# wrong: returns the row numbers
# says: these are the row numbers
# likely: these are the row numbers; they are not looked up in the table
# next: take the rows with these numbers: `table[rows]`
def embed(words, vocabulary, table):
    return np.array([vocabulary[word] for word in words])

# %% wrong: rows_in_order
# wrong: counts rows along the sentence instead of asking the vocabulary
# says: the vocabulary is not used
# likely: the rows are numbered along the sentence, so the vocabulary is not used
# next: look up each word's row in the vocabulary
def embed(words, vocabulary, table):
    return np.array([table[t % len(table)] for t, word in enumerate(words)])

# %% wrong: sorted_words
# wrong: sorts the words
# says: the words were sorted
# likely: the words were sorted
# next: keep the order of the sentence
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in sorted(words)])

# %% wrong: squeezed
# wrong: a single word loses its axis (catalogue 46)
# says: removes every axis of length 1
def embed(words, vocabulary, table):
    return table[[vocabulary[word] for word in words]].squeeze()

# %% wrong: unique_words
# wrong: leaves out a word that comes again
# says: left out
# likely: a word that comes again is left out
# next: give one row per word, even if it occurs twice
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in dict.fromkeys(words)])

# %% wrong: unknown_gets_first_row
# wrong: dict.get with a default hides unknown words
# says: an existing row of the table
def embed(words, vocabulary, table):
    return table[[vocabulary.get(word, 0) for word in words]]

# %% wrong: unknown_is_skipped
# wrong: unknown words vanish
# says: unknown words are skipped
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in words if word in vocabulary])

# %% wrong: value_error
# wrong: another error than the contract's
# says: your own line raises it
def embed(words, vocabulary, table):
    for word in words:
        if word not in vocabulary:
            raise ValueError(f"unknown word {word}")
    return table[[vocabulary[word] for word in words]]

# %% wrong: lower_case_only
# wrong: puts words into lower case
# says: unknown words that resemble a known one
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word.lower()]] for word in words])

# %% wrong: rows_in_one_byte
# wrong: row numbers in one byte wrap around after 255
# says: for a vocabulary of 700 words, shape (700, 3)
def embed(words, vocabulary, table):
    rows = np.array([vocabulary[word] for word in words]).astype(np.uint8)
    return table[rows]

# %% wrong: first_word_that_starts_like_it
# wrong: takes the beginning of a known word for it
# says: unknown words that resemble a known one
def embed(words, vocabulary, table):
    rows = []
    for word in words:
        matches = [word] if word in vocabulary else [known for known in vocabulary if known.startswith(word)]
        if not matches:
            raise KeyError(word)
        rows.append(vocabulary[matches[0]])
    return table[rows]

# %% wrong: plain_ints_only
# wrong: refuses row numbers that are NumPy integers
# says: your own line raises it, because `type(row) is not int` holds
def embed(words, vocabulary, table):
    rows = []
    for word in words:
        row = vocabulary.get(word)
        if type(row) is not int:
            raise KeyError(word)
        rows.append(row)
    return table[rows]

# %% wrong: vectors_remembered
# wrong: remembers vectors of words, whatever the table
# says: `seen={}` in line 1, a default, is made only once and keeps its contents between calls
# likely: word vectors are remembered, whatever the table
# next: compare that step with *Pseudocode* in the card
def embed(words, vocabulary, table, seen={}):
    for word in words:
        if word not in seen:
            seen[word] = table[vocabulary[word]].copy()
    return np.stack([seen[word] for word in words])

# %% wrong: normalised_unicode
# wrong: takes words for equal that differ by an accent
# says: for words with capitals, spaces, points and accents, shape (6, 7)
def embed(words, vocabulary, table):
    import unicodedata
    plain = lambda w: unicodedata.normalize("NFKD", w).encode("ascii", "ignore").decode()
    known = {plain(w): r for w, r in vocabulary.items()}
    for w in words:
        if w not in vocabulary:
            raise KeyError(w)
    return table[[known[plain(w)] for w in words]]

# %% wrong: plural
# wrong: takes an unknown plural for its word
# says: unknown words that resemble a known one
def embed(words, vocabulary, table):
    return table[[vocabulary[w] if w in vocabulary else vocabulary[w.rstrip("s")] for w in words]]

# %% wrong: numbers_as_words
# wrong: takes an unknown word of digits for a row number
# says: unknown words that resemble a known one
def embed(words, vocabulary, table):
    return table[[int(w) if w.isdigit() else vocabulary[w] for w in words]]

# %% right: by_loops
def embed(words, vocabulary, table):
    rows = np.zeros((len(words), table.shape[1]))
    for i in range(len(words)):
        place = vocabulary[words[i]]
        rows[i] = table[place]
    return rows

# %% wrong: over_the_vocabulary
# wrong: loops over the vocabulary: its order, and each word once
# says: the loop runs over the vocabulary
# likely: the loop runs over the vocabulary, not the sentence: the rows are in its order, and each word comes once
# next: loop over `words` and look each one up
def embed(words, vocabulary, table):
    return np.array([table[row] for word, row in vocabulary.items() if word in words])

# %% wrong: sorted_and_unique
# wrong: each word once, in the order of the alphabet
# says: each word comes once, in alphabetical order
# likely: each word comes once, in alphabetical order, as from `np.unique` or a sorted set
# next: loop over `words` as they are
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in sorted(set(words))])

# %% wrong: place_in_the_vocabulary
# wrong: counts the places in the dictionary and does not look at its numbers
# says: the word's place in the dictionary is used
# likely: the word's place in the dictionary is used as its row, not the number stored there
# next: look up the number: `vocabulary[word]`
def embed(words, vocabulary, table):
    order = list(vocabulary)
    return table[[order.index(word) if word in vocabulary else vocabulary[word] for word in words]]

# %% wrong: numbers_of_the_flat_table
# wrong: np.take without an axis takes single numbers
# says: single numbers are taken from the table
# likely: single numbers are taken from the table, read row by row, not whole rows, as `np.take` does without `axis=0`
# next: take rows: `table[rows]`, or `axis=0`
def embed(words, vocabulary, table):
    return np.take(table, [vocabulary[word] for word in words])

# %% wrong: parameters_exchanged
# wrong: the parameters in another order than the card's
# says: the parameters are in the wrong order: the card has `words`
def embed(words, table, vocabulary):
    return table[[vocabulary[word] for word in words]]

# %% wrong: row_of_zeros_is_unknown
# wrong: takes a row of zeros for a word that is missing
# says: your own line raises it, because `not row.any()` holds
def embed(words, vocabulary, table):
    rows = []
    for word in words:
        row = table[vocabulary[word]]
        if not row.any():
            raise KeyError(word)
        rows.append(row)
    return np.array(rows)
