// The explorer: what a reader has chosen, and the page that follows from it.

class Explorer {
  /**
   * @param run about, words, sentence, query, longest, scale, causal, steps and so on: see attnlab/explorer/runs.py
   * @param element what is replaced: a picture for readers without JavaScript
   * @param page of the page around it, all of which may be missing: `hide`, names of parts; `state`, as address.js writes it; `wrong`, a sentence about its address;
   *   `embed`, the address of the page that is one explorer; `changed`, what is called with the explorer's address after each choice
   */
  constructor(run, element, page = {}) {
    Object.assign(this, { run, page, kind: COMPUTED });
    this.parts = Object.fromEntries(["problems", ...HIDEABLE].map((name) => [name, make("div", { class: `attn-${name}` })]));
    hideParts(this, this.parts);
    this.said = make("p", { class: "attn-said", role: "status" });
    const { problems, about, tools, stories, tokens, training, heads, options, matrix, lines, way, result } = this.parts;
    this.section = make("section", { class: "attn", "aria-label": `Attention explorer: ${run.name}` }, make("div", { class: "attn-whole" },
      make("div", { class: "attn-top" }, problems, about, tools, stories),
      make("div", { class: "attn-controls" }, tokens, training, heads, options),
      make("div", { class: "attn-left" }, matrix, lines),
      make("div", { class: "attn-right" }, this.said, way, result)));
    element.replaceChildren(this.section);
  }

  get state() { return this.run.steps[this.step]; }

  /** What there is to write into an address. */
  get chosen() { return this; }

  /** Everything that follows from what is chosen; `off` and `moved` in the place of what is. */
  computed(off = this.off, moved = this.moved) {
    return attention(this.state, this.run.words, this.sentence, { ...this.options, moved }, off);
  }

  /** Take over all that is chosen, as `read` returns it. */
  restore(chosen) {
    Object.assign(this, chosen);
    drawControls(this);
    this.draw();
  }

  /** Note a choice and draw again. */
  choose(changes) {
    Object.assign(this, changes);
    this.query = Math.min(this.query, this.sentence.length - 1);
    this.stage = Math.min(this.stage, 2 + this.options.scale + this.options.causal);
    this.draw();
  }

  draw() {
    const all = this.computed();
    const head = this.head === "first" ? all.first : all.heads[this.head];
    this.section.classList.toggle("attn-shows-off", this.off.includes(this.head));
    drawStories(this);
    drawSmallMatrices(this, all);
    drawMatrix(this, head);
    drawWay(this, head);
    drawLayers(this, all, head);
    const said = judgedAnswers(this, all);
    drawResult(this, all, said);
    this.said.replaceChildren(inWords(this, all, head), ...said.filter(({ place }) => this.run.asked != null || place === this.query)
      .map((one, at) => make("span", {}, at ? ", " : " Answer: ", judged(one))));
    this.page.changed?.(this);
  }
}

const LONG = 4; // letters, from which on the names of columns stand upright

const layerCalled = (head) => (head === "first" ? "the first layer" : "the second layer");

/** What the shown weights are of: a head or a layer, where there are several. */
function shownPart(explorer) {
  if (explorer.state.first) return ` of ${layerCalled(explorer.head)}`;
  if (explorer.state.heads.length === 1) return "";
  return ` of head ${explorer.head}${explorer.off.includes(explorer.head) ? ", which is off" : ""}`;
}

/** All weights of a head: a row for each query, which can be chosen. */
function drawMatrix(explorer, head) {
  const names = explorer.sentence;
  const rows = head.weights.map((weights, i) => make("tr", { class: i === explorer.query ? "attn-chosen" : null },
    make("th", { scope: "row" }, asking(explorer, names, i)),
    ...weights.map((weight) => make("td", shade(weight), shown(weight)))));
  explorer.parts.matrix.style.setProperty("--count", names.length);
  explorer.parts.matrix.classList.toggle("attn-long", names.some((name) => name.length > LONG));
  replaced(explorer.parts.matrix, table(`Weights${shownPart(explorer)}: a row for each query, a column for each key. Choose a query.`, ["query", ...names], rows,
    { above: make("tr", {}, make("td"), make("th", { scope: "colgroup", colspan: names.length, class: "attn-key" }, "key")) }));
}

/** Lines from the chosen query to the keys of the shown head; of two layers, those of both. */
function drawLayers(explorer, all, head) {
  const layers = all.first ? [["first", all.first], [0, all.heads[0]]] : [[explorer.head, head]];
  const names = explorer.sentence;
  explorer.parts.lines.replaceChildren(...layers.map(([which, { weights }]) => make("div", {},
    make("p", {}, all.first ? `Query “${names[explorer.query]}” in ${layerCalled(which)}` : `Query “${names[explorer.query]}”`),
    linesTo(make("div", { class: "attn-asking" }, ...names.map((name, i) => make("span", { class: i === explorer.query ? "attn-asks" : null }, name))), names, explorer.query,
      weights[explorer.query], weights[explorer.query].map(shown)))));
}

/** The answers, each with the right one. */
function judgedAnswers(explorer, all) {
  const said = answers(explorer.run, explorer.state, all.outputs);
  const right = said.length ? rightAnswers(explorer.run, explorer.sentence) : [];
  return said.map((one, number) => ({ ...one, right: right[number] }));
}

/** The output of each token, what the model answers, whether that is right, and how far both are from what they were without the reader's changes. */
function drawResult(explorer, all, said) {
  const whole = explorer.computed([], {}).outputs;
  const most = largest(whole, all.outputs);
  const changed = explorer.off.length > 0 || Object.values(explorer.moved).some((scores) => Object.keys(scores).length);
  const answer = (i) => said.filter(({ place }) => place === i).map(judged);
  const rows = explorer.sentence.map((name, i) => make("tr", {}, make("th", { scope: "row" }, name),
    make("td", {}, bars(all.outputs[i], most, `output of ${name}`, "output")),
    ...(said.length ? [make("td", { class: "attn-answer" }, ...answer(i))] : []),
    ...(changed ? [make("td", {}, bars(whole[i], most, `output of ${name} without your changes`, "output")), make("td", {}, shown(distance(all.outputs[i], whole[i])))] : [])));
  explorer.parts.result.classList.toggle("attn-changed", changed);
  explorer.parts.result.replaceChildren(table(
    changed ? "Outputs, beside those without your changes" : explorer.state.heads.length > 1 ? "Outputs: all heads together" : "Outputs",
    ["token", "output", ...(said.length ? ["answer"] : []), ...(changed ? ["without your changes", "length of the difference"] : [])], rows));
}

/** An answer and whether it is right. */
function judged({ what, chance, asked, right }) {
  const name = asked ? `${asked}: ` : "";
  const given = `${what} (${Math.round(100 * chance)} %)`;
  if (right === undefined) return make("span", { class: "attn-senseless" }, `${name}no such question; it says ${given}`);
  if (right === what) return make("span", { class: "attn-is-right" }, `${name}${given} `, make("b", { role: "img", "aria-label": "right" }, "✓"));
  return make("span", { class: "attn-is-false" }, `${name}${given} `, make("b", { role: "img", "aria-label": "not right" }, "✗"), ` right: ${right}`);
}

/** What there is to see. */
function inWords(explorer, all, head) {
  const weights = head.weights[explorer.query];
  const names = explorer.sentence;
  const best = (row) => row.indexOf(Math.max(...row));
  const open = explorer.options.causal ? explorer.query + 1 : names.length;
  const count = Object.keys(explorer.moved[explorer.head] ?? {}).length;
  const other = explorer.head === "first" ? 0 : "first";
  const row = all.first && (other === "first" ? all.first : all.heads[0]).weights[explorer.query];
  return `Query “${names[explorer.query]}”: the largest weight, ${shown(weights[best(weights)])}, is on “${names[best(weights)]}”. `
    + (row ? `In ${layerCalled(other)} it is ${shown(row[best(row)])}, on “${names[best(row)]}”. ` : "")
    + `The entropy is ${shown(entropy(weights))} of at most ${shown(Math.log(open))} nats: `
    + `it looks at about ${Math.exp(entropy(weights)).toFixed(1)} of ${open} token${open > 1 ? "s" : ""}.`
    + (explorer.off.length ? ` Off: head ${explorer.off.join(", ")}.` : "")
    + (count ? ` You moved ${count} score${count > 1 ? "s" : ""}.` : "");
}

/** An explorer of a run, of any kind. */
const begin = (run, element, page = {}) => start(new (run.parameters ? Letters : run.maps ? Maps : Explorer)(run, element, page));
