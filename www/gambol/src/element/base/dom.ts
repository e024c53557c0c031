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

/** The style sheets of each document by their text, shared by its shadow roots. A sheet applies to the document that made it only. */
const sheets = new WeakMap<Document, Map<string, CSSStyleSheet>>();
/** The texts of the style sheets of each shadow root. */
const styles = new WeakMap<ShadowRoot, Set<string>>();

/**
 * Adds a style sheet to a shadow root, once. Adopted style sheets are preferred, because a content security policy may forbid
 * `<style>`.
 */
export function adoptStyle(root: ShadowRoot, css: string): void {
  const texts = styles.get(root) ?? new Set();
  styles.set(root, texts.add(css));
  if (!('adoptedStyleSheets' in root)) {
    const known = [...(root as ShadowRoot).querySelectorAll('style')].some(({ textContent }) => textContent === css);
    if (!known) (root as ShadowRoot).append(make('style', {}, css));
    return;
  }
  const sheet = sheetOf(root.ownerDocument, css);
  if (sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/** Adds the style sheets again, after the root has moved to another document, where those of the one before do not apply. */
export function readoptStyles(root: ShadowRoot): void {
  if ('adoptedStyleSheets' in root) root.adoptedStyleSheets = [];
  for (const css of styles.get(root) ?? []) adoptStyle(root, css);
}

/** The style sheet of a document with this text; undefined for a document without a window, which shows nothing. */
function sheetOf(document: Document, css: string): CSSStyleSheet | undefined {
  const Sheet = document.defaultView?.CSSStyleSheet;
  if (!Sheet) return undefined;
  const known = sheets.get(document) ?? new Map<string, CSSStyleSheet>();
  sheets.set(document, known);
  let sheet = known.get(css);
  if (!sheet) {
    sheet = new Sheet();
    sheet.replaceSync(css);
    known.set(css, sheet);
  }
  return sheet;
}

/** `true` for an HTML element, also for one that the script of another window has made. */
export function isHtmlElement(value: EventTarget | null | undefined): value is HTMLElement {
  return value !== null && value !== undefined && 'dataset' in value && 'slot' in value && 'innerText' in value;
}
