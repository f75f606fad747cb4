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

# %% wrong: adds_unknown_words
# wrong: adds unknown words to the vocabulary (catalogue 41)
# says: unknown word 'zebra'
def embed(words, vocabulary, table):
    for word in words:
        vocabulary.setdefault(word, 0)
    return table[[vocabulary[word] for word in words]]

# %% wrong: columns
# wrong: one word per column (catalogue 19)
# says: the axes are in another order
def embed(words, vocabulary, table):
    return table[[vocabulary[word] for word in words]].T

# %% wrong: error_without_name
# wrong: a KeyError that does not say which word
# says: the error is raised with another text
def embed(words, vocabulary, table):
    try:
        return table[[vocabulary[word] for word in words]]
    except KeyError:
        raise KeyError("unknown word") from None

# %% wrong: list_of_rows
# wrong: a list of arrays (catalogue 43)
# says: your function returns list
def embed(words, vocabulary, table):
    return [table[vocabulary[word]] for word in words]

# %% wrong: own_vocabulary
# wrong: makes a vocabulary from the sentence (catalogue 42)
# says: the largest difference
def embed(words, vocabulary, table):
    own = {word: row for row, word in enumerate(sorted(set(words)))}
    return np.array([table[own[word] if word in vocabulary else vocabulary[word]] for word in words])

# %% wrong: row_numbers
# wrong: returns the row numbers
# says: your array holds int64
def embed(words, vocabulary, table):
    return np.array([vocabulary[word] for word in words])

# %% wrong: rows_in_order
# wrong: counts rows along the sentence instead of asking the vocabulary
# says: the vocabulary is not used
def embed(words, vocabulary, table):
    return np.array([table[t % len(table)] for t, word in enumerate(words)])

# %% wrong: sorted_words
# wrong: sorts the words
# says: the words were sorted
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in sorted(words)])

# %% wrong: squeezed
# wrong: a single word loses its axis (catalogue 46)
# says: an axis of length 1 was dropped
def embed(words, vocabulary, table):
    return table[[vocabulary[word] for word in words]].squeeze()

# %% wrong: unique_words
# wrong: leaves out a word that comes again
# says: left out
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in dict.fromkeys(words)])

# %% wrong: unknown_gets_first_row
# wrong: dict.get with a default hides unknown words
# says: some row of the table
def embed(words, vocabulary, table):
    return table[[vocabulary.get(word, 0) for word in words]]

# %% wrong: unknown_is_skipped
# wrong: unknown words vanish
# says: unknown words are skipped
def embed(words, vocabulary, table):
    return np.array([table[vocabulary[word]] for word in words if word in vocabulary])

# %% wrong: value_error
# wrong: another error than the contract's
# says: the unknown word 'zebra' raised ValueError
def embed(words, vocabulary, table):
    for word in words:
        if word not in vocabulary:
            raise ValueError(f"unknown word {word}")
    return table[[vocabulary[word] for word in words]]
