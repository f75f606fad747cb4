// A question to a reader, what it looks like, and why. stories.toml has them.

function drawStories(explorer) {
  const { run, kind, story, told } = explorer;
  if (!run.stories) return;
  const chosen = run.stories[story];
  const now = JSON.stringify([story, told, chosen && atStory(explorer)]);
  if (now === explorer.storyOf) return;
  explorer.storyOf = now;
  if (!("storyShown" in explorer) || explorer.storyShown !== story) {
    explorer.storyShown = story;
    const titles = run.stories.map(({ title }, number) => make("button", { type: "button", "aria-pressed": String(number === story),
      onclick: () => (number === explorer.story ? explorer.choose({ story: undefined, told: undefined })
        : explorer.restore({ ...read(kind, run, run.stories[number].before ?? ""), story: number })) }, title));
    replaced(explorer.parts.stories, make("div", { class: "attn-row", role: "group", "aria-label": "Questions to try" }, make("span", {}, "Questions to try:"), ...titles),
      make("div", { class: "attn-story", hidden: !chosen }, ...(chosen ? asked(explorer, chosen) : [])));
  }
  if (chosen) answered(explorer, chosen);
}

/** Whether what is chosen is what the story shows. */
function atStory(explorer) {
  const { run, kind } = explorer;
  const bare = (state) => written(kind, run, { ...state, ...NO_STORY });
  return bare(explorer.chosen) === bare(read(kind, run, run.stories[explorer.story].shows));
}

function asked(explorer, story) {
  const name = `attn-story-${Math.random().toString(36).slice(2)}`;
  const number = explorer.story;
  const choices = story.choices.map((text, at) => make("label", {}, make("input", { type: "radio", name, value: at, checked: explorer.told === String(at) }), ` ${text}`));
  const show = () => {
    const expected = explorer.parts.stories.querySelector("input:checked")?.value ?? "shown";
    explorer.restore({ ...read(explorer.kind, explorer.run, story.shows), story: number, told: expected });
  };
  return [make("fieldset", {}, make("legend", {}, story.asks), make("div", { class: "attn-row" }, ...choices, make("button", { type: "button", class: "attn-show", onclick: show }, "Show me"))),
    make("p", { class: "attn-told", role: "status" })];
}

function answered(explorer, story) {
  const { told } = explorer;
  const [place, button] = [".attn-told", ".attn-show"].map((name) => explorer.parts.stories.querySelector(name));
  button.textContent = told === undefined ? "Show me" : "Show me again";
  if (told === undefined) place.textContent = "";
  else if (!atStory(explorer)) place.textContent = "You changed something since it was shown.";
  else place.textContent = `${told === "shown" ? "" : Number(told) === story.right ? "✓ Right. " : `✗ It is: ${story.choices[story.right]}. `}${story.tells}`;
}
