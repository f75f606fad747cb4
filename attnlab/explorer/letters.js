// A language model of letters, computed here whole: what a reader writes, the next letter, and where every head looks.

const EPSILON = 1e-5; // under the root of a norm
const LIKELIEST = 8; // letters that are shown
const MORE = 20; // letters, when it goes on
const PAUSE = 200; // milliseconds between them
const SEED = 40; // of the letters that are drawn, so that a reset brings the same again

/** A number in half precision. */
function halved(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  return (bits >> 15 ? -1 : 1) * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}

/** The parameters of a run by name: matrices (out, in) as arrays of rows. */
function parametersOf({ shapes, parameters }) {
  const bits = new Uint16Array(Uint8Array.from(atob(parameters), (letter) => letter.charCodeAt(0)).buffer);
  let at = 0;
  const row = (length) => Array.from(bits.subarray(at, at += length), halved);
  return Object.fromEntries(Object.entries(shapes).map(([name, [rows, columns]]) => [name, columns ? Array.from({ length: rows }, () => row(columns)) : row(rows)]));
}

/** A linear layer: a row (in) times a matrix (out, in), plus a bias. */
const linear = (row, matrix, bias) => add(matrix.map((weights) => dot(weights, row)), bias);

/** A row with mean 0 and variance 1, times a gain, plus a bias. */
function normed(row, gain, bias) {
  const mean = row.reduce((sum, part) => sum + part, 0) / row.length;
  const centred = row.map((part) => part - mean);
  const root = Math.sqrt(dot(centred, centred) / row.length + EPSILON);
  return centred.map((part, at) => gain[at] * part / root + bias[at]);
}

/** The heads of a layer as `attend` takes them: queries, keys and values (k, d). */
function headsOf(parameters, attention, count) {
  const part = (name, head) => {
    const matrix = parameters[`${attention}.${name}`]; // (k, k), d rows for each head
    const rows = matrix.slice(head * matrix.length / count, (head + 1) * matrix.length / count);
    return matrix[0].map((_, column) => rows.map((row) => row[column]));
  };
  return Array.from({ length: count }, (_, head) => ({ queries: part("toqueries", head), keys: part("tokeys", head), values: part("tovalues", head) }));
}

/**
 * The transformer of lessons 6 and 7: maps[layer][head][query] has the weights of keys up to the query; logits are those of what follows each token.
 *
 * @param tokens numbers of words
 * @param off heads that add nothing: "layer,head"
 */
function transformer({ parameters, layers, heads }, tokens, off = new Set()) {
  const maps = [];
  const norm = (rows, name) => rows.map((row) => normed(row, parameters[`${name}.weight`], parameters[`${name}.bias`]));
  const dense = (rows, name) => rows.map((row) => linear(row, parameters[`${name}.weight`], parameters[`${name}.bias`]));
  let stream = tokens.map((token, place) => add(parameters["tokens.weight"][token], parameters["positions.weight"][place]));
  for (let layer = 0; layer < layers; layer += 1) {
    const block = `blocks.${layer}`;
    const read = norm(stream, `${block}.norm_1`);
    const found = headsOf(parameters, `${block}.attention`, heads).map((head) => attend(read, head, { scale: true, causal: true }));
    maps.push(found.map(({ weights }) => weights.map((row, query) => row.slice(0, query + 1))));
    const joined = read.map((_, i) => found.flatMap(({ outputs }, head) => outputs[i].map((part) => (off.has(`${layer},${head}`) ? 0 : part))));
    stream = stream.map((row, i) => add(row, linear(joined[i], parameters[`${block}.attention.unifyheads`], parameters[`${block}.attention.bias`])));
    const hidden = dense(norm(stream, `${block}.norm_2`), `${block}.feed_forward.expand`).map((row) => row.map((part) => Math.max(0, part)));
    const added = dense(hidden, `${block}.feed_forward.contract`);
    stream = stream.map((row, i) => add(row, added[i]));
  }
  return { maps, logits: dense(norm(stream, "norm"), "readout") };
}

/** Random numbers from 0 to 1, the same for the same seed: Marsaglia's xorshift. */
function randomNumbers(seed) {
  let state = seed;
  const turn = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let early = 0; early < 20; early += 1) turn(); // the first ones are small where the seed is
  return turn;
}

/** The place that a random number falls on, if each place has its share of the way from 0 to 1. */
function drawn(shares, number) {
  let left = number;
  const place = shares.findIndex((share) => (left -= share) < 0);
  return place < 0 ? shares.indexOf(Math.max(...shares)) : place; // where shares sum to a little less than 1
}

/** How many letters a text may have. */
const mostLetters = (run) => run.longest - startOf(run).length;

/** What is wrong with a text, if anything. */
function unreadable(text, run) {
  const most = mostLetters(run);
  const known = run.words.filter((word) => word !== run.start);
  const strange = [...new Set(text)].filter((letter) => !known.includes(letter)).map((letter) => (letter.trim() ? `“${letter}”` : "a space"));
  if (strange.length) return `It does not know ${strange.join(", ")}: it reads the letters ${known[0]} to ${known.at(-1)}.`;
  if (text.length > most) return `It reads at most ${most} letters; these are ${text.length}.`;
  if (!text.length && run.start == null) return "Write at least one letter.";
  return undefined;
}

class Letters {
  /** @param run with `parameters`; @param element what is replaced, as for the other explorers */
  constructor(run, element, page = {}) {
    Object.assign(this, { run, page, kind: LETTERS, model: { ...run, parameters: parametersOf(run) }, most: mostLetters(run) });
    this.parts = Object.fromEntries(["writing", "next"].map((name) => [name, make("div", { class: `attn-${name}` })]));
    this.restart();
    drawWriting(this);
    this.maps = new Maps({ ...run, sentence: this.names, stories: undefined }, element, { ...page, changed: () => this.changed() }, this.computed().maps, this.parts);
    Object.assign(this.parts, { problems: this.maps.parts.problems, tools: this.maps.parts.tools, stories: this.maps.parts.stories });
    this.section = this.maps.section;
    this.draw();
  }

  /** What there is before a reader changes anything. */
  restart({ text, temperature, off, story, told } = LETTERS.beginning(this.run)) {
    Object.assign(this, { text, temperature, off: new Set(off), story, told, random: randomNumbers(SEED), ended: false, wrote: "" });
  }

  /** What there is to write into an address. */
  get chosen() {
    const { text, temperature, off, story, told, maps: { layer, head, query, without } } = this;
    return { text, temperature, off, story, told, layer, head, query, without };
  }

  /** Take over all that is chosen. */
  restore(chosen) {
    if (this.going) this.stop();
    this.restart(chosen);
    drawWriting(this);
    this.maps.show(this.names, this.computed().maps, chosen.query, this.off);
    this.maps.restore(chosen);
    this.draw();
  }

  /** Tell the question that is being tried, and the page around it. */
  changed() {
    if (!this.maps) return;
    drawStories(this);
    this.page.changed?.(this);
  }

  get names() { return namesOf(this.run, this); }

  /** Maps of all heads, and the logits of the next letter. */
  computed(off = this.off) {
    const { maps, logits } = transformer(this.model, this.names.map((name) => this.run.words.indexOf(name)), off);
    return { maps, logits: logits.at(-1) };
  }

  /** How likely each word is to come next. */
  chances(off = this.off) { return softmax(this.computed(off).logits.map((logit) => logit / this.temperature)); }

  get full() { return this.text.length >= this.most; }

  /** Note a choice and draw again. The last letter of a new text becomes the query. */
  choose(changes) {
    Object.assign(this, changes.text === undefined ? {} : { ended: false, wrote: "" }, changes);
    const query = changes.text === undefined ? this.maps.query : this.names.length - 1;
    if (changes.text !== undefined || changes.off) this.maps.show(this.names, this.computed().maps, query, this.off);
    this.draw();
  }

  /** Draw a letter and write it. Behind the end of a text it begins a new one. */
  add() {
    if (this.ended) this.choose({ text: "" });
    const word = this.run.words[drawn(this.chances(), this.random())];
    if (word === this.run.start) this.choose({ ended: true });
    else this.choose({ text: this.text + word, wrote: this.going ? this.wrote + word : word });
    this.write();
  }

  /** Put the text into its field, in the place of what stands there. */
  write() {
    this.controls.field.value = this.text;
    this.controls.wrong.textContent = "";
  }

  /** Add letters until there are enough. */
  goOn() {
    let left = MORE;
    this.wrote = "";
    this.maps.said.setAttribute("aria-live", "off"); // one sentence at the end, not one for each letter
    this.going = setInterval(() => {
      this.add();
      left -= 1;
      if (!left || this.ended || this.full) this.stop();
    }, PAUSE);
    this.draw();
  }

  stop() {
    clearInterval(this.going);
    this.going = undefined;
    this.maps.said.removeAttribute("aria-live");
    this.draw();
  }

  draw() {
    const { adding, on, status } = this.controls;
    const closed = this.full && !this.ended;
    for (const button of [adding, on]) button.setAttribute("aria-disabled", String(closed));
    on.textContent = this.going ? "Stop" : "Go on";
    const why = this.ended ? `It ended “${this.text}” here. The next letter begins a new one.`
      : closed ? `It reads at most ${this.most} letters. Shorten the text to add others.` : this.wrote && `It wrote “${this.wrote}”.`;
    if (!this.going && status.textContent !== why) status.textContent = why;
    drawNext(this);
    this.changed();
  }
}

/** The field for a text, the temperature, and the buttons that let the model write. */
function drawWriting(explorer) {
  const { run, most } = explorer;
  const read = () => {
    const text = field.value.trim().toLowerCase().normalize("NFC");
    const problem = unreadable(text, run);
    if (explorer.going) explorer.stop();
    if (!problem && text !== explorer.text) explorer.choose({ text });
    wrong.textContent = problem ? `${problem} The last text that it could read stays below.` : "";
  };
  const field = make("input", { type: "text", value: explorer.text, spellcheck: "false", autocomplete: "off", autocapitalize: "off", oninput: read });
  const wrong = make("p", { class: "attn-wrong", role: "alert" });
  const degrees = make("output", {}, explorer.temperature.toFixed(1));
  const slider = make("input", { type: "range", min: 0.1, max: 2, step: 0.1, value: explorer.temperature, oninput: () => {
    degrees.textContent = Number(slider.value).toFixed(1);
    explorer.choose({ temperature: Number(slider.value) });
  } });
  const button = (text, onclick) => make("button", { type: "button", onclick: (event) => event.target.getAttribute("aria-disabled") === "true" || onclick() }, text);
  const [adding, on] = [button("Add a letter", () => explorer.add()), button("Go on", () => (explorer.going ? explorer.stop() : explorer.goOn()))];
  const status = make("p", { role: "status" });
  const switches = headSwitches(explorer);
  explorer.controls = { field, wrong, adding, on, status };
  explorer.parts.writing.replaceChildren(
    make("label", { class: "attn-tokens" }, `Text, ${run.start == null ? "1" : "0"} to ${most} letters `, field), wrong,
    make("div", { class: "attn-row" }, adding, on, make("label", {}, "Temperature ", slider), degrees, status), switches);
}

/** A switch for each head. */
function headSwitches(explorer) {
  const { layers, heads, from } = explorer.run;
  const row = (layer) => make("span", { class: "attn-row" }, ...Array.from({ length: heads }, (_, head) => toggle(`layer ${layer + (from ?? 0)}, head ${head}`, !explorer.off.has(`${layer},${head}`), (on) => {
    const off = new Set(explorer.off);
    off[on ? "delete" : "add"](`${layer},${head}`);
    explorer.choose({ off });
  })));
  return make("fieldset", {}, make("legend", {}, "Heads that are on"), ...Array.from({ length: layers }, (_, layer) => row(layer)));
}

/** The likeliest letters with a bar each; where heads are off, beside what they were with all of them. */
function drawNext(explorer) {
  const { run, off, names, temperature } = explorer;
  const chances = explorer.chances();
  const whole = off.size ? explorer.chances(new Set()) : undefined;
  const percent = (chance) => (chance < 0.0005 ? "< 0.1 %" : `${(100 * chance).toFixed(chance < 0.0995 ? 1 : 0)} %`);
  const likeliest = chances.map((chance, place) => ({ chance, place })).sort((a, b) => b.chance - a.chance).slice(0, LIKELIEST);
  const rows = likeliest.map(({ chance, place }) => make("tr", {}, make("th", { scope: "row" }, run.words[place] === run.start ? "end" : run.words[place]),
    make("td", { class: "attn-chance" }, make("i", { style: `--share:${(100 * chance).toFixed(1)}%` }), percent(chance)),
    whole && make("td", {}, percent(whole[place]))));
  explorer.parts.next.replaceChildren(table(`What follows “${names.join("")}”: the ${LIKELIEST} likeliest of ${run.words.length}, at temperature ${temperature.toFixed(1)}.`,
    ["next", "probability", ...(whole ? ["all heads on"] : [])], rows));
}
