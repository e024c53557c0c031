// The examples: an editor with the pages of `examples/`, and a frame that runs the code.

import { byId, element } from './app/dom.ts';
import { makeEditor } from './learn/editor.ts';
import type { Message } from './learn/messages.ts';

/** The time in ms without a change after which the code runs. */
const PAUSE = 700;
/** Messages that are shown; a loop may print any number. */
const MOST = 50;
const FOLDER = new URL('./examples/', import.meta.url);

const [run, reset] = [byId<HTMLButtonElement>('run'), byId<HTMLButtonElement>('reset')];
const [result, messages] = [byId('result'), byId('messages')];
const links = [...document.querySelectorAll<HTMLAnchorElement>('.playground-list a')];
/** Code that was changed, by the name of its example. */
const changed = new Map<string, string>();
const originals = new Map<string, string>();
let current = '';
let frame: HTMLIFrameElement | undefined;
let timer = 0;

const editor = makeEditor(byId('editor'), edited, start);

function edited(): void {
  changed.set(current, editor.text);
  reset.disabled = false;
  clearTimeout(timer);
  timer = window.setTimeout(start, PAUSE);
}

/** Runs the code in a new frame. */
function start(): void {
  clearTimeout(timer);
  const code = editor.text;
  messages.replaceChildren();
  editor.clear();
  const mine = document.createElement('iframe');
  // Without `allow-same-origin` the code has an opaque origin: it cannot reach this page, its storage or its service worker.
  mine.setAttribute('sandbox', 'allow-scripts allow-downloads');
  mine.setAttribute('allow', 'fullscreen; clipboard-write');
  mine.title = 'Result of the example';
  mine.src = new URL('run.html', FOLDER).href;
  mine.dataset['state'] = 'loading';
  mine.addEventListener('load', () => {
    // The frame is in another process: its first message may come after the event.
    window.setTimeout(() => {
      if (frame === mine && mine.dataset['state'] === 'loading')
        say({ kind: 'error', text: 'The result cannot be loaded. Are you offline?' });
    }, 3000);
  });
  frame = mine;
  result.replaceChildren(mine);
  window.addEventListener('message', function listen({ source, data }: MessageEvent<Message>) {
    if (frame !== mine) window.removeEventListener('message', listen);
    else if (source === mine.contentWindow) {
      if (data.kind !== 'ready') say(data);
      else if (mine.dataset['state'] === 'loading') {
        mine.dataset['state'] = 'running';
        mine.contentWindow?.postMessage(code, '*');
      }
    }
  });
}

function say(message: Exclude<Message, { kind: 'ready' }>): void {
  const { kind, text, line } = message;
  if (messages.childElementCount >= MOST) messages.firstElementChild?.remove();
  messages.append(element('p', kind, line === undefined ? text : `Line ${line}: ${text}`));
  if (kind === 'error' && line !== undefined) editor.mark(line, text);
}

async function open(name: string): Promise<void> {
  const link = links.find(({ id }) => id === name) ?? links[0];
  if (!link) return;
  current = link.id;
  for (const one of links) {
    if (one === link) one.setAttribute('aria-current', 'true');
    else one.removeAttribute('aria-current');
  }
  const address = new URL(`${current}.html`, FOLDER);
  byId('example-title').textContent = link.textContent;
  byId('example-text').textContent = link.dataset['text'] ?? '';
  byId<HTMLAnchorElement>('open-example').href = address.href;
  document.title = `${link.textContent ?? ''} – gambol`;
  let original = originals.get(current);
  if (original === undefined) {
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${response.status} for ${address.href}`);
      original = await response.text();
    } catch (error) {
      messages.replaceChildren();
      say({ kind: 'error', text: String(error) });
      return;
    }
    originals.set(link.id, original);
  }
  if (current !== link.id) return;
  reset.disabled = !changed.has(current);
  editor.open(changed.get(current) ?? original);
  start();
}

run.addEventListener('click', start);
reset.addEventListener('click', () => {
  changed.delete(current);
  void open(current);
  run.focus();
});
addEventListener('hashchange', () => void open(location.hash.slice(1)));
void open(location.hash.slice(1));
