// What the right answers are: the rule of each task, as the batches of its training follow it. A run names its task.

const entriesOf = (token) => token.split(PARTS_OF_A_TOKEN);

/** What goes with `name`: the other entry of the only token that has it; nothing where there is no such token, several, or one that is no pair. */
function beside(tokens, name, others) {
  const having = tokens.map(entriesOf).filter((entries) => entries.includes(name));
  if (having.length !== 1 || having[0].length !== 2) return undefined;
  const other = having[0].find((entry) => entry !== name);
  return others.includes(other) ? other : undefined;
}

/** For each task the right answers, in the order of `answers`; undefined where a question makes no sense in this sentence. */
const RULES = {
  "next letter": (sentence, { words, classes }) => {
    const letters = words.filter((word) => !classes.includes(word));
    return sentence.map((token) => {
      const own = entriesOf(token).find((entry) => letters.includes(entry));
      if (beside([token], own, classes) === undefined) return undefined;
      return beside(sentence, letters[(letters.indexOf(own) + 1) % letters.length], classes);
    });
  },
  "two questions": (sentence, { questions, classes }) => {
    const asked = entriesOf(sentence.at(-1)).map((entry) => entry.split(":"));
    return questions.map((_, number) => {
      const names = asked.filter(([which, name]) => name && which === String(number + 1)).map(([, name]) => name);
      return asked.every(([, name]) => name) && names.length === 1 ? beside(sentence.slice(0, -1), names[0], classes) : undefined;
    });
  },
  "who eats": ([who, verb, what], { classes }) => [who, what].map((word) => (verb === "eats" && classes.includes(word) ? word : undefined)),
  "who it is": (sentence, { kinds }) => {
    const kind = (word) => Object.keys(kinds).find((name) => kinds[name].includes(word));
    const [, first, verb, , second, , , , adjective] = sentence;
    const framed = ["the", first, verb, "the", second, "because", "it", "was", adjective].join(" ") === sentence.join(" ") && kind(verb) === "verbs";
    const [animal, thing] = ["animals", "things"].map((wanted) => [first, second].find((noun) => kind(noun) === wanted));
    const meant = { of_animals: animal, of_things: thing }[kind(adjective)];
    return [framed && animal && thing && meant ? meant[0] : undefined];
  },
  backwards: (sentence, { classes }) => sentence.map((_, place) => sentence.at(-1 - place)).map((digit) => (classes.includes(digit) ? digit : undefined)),
};

const rightAnswers = (run, sentence) => RULES[run.task](sentence, run);
