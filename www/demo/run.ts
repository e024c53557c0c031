// The frame of the examples. It receives the code of a page, writes it, and reports messages and errors of it. The frame has an
// opaque origin, because of its attribute `sandbox`.

import type { Message } from './learn/messages.ts';

const above = window.parent;
const tell = (message: Message): void => above.postMessage(message, '*');
const shown = (value: unknown): string => {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
};

/** The number that a browser adds to the lines of written scripts. */
let shift = 0;
/** The innermost line of the page in a stack. Browsers have no address or one of their own for a script that was written. */
const lineOf = (error: unknown): number | undefined => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, line] = stack.match(/(?:<anonymous>|injectedScript|\/run\.html[^\s:]*):(\d+)/) ?? [];
  return line === undefined ? undefined : Number(line) - shift;
};
/** A message without the parts of the browser and of this script. */
const short = (text: string): string => text.replace(/^Uncaught |Failed to execute 'write' on 'Document': /g, '');

function report(): void {
  // Elements that cannot load dispatch events that do not bubble.
  window.addEventListener(
    'error',
    (event: Event) => {
      if (event instanceof ErrorEvent) {
        const own = event.filename === '' || event.filename.includes('/run.html');
        const line = own && event.lineno > 0 ? event.lineno - shift : lineOf(event.error);
        tell({ kind: 'error', text: short(event.message), line });
      } else if (event.target instanceof Element) {
        const address = event.target.getAttribute('src') ?? event.target.getAttribute('href');
        tell({
          kind: 'error',
          text: address === null ? 'A module that a script imports cannot be loaded' : `${address} cannot be loaded`,
        });
      }
    },
    true,
  );
  window.addEventListener('unhandledrejection', ({ reason }) =>
    tell({ kind: 'error', text: shown(reason), line: lineOf(reason) }),
  );
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) =>
    tell({ kind: 'error', text: `The policy of this page forbids ${blockedURI} (${effectiveDirective})` }),
  );
}

for (const kind of ['log', 'info', 'warn', 'error'] as const) {
  const print = console[kind];
  console[kind] = (...values: unknown[]) => {
    tell({ kind: kind === 'error' || kind === 'warn' ? kind : 'log', text: values.map(shown).join(' ') });
    print.apply(console, values);
  };
}

/** Adds lines at the beginning of each script, so that its lines have the numbers of the page. */
const padded = (html: string): string =>
  html.replace(
    /<script\b[^>]*>/gi,
    (tag, at: number) => tag + '\n'.repeat(html.slice(0, at + tag.length).split('\n').length - 1),
  );

/**
 * Sets the policy of the page, before any code arrives: see docs/design/site.md. In WebKit `'self'` is the opaque origin of the
 * frame, which no file has, so the policy names the origin of the site.
 */
function restrict(): void {
  const site = `'self' ${location.origin}`;
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = [
    "default-src 'none'",
    `script-src ${site} 'unsafe-inline' 'wasm-unsafe-eval'`,
    "style-src 'unsafe-inline'",
    `connect-src ${site} blob: data:`,
    `img-src ${site} blob: data:`,
    `media-src ${site} blob: data:`,
    `worker-src ${site} blob:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  document.head.append(policy);
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== above || typeof data !== 'string') return;
  document.open();
  // In Chromium the lines of a written script are counted from its tag, elsewhere from the beginning of the page, from 1 or 2.
  document.write('\n\n<script>window.name = new Error().stack;document.currentScript.remove()</script>');
  const [, line] = window.name.match(/:(\d+):\d+/) ?? [];
  window.name = '';
  const relative = line === '1';
  shift = relative || line === undefined ? 0 : Number(line) - 3;
  // Opening the document removes all listeners, also those of the window. Its policy stays.
  document.open();
  report();
  document.write(relative ? padded(data) : data);
  document.close();
});
restrict();
tell({ kind: 'ready' });
