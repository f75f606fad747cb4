# Right and wrong answers to `probability_by_layer`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def probability_by_layer(text, word):
    streams = residual_streams(model, words.encode(text))            # (31, T, k)
    logits = tied_logits(model, streams[:, -1])                      # (31, V)
    return torch.softmax(logits, dim=-1)[:, words.encode(word)[0]]
