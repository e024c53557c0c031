// Pages of the built site, in a frame that fills the window.

import { browser, type T } from '../../page/api.ts';

export type Page = Window & typeof globalThis;

/** Runs a test in a window of this size; the page of the test must have nothing on the console. */
export function inWindow(
  url: string,
  width: number,
  height: number,
  body: (t: T, page: Page) => Promise<void>,
): (t: T) => Promise<void> {
  return async (t) => {
    const before = window.gambolMessages.length;
    await t.act({ type: 'resize', width, height });
    try {
      await body(t, await t.page(url, width, height));
      t.equal(window.gambolMessages.slice(before), [], 'the console');
    } finally {
      await t.act({ type: 'resize', width: 800, height: 600 });
    }
  };
}

export function find<E extends HTMLElement = HTMLElement>(t: T, page: Page, selector: string): E {
  return t.some(page.document.querySelector<E>(selector), selector);
}

/** A real press at the middle of an element. */
export async function press(t: T, element: Element): Promise<void> {
  element.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = element.getBoundingClientRect();
  await t.act({ type: 'move', x: left + width / 2, y: top + height / 2 }, { type: 'down' }, { type: 'up' });
}

/** Real keys, one after the other: names of keys, or characters. */
export async function keys(t: T, ...names: string[]): Promise<void> {
  await t.act(...names.map((key) => ({ type: 'key' as const, key })));
}

/** A key with Ctrl, for the element that has the focus. Only Chromium's driver has such keys. */
export async function control(t: T, page: Page, key: string): Promise<void> {
  if (browser === 'chromium') {
    await keys(t, `Control+${key}`);
    return;
  }
  let focused = page.document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const init = { key, ctrlKey: true, bubbles: true, composed: true, cancelable: true };
  t.some(focused).dispatchEvent(new page.KeyboardEvent('keydown', init));
}

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** The violations that axe finds in a page, with all of its rules. Axe runs in the page, where its styles are. */
async function violations(t: T, page: Page): Promise<string[]> {
  const known = page as Page & { axe?: Axe };
  if (!known.axe) {
    const script = page.document.createElement('script');
    script.src = '/__axe/axe.min.js';
    page.document.head.append(script);
    await t.until(() => known.axe, 'axe');
  }
  // A frame of another origin is a page of its own.
  const result = await t.some(known.axe).run(page.document, { resultTypes: ['violations'], iframes: false });
  // The arrays are those of the page.
  return Array.from(
    result.violations,
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`,
  );
}

const WIDTHS = [320, 390, 820, 1440];

/**
 * Checks a page at the widths of phones, tablets and desktops, in both themes: axe, one heading of the first level, and no part that
 * sticks out.
 */
export async function checkAccess(t: T, page: Page, widths: readonly number[] = WIDTHS): Promise<void> {
  const { document } = page;
  t.equal(document.querySelectorAll('h1').length, 1, 'one h1');
  for (const width of widths) {
    await t.act({ type: 'resize', width, height: 800 });
    if (page.frameElement instanceof HTMLElement) page.frameElement.style.width = `${width}px`;
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset['theme'] = theme;
      // The colours of buttons change gradually.
      await t.frames(2);
      await t.until(() => document.getAnimations().length === 0, 'the colours');
      t.equal(await violations(t, page), [], `${page.location.pathname} at ${width}, ${theme}`);
    }
    t.ok(document.documentElement.scrollWidth <= width, `nothing sticks out at ${width}`);
  }
}

/** Waits for long computations, which take most of a minute on a busy machine. */
export async function untilDone(t: T, condition: () => unknown, message: string): Promise<void> {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > 60_000) t.fail(`waited in vain for: ${message}`);
    await t.sleep(100);
  }
}
