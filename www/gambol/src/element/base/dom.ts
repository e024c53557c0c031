// Makes elements without parsing HTML, so that text from a file cannot inject any.

const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Readonly<Record<string, string | boolean | null | undefined>>;

/** Makes an element with attributes and children. `true` sets an empty attribute; `false`, null and undefined set none. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  element.append(...children);
  return element;
}

/** Sets or removes an attribute. An attribute that has the value already is not set again. */
export function setAttribute(element: Element, name: string, value: string | boolean | null | undefined): void {
  if (value === null || value === undefined || value === false) return element.removeAttribute(name);
  const text = value === true ? '' : value;
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Makes an icon of 24 × 24 units: a path that is stroked, and a second path that is filled. */
export function icon(strokes: string, solid = ''): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(path(), path());
  svg.lastElementChild?.setAttribute('class', 'solid');
  drawIcon(svg, strokes, solid);
  return svg;
}

/** Replaces the paths of an icon. */
export function drawIcon(svg: SVGSVGElement, strokes: string, solid = ''): void {
  svg.firstElementChild?.setAttribute('d', strokes);
  svg.lastElementChild?.setAttribute('d', solid);
}

function path(): SVGPathElement {
  return document.createElementNS(SVG, 'path');
}

/**
 * Adds a style sheet to a shadow root, once. Adopted style sheets are preferred, because a content security policy may forbid
 * `<style>`.
 */
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

/** The style sheets by their text, shared by all shadow roots. */
const sheets = new Map<string, CSSStyleSheet>();
