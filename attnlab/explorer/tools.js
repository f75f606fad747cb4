// What every explorer has: back to the beginning, full screen, and what a teacher copies into another page.

/** The address of the explorer alone, as it is now. */
function addressOf(explorer) {
  const { embed, hide = [] } = explorer.page;
  const first = new URLSearchParams({ run: explorer.run.name, ...(hide.length ? { hide: hide.join(",") } : {}) });
  const state = explorer.written();
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
    button("Reset", () => explorer.reset()),
    document.fullscreenEnabled ? button("Full screen", () => (document.fullscreenElement ? document.exitFullscreen() : section.requestFullscreen())) : null,
    ...(page.embed ? [button("Copy link", () => copy(addressOf(explorer))), button("Copy iframe", () => copy(frame()))] : [])), place);
}

/** What is wrong with the page that shows the explorer, as a sentence that stays. */
function drawProblems(explorer, problems) {
  explorer.parts.problems.replaceChildren(...problems.filter(Boolean).map((problem) => make("p", { class: "attn-wrong", role: "alert" }, problem)));
}

/** The parts of an explorer by their names, without those that its page hides. */
function partsOf(explorer, names) {
  const { hide = [] } = explorer.page;
  explorer.parts = Object.fromEntries(names.map((name) => [name, make("div", { class: `attn-${name}`, hidden: hide.includes(name) })]));
  const strange = hide.filter((name) => !HIDEABLE.includes(name));
  return strange.length ? `There is no part ${strange.map((name) => `“${name}”`).join(", ")} to hide: choose from ${HIDEABLE.join(", ")}.` : undefined;
}
