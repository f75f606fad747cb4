// The page that searches: sections that hold all words, or words like them; where none does, sections that hold some.

(() => {
  const MOST = 40; // results in the page
  const AROUND = 90; // characters of text on each side of the first word that was found

  const SILENT = new Set("a an and are as at be by can do does for how i in is it its of on or the there to what when where which why with you".split(" "));

  const index = new MiniSearch({
    processTerm: (term) => (SILENT.has(term.toLowerCase()) ? null : term.toLowerCase()),
    fields: ["title", "page", "text"],
    storeFields: ["where", "page", "title", "text"],
    searchOptions: {
      boost: { title: 3, page: 1.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length < 4 ? false : term.length < 6 ? 1 : 2), // letters that may differ
      weights: { prefix: 0.6, fuzzy: 0.25 },
    },
  });
  index.addAll(window.SECTIONS.map((section, id) => ({ id, ...section })));

  const field = document.getElementById("words");
  const count = document.getElementById("count");
  const list = document.getElementById("found");

  function find(words) {
    const all = index.search(words, { combineWith: "AND" });
    return all.length ? all : index.search(words, { combineWith: "OR" });
  }

  function excerpt({ text, terms }) {
    const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "giu");
    const first = Math.max(0, text.search(pattern));
    const begin = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0;
    const last = text.indexOf(" ", first + 2 * AROUND);
    const part = text.slice(begin, last < 0 ? undefined : last);
    const line = document.createElement("p");
    let at = 0;
    for (const found of part.matchAll(pattern)) {
      const mark = document.createElement("mark");
      mark.textContent = found[0];
      line.append(part.slice(at, found.index), mark);
      at = found.index + found[0].length;
    }
    line.prepend(begin ? "… " : "");
    line.append(part.slice(at), last < 0 ? "" : " …");
    return line;
  }

  function shown(result) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = result.where;
    link.textContent = result.title === result.page ? result.page : `${result.page} › ${result.title}`;
    item.append(link, excerpt(result));
    return item;
  }

  function search() {
    const words = field.value.trim();
    const results = words ? find(words) : [];
    const more = results.length > MOST ? `, of which you see the best ${MOST}` : "";
    count.textContent = words ? `${results.length || "No"} ${results.length === 1 ? "section" : "sections"} found${more}.` : "";
    list.replaceChildren(...results.slice(0, MOST).map(shown));
  }

  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", search);
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.focus();
  });
  field.focus();
  search();
})();
