// Makes elements without a word of HTML, so that nothing a file says can become any.

const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Readonly<Record<string, string | boolean | null | undefined>>;

/** An element with attributes, where `true` is the empty one and nothing is none, and children. */
export function make<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  element.append(...children);
  return element;
}

/** Sets, or takes away; touches nothing that is so already. */
export function setAttribute(element: Element, name: string, value: string | boolean | null | undefined): void {
  if (value === null || value === undefined || value === false) return element.removeAttribute(name);
  const text = value === true ? '' : value;
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** An icon of 24 × 24 of strokes; what is to be filled comes as the second path. */
export function icon(strokes: string, solid = ''): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(path(), path());
  svg.lastElementChild?.setAttribute('class', 'solid');
  drawIcon(svg, strokes, solid);
  return svg;
}

/** Makes it another icon. */
export function drawIcon(svg: SVGSVGElement, strokes: string, solid = ''): void {
  svg.firstElementChild?.setAttribute('d', strokes);
  svg.lastElementChild?.setAttribute('d', solid);
}

function path(): SVGPathElement {
  return document.createElementNS(SVG, 'path');
}

/** Gives a shadow root this style, once, without a `<style>` where the browser knows how: policies may forbid it. */
export function adoptStyle(root: ShadowRoot, css: string): void {
  if ('adoptedStyleSheets' in root && typeof CSSStyleSheet === 'function') {
    const sheet = sheets.get(css) ?? new CSSStyleSheet();
    if (!sheets.has(css)) sheet.replaceSync(css);
    sheets.set(css, sheet);
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } else if (![...(root as ShadowRoot).querySelectorAll('style')].some(({ textContent }) => textContent === css)) {
    (root as ShadowRoot).append(make('style', {}, css));
  }
}

/** One of each for all. */
const sheets = new Map<string, CSSStyleSheet>();
