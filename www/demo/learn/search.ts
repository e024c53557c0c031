// The search over guides, element, errors and API reference, in a dialog. Its index, `learn/search.json`, is loaded when it
// is opened for the first time.

import MiniSearch, { type SearchResult } from 'minisearch';
import { byId, element } from '../app/dom.ts';
import { INDEX } from './index-options.mjs';

/** The number of results that are shown. */
const MOST = 12;
const KINDS: Readonly<Record<string, string>> = {
  guide: 'Guide',
  element: 'Element',
  error: 'Error',
  finding: 'Finding',
  example: 'Example',
  api: 'API',
};
/** Guides come before single items of the reference, and these before codes, whose sentences have the words of all subjects. */
const BOOSTS: Readonly<Record<string, number>> = { api: 0.6, error: 0.3, finding: 0.3 };
/** The folder of the index, to which the addresses of results are relative. */
const FOLDER = new URL('./learn/', import.meta.url);

interface Found extends SearchResult {
  readonly url: string;
  readonly title: string;
  readonly page: string;
  readonly kind: string;
  readonly excerpt: string;
}

async function load(): Promise<MiniSearch> {
  const response = await fetch(new URL('search.json', FOLDER));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), INDEX);
}

/** The results for a text: all of its words, as they are, as beginnings, or with a letter wrong. */
function find(index: MiniSearch, text: string): Found[] {
  const options = {
    boost: { title: 4, terms: 3, page: 0.3 },
    prefix: true,
    fuzzy: (term: string) => (term.length > 4 ? 0.15 : false),
    weights: { prefix: 0.6, fuzzy: 0.2 },
    boostDocument: (_id: unknown, _term: string, stored?: Record<string, unknown>) =>
      BOOSTS[`${stored?.['kind']}`] ?? 1,
  };
  const all = index.search(text, { ...options, combineWith: 'AND' });
  const found = (all.length > 0 ? all : index.search(text, options)).slice(0, MOST) as Found[];
  // Words of a code, such as `node-cycle`, ask for it.
  if (/[-/]/.test(text)) return found;
  const isCode = ({ kind }: Found): boolean => kind === 'error' || kind === 'finding';
  return [...found.filter((one) => !isCode(one)), ...found.filter(isCode)];
}

/** Installs the button of the header and the keys `/` and Ctrl+K, which open the search. */
export function installSearch(): void {
  const button = byId<HTMLButtonElement>('search');
  button.hidden = false;
  let open: (() => void) | undefined;
  const show = (): void => (open ??= dialog())();
  button.addEventListener('click', show);
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable="true"]');
    const slash = event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    const palette =
      event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!slash && !palette) return;
    event.preventDefault();
    show();
  });
}

/** Makes the dialog; returns the function that opens it. */
function dialog(): () => void {
  // Not of the type `search`: there, Escape clears the text and does not close the dialog.
  const input = element('input');
  Object.assign(input, {
    type: 'text',
    id: 'search-text',
    placeholder: 'Search',
    autocomplete: 'off',
    spellcheck: false,
  });
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': 'Search guides, errors and API',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    maxlength: '100',
  }))
    input.setAttribute(name, value);
  const list = element('div', 'search-results');
  list.id = 'search-results';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Results');
  const state = element('p', 'search-state');
  state.setAttribute('role', 'status');
  const keys = element(
    'p',
    'search-keys',
    element('kbd', '', '↑'),
    element('kbd', '', '↓'),
    ' choose ',
    element('kbd', '', 'Enter'),
    ' open ',
    element('kbd', '', 'Esc'),
    ' close',
  );
  keys.setAttribute('aria-hidden', 'true');
  const box = element('dialog', 'search-dialog', input, state, list, keys);
  box.setAttribute('aria-label', 'Search');
  document.body.append(box);

  let index: Promise<MiniSearch> | undefined;
  let active = -1;
  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('a')];

  const choose = (at: number): void => {
    const all = options();
    active = all.length === 0 ? -1 : (at + all.length) % all.length;
    for (const [i, one] of all.entries()) one.setAttribute('aria-selected', String(i === active));
    const chosen = all[active];
    if (chosen) {
      input.setAttribute('aria-activedescendant', chosen.id);
      chosen.scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  };

  const update = async (): Promise<void> => {
    const text = input.value.trim();
    let found: Found[] = [];
    try {
      index ??= load();
      const loaded = await index;
      // A later keystroke has its own update.
      if (text !== input.value.trim()) return;
      if (text !== '') found = find(loaded, text);
      state.textContent =
        text === '' ? '' : found.length === 0 ? `Nothing found for “${text}”` : `${found.length} results`;
    } catch {
      index = undefined;
      state.textContent = 'The index of the search cannot be loaded. Are you offline?';
    }
    list.replaceChildren(...found.map(option));
    input.setAttribute('aria-expanded', String(found.length > 0));
    choose(0);
  };

  const go = (): void => {
    const chosen = options()[active];
    if (!chosen) return;
    box.close();
    chosen.click();
  };

  input.addEventListener('input', () => void update());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(active + 1);
    else if (event.key === 'ArrowUp') choose(active - 1);
    else if (event.key === 'Enter') go();
    else return;
    event.preventDefault();
  });
  // A click beside the dialog's content is one on the dialog itself.
  box.addEventListener('click', (event) => {
    if (event.target === box) box.close();
    else if (event.target instanceof Element && event.target.closest('a')) box.close();
  });
  return () => {
    if (!box.open) box.showModal();
    input.select();
    void update();
  };
}

function option(one: Found, i: number): HTMLElement {
  const kind = KINDS[one.kind] ?? '';
  const link = element(
    'a',
    '',
    element('span', 'search-title', one.title),
    element('span', 'search-kind', one.page === one.title ? kind : `${kind} · ${one.page}`),
    element('span', 'search-excerpt', one.excerpt),
  );
  link.href = new URL(one.url, FOLDER).href;
  link.tabIndex = -1;
  link.id = `search-result-${i}`;
  link.setAttribute('role', 'option');
  return link;
}
