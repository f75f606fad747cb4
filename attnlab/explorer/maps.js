// The maps of a model, stored or computed: those of all heads at a glance, and the one that is chosen.

const FINEST = 65535; // the square root of a weight is stored in parts of this
const ACROSS = 15; // layers in a band; bands are side by side, or one below the other where there is no room
const DOTS = 4; // of the screen, for each weight of a small map, or more
const SHARP = 400; // dots from left to right, where there are few weights
const FAINT = 0.3; // the maps of heads that are off

/** The weights of a run: maps[layer][head][query] has those of the keys up to the query. */
function unpacked({ layers, heads, maps, sentence }) {
  const roots = new Uint16Array(Uint8Array.from(atob(maps), (letter) => letter.charCodeAt(0)).buffer);
  const repeated = (times, what) => Array.from({ length: times }, what);
  let at = 0;
  return repeated(layers, () => repeated(heads, () => sentence.map((_, query) =>
    Array.from(roots.subarray(at, at += query + 1), (root) => (root / FINEST) ** 2))));
}

/** A row as if there were no first key: the other weights are divided by their sum. A row without others stays as it is. */
function withoutFirst(row) {
  const rest = row.slice(1).reduce((sum, weight) => sum + weight, 0);
  return rest ? [0, ...row.slice(1).map((weight) => weight / rest)] : row;
}

class Maps {
  /**
   * @param run about, sentence, query, layers, heads, layer and head: see attnlab/explorer/runs.py
   * @param element what is replaced, as for the other explorer
   * @param maps the weights, those that are stored where a model cannot be computed
   * @param page of the page around it, as for the other explorer
   * @param others what stands above the maps, `writing`, and beside them, `next`
   */
  constructor(run, element, page = {}, maps = unpacked(run), { writing = null, next = null } = {}) {
    Object.assign(this, { run, page, kind: MAPS, names: run.sentence, maps, ...MAPS.beginning(run), off: new Set() });
    this.parts = Object.fromEntries(["problems", "about", "tools", "stories", "all", "map", "lines"].map((name) => [name, make("div", { class: `attn-${name}` })]));
    const { problems, about, tools, stories, all, map, lines } = this.parts;
    this.said = make("p", { class: "attn-said", role: "status" });
    this.leaving = toggle("leave out the first token", false, (without) => { this.choose({ without }); drawSmall(this); });
    const heads = make("div", {}, make("div", { class: "attn-row" }, this.leaving), all);
    hideParts(this, { about, tools, stories, tokens: writing, result: next, heads, matrix: map, lines });
    about.replaceChildren(make("p", {}, run.about));
    this.section = make("section", { class: "attn", "aria-label": `Attention explorer: ${run.name}` }, problems, about, tools, stories, writing,
      make("div", { class: "attn-glance" }, next, heads), this.said, make("div", { class: "attn-pictures attn-fits" }, map, lines));
    element.replaceChildren(this.section);
    drawAll(this);
    this.draw();
  }

  /** What there is to write into an address. */
  get chosen() { return this; }

  get name() { return `layer ${this.layer + this.first}, head ${this.head}${this.off.has(`${this.layer},${this.head}`) ? ", which is off" : ""}`; }

  /** The number of the first layer. */
  get first() { return this.run.from ?? 0; }

  /** The rows of a head, as the switch has them. */
  rows(layer = this.layer, head = this.head) {
    const rows = this.maps[layer][head];
    return this.without ? rows.map(withoutFirst) : rows;
  }

  /** Other tokens and their maps; `off` has the heads that add nothing, "layer,head". */
  show(names, maps, query, off) {
    Object.assign(this, { names, maps, off });
    drawSmall(this);
    this.choose({ query });
  }

  /** Take over all that is chosen. */
  restore({ layer, head, query, without, story, told }) {
    this.leaving.querySelector("input").checked = without;
    this.choose({ layer, head, query, without, story, told });
    drawSmall(this);
  }

  /** Note a choice and draw again; the small maps need it only where the switch is used. */
  choose(changes) {
    Object.assign(this, changes);
    this.draw();
  }

  draw() {
    const rows = this.rows();
    const left = this.maps[this.layer][this.head].map((row, i) => (rows[i] === row ? null : row[0])); // what each row lost
    for (const [name, value] of [["--layer", this.layer % this.across], ["--head", this.head]]) this.mark.style.setProperty(name, value);
    this.bands[Math.floor(this.layer / this.across)].after(this.mark);
    this.slider.setAttribute("aria-valuenow", this.layer * this.run.heads + this.head);
    this.slider.setAttribute("aria-valuetext", this.name);
    drawMap(this, rows, left);
    drawLines(this, rows[this.query], left[this.query]);
    this.said.textContent = `${this.name[0].toUpperCase()}${this.name.slice(1)}. ${ofQuery(this, rows[this.query], left[this.query])}`;
    drawStories(this);
    this.page.changed?.(this);
  }
}

/** A place for all maps, layers from left to right and heads from top to bottom, in which one is chosen by a click or with the arrow keys. */
function drawAll(explorer) {
  const { layers, heads } = explorer.run;
  const bands = Math.ceil(layers / ACROSS);
  const across = Math.ceil(layers / bands);
  const numbered = (name, from, count) => make("div", { class: name, "aria-hidden": "true" }, ...Array.from({ length: count }, (_, at) => make("span", {}, from + at)));
  explorer.across = across;
  explorer.mark = make("i", { class: "attn-mark" });
  explorer.bands = Array.from({ length: bands }, (_, band) => make("canvas", { onclick: (event) => {
    const layer = band * across + Math.floor(event.offsetX / event.target.clientWidth * across);
    if (layer < layers) explorer.choose({ layer, head: Math.min(heads - 1, Math.floor(event.offsetY / event.target.clientHeight * heads)) });
  } }));
  explorer.slider = make("div", { class: "attn-bands", tabindex: 0, role: "slider", "aria-label": "head: left and right for the layer, up and down for the head",
    "aria-valuemin": 0, "aria-valuemax": layers * heads - 1, style: `--across: ${across}; --down: ${heads}`, onkeydown: (event) => {
      const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      if (!by) return;
      event.preventDefault();
      const [layer, head] = [[explorer.layer, layers], [explorer.head, heads]].map(([at, count], axis) => Math.max(0, Math.min(count - 1, at + by[axis])));
      explorer.choose({ layer, head });
    } }, ...explorer.bands.map((canvas, band) => make("div", { class: "attn-band" }, numbered("attn-across", explorer.first + band * across, Math.min(across, layers - band * across)),
    numbered("attn-down", 0, heads), make("div", { class: "attn-maps" }, canvas))));
  explorer.parts.all.replaceChildren(make("p", {}, `All ${layers * heads} heads: a column for each layer, a row for each head. Choose one by a click, a touch or the arrow keys.`), explorer.slider);
  new ResizeObserver((_, watching) => { // once it is on the page, where colours have values
    watching.disconnect();
    drawSmall(explorer);
  }).observe(explorer.slider);
}

/** The small maps: a square for each weight, a query's in a row. */
function drawSmall(explorer) {
  const pitch = explorer.names.length + 1;
  const dots = Math.max(DOTS, Math.ceil(SHARP / (explorer.across * pitch)));
  for (const [band, canvas] of explorer.bands.entries()) {
    Object.assign(canvas, { width: explorer.across * pitch * dots, height: explorer.run.heads * pitch * dots });
    const brush = canvas.getContext("2d");
    const colours = ["--no-weight", "--weight"].map((name) => getComputedStyle(canvas).getPropertyValue(name));
    brush.scale(dots, dots);
    for (const [column, heads] of explorer.maps.slice(band * explorer.across, (band + 1) * explorer.across).entries()) {
      for (const head of heads.keys()) {
        const layer = band * explorer.across + column;
        const strength = explorer.off.has(`${layer},${head}`) ? FAINT : 1;
        for (const [i, row] of explorer.rows(layer, head).entries()) {
          const [x, y] = [column * pitch + 0.5, head * pitch + 0.5 + i];
          Object.assign(brush, { fillStyle: colours[0], globalAlpha: 1 });
          brush.fillRect(x, y, row.length, 1);
          brush.fillStyle = colours[1];
          for (const [j, weight] of row.entries()) {
            brush.globalAlpha = weight * strength;
            brush.fillRect(x + j, y, 1, 1);
          }
        }
      }
    }
  }
}

/** The chosen map with its numbers; keys after the query have none. */
function drawMap(explorer, rows, left) {
  const names = explorer.names;
  const number = (weight) => (weight < SHOWN ? "0" : shown(weight).replace(/^0|\.00$/, ""));
  const lines = rows.map((row, i) => make("tr", { class: i === explorer.query ? "attn-chosen" : null, onclick: () => explorer.choose({ query: i }) },
    make("th", { scope: "row" }, names[i]), ...names.map((_, j) => (j > i || (j === 0 && left[i] !== null) ? make("td") : make("td", shade(row[j]), number(row[j])))),
    explorer.without ? make("td", {}, left[i] === null ? "–" : number(left[i])) : null));
  explorer.parts.map.classList.toggle("attn-single", names.every((name) => name.length === 1));
  explorer.parts.map.style.setProperty("--count", names.length);
  explorer.parts.map.replaceChildren(table(`Weights of ${explorer.name}: a row for each query, a column for each key.`,
    ["query", ...names, ...(explorer.without ? ["left out"] : [])], lines,
    { above: make("tr", {}, make("td"), make("th", { scope: "colgroup", colspan: names.length, class: "attn-key" }, "key")) }));
  explorer.parts.map.removeAttribute("tabindex");
  if (explorer.parts.map.scrollWidth > explorer.parts.map.clientWidth) explorer.parts.map.tabIndex = 0; // so that the keyboard scrolls it
}

/** Lines from the chosen query to its keys, as thick as their weights, and the weights beside them. */
function drawLines(explorer, row, left) {
  const names = explorer.names;
  const told = names.map((_, j) => (j === 0 && left !== null ? `left out, ${shown(left)}` : j < row.length ? shown(row[j]) : "later"));
  replaced(explorer.parts.lines, make("p", {}, `Query “${names[explorer.query]}”. Choose another in the same way.`),
    linesTo(make("div", { class: "attn-asking" }, ...names.map((_, i) => asking(explorer, names, i))), names, explorer.query, row, told));
}

/** What there is to see of a query. */
function ofQuery(explorer, row, left) {
  const names = explorer.names;
  const best = row.indexOf(Math.max(...row));
  const largest = `The largest weight, ${shown(row[best])}, is on “${names[best]}”.`;
  if (left !== null) return `Query “${names[explorer.query]}”: ${shown(left)} of its weight is on the first token and left out, and the others are divided by their sum. ${largest}`;
  return `Query “${names[explorer.query]}”. ${largest}${explorer.without ? " It has no other key with a weight, so this row stays as it is." : ` The first token, “${names[0]}”, has ${shown(row[0])}.`}`;
}
