// The editor of the examples: CodeMirror, with the colours of the site.

import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { ensureSyntaxTree, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';

const colour = (name: string): string => `var(--code-${name})`;
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.modifier, tags.operatorKeyword], color: colour('keyword') },
  { tag: [tags.string, tags.attributeValue, tags.regexp], color: colour('string') },
  { tag: [tags.number, tags.bool, tags.null, tags.unit], color: colour('number') },
  { tag: [tags.attributeName, tags.propertyName, tags.definition(tags.variableName)], color: colour('name') },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
]);
const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--card-solid)', fontSize: '13.5px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--ink-soft)', backgroundColor: 'transparent', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--track)',
  },
  '&.cm-focused': { outline: '2.5px solid var(--accent)', outlineOffset: '-2.5px' },
  '.cm-panels, .cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--card-solid)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--press)' },
});

export interface Editor {
  readonly text: string;
  /** Replaces the code, without a step for undo. */
  open(text: string): void;
  /** Marks a line with an error; the first line is 1. */
  mark(line: number, message: string): void;
  clear(): void;
  focus(): void;
  /** The line of the first syntax error. */
  broken(): number | undefined;
}

/** Makes an editor. `changed` is called after each change by the user, `run` by Ctrl+Enter. */
export function makeEditor(
  host: HTMLElement,
  changed: () => void,
  run: () => void,
  { language = 'html', label = 'Code of the example' }: { language?: 'html' | 'js'; label?: string } = {},
): Editor {
  // In a shadow tree, CodeMirror has constructed style sheets, which a strict content security policy allows.
  const root = host.attachShadow({ mode: 'open' });
  const extensions: Extension = [
    Prec.highest(
      keymap.of([
        {
          key: 'Mod-Enter',
          run: () => {
            run();
            return true;
          },
        },
      ]),
    ),
    basicSetup,
    language === 'html' ? html() : javascript(),
    EditorView.lineWrapping,
    syntaxHighlighting(COLOURS),
    LOOK,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !opening) changed();
    }),
  ];
  let opening = false;
  const view = new EditorView({ parent: root, root, state: EditorState.create({ extensions }) });
  return {
    get text() {
      return view.state.doc.toString();
    },
    open(text) {
      opening = true;
      view.setState(EditorState.create({ doc: text, extensions }));
      opening = false;
    },
    mark(line, message) {
      if (line < 1 || line > view.state.doc.lines) return;
      const { from, to } = view.state.doc.line(line);
      view.dispatch(setDiagnostics(view.state, [{ from, to, severity: 'error', message }]));
    },
    clear() {
      view.dispatch(setDiagnostics(view.state, []));
    },
    focus: () => view.focus(),
    broken() {
      const { state } = view;
      let line: number | undefined;
      ensureSyntaxTree(state, state.doc.length)?.iterate({
        enter: ({ type, from }) => {
          if (type.isError) line ??= state.doc.lineAt(from).number;
        },
      });
      return line;
    },
  };
}
