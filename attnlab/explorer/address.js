// What a reader has chosen, as text: it stands in addresses after the name of the run, and stories set it.

/** Why a text cannot be read, as a sentence for readers. */
class Unreadable extends Error {}

const FARTHEST = 1000; // that a moved score may be

const NO_STORY = { story: undefined, told: undefined };

/** What is chosen before anybody has chosen anything, for a model that is computed whole. */
const beginning = (run) => ({ sentence: run.sentence, step: run.steps.length - 1, query: run.query, head: 0, stage: 0, off: [], moved: {}, ...NO_STORY,
  options: { scale: run.scale, causal: run.causal, positions: true } });

const refuse = (problem) => { if (problem) throw new Unreadable(problem); };

/** One of `many` things that are counted from 0. */
function counted(text, many, what) {
  refuse(/^\d+$/.test(text) && Number(text) < many ? "" : `there is no ${what} “${text}”`);
  return Number(text);
}

/** A head, or the layer before all heads. */
const headCalled = (text, { steps: [step] }) => (text === "first" && step.first ? "first" : counted(text, step.heads.length, "head"));

const optionCalled = (name, option) => ({
  write: ({ options }) => String(Number(options[option])),
  read(text, run, chosen) {
    flag(text, name);
    chosen.options[option] = text === "1";
  },
});

const flag = (text, name) => refuse(["0", "1"].includes(text) ? "" : `“${name}” is 0 or 1, not “${text}”`);

/** A question that is being tried. */
const STORY = {
  story: { write: ({ story }) => (story === undefined ? "" : String(story)), read: (text, run, chosen) => { chosen.story = counted(text, run.stories?.length ?? 0, "story"); } },
  told: { // whether the story was shown, and what the reader expected
    write: ({ told }) => (told === undefined ? "" : told),
    read(text, run, chosen) {
      refuse(chosen.story === undefined ? "no story is chosen that it could tell" : "");
      if (text !== "shown") counted(text, run.stories[chosen.story].choices.length, "choice");
      chosen.told = text;
    },
  },
};

/** Each part of the text, in the order in which they are read: how it is written, and how it is read into what is chosen. */
const PARTS = {
  tokens: {
    write: ({ sentence }) => sentence.join(" "),
    read(text, run, chosen) {
      const sentence = text.trim().split(/\s+/).filter(Boolean);
      refuse(unfit(sentence, run));
      Object.assign(chosen, { sentence, query: Math.min(chosen.query, sentence.length - 1) });
    },
  },
  query: { write: ({ query }) => String(query), read: (text, run, chosen) => { chosen.query = counted(text, chosen.sentence.length, "query"); } },
  head: { write: ({ head }) => String(head), read: (text, run, chosen) => { chosen.head = headCalled(text, run); } },
  batches: {
    write: ({ step }, run) => String(run.steps[step].batches),
    read(text, run, chosen) {
      const step = run.steps.findIndex(({ batches }) => String(batches) === text);
      refuse(step < 0 ? `no step of its training is after “${text}” batches` : "");
      chosen.step = step;
    },
  },
  scale: optionCalled("scale", "scale"),
  mask: optionCalled("mask", "causal"),
  positions: optionCalled("positions", "positions"),
  stage: {
    write: ({ stage }) => String(stage),
    read: (text, run, chosen) => { chosen.stage = counted(text, 3 + chosen.options.scale + chosen.options.causal, "stage"); },
  },
  off: {
    write: ({ off }) => off.join(" "),
    read: (text, run, chosen) => { chosen.off = [...new Set(text.split(" ").map((head) => counted(head, run.steps[0].heads.length, "head")))].sort(); },
  },
  moved: { // of each score the head, the query, the key and where it is
    write: ({ moved }) => Object.entries(moved).flatMap(([head, scores]) => Object.entries(scores).map(([place, score]) => `${head}_${place.replace(",", "_")}_${score}`)).join(" "),
    read(text, run, chosen) {
      for (const one of text.split(" ")) {
        const [head, query, key, score, ...rest] = one.split("_");
        refuse(!rest.length && /^-?\d+(\.\d+)?$/.test(score ?? "") && Math.abs(score) <= FARTHEST ? "" : `“${one}” is no moved score`);
        const place = [query, key].map((token) => counted(token, chosen.sentence.length, "token")).join(",");
        (chosen.moved[headCalled(head, run)] ??= {})[place] = Number(score);
      }
    },
  },
  ...STORY,
};

/** A model that is computed whole: what there is to choose. */
const COMPUTED = { beginning, parts: PARTS };

/** A layer by the number that readers see. */
function layerNumbered(text, { layers, from = 0 }) {
  refuse(/^\d+$/.test(text) && text >= from && text < layers + from ? "" : `there is no layer “${text}”`);
  return Number(text) - from;
}

/** Maps that are stored. */
const MAPS = {
  beginning: ({ layer, head, query }) => ({ layer, head, query, without: false, ...NO_STORY }),
  parts: {
    query: { write: ({ query }) => String(query), read: (text, run, chosen) => { chosen.query = counted(text, namesOf(run, chosen).length, "query"); } },
    layer: {
      write: ({ layer }, { from = 0 }) => String(layer + from),
      read: (text, run, chosen) => { chosen.layer = layerNumbered(text, run); },
    },
    head: { write: ({ head }) => String(head), read: (text, { heads }, chosen) => { chosen.head = counted(text, heads, "head"); } },
    without: {
      write: ({ without }) => String(Number(without)),
      read(text, run, chosen) {
        flag(text, "without");
        chosen.without = text === "1";
      },
    },
    ...STORY,
  },
};

/** The tokens of a model of letters, or those of maps that are stored. */
const namesOf = (run, { text }) => (text === undefined ? run.sentence : [...startOf(run), ...text]);

/** What stands before each text of a model of letters: the word that begins it, where it has one. */
const startOf = ({ start }) => (start == null ? [] : [start]);

/** A model of letters, which has maps, too. */
const LETTERS = {
  beginning: (run) => ({ ...MAPS.beginning(run), text: run.sentence.slice(startOf(run).length).join(""), temperature: 1, off: [] }),
  parts: {
    text: {
      write: ({ text }) => text,
      read(text, run, chosen) {
        refuse(unreadable(text, run));
        Object.assign(chosen, { text, query: namesOf(run, { text }).length - 1 });
      },
    },
    temperature: {
      write: ({ temperature }) => String(temperature),
      read(text, run, chosen) {
        refuse(/^\d(\.\d)?$/.test(text) && text >= 0.1 && text <= 2 ? "" : `the temperature is from 0.1 to 2, not “${text}”`);
        chosen.temperature = Number(text);
      },
    },
    off: {
      write: ({ off }, { from = 0 }) => [...off].sort().map((name) => name.split(",")).map(([layer, head]) => `${Number(layer) + from}_${head}`).join(" "),
      read: (text, run, chosen) => {
        chosen.off = text.split(" ").map((one) => {
          const [layer, head, ...rest] = one.split("_");
          refuse(rest.length ? `there is no head “${one}”` : "");
          return `${layerNumbered(layer, run)},${counted(head ?? "", run.heads, "head")}`;
        });
      },
    },
    ...MAPS.parts,
  },
};

/** What differs from the beginning, as the query of an address. */
function written({ parts: all, beginning: begin }, run, chosen) {
  const first = begin(run);
  const parts = Object.entries(all).map(([name, { write }]) => [name, write(chosen, run), write(first, run)]);
  return new URLSearchParams(parts.filter(([, now, before]) => now !== before).map(([name, now]) => [name, now])).toString();
}

/**
 * What such a text says.
 *
 * @throws Unreadable
 */
function read({ parts: all, beginning: begin }, run, text) {
  const chosen = begin(run);
  const parts = new URLSearchParams(text);
  for (const name of parts.keys()) refuse(!Object.hasOwn(all, name) ? `it has no part “${name}”` : parts.getAll(name).length > 1 ? `it has “${name}” twice` : "");
  for (const [name, part] of Object.entries(all)) if (parts.has(name)) part.read(parts.get(name), run, chosen);
  return chosen;
}

/** The page that is one explorer: its address says which run, which parts are hidden, and what is chosen. */
function openAddress(place, here) {
  const files = JSON.parse(place.dataset.runs);
  const address = new URLSearchParams(location.search);
  const asked = address.get("run") ?? Object.keys(files)[0];
  const name = Object.hasOwn(files, asked) ? asked : Object.keys(files)[0];
  const hide = (address.get("hide") ?? "").split(/[\s,]+/).filter(Boolean);
  for (const part of ["run", "hide"]) address.delete(part);
  const unknown = asked === name ? undefined : `There is no run “${asked}”. You see “${name}”; there are also ${Object.keys(files).filter((other) => other !== name).join(", ")}.`;
  const start = () => begin(window.attentionRun, place, { hide, state: unknown ? "" : address.toString(), wrong: unknown, embed: location.href.split(/[?#]/)[0],
    changed: (explorer) => history.replaceState(null, "", addressOf(explorer)) });
  document.head.append(make("script", { src: new URL(files[name], here).href, onload: start,
    onerror: () => place.replaceChildren(make("p", {}, `The run “${name}” could not be loaded. Load the page again.`)) }));
}
