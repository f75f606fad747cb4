# Right and wrong answers to `train_model`; authoring/README.md says how they are written.

# %% right: four_lines
def train_model(model, batches, rate):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    losses = []
    for tokens, targets in batches:
        logits = model(tokens)
        loss = masked_loss(logits, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# %% right: cleared_behind_the_step
def train_model(model, batches, rate):
    model.train()
    adam = torch.optim.Adam(params=list(model.parameters()), lr=rate)
    adam.zero_grad(set_to_none=True)
    history = []
    for x, y in batches:
        loss = masked_loss(model(x), y)
        history += [float(loss)]
        loss.backward()
        adam.step()
        adam.zero_grad()
    return history

# %% right: torchs_loss
criterion = nn.CrossEntropyLoss(ignore_index=-100)


def train_model(model, batches, rate):
    optimizer, losses = torch.optim.Adam(model.parameters(), rate), []
    for batch in batches:
        tokens, targets = batch
        logits = model(tokens)
        loss = criterion(logits.permute(0, 2, 1), targets)   # torch wants the classes second
        model.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach().cpu().numpy().item())
    return losses

# %% right: one_step_as_a_function
def one_step(model, optimizer, tokens, targets):
    optimizer.zero_grad()
    loss = masked_loss(model(tokens), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


def train_model(model, batches, rate):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    return [one_step(model, optimizer, *batch) for batch in batches]

# %% right: adam_by_hand
def train_model(model, batches, rate, betas=(0.9, 0.999), small=1e-8):
    learned = [p for p in model.parameters() if p.requires_grad]
    first = [torch.zeros_like(p) for p in learned]
    second = [torch.zeros_like(p) for p in learned]
    losses = []
    for step, (tokens, targets) in enumerate(batches, start=1):
        loss = masked_loss(model(tokens), targets)
        gradients = torch.autograd.grad(loss, learned)
        with torch.no_grad():
            for p, g, m, v in zip(learned, gradients, first, second):
                m.copy_(betas[0] * m + (1 - betas[0]) * g)
                v.copy_(betas[1] * v + (1 - betas[1]) * g ** 2)
                p -= rate * (m / (1 - betas[0] ** step)) / ((v / (1 - betas[1] ** step)).sqrt() + small)
        losses.append(loss.item())
    return losses

# %% right: next_until_it_ends
def train_model(model, batches, rate):
    optimizer = torch.optim.Adam([{"params": model.parameters(), "lr": rate}])
    source, notes = iter(batches), []
    while True:
        try:
            tokens, targets = next(source)
        except StopIteration:
            return [float(note) for note in notes]
        loss = masked_loss(model(tokens), targets)
        for parameter in model.parameters():
            parameter.grad = None
        loss.backward()
        optimizer.step()
        notes.append(loss.detach().clone())

# %% right: closure
def train_model(model, batches, rate):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    losses = []
    for number, (tokens, targets) in enumerate(batches):
        def closure():
            optimizer.zero_grad()
            loss = masked_loss(model(tokens), targets)
            loss.backward()
            return loss
        loss = optimizer.step(closure)
        losses.append(loss.item())
        if number % 100 == 0:
            print(f"Schritt {number}: {losses[-1]:.3f}")
    return losses

# %% right: trainer_class
class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=rate, foreach=False)
        self.losses = []

    def learn(self, tokens, targets):
        logarithms = self.model(tokens).log_softmax(-1).flatten(0, 1)
        loss = nn.functional.nll_loss(logarithms, targets.reshape(-1))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())


def train_model(model, batches, rate):
    trainer = Trainer(model, rate)
    for pair in batches:
        trainer.learn(*pair)
    return trainer.losses

# %% right: generator_of_losses
def losses_while_training(model, batches, rate):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for tokens, targets in batches:
        optimizer.zero_grad()
        loss = masked_loss(model(tokens), targets)
        value = loss.item()
        loss.backward()
        optimizer.step()
        yield value


def train_model(model, batches, rate):
    return list(losses_while_training(model, batches, rate))

# %% wrong: gradients_add_up
# wrong: the gradients are never cleared, so each step takes those of all batches so far
# says: the gradients of earlier batches
# earns: 1
# likely: the gradients of earlier batches are still there: torch adds the new ones to them
# next: clear them in each round, before `loss.backward()`: `optimizer.zero_grad()`
-        optimizer.zero_grad()

# %% wrong: cleared_before_the_loop
# wrong: the gradients are cleared once, before the loop
# says: the gradients of earlier batches
# earns: 1
-    losses = []
+    optimizer.zero_grad()
+    losses = []
-        optimizer.zero_grad()

# %% wrong: cleared_before_the_step
# wrong: the gradients are cleared between computing them and the step
# says: the model stays as it was
# earns: 0
# likely: the model stays as it was: no step is taken, or none with a gradient
# next: use this order: clear the gradients, `loss.backward()`, `optimizer.step()`
-        optimizer.zero_grad()
-        loss.backward()
+        loss.backward()
+        optimizer.zero_grad()

# %% wrong: no_step
# wrong: computes the gradients and takes no step
# says: the model stays as it was
# earns: 0
-        optimizer.step()

# %% wrong: no_gradients
# wrong: leaves out `backward`
# says: the model stays as it was
# earns: 0
-        loss.backward()

# %% wrong: step_before_backward
# wrong: the step comes before the gradients, so it takes those of the batch before; they are cleared, so it takes none
# says: the model stays as it was
# earns: 0
-        loss.backward()
-        optimizer.step()
+        optimizer.step()
+        loss.backward()

# %% wrong: step_of_the_batch_before
# wrong: each round begins with the step of the batch before, so that the last batch's step is never taken
# says: the last batch gets no step
# earns: 1
# likely: the last batch gets no step: each round takes the step of the batch before it
# next: in each round, call `optimizer.step()` after `loss.backward()`
-        logits = model(tokens)
-        loss = masked_loss(logits, targets)
-        optimizer.zero_grad()
-        loss.backward()
-        optimizer.step()
+        optimizer.step()
+        logits = model(tokens)
+        loss = masked_loss(logits, targets)
+        optimizer.zero_grad()
+        loss.backward()

# %% wrong: step_between
# wrong: steps between the loss and its gradients, which torch refuses from the second batch on
# says: the model that was given stays as it was
# earns: 0
-        optimizer.zero_grad()
-        loss.backward()
-        optimizer.step()
+        optimizer.step()
+        optimizer.zero_grad()
+        loss.backward()

# %% wrong: optimizer_in_the_loop
# wrong: makes a new optimizer for each batch, which knows nothing of the steps before
# says: a new optimizer
# earns: 1
# likely: each batch gets a new optimizer, which starts without the earlier gradients
# next: create the optimizer once, before the loop
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)

-        optimizer.zero_grad()
+        optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+        optimizer.zero_grad()

# %% wrong: plain_descent
# wrong: SGD in the place of Adam
# says: plain gradient descent
# earns: 0
# likely: the steps are those of plain gradient descent, not of Adam
# next: use `torch.optim.Adam`
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+    optimizer = torch.optim.SGD(model.parameters(), lr=rate)

# %% wrong: with_decay
# wrong: AdamW, which pulls every parameter towards zero as well
# says: pulled towards zero
# earns: 0
# likely: the parameters are also pulled towards zero: that is what AdamW does
# next: use `torch.optim.Adam` with its defaults, except for the rate
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)

# %% wrong: other_betas
# wrong: the betas of the first transformer in the place of torch's
# says: another beta
# earns: 1
# likely: the steps are Adam's with another beta: the mean of the squares decays faster than with torch's settings
# next: give `torch.optim.Adam` the parameters and the rate, and leave the rest as it is
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98))

# %% wrong: amsgrad
# wrong: a variant of Adam
# says: with `amsgrad=False` in place of `amsgrad=True`
# earns: 2
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+    optimizer = torch.optim.Adam(model.parameters(), lr=rate, amsgrad=True)

# %% wrong: own_rate
# wrong: does not use the rate that it is given
# says: 0.001 in every call
# earns: 0
# likely: the rate is 0.001 in every call: that is Adam's default
# next: pass on what your function gets: `lr=rate`
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+    optimizer = torch.optim.Adam(model.parameters())

# %% wrong: uphill
# wrong: goes along the gradient, so that the loss grows
# says: the loss grows
# earns: 0
# likely: each step goes the wrong way, so the loss grows
# next: call `backward` on the loss, without a minus, then `optimizer.step()`
-        loss.backward()
+        (-loss).backward()

# %% wrong: schedule
# wrong: the rate becomes smaller from step to step
# says: step 2 is made with the rate 0.09, not 0.1
# earns: 1
-    losses = []
+    losses, smaller = [], torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
-        optimizer.step()
+        optimizer.step()
+        smaller.step()

# %% wrong: clipped
# wrong: makes the gradients shorter before the step
# says: all inputs here come out right
# earns: 0
-        optimizer.step()
+        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
+        optimizer.step()

# %% wrong: last_layer_only
# wrong: trains the last module only
# says: only the last module is trained
# earns: 0
# likely: only the last module is trained; the other parameters stay as they were
# next: give the optimizer all of `model.parameters()`
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+    optimizer = torch.optim.Adam(list(model.children())[-1].parameters(), lr=rate)

# %% wrong: a_copy_is_trained
# wrong: trains a copy, so that the model that was given stays as it was
# says: a copy of it is trained
# earns: 1
# likely: the model that was given stays as it was: no batch reaches the loop, no step is taken, or a copy of it is trained
# next: print something in the loop: does it run for each batch? Then train the model itself, with a step after each `loss.backward()`
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+    import copy
+    model = copy.deepcopy(model)
+    optimizer = torch.optim.Adam(model.parameters(), lr=rate)

# %% wrong: loss_after_the_step
# wrong: notes the loss of the batch after the step
# says: after the step
# earns: 3
# likely: each loss is computed after the step, which has already used this batch
# next: record the loss that you called `backward` on
-        losses.append(loss.item())
+        losses.append(masked_loss(model(tokens), targets).item())

# %% wrong: sum_of_the_places
# wrong: the sum over the asked positions, not their mean
# says: not divided by the number of asked positions
# earns: 1
# likely: the loss is a sum: it is not divided by the number of asked positions
# next: use `masked_loss`
-        loss = masked_loss(logits, targets)
+        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum")

# %% wrong: divided_by_all_places
# wrong: averages over all positions, whether they are asked or not
# says: divided by the number of all positions
# earns: 1
# likely: the loss is divided by the number of all positions, even those that are not asked
# next: use `masked_loss`
-        loss = masked_loss(logits, targets)
+        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").mean()

# %% wrong: padding_is_token_0
# wrong: asks for token 0 where nothing is asked
# says: token 0 is the right answer
# earns: 1
# likely: where nothing is asked, token 0 is the right answer: −100 was replaced by 0
# next: pass the targets to `masked_loss` as they are
-        loss = masked_loss(logits, targets)
+        loss = masked_loss(logits, targets.clamp(min=0))

# %% wrong: sequence_by_sequence
# wrong: the mean of the sequences' own means: where fewer positions are asked, each counts more
# says: the mean of the sequences
# earns: 1
# likely: the loss is the mean of the sequences' own means, so positions count differently
# next: pass `masked_loss` the whole batch at once
-        loss = masked_loss(logits, targets)
+        loss = torch.stack([masked_loss(one[None], asked[None]) for one, asked in zip(logits, targets) if (asked != -100).any()]).mean()

# %% wrong: two_steps
# wrong: two steps for each batch
# says: two steps
# earns: 0
# likely: two steps are taken for each batch
# next: call `optimizer.step()` once for each pair in `batches`
-        optimizer.step()
+        optimizer.step()
+        optimizer.step()

# %% wrong: returned_in_the_loop
# wrong: returns after the first batch
# says: is inside the loop
# earns: 1
-    return losses
+        return losses

# %% wrong: losses_begin_in_the_loop
# wrong: begins the list anew in each round
# says: has 1 entry for 6 batches
# earns: 3
-    losses = []
+    losses = []   # in case there is no batch
-        logits = model(tokens)
+        losses = []
+        logits = model(tokens)

# %% wrong: last_loss
# wrong: returns the last loss only
# says: returns a number (float)
# earns: 1
-    return losses
+    return losses[-1]

# %% wrong: tensors
# wrong: notes the losses as tensors
# says: `loss.item()`
# earns: 3
-        losses.append(loss.item())
+        losses.append(loss)

# %% wrong: one_tensor
# wrong: returns one tensor with all losses
# says: returns a torch tensor
# earns: 3
-    return losses
+    return torch.tensor(losses)

# %% wrong: no_return
# wrong: returns nothing
# says: returns None
# earns: 3
-    return losses

# %% wrong: model_returned
# wrong: returns the model beside the losses
# says: returns a tuple
# earns: 3
-    return losses
+    return model, losses

# %% wrong: averages_so_far
# wrong: notes the mean of all losses so far
# says: the mean of all losses so far
# earns: 3
# likely: each entry is the mean of all losses so far
# next: record only the loss of this batch
-    return losses
+    return [sum(losses[:count]) / count for count in range(1, len(losses) + 1)]

# %% wrong: rounded
# wrong: rounds the losses
# says: rounded
# earns: 3
-        losses.append(loss.item())
+        losses.append(round(loss.item(), 3))

# %% wrong: by_number
# wrong: asks how many batches there are, and takes them by number
# says: has no len()
-    for tokens, targets in batches:
-        logits = model(tokens)
+    for number in range(len(batches)):
+        tokens, targets = batches[number]
+        logits = model(tokens)

# %% wrong: list_kept_between_calls
# wrong: the list of the losses is a default, and is the same one in each call
# says: keeps its contents between calls
# earns: 3
-def train_model(model, batches, rate):
+def train_model(model, batches, rate, losses=[]):
-    losses = []

# %% wrong: optimizer_kept_between_calls
# wrong: keeps the first optimizer, so that later models are not trained
# says: keeps its contents between calls
# earns: 0
-def train_model(model, batches, rate):
-    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
+optimizer = None
+def train_model(model, batches, rate):
+    global optimizer
+    optimizer = optimizer or torch.optim.Adam(model.parameters(), lr=rate)

# %% wrong: prints_the_last_loss
# wrong: prints the last loss, and there is none without batches
# says: IndexError
# earns: 1
-    return losses
+    print(f"{len(losses)} steps, the last loss was {losses[-1]:.3f}")
+    return losses

# %% wrong: stops_when_it_gets_worse
# wrong: stops at the first loss that is larger than the one before
# says: without the lines under `if losses
# earns: 1
-        optimizer.zero_grad()
+        if losses and loss.item() > losses[-1]:
+            break
+        optimizer.zero_grad()

# %% wrong: second_pass
# wrong: goes through the batches twice
# says: all batches are used twice
# earns: 0
# likely: all batches are used twice
# next: loop over `batches` once
-    for tokens, targets in batches:
+    for tokens, targets in 2 * list(batches):

# %% wrong: without_gradients
# wrong: computes the logits where torch keeps no gradients
# says: torch cannot go back from this number to any parameter
# earns: 0
-        logits = model(tokens)
+        with torch.no_grad():
+            logits = model(tokens)

# %% wrong: from_the_last_to_the_first
# wrong: takes the batches from the last to the first
# says: from the last to the first
# earns: 1
# likely: the batches are taken from the last to the first
# next: loop over `batches` as they come
-    for tokens, targets in batches:
+    for tokens, targets in reversed(list(batches)):

# %% wrong: begins_anew
# wrong: gives the model new parameters first
# says: without line 4, `for part in model.modules():`
# earns: 0
-    losses = []
+    losses = []
+    for part in model.modules():
+        if hasattr(part, "reset_parameters"):
+            part.reset_parameters()

# %% wrong: shifted
# wrong: shifts the targets by one more position: they are shifted already
# says: shifted by one position
# earns: 0
# likely: the targets are shifted by one position: each logit is compared with the target of the next position
# next: pass `masked_loss` the logits and the targets of the same positions, as they are
-        logits = model(tokens)
-        loss = masked_loss(logits, targets)
+        logits = model(tokens)[:, :-1]
+        loss = masked_loss(logits, targets[:, 1:])

# %% wrong: stops_when_good_enough
# wrong: the loop ends as soon as the loss is small, so the batches after that are never used
# says: the list has 1 entry for 6 batches
# earns: 3
# likely: the loop ends too early, or does not store every loss
# next: begin an empty list in each call; store one loss in each round of the loop, and `return` after the loop
-        losses.append(loss.item())
+        losses.append(loss.item())
+        if loss < 0.05:
+            break
