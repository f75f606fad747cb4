// Sort with the space bar, filter students, unfold what a link leads to, and on paper everything.
(() => {
  const $ = name => document.getElementById(name);
  document.addEventListener("keydown", event => {
    if (event.key === " " && event.target.matches("table.sortable thead th")) { event.preventDefault(); event.target.click(); }
  });
  if ($("filter")) {
    const most = 1000;  // rows that a browser lays out at once without making anybody wait
    const choose = limit => {
      const words = $("words").value.toLowerCase().split(/\s+/).filter(Boolean);
      const rows = [...$("students").tBodies[0].rows];  // a sorted table has a new body
      let found = 0;
      for (const row of rows) {
        row.words ??= row.textContent.toLowerCase();
        const fits = (!$("only").checked || row.classList.contains("remarked")) && words.every(word => row.words.includes(word));
        found += fits;
        row.hidden = !fits || found > limit;
      }
      $("told").textContent = found > limit ? `the first ${limit} of ${found} shown: filter or sort to see others` : `${found} of ${rows.length} shown`;
    };
    $("filter").hidden = false;
    $("filter").addEventListener("input", () => choose(most));
    $("students").addEventListener("sort-end", () => choose(most));
    addEventListener("beforeprint", () => choose(Infinity));
    addEventListener("afterprint", () => choose(most));
    choose(most);
  }
  const unfold = address => {  // what a link leads to, also when it led there before
    const there = $(address.slice(1));
    if (there && there.matches("details") && !there.open) { there.open = true; there.scrollIntoView(); }
  };
  addEventListener("hashchange", () => unfold(location.hash));
  document.addEventListener("click", event => {
    const link = event.target.closest("a[href^='#']");
    if (link) unfold(link.getAttribute("href"));
  });
  unfold(location.hash);
  const folded = [];
  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details:not([open])")) { folded.push(each); each.open = true; }
  });
  addEventListener("afterprint", () => { while (folded.length) folded.pop().open = false; });
})();
