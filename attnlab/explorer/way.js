// The way of one query: scores, scale, mask, softmax, weighted sum. Scores can be moved.

const STEPS = 40; // of an arrow key, from nothing to the largest score that a slider has

/** The stages that are there, in their order: what each is called, and how it comes about for the key with the largest weight. */
function stages(explorer, head) {
  const i = explorer.query;
  const best = head.weights[i].indexOf(Math.max(...head.weights[i]));
  const [query, key] = [i, best].map((place) => `“${explorer.sentence[place]}”`);
  const product = head.queries[i].slice(0, 3).map((part, at) => `${factor(part)} · ${factor(head.keys[best][at])}`).join(" + ");
  const rest = head.keys[0].length > 3 ? ` + ${head.keys[0].length - 3} more products` : "";
  const moved = explorer.moved[explorer.head]?.[`${i},${best}`] !== undefined;
  const [score, scaled, masked, weight] = ["scores", "scaled", "masked", "weights"].map((name) => head[name][i][best]);
  const sum = head.masked[i].reduce((all, one) => all + Math.exp(one - masked), 0);
  return [
    ["score", moved ? `The score of query ${query} with key ${key} is ${shown(score)}, because you moved it there.`
      : `The score of query ${query} with key ${key} is their dot product: ${product}${rest} = ${shown(score)}.`],
    ...(explorer.options.scale ? [[`÷ √${head.keys[0].length}`, `Each score is divided by √${head.keys[0].length} = ${shown(head.root)}: ${shown(score)} becomes ${shown(scaled)}.`]] : []),
    ...(explorer.options.causal ? [["masked", `Keys after query ${query} get −∞, so that their weight is exactly 0. ${key} keeps ${shown(masked)}.`]] : []),
    ["weight", `The softmax: e to each of these numbers, divided by the sum of all. For ${key} it is 1 / ${shown(sum)} = ${shown(weight)}, with the largest taken off each exponent first.`],
    ["weight × value", `Each value times its weight, and the sum of these is the output of the head. ${key} gives ${shown(weight)} of its value.`],
  ];
}

/** A number between signs of an equation. */
const factor = (number) => (shown(number).startsWith("−") ? `(${shown(number)})` : shown(number));

function drawWay(explorer, head) {
  const i = explorer.query;
  const shape = JSON.stringify([explorer.sentence, i, explorer.options, explorer.head, explorer.step]);
  const most = largest(head.values);
  if (shape === explorer.wayOf) {
    refresh(explorer, head, most);
    return;
  }
  explorer.wayOf = shape;
  const far = Math.max(4, largest(head.scores)) * 1.5;
  const rows = explorer.sentence.map((name, j) => make("tr", { "data-key": j }, make("th", { scope: "row" }, name),
    make("td", {}, score(explorer, head, j, far)), ...numbers(explorer, head, j, most)));
  explorer.parts.way.replaceChildren(
    table(`The way of query “${explorer.sentence[i]}”${shownPart(explorer).replace(/^ of/, " through")}. Move a score and see what follows; choose a stage to read how it comes about.`,
      ["key", ...headings(explorer, head)], rows, { below: make("tfoot", {}, sum(explorer, head, most)) }),
    make("p", { class: "attn-how", role: "status" }, how(explorer, head)));
}

function headings(explorer, head) {
  const buttons = stages(explorer, head).map(([name], number) => make("button", { type: "button", "aria-pressed": String(number === explorer.stage),
    onclick: () => explorer.choose({ stage: number }) }, name));
  return [...buttons.slice(0, -1), "value", buttons.at(-1)];
}

const how = (explorer, head) => stages(explorer, head)[explorer.stage][1];

function numbers(explorer, head, j, most) {
  const i = explorer.query;
  const weight = head.weights[i][j];
  const name = explorer.sentence[j];
  return [
    ...(explorer.options.scale ? [make("td", {}, shown(head.scaled[i][j]))] : []),
    ...(explorer.options.causal ? [make("td", {}, shown(head.masked[i][j]))] : []),
    make("td", shade(weight), shown(weight)), make("td", {}, bars(head.values[j], most, `value of ${name}`, "value")),
    make("td", {}, bars(head.values[j].map((part) => part * weight), most, `weight times value of ${name}`, "value"))];
}

function sum(explorer, head, most) {
  const before = 2 + explorer.options.scale + explorer.options.causal;
  const weights = head.weights[explorer.query];
  return make("tr", {}, make("th", { scope: "row", colspan: before }, `sum, and entropy ${shown(entropy(weights))} nats`),
    make("td", {}, shown(weights.reduce((a, b) => a + b, 0))), make("td"), make("td", {}, bars(head.outputs[explorer.query], most, "output of the head", "output")));
}

function score(explorer, head, j, far) {
  const place = `${explorer.query},${j}`;
  const move = (to) => {
    const moved = { ...explorer.moved, [explorer.head]: { ...explorer.moved[explorer.head], [place]: Number(to.toFixed(2)) } }; // as readers see it
    explorer.choose({ moved });
  };
  const value = head.scores[explorer.query][j];
  const slider = make("input", { type: "range", min: -far, max: far, step: "any", value, "aria-label": `score of key ${j}, ${explorer.sentence[j]}`,
    "aria-valuetext": shown(value), oninput: () => move(Number(slider.value)), onkeydown: (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(Math.max(-far, Math.min(far, Number(slider.value) + by * far / STEPS)));
    } });
  return make("span", { class: "attn-score" }, slider, make("output", {}, shown(value)), make("span", { class: "attn-now", "aria-hidden": "true" }, now(explorer, head, j)));
}

/** The weight that a score leads to: beside the slider where the table is too wide for the screen. */
const now = (explorer, head, j) => `weight ${shown(head.weights[explorer.query][j])}`;

/** New numbers in the table that is there: the slider that is being moved has to stay. */
function refresh(explorer, head, most) {
  for (const row of explorer.parts.way.querySelectorAll("[data-key]")) {
    const value = head.scores[explorer.query][Number(row.dataset.key)];
    const [slider, output] = [row.querySelector("input"), row.querySelector("output")];
    slider.value = value;
    slider.setAttribute("aria-valuetext", shown(value));
    output.textContent = shown(value);
    row.querySelector(".attn-now").textContent = now(explorer, head, Number(row.dataset.key));
    while (row.children.length > 2) row.lastChild.remove();
    row.append(...numbers(explorer, head, Number(row.dataset.key), most));
  }
  for (const [at, button] of explorer.parts.way.querySelectorAll("thead button").entries()) button.setAttribute("aria-pressed", String(at === explorer.stage));
  explorer.parts.way.querySelector("tfoot").replaceChildren(sum(explorer, head, most));
  explorer.parts.way.querySelector(".attn-how").textContent = how(explorer, head);
}
