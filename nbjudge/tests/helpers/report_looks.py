"""What a person sees without thinking on a report's page, as questions to the page."""

from __future__ import annotations

LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3: of a text and what is behind it

# Every text and placeholder whose colour is too close to what is behind it.
HARD_TO_READ = """least => {
  const channels = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return null;
  };
  const luminance = colour => {
    const [r, g, b] = colour.slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (element, part) => {
    const [lighter, darker] = [luminance(channels(getComputedStyle(element, part).color)), luminance(behind(element))].sort((a, b) => b - a);
    return getComputedStyle(element).opacity === '1' ? (lighter + 0.05) / (darker + 0.05) : 0;
  };
  const holdsText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  const shown = [...document.querySelectorAll('body, body *')].filter(element => !element.matches('script') && element.getClientRects().length);
  const found = [...shown.filter(holdsText).map(element => [contrast(element), element]),
                 ...shown.filter(element => element.placeholder).map(element => [contrast(element, '::placeholder'), element])];
  return {looked: found.length, hard: found.filter(([figure]) => !(figure >= least))
    .map(([figure, element]) => `${figure.toFixed(2)} ${element.tagName}.${element.getAttribute('class')}: ${element.textContent.slice(0, 60)}`)};
}"""

# Short words of tables that are broken in two, and row headings of too many lines.
SQUEEZED = """([short, most]) => {
  const found = [];
  for (const cell of document.querySelectorAll('th, td')) {
    if (!cell.getClientRects().length) continue;
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const word of node.textContent.matchAll(/\\S+/g)) {
        if (word[0].length > short) continue;
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) found.push(`broken: ${word[0]}`);
      }
    const lines = cell.clientHeight / parseFloat(getComputedStyle(cell).lineHeight);
    if (cell.matches('[scope=row]') && cell.textContent.length < 80 && lines > most) found.push(`${lines.toFixed(1)} lines: ${cell.textContent}`);
  }
  return found;
}"""

STICKS_OUT = """() => [document.documentElement.scrollWidth, innerWidth, ...[...document.querySelectorAll('main *')]
  .filter(element => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.box, pre, svg'))
  .map(element => `${element.tagName}: ${element.textContent.slice(0, 60)}`)]"""
