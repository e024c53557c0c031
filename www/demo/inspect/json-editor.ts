// A read-only view of JSON, with search and folding, that marks the value of a JSON pointer.

import { json as jsonLanguage } from '@codemirror/lang-json';
import { foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, StateField } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';

let view: EditorView | undefined;

/** The colours of the page, which follow its theme. */
const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

/** Shows JSON in `root`; returns `false` if it has no value at the pointer, and marks the nearest value above it then. */
export function showJson(root: HTMLElement, json: unknown, pointer: string): boolean {
  const text = JSON.stringify(json, null, 2);
  const { node, exact } = placeOf(text, pointer);
  const mark = Decoration.mark({ class: 'json-place' });
  const place = StateField.define({
    create: () =>
      node && pointer !== '' ? Decoration.set([mark.range(node.offset, node.offset + node.length)]) : Decoration.none,
    update: (marks) => marks,
    provide: (field) => EditorView.decorations.from(field),
  });
  view?.destroy();
  root.replaceChildren();
  // In a shadow tree the editor adopts its styles, which a strict Content-Security-Policy allows.
  const shadow = root.shadowRoot ?? root.attachShadow({ mode: 'open' });
  view = new EditorView({
    parent: shadow,
    root: shadow,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorState.readOnly.of(true),
        lineNumbers(),
        foldGutter(),
        syntaxHighlighting(COLOURS),
        jsonLanguage(),
        search({ top: true }),
        keymap.of(searchKeymap),
        place,
        EditorView.theme({
          '&': { height: '100%', fontSize: '12.5px' },
          '.cm-gutters': { background: 'transparent', color: 'var(--ink-soft)', border: '0' },
          '.json-place': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
        }),
        EditorView.contentAttributes.of({ 'aria-label': 'JSON of the file' }),
      ],
    }),
  });
  if (node)
    view.dispatch({
      selection: { anchor: node.offset },
      effects: EditorView.scrollIntoView(node.offset, { y: 'center' }),
    });
  view.focus();
  return exact;
}

/** The value at a pointer (RFC 6901), or the nearest one above it. */
function placeOf(text: string, pointer: string): { readonly node: Node | undefined; readonly exact: boolean } {
  const tree = parseTree(text);
  if (!tree) return { node: undefined, exact: false };
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (let length = names.length; length >= 0; length--) {
    // A name of digits is an index in an array.
    const path = names.slice(0, length).map((name) => (/^\d+$/.test(name) ? Number(name) : name));
    const node = findNodeAtLocation(tree, path);
    if (node) return { node, exact: length === names.length };
  }
  return { node: tree, exact: false };
}
