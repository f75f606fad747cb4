// What every explorer has: back to the beginning, full screen, and what a teacher copies into another page.

/** The address of the explorer alone, as it is now. */
function addressOf(explorer) {
  const { embed, hide = [] } = explorer.page;
  const first = new URLSearchParams({ run: explorer.run.name, ...(hide.length ? { hide: hide.join(",") } : {}) });
  const state = written(explorer.kind, explorer.run, explorer.chosen);
  return `${embed}?${first.toString().replaceAll("%2C", ",")}${state && `&${state}`}`;
}

function drawTools(explorer) {
  const { section, page, parts } = explorer;
  const said = make("span", { role: "status" });
  const field = make("input", { type: "text", readonly: true, "aria-label": "what was copied" });
  const place = make("div", { class: "attn-row attn-copied", hidden: true }, field, said);
  const copy = (text) => {
    place.hidden = false;
    field.value = text;
    field.focus();
    field.select();
    said.textContent = "Copy it with Ctrl+C, or ⌘C.";
    navigator.clipboard?.writeText(text).then(() => { said.textContent = "Copied."; }, () => {}); // a page from a folder, or in a frame, may not be allowed to
  };
  const frame = () => {
    const source = addressOf(explorer).replaceAll("&", "&amp;");
    return `<iframe src="${source}" title="Attention explorer: ${explorer.run.name}" width="100%" height="${section.offsetHeight + 2}" style="border: 0" loading="lazy" `
      + 'allow="fullscreen; clipboard-write"></iframe>';
  };
  const button = (text, onclick) => make("button", { type: "button", onclick }, text);
  parts.tools.replaceChildren(make("div", { class: "attn-row" },
    button("Reset", () => {
      drawProblems(explorer, []);
      explorer.restore(structuredClone(explorer.begun));
    }),
    document.fullscreenEnabled ? button("Full screen", () => (document.fullscreenElement ? document.exitFullscreen() : section.requestFullscreen())) : null,
    ...(page.embed ? [button("Copy link", () => copy(addressOf(explorer))), button("Copy iframe", () => copy(frame()))] : [])), place);
}

/** What is wrong with the page that shows the explorer, as a sentence that stays. */
function drawProblems(explorer, problems) {
  explorer.parts.problems.replaceChildren(...problems.filter(Boolean).map((problem) => make("p", { class: "attn-wrong", role: "alert" }, problem)));
}

/** Leave out what the page hides. */
function hideParts({ page: { hide = [] } }, elements) {
  for (const [name, element] of Object.entries(elements)) if (element) element.hidden = hide.includes(name);
}

/** What a new explorer begins with, and what is wrong with that. */
function start(explorer) {
  const { kind, run, page } = explorer;
  let wrong;
  try {
    explorer.begun = read(kind, run, page.state ?? "");
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    explorer.begun = kind.beginning(run);
    wrong = `This address cannot be read: ${error.message.replace(/\.$/, "")}. You see the beginning.`;
  }
  const strange = (page.hide ?? []).filter((name) => !HIDEABLE.includes(name)).map((name) => `“${name}”`);
  drawTools(explorer);
  drawProblems(explorer, [page.wrong, wrong, strange.length && `There is no part ${strange.join(", ")} to hide: choose from ${HIDEABLE.join(", ")}.`]);
  explorer.restore(structuredClone(explorer.begun));
  return explorer;
}
