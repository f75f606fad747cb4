// Attention with numbers, one function for each equation of the lessons. Matrices are arrays of rows; a token is a row.

const PARTS_OF_A_TOKEN = "+"; // "b+5" is the entry b and the entry 5, whose rows are summed

/** The dot product of two rows. */
const dot = (a, b) => a.reduce((sum, number, at) => sum + number * b[at], 0);

/** A row (k) times a matrix (k, d): (d). Without a matrix, the row itself. */
function times(row, matrix) {
  if (!matrix) return [...row];
  return matrix[0].map((_, column) => row.reduce((sum, number, at) => sum + number * matrix[at][column], 0));
}

const add = (a, b) => (b ? a.map((number, at) => number + b[at]) : a);

/** Positive numbers that sum to one: w_j = exp(s_j) / sum of exp(s_m). A score of -Infinity gets 0. */
function softmax(scores) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

/** How spread the weights are, in nats: 0 where all is on one key, ln T where each key has the same. */
const entropy = (weights) => -weights.reduce((sum, weight) => sum + (weight > 0 ? weight * Math.log(weight) : 0), 0);

/** The length of the difference of two rows. */
const distance = (a, b) => Math.sqrt(a.reduce((sum, number, at) => sum + (number - b[at]) ** 2, 0));

/** The token at `place`: the rows of its entries, summed, and the row of its position. */
function embed(state, entries, token, place, options) {
  const rows = token.split(PARTS_OF_A_TOKEN).map((entry) => state.embedding[entries.indexOf(entry)]);
  return add(rows.reduce(add), options.positions ? state.positions?.[place] : undefined);
}

/**
 * One head for all queries.
 *
 * @param tokens (T, k)
 * @param head {queries, keys, values}: matrices (k, d), or nothing for the tokens themselves
 * @param options {scale, causal, moved: {"query,key": score}}: moved scores stand in the place of computed ones, before the scale
 */
function attend(tokens, head, options) {
  const [queries, keys, values] = ["queries", "keys", "values"].map((name) => tokens.map((token) => times(token, head[name])));
  const root = options.scale ? Math.sqrt(keys[0].length) : 1;
  const scores = queries.map((query, i) => keys.map((key, j) => options.moved?.[`${i},${j}`] ?? dot(query, key)));
  const scaled = scores.map((row) => row.map((score) => score / root));
  const masked = scaled.map((row, i) => row.map((score, j) => (options.causal && j > i ? -Infinity : score)));
  const weights = masked.map(softmax);
  const outputs = weights.map((row) => values[0].map((_, at) => row.reduce((sum, weight, j) => sum + weight * values[j][at], 0)));
  return { queries, keys, values, scores, scaled, masked, weights, outputs, root };
}

/**
 * All heads, their outputs side by side, and what is made of them: (T, k). With a layer before them, `state.first`, they read each token and, beside it,
 * what that layer returned.
 *
 * @param off the numbers of heads that are switched off: their outputs count as zero.
 */
function attention(state, entries, sentence, options, off = []) {
  const tokens = sentence.map((token, place) => embed(state, entries, token, place, options));
  const first = state.first && attend(tokens, state.first, { ...options, moved: options.moved?.first });
  const read = first ? tokens.map((token, i) => [...token, ...first.outputs[i]]) : tokens;
  const heads = state.heads.map((head, number) => attend(read, head, { ...options, moved: options.moved?.[number] }));
  const joined = tokens.map((_, i) => heads.flatMap((head, number) => head.outputs[i].map((part) => (off.includes(number) ? 0 : part))));
  return { tokens, first, heads, outputs: joined.map((row) => add(times(row, state.merge), state.merge_bias)) };
}

/**
 * What the model answers: for each question {what, chance, place, asked: its name, if it has one}; nothing where it was not trained to answer.
 *
 * @param run `asked`: the place that answers all questions, counted from the end if negative; null where each token answers one.
 */
function answers(run, state, outputs) {
  if (!state.readout) return [];
  const { classes } = run;
  const places = run.asked == null ? outputs.map((_, place) => place) : run.questions.map(() => (run.asked + outputs.length) % outputs.length);
  return places.map((place, question) => {
    const logits = add(times(outputs[place], state.readout), state.readout_bias);
    const first = run.asked == null ? 0 : question * classes.length;
    const chances = softmax(logits.slice(first, first + classes.length));
    const best = chances.indexOf(Math.max(...chances));
    return { what: classes[best], chance: chances[best], place, asked: run.questions?.[question] };
  });
}
