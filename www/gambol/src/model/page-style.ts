// The styles of `<model>` elements in their document or shadow root. They have the lowest specificity, so that any rule of the page wins,
// as it does over those of a browser.

import { VIEW_NAME } from './view.ts';

/**
 * The attribute by which styles know the state of a `<model>`:
 *
 * - absent: an ordinary element, which shows its fallback content
 * - `loading`: it has its size, and shows its fallback content
 * - `shown`: a model or a poster covers the fallback content
 */
export const STATE = 'data-gambol-model';

// A `<model>` has the size of other replaced elements. Texts cannot be removed by styles, so they are transparent.
const CSS = `
:where(model[${STATE}]) {
  display: inline-block;
  position: relative;
  overflow: hidden;
  width: 300px;
  height: 150px;
  aspect-ratio: auto var(--gambol-model-width) / var(--gambol-model-height);
}
:where(model[${STATE}][stagemode="orbit" i]) {
  touch-action: pan-y;
  cursor: grab;
}
:where(model[${STATE}][stagemode="orbit" i]:active) {
  cursor: grabbing;
}
model[${STATE}="shown"] {
  -webkit-text-fill-color: transparent !important;
  text-shadow: none !important;
  user-select: none !important;
  -webkit-user-select: none !important;
}
model[${STATE}="shown"] > :not(${VIEW_NAME}) {
  display: none !important;
}`;

interface PageSheet {
  readonly sheet: CSSStyleSheet;
  /** The rules for values of `width` and `height`. */
  readonly rules: Set<string>;
}

/** The style sheet of each document; a sheet applies to the document that made it only. */
const sheets = new WeakMap<Document, PageSheet>();

/** Adds the styles to the document or the shadow root of a `<model>`, with rules for its attributes `width` and `height`. */
export function stylePage(host: Element): void {
  const root = host.getRootNode();
  const page = sheetOf(host.ownerDocument);
  if (!page || !('adoptedStyleSheets' in root)) return;
  const scope = root as Document | ShadowRoot;
  if (!scope.adoptedStyleSheets.includes(page.sheet))
    scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, page.sheet];
  for (const name of ['width', 'height']) {
    const text = host.getAttribute(name) ?? '';
    const [, number, percent] = /^\s*\+?(\d+(?:\.\d+)?)(%?)/.exec(text) ?? [];
    if (number === undefined) continue;
    const ratio = percent ? '' : `; --gambol-model-${name}: ${number}`;
    const rule = `:where(model[${STATE}][${name}=${quoted(text)}]) { ${name}: ${number}${percent || 'px'}${ratio} }`;
    if (page.rules.has(rule)) continue;
    page.rules.add(rule);
    page.sheet.insertRule(rule, page.sheet.cssRules.length);
  }
}

function sheetOf(document: Document): PageSheet | undefined {
  const Sheet = document.defaultView?.CSSStyleSheet;
  const known = sheets.get(document);
  if (!Sheet || known) return known;
  const page = { sheet: new Sheet(), rules: new Set<string>() };
  page.sheet.replaceSync(CSS);
  sheets.set(document, page);
  return page;
}

/** A string of CSS. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (sign) => `\\${sign.charCodeAt(0).toString(16)} `);
  return `"${escaped}"`;
}
