// The small explorer of the first page: one sentence, one query, and scores that a finger moves. attention.js and pieces.js stand before it.

const MOST = 12; // the largest score that a slider can have, and the smallest
const ROW = 27; // the height of a row, in pixels
const ROOM = 44; // the width that curves have, in pixels
const THICK = 9; // pixels, of a curve with weight 1
const SVG = "http://www.w3.org/2000/svg";

class Small {
  /**
   * @param run what attnlab/explorer/runs.py describes, with one step
   * @param endings the words that can end the sentence
   * @param element what is replaced: a picture for readers without JavaScript
   */
  constructor({ run, endings }, element) {
    Object.assign(this, { run, endings, sentence: [...run.sentence], query: run.query, moved: {} });
    this.asked = make("b", {}, this.sentence[this.query]);
    this.choices = endings.map((word) => make("button", { type: "button", onclick: () => this.end(word) }, word));
    this.answer = make("p", { class: "small-answer", role: "status" });
    this.task = make("span");
    this.back = make("button", { type: "button", onclick: () => this.end(this.sentence.at(-1)) }, "Reset");
    this.words = this.sentence.map((word) => make("span", { class: "small-word" }, word));
    this.sliders = this.sentence.map((_, key) => this.slider(key));
    this.weights = this.sentence.map(() => make("span", { class: "small-weight" }, make("i"), make("span")));
    this.curves = this.sentence.map((_, key) => this.curve(key));
    element.replaceChildren(make("section", { class: "small-explorer", "aria-label": "Where “it” looks" },
      make("p", { class: "small-sentence" }, `The ${this.sentence.slice(1, this.query).join(" ")} `, this.asked,
        ` ${this.sentence.slice(this.query + 1, -1).join(" ")} `, make("span", { role: "group", "aria-label": "Last word" }, ...this.choices)),
      this.answer,
      make("div", { class: "small-rows" }, this.drawing(),
        make("span", { class: "small-head" }, "key"), make("span", { class: "small-head" }, "score: drag it"), make("span", { class: "small-head" }, "weight"),
        ...this.sentence.flatMap((_, key) => [this.words[key], this.sliders[key], this.weights[key]])),
      make("p", { class: "small-foot" }, this.task, this.back)));
    this.draw();
  }

  /** Another last word, with the scores that the model computes. */
  end(word) {
    this.sentence = [...this.sentence.slice(0, -1), word];
    this.moved = {};
    this.draw();
  }

  /** The score of a key, which stands in the place of the computed one when it is moved. */
  slider(key) {
    return make("input", { type: "range", min: -MOST, max: MOST, step: 0.1, oninput: ({ target }) => {
      this.moved[`${this.query},${key}`] = Number(target.value);
      this.draw();
    } });
  }

  /** From the query to a key, at the left of the words. */
  curve(key) {
    const [from, to] = [this.query, key].map((row) => (row + 0.5) * ROW);
    const left = ROOM - 8 - (ROOM - 10) * Math.abs(this.query - key) / this.sentence.length;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", `M${ROOM} ${from}C${left} ${from} ${left} ${to} ${ROOM} ${to}`);
    return path;
  }

  drawing() {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${ROOM} ${ROW * this.sentence.length}`);
    svg.setAttribute("aria-hidden", "true");
    svg.append(...this.curves);
    return svg;
  }

  draw() {
    const { run, sentence, query, moved } = this;
    const all = attention(run.steps[0], run.words, sentence, { scale: run.scale, causal: run.causal, positions: true, moved: { 0: moved } });
    const [scores, weights] = [all.heads[0].scores[query], all.heads[0].weights[query]];
    sentence.forEach((word, key) => {
      const weight = weights[key];
      this.words[key].textContent = word;
      this.words[key].classList.toggle("small-query", key === query);
      this.sliders[key].value = scores[key];
      this.sliders[key].setAttribute("aria-label", `score of “${word}”, word ${key + 1}`);
      this.sliders[key].setAttribute("aria-valuetext", `${shown(scores[key])}, weight ${shown(weight)}`);
      this.weights[key].style.setProperty("--share", `${(100 * weight).toFixed(1)}%`);
      this.weights[key].lastChild.textContent = shown(weight);
      this.curves[key].style.strokeWidth = key === query ? 0 : THICK * weight;
    });
    this.choices.forEach((button, at) => button.setAttribute("aria-pressed", String(this.endings[at] === sentence.at(-1))));
    this.back.hidden = !Object.keys(moved).length;
    this.say(answers(run, run.steps[0], all.outputs)[0]);
  }

  /** The answer, and what to try; the model names a noun by its first letter. */
  say({ what, chance }) {
    const [asked, nouns] = [this.sentence[this.query], [this.sentence[1], this.sentence[4]]];
    const noun = nouns.find((word) => word.startsWith(what));
    this.meant = Object.keys(this.moved).length ? this.meant : noun;
    const other = nouns.find((word) => word !== this.meant);
    this.answer.replaceChildren(`What is “${asked}”? The model says: `, make("b", {}, noun ? `the ${noun}` : "neither noun"),
      noun ? ` (${Math.round(100 * chance)}\u00a0%)` : "");
    this.task.textContent = noun === other ? `Now “${asked}” is the ${other}: the answer follows the weights.` : `Drag scores until “${asked}” is the ${other}.`;
  }
}

for (const place of document.querySelectorAll(".small")) new Small(JSON.parse(document.getElementById("small-run").textContent), place);
