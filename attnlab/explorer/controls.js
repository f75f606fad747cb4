// What a reader chooses: tokens, a step of the training, heads, scale and mask.

function drawControls(explorer) {
  const { run, parts } = explorer;
  const option = (name, text) => toggle(text, explorer.options[name], (on) => explorer.choose({ options: { ...explorer.options, [name]: on } }));
  parts.about.replaceChildren(make("p", {}, run.about));
  parts.tokens.replaceChildren(tokens(explorer));
  parts.training.replaceChildren(...(run.steps.length > 1 ? [training(explorer)] : []));
  parts.heads.replaceChildren(...(run.steps[0].heads.length > 1 || run.steps[0].first ? [heads(explorer)] : []));
  parts.options.replaceChildren(make("div", { class: "attn-row" }, option("scale", "divide scores by √d"), option("causal", "mask later keys"),
    run.steps[0].positions ? option("positions", "add positions") : null,
    make("button", { type: "button", onclick: () => explorer.choose({ moved: {} }) }, "Put all scores back")));
}

function tokens(explorer) {
  const { run } = explorer;
  const wrong = make("p", { class: "attn-wrong", role: "alert" });
  const read = () => {
    const sentence = field.value.trim().split(/\s+/).filter(Boolean);
    const problem = unfit(sentence, run);
    wrong.textContent = problem ? `${problem[0].toUpperCase()}${problem.slice(1)}. The last sentence that could be read stays below.` : "";
    if (!problem && sentence.join(" ") !== explorer.sentence.join(" ")) explorer.choose({ sentence, moved: {} });
  };
  const field = make("input", { type: "text", value: explorer.sentence.join(" "), spellcheck: "false", autocomplete: "off", autocapitalize: "off", onchange: read,
    onkeydown: (event) => { if (event.key === "Enter") read(); } }); // JupyterLab keeps the browser from saying that it changed
  return make("div", {}, make("label", { class: "attn-label" }, "Tokens, with spaces between them, then Enter ", field), wrong,
    make("details", {}, make("summary", {}, "Tokens that it knows"), make("p", {}, run.known ?? run.words.join(" "))));
}

/** What is wrong with a sentence, if anything. */
function unfit(sentence, run) {
  if (!sentence.length) return "write at least one token";
  const strange = sentence.flatMap((token) => token.split(PARTS_OF_A_TOKEN)).find((entry) => !run.words.includes(entry));
  if (strange !== undefined) return `it does not know “${strange}”: choose from the tokens that it knows`;
  if (sentence.length > run.longest) return `at most ${run.longest} tokens; these are ${sentence.length}`;
  if (run.asked != null && run.asked >= sentence.length) return `at least ${run.asked + 1} tokens, because number ${run.asked} answers`;
  return undefined;
}

function training(explorer) {
  const about = () => `after ${explorer.state.batches} batches it answers ${Math.round(100 * explorer.state.right)} % right`;
  const said = make("output", {}, about());
  const slider = make("input", { type: "range", min: 0, max: explorer.run.steps.length - 1, value: explorer.step, "aria-valuetext": about(), oninput: () => {
    explorer.choose({ step: Number(slider.value), moved: {} });
    said.textContent = about();
    slider.setAttribute("aria-valuetext", about());
  } });
  return make("div", { class: "attn-row" }, make("label", {}, "Training ", slider), said);
}

/** Heads, or two layers, at a glance: a small matrix each, which chooses what is shown large; a head can be switched off. */
function heads(explorer) {
  const [{ first, heads: each }] = explorer.run.steps;
  const name = `attn-head-${Math.random().toString(36).slice(2)}`;
  explorer.small = new Map();
  const choice = (head, text) => {
    explorer.small.set(head, make("span", { class: "attn-small", "aria-hidden": "true" }));
    return make("label", {}, explorer.small.get(head), make("span", { class: "attn-line" },
      make("input", { type: "radio", name, checked: head === explorer.head, onchange: () => explorer.choose({ head }) }), ` ${text}`));
  };
  const layers = () => [choice("first", "show the first layer"), choice(0, "show the second, which reads what the first returned, too")];
  const switched = (number) => toggle(`head ${number} is on`, !explorer.off.includes(number), (on) =>
    explorer.choose({ off: on ? explorer.off.filter((one) => one !== number) : [...explorer.off, number].sort() }));
  const parts = first ? layers() : each.map((_, number) => make("div", { class: "attn-of-head" }, choice(number, `show head ${number}`), switched(number)));
  return make("fieldset", {}, make("legend", {}, first ? "Layers" : "Heads"), make("div", { class: "attn-of-heads" }, ...parts));
}

/** The small matrices: a square for each weight, and a line around the chosen query's. */
function drawSmallMatrices(explorer, all) {
  for (const [head, place] of explorer.small ?? []) {
    const { weights } = head === "first" ? all.first : all.heads[head];
    const side = weights.length;
    const squares = weights.flatMap((row, i) => row.map((weight, j) => `<rect x="${j}" y="${i}" width="1" height="1" fill-opacity="${weight.toFixed(3)}"/>`));
    place.innerHTML = `<svg viewBox="-0.15 -0.15 ${side + 0.3} ${side + 0.3}"><rect class="attn-none" width="${side}" height="${side}"/>${squares.join("")}`
      + `<rect class="attn-row-of" y="${explorer.query}" width="${side}" height="1"/></svg>`;
    place.classList.toggle("attn-is-shown", head === explorer.head);
    place.parentElement.parentElement.classList.toggle("attn-off", explorer.off.includes(head));
  }
}
