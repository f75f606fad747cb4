// What is wider than the page scrolls by itself. Somebody without a mouse scrolls it with the arrow keys, once it can have the focus.

function overflows(part) {
  const style = getComputedStyle(part);
  const scrolls = (way) => way === "auto" || way === "scroll";
  return (scrolls(style.overflowX) && part.scrollWidth > part.clientWidth) || (scrolls(style.overflowY) && part.scrollHeight > part.clientHeight);
}

function makeReachable() {
  for (const part of document.querySelectorAll("article *")) {
    if (overflows(part)) {
      part.tabIndex = 0;
      part.dataset.reachable = "";
    } else if ("reachable" in part.dataset) {
      part.removeAttribute("tabindex");
      delete part.dataset.reachable;
    }
  }
}

document.addEventListener("DOMContentLoaded", makeReachable);
window.addEventListener("load", makeReachable);
window.addEventListener("resize", makeReachable);
document.addEventListener("toggle", makeReachable, true); // what was folded has a width now
