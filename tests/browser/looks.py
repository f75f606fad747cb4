"""What a person sees without thinking, as questions to the page. Each answer is a list of what is wrong; empty is good."""

from __future__ import annotations

WIDER_THAN_THE_PAGE = """() => [...document.querySelectorAll(
    '.jp-NotebookPanel:not(.lm-mod-hidden) :is(.jp-WindowedPanel-outer, .jp-RenderedMarkdown, .jp-RenderedHTML, .jp-RenderedText)')]
  .filter(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
  .map(part => `${part.scrollWidth} of ${part.clientWidth}: ${part.textContent.slice(0, 60)}`)"""

# Colours of Python code and of Python's own error messages are JupyterLab's and are left out.
LEAST_CONTRAST = 4.5  # what the Web Content Accessibility Guidelines (level AA) ask of text

HARD_TO_READ = (
    """() => {
  const channels = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const opaque = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const luminance = colour => {
    const [r, g, b] = colour.slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = element => {
    const [light, dark] = [luminance(channels(getComputedStyle(element).color)), luminance(opaque(element))].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const parts = '.jp-NotebookPanel:not(.lm-mod-hidden) :is(.jp-RenderedMarkdown, .jp-RenderedHTML, .jp-RenderedText)';
  const holdsText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  return [...document.querySelectorAll(parts)].flatMap(part => [part, ...part.querySelectorAll('*')])
    .filter(element => holdsText(element) && !element.matches('[class*=ansi-], .jp-RenderedText span, pre code *')
            && element.getClientRects().length && contrast(element) < %s)
    .map(element => `${contrast(element).toFixed(2)} ${element.tagName}.${element.className}: ${element.textContent.slice(0, 60)}`);
}"""
    % LEAST_CONTRAST
)

FIGURES_WITHOUT_WORDS = """() => [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea img')]
  .filter(image => !image.alt || image.alt.length < 10 || !image.naturalWidth).map(image => image.alt || 'no text')"""
