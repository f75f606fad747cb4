// What a reader chooses: tokens, a step of the training, heads, scale and mask.

function drawControls(explorer) {
  const { run } = explorer;
  const option = (name, text) => toggle(text, explorer.options[name], (on) => explorer.choose({ options: { ...explorer.options, [name]: on } }));
  explorer.parts.controls.replaceChildren(
    make("p", {}, run.about), tokens(explorer),
    ...(run.steps.length > 1 ? [training(explorer)] : []),
    ...(run.steps[0].heads.length > 1 ? [heads(explorer)] : []),
    ...(run.steps[0].first ? [layers(explorer)] : []),
    make("div", { class: "attn-row" }, option("scale", "divide scores by √d"), option("causal", "mask later keys"),
      run.steps[0].positions ? option("positions", "add positions") : null,
      make("button", { type: "button", onclick: () => explorer.choose({ moved: {} }) }, "Put all scores back")));
}

function tokens(explorer) {
  const { run } = explorer;
  const wrong = make("p", { class: "attn-wrong", role: "alert" });
  const read = () => {
    const sentence = field.value.trim().split(/\s+/).filter(Boolean);
    const problem = unfit(sentence, run);
    wrong.textContent = problem ?? "";
    if (!problem && sentence.join(" ") !== explorer.sentence.join(" ")) explorer.choose({ sentence, moved: {} });
  };
  const field = make("input", { type: "text", value: explorer.sentence.join(" "), spellcheck: "false", autocomplete: "off", onchange: read,
    onkeydown: (event) => { if (event.key === "Enter") read(); } }); // JupyterLab keeps the browser from saying that it changed
  return make("div", {}, make("label", { class: "attn-tokens" }, "Tokens, with spaces between them, then Enter ", field), wrong,
    make("details", {}, make("summary", {}, "Tokens that it knows"), make("p", {}, run.known ?? run.words.join(" "))));
}

/** What is wrong with a sentence, if anything. */
function unfit(sentence, run) {
  if (!sentence.length) return "Write at least one token. The last sentence that could be read stays below.";
  const strange = sentence.flatMap((token) => token.split(PARTS_OF_A_TOKEN)).find((entry) => !run.words.includes(entry));
  if (strange !== undefined) return `It does not know “${strange}”: choose from the tokens listed below. The last sentence that could be read stays.`;
  if (sentence.length > run.longest) return `At most ${run.longest} tokens; these are ${sentence.length}. The last sentence that could be read stays.`;
  if (run.asked != null && run.asked >= sentence.length) return `At least ${run.asked + 1} tokens, because number ${run.asked} answers.`;
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

/** A function that makes buttons of which one is pressed: each shows the head that it names. */
function chooser(explorer) {
  const name = `attn-head-${Math.random().toString(36).slice(2)}`;
  return (head, text) => make("label", {},
    make("input", { type: "radio", name, checked: head === explorer.head, onchange: () => explorer.choose({ head }) }), ` ${text}`);
}

function layers(explorer) {
  const choice = chooser(explorer);
  return make("fieldset", {}, make("legend", {}, "Layers"),
    make("span", { class: "attn-row" }, choice("first", "show the first layer"), choice(0, "show the second, which reads what the first returned, too")));
}

function heads(explorer) {
  const choice = chooser(explorer);
  const switches = explorer.run.steps[0].heads.map((_, number) => make("span", { class: "attn-row" }, choice(number, `show head ${number}`),
    toggle(`head ${number} is on`, true, (on) => {
      explorer.off[on ? "delete" : "add"](number);
      explorer.draw();
    })));
  return make("fieldset", {}, make("legend", {}, "Heads"), ...switches);
}
