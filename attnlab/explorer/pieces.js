// Pieces of the page.

/** An element with attributes (`on...` are listeners) and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A table with a caption and the names of its columns; the first says what its rows are. `above` is a row above the names, `below` a foot. */
const table = (caption, columns, rows, { above, below } = {}) => make("table", {}, make("caption", {}, caption),
  make("thead", {}, above, make("tr", {}, ...columns.map((column, at) => make("th", { scope: "col", class: at ? null : `attn-${column}` }, column)))), make("tbody", {}, ...rows), below);

/** A number for people: three digits, a real minus, and no more than needed. */
function shown(number) {
  if (number === -Infinity) return "−∞";
  if (Number.isNaN(number)) return "nan";
  const size = Math.abs(number);
  const text = number.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
  return text.replace(/^-(?=0(\.0+)?$)/, "").replace("-", "−");
}

const DARK = 0.868; // from this weight on, white letters stand out more than black ones
/** How strong a weight's colour is, for the style sheet, and whether what is written on it is light. */
const shade = (weight) => ({ class: "attn-weight", style: `--strength:${(weight * 100).toFixed(1)}%`, "data-dark": weight > DARK });

/** A row of numbers of a "value" or an "output" as bars up and down from a line; `most` is a whole bar. In words it is the label. */
function bars(numbers, most, name, kind) {
  const label = `${name}: ${numbers.map(shown).join(", ")}`;
  return make("span", { class: `attn-bars attn-${kind}`, role: "img", "aria-label": label, title: label }, ...numbers.map((number) => {
    const share = Math.min(1, Math.abs(number) / (most || 1)) * 50;
    return make("i", { class: number < 0 ? "attn-down" : "attn-up", style: `--share:${share.toFixed(1)}%` });
  }));
}

/** The largest size among numbers, however they are nested. */
const largest = (...numbers) => Math.max(...numbers.flat(Infinity).filter(Number.isFinite).map(Math.abs));

/** A switch with its words. */
const toggle = (text, checked, changed) => make("label", {}, make("input", { type: "checkbox", checked, onchange: (event) => changed(event.target.checked) }), ` ${text}`);

/** A button that chooses a query, by a click or, from the one that is chosen, with the arrow keys. */
const asking = (explorer, names, i) => make("button", { type: "button", "aria-pressed": String(i === explorer.query), onclick: () => explorer.choose({ query: i }),
  onkeydown: (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    explorer.choose({ query: Math.max(0, Math.min(names.length - 1, i + by)) });
  } }, names[i]);

/** New children; a focus among the old ones goes to the button that is pressed. */
function replaced(element, ...children) {
  const focused = element.contains(document.activeElement);
  element.replaceChildren(...children);
  if (focused) (element.querySelector("[aria-pressed=true]") ?? element.querySelector("button")).focus();
}

const SHOWN = 0.005; // smaller weights are 0.00 for readers
const THICKEST = 14; // pixels of the line of a weight of 1

/**
 * Lines from the chosen query to the keys, as thick as their weights.
 *
 * @param queries an element with a line of text for each query
 * @param told what stands beside each key
 */
function linesTo(queries, names, query, row, told) {
  const from = query + 0.5;
  const drawn = make("div", { class: "attn-curves" });
  drawn.innerHTML = `<svg viewBox="0 0 100 ${names.length}" preserveAspectRatio="none" aria-hidden="true">${row.map((weight, j) => (weight < SHOWN ? ""
    : `<path d="M0 ${from}C50 ${from} 50 ${j + 0.5} 100 ${j + 0.5}" stroke-width="${(weight * THICKEST).toFixed(2)}"/>`)).join("")}</svg>`;
  queries.prepend(make("b", { class: "attn-query" }, "query"));
  return make("div", { class: "attn-lines-of" }, queries, drawn,
    make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "attn-key" }, "key"), make("th", { scope: "col" }, "weight"))),
      make("tbody", {}, ...names.map((name, j) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, told[j]))))));
}
