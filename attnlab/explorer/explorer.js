// The explorer: what a reader has chosen, and the page that follows from it.

class Explorer {
  /**
   * @param run about, words, sentence, query, longest, scale, causal, steps and so on: see attnlab/explorer/runs.py
   * @param element what is replaced: a picture for readers without JavaScript
   */
  constructor(run, element) {
    Object.assign(this, { run, sentence: [...run.sentence], step: run.steps.length - 1, query: run.query, head: 0, stage: 0, off: new Set(), moved: {},
      options: { scale: run.scale, causal: run.causal, positions: true } });
    this.parts = Object.fromEntries(["controls", "matrix", "way", "result"].map((name) => [name, make("div", { class: `attn-${name}` })]));
    this.said = make("p", { class: "attn-said", role: "status" });
    element.replaceChildren(make("section", { class: "attn", "aria-label": "Attention explorer" },
      this.parts.controls, this.said, make("div", { class: "attn-pictures" }, this.parts.matrix, this.parts.way), this.parts.result));
    drawControls(this);
    this.draw();
  }

  get state() { return this.run.steps[this.step]; }

  /** Everything that follows from what is chosen; `off` and `moved` in the place of what is. */
  computed(off = [...this.off], moved = this.moved) {
    return attention(this.state, this.run.words, this.sentence, { ...this.options, moved }, off);
  }

  /** Note a choice and draw again. */
  choose(changes) {
    Object.assign(this, changes);
    this.query = Math.min(this.query, this.sentence.length - 1);
    this.draw();
  }

  draw() {
    const all = this.computed();
    const head = this.head === "first" ? all.first : all.heads[this.head];
    drawMatrix(this, head);
    drawWay(this, head);
    drawResult(this, all);
    this.said.textContent = inWords(this, head);
  }
}

/** All weights of a head: a row for each query, which can be chosen. */
function drawMatrix(explorer, head) {
  const names = explorer.sentence;
  const rows = head.weights.map((weights, i) => make("tr", { class: i === explorer.query ? "attn-chosen" : null },
    make("th", { scope: "row" }, asking(explorer, names, i)),
    ...weights.map((weight) => make("td", shade(weight), shown(weight)))));
  const layer = explorer.head === "first" ? "Weights of the first layer" : "Weights of the second layer";
  const which = explorer.state.heads.length > 1 ? `Weights of head ${explorer.head}` : explorer.state.first ? layer : "Weights";
  replaced(explorer.parts.matrix, table(`${which}: a row for each query, a column for each key. Choose a query.`, ["query", ...names], rows,
    { above: make("tr", {}, make("td"), make("th", { scope: "colgroup", colspan: names.length, class: "attn-key" }, "key")) }));
}

/** The output of each token, what the model answers, and how far both are from what they were without the reader's changes. */
function drawResult(explorer, all) {
  const whole = explorer.computed([], {}).outputs;
  const most = largest(whole, all.outputs);
  const changed = explorer.off.size > 0 || Object.keys(explorer.moved).length > 0;
  const said = answers(explorer.run, explorer.state, all.outputs);
  const answer = (i) => said.filter(({ place }) => place === i)
    .map(({ what, chance, asked }) => `${asked ? `${asked}: ` : ""}${what} (${Math.round(100 * chance)} %)`).join(", ");
  const rows = explorer.sentence.map((name, i) => make("tr", {}, make("th", { scope: "row" }, name),
    make("td", {}, bars(all.outputs[i], most, `output of ${name}`, "output")),
    ...(said.length ? [make("td", {}, answer(i))] : []),
    ...(changed ? [make("td", {}, bars(whole[i], most, `output of ${name} without your changes`, "output")), make("td", {}, shown(distance(all.outputs[i], whole[i])))] : [])));
  explorer.parts.result.replaceChildren(table(
    changed ? "Outputs, beside those without your changes" : explorer.state.heads.length > 1 ? "Outputs: all heads together" : "Outputs",
    ["token", "output", ...(said.length ? ["answer"] : []), ...(changed ? ["without your changes", "length of the difference"] : [])], rows));
}

/** What there is to see. */
function inWords(explorer, head) {
  const weights = head.weights[explorer.query];
  const names = explorer.sentence;
  const best = weights.indexOf(Math.max(...weights));
  const open = explorer.options.causal ? explorer.query + 1 : names.length;
  const count = Object.keys(explorer.moved[explorer.head] ?? {}).length;
  return `Query “${names[explorer.query]}”: the largest weight, ${shown(weights[best])}, is on “${names[best]}”. `
    + `The entropy is ${shown(entropy(weights))} of at most ${shown(Math.log(open))} nats: `
    + `it looks at about ${Math.exp(entropy(weights)).toFixed(1)} of ${open} tokens.`
    + (explorer.off.size ? ` Off: head ${[...explorer.off].sort().join(", ")}.` : "")
    + (count ? ` You moved ${count} score${count > 1 ? "s" : ""}.` : "");
}

/** An explorer of a run, of any kind. */
const begin = (run, element) => (run.parameters ? new Letters(run, element) : run.maps ? new Maps(run, element) : new Explorer(run, element));
