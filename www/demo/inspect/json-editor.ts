// JSON with search and folding, to read or to edit; it marks the value of a JSON pointer.

import { json as jsonLanguage, jsonParseLinter } from '@codemirror/lang-json';
import { foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';

let view: EditorView | undefined;

/** The colours of the page, which follow its theme. */
const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--ink)' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'transparent', color: 'var(--ink-soft)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--track)',
  },
  '.cm-panels, .cm-tooltip': { color: 'var(--ink)', background: 'var(--card-solid)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--press)' },
  '.json-place': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
});

/** The mark of a place, which an edit of the text removes. */
const setPlace = StateEffect.define<Node | undefined>();
const PLACE = StateField.define({
  create: () => Decoration.none,
  update: (marks, { effects, docChanged }) => {
    for (const effect of effects)
      if (effect.is(setPlace)) {
        const node = effect.value;
        const mark = Decoration.mark({ class: 'json-place' });
        return node ? Decoration.set([mark.range(node.offset, node.offset + node.length)]) : Decoration.none;
      }
    return docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function made(root: HTMLElement, doc: string, label: string, extensions: Extension): EditorView {
  root.replaceChildren();
  // In a shadow tree the editor adopts its styles, which a strict Content-Security-Policy allows.
  const shadow = root.shadowRoot ?? root.attachShadow({ mode: 'open' });
  shadow.replaceChildren();
  return new EditorView({
    parent: shadow,
    root: shadow,
    state: EditorState.create({
      doc,
      extensions: [
        extensions,
        syntaxHighlighting(COLOURS),
        jsonLanguage(),
        PLACE,
        LOOK,
        EditorView.contentAttributes.of({ 'aria-label': label }),
      ],
    }),
  });
}

/** Marks and scrolls to the value of a pointer, or the nearest one above it; `true` if it is the value. */
function mark(editor: EditorView, pointer: string): boolean {
  const { node, exact } = placeOf(editor.state.doc.toString(), pointer);
  if (node)
    editor.dispatch({
      selection: { anchor: node.offset },
      effects: [
        setPlace.of(pointer === '' ? undefined : node),
        EditorView.scrollIntoView(node.offset, { y: 'center' }),
      ],
    });
  editor.focus();
  return exact;
}

/** Shows JSON in `root`; returns `false` if it has no value at the pointer, and marks the nearest value above it then. */
export function showJson(root: HTMLElement, json: unknown, pointer: string): boolean {
  view?.destroy();
  view = made(root, JSON.stringify(json, null, 2), 'JSON of the file', [
    EditorState.readOnly.of(true),
    lineNumbers(),
    foldGutter(),
    search({ top: true }),
    keymap.of(searchKeymap),
  ]);
  return mark(view, pointer);
}

export interface JsonEditor {
  readonly text: string;
  /** Marks the value of a JSON pointer, or the nearest one above it. */
  mark(pointer: string): void;
  end(): void;
}

/** Edits JSON in `root`. `run` is called by Ctrl+Enter. */
export function editJson(root: HTMLElement, text: string, label: string, run: () => void): JsonEditor {
  const enter = {
    key: 'Mod-Enter',
    run: () => {
      run();
      return true;
    },
  };
  const editor = made(root, text, label, [
    Prec.highest(keymap.of([enter])),
    basicSetup,
    linter(jsonParseLinter()),
    EditorView.lineWrapping,
  ]);
  editor.focus();
  return {
    get text() {
      return editor.state.doc.toString();
    },
    mark: (pointer) => void mark(editor, pointer),
    end: () => editor.destroy(),
  };
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
