// On paper nothing is folded: what is closed opens for the printer, and closes again.

(() => {
  let opened = [];

  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("article details:not([open])")];
    for (const one of opened) one.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
})();
