// A prediction made in the page: what the notebook would say to a choice stands in a template, and is shown once the choice was made.

(() => {
  const SIZES = /^[[(\s]*([1-9]\d*(?:[\s,×x]+[1-9]\d*)*)[\s,\])]*$/;

  function keyOf(form) {
    const field = form.querySelector("input[data-shape]");
    if (!field) return { key: new FormData(form).get(form.id), written: "" };
    const sizes = SIZES.exec(field.value);
    if (!sizes) return { key: "refused", written: field.value };
    const numbers = sizes[1].split(/[\s,×x]+/);
    const written = `(${numbers.join(", ")}${numbers.length === 1 ? "," : ""})`;
    return { key: numbers.join(",") === field.dataset.shape ? "right" : "wrong", written };
  }

  function compare(event) {
    event.preventDefault();
    const form = event.currentTarget;
    const { key, written } = keyOf(form);
    const said = form.querySelector(`template[data-for="${key}"]`).content.cloneNode(true);
    for (const place of said.querySelectorAll("[data-written]")) place.textContent = written;
    form.querySelector(".said").replaceChildren(said);
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const form of document.querySelectorAll("form.prediction")) form.addEventListener("submit", compare);
  });
})();
