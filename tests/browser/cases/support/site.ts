// Pages of the built site, in a frame that fills the window.

import { browser, long, test, type T } from '../../page/api.ts';
import { pageFaults } from './axe.ts';

export type Page = Window & typeof globalThis;

/** Runs a test in a window of this size; the page of the test must have nothing on the console. */
export function inWindow<P extends Page = Page>(
  url: string,
  width: number,
  height: number,
  body: (t: T, page: P) => Promise<void>,
): (t: T) => Promise<void> {
  return async (t) => {
    const before = window.gambolMessages.length;
    await t.act({ type: 'resize', width, height });
    try {
      await body(t, (await t.page(url, width, height)) as P);
      // WebKitGTK has no WebGL 2 in workers, so the main thread draws there.
      const messages = window.gambolMessages.slice(before).filter((one) => !one.includes('(render/no-worker)'));
      t.equal(messages, [], 'the console');
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

/** The widths of phones, tablets and desktops; only the narrowest and the widest without `--all`. */
export const WIDTHS: readonly number[] = long ? [320, 390, 820, 1440] : [320, 1440];

/** Both themes; one for each width without `--all`. */
export function themesAt(width: number): readonly ('light' | 'dark')[] {
  return long ? ['light', 'dark'] : [width < 600 ? 'dark' : 'light'];
}

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
    for (const theme of themesAt(width)) {
      document.documentElement.dataset['theme'] = theme;
      t.equal(await pageFaults(page), [], `${page.location.pathname} at ${width}, ${theme}`);
    }
    t.ok(document.documentElement.scrollWidth <= width, `nothing sticks out at ${width}`);
  }
}

/** A window of 1440 × 900 pixels at a zoom of 200 %. */
export const ZOOMED = [720, 450] as const;

/** Checks a page in a window that is zoomed to 200 %: nothing sticks out, and the header leaves most of the window free. */
export function checkZoomed(t: T, page: Page): void {
  const { document } = page;
  t.ok(
    document.documentElement.scrollWidth <= ZOOMED[0],
    `nothing sticks out: ${document.documentElement.scrollWidth}`,
  );
  t.ok(find(t, page, 'header.bar').offsetHeight <= ZOOMED[1] / 6, 'the header');
  for (const control of document.querySelectorAll<HTMLElement>('a, button, input, select, summary')) {
    if (!control.checkVisibility({ visibilityProperty: true }) || scrolls(control)) continue;
    const { left, right } = control.getBoundingClientRect();
    t.ok(left >= -0.5 && right <= ZOOMED[0] + 0.5, `in the window: ${control.outerHTML.slice(0, 80)}`);
  }
}

/** `true` for an element in a part that scrolls sideways. */
function scrolls(element: Element): boolean {
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  return false;
}

/** Runs a test with a media feature that only Chromium's driver emulates. */
export function emulating(
  type: 'force-colors' | 'reduce-motion',
  body: (t: T) => Promise<void>,
): (t: T) => Promise<void> {
  return async (t) => {
    if (browser !== 'chromium') t.skip('its driver emulates no media features');
    await t.act({ type, on: true });
    try {
      await body(t);
    } finally {
      await t.act({ type, on: false });
    }
  };
}

/** Checks a page with forced colours: axe, and each control has an edge, or is a link in a text. */
export async function checkForcedColors(t: T, page: Page): Promise<void> {
  t.ok(page.matchMedia('(forced-colors: active)').matches, 'forced colours');
  t.equal(await pageFaults(page), []);
  for (const control of page.document.querySelectorAll<HTMLElement>('.button, button:not(.link), select, input')) {
    // The input of a label that looks like a button is one pixel wide.
    if (!control.checkVisibility({ visibilityProperty: true }) || control.offsetWidth <= 1) continue;
    const { borderTopStyle, outlineStyle, appearance } = page.getComputedStyle(control);
    t.ok(
      borderTopStyle !== 'none' || outlineStyle !== 'none' || appearance === 'auto',
      control.outerHTML.slice(0, 100),
    );
  }
}

/** Opens a page in a window of a size, for the body of a case. */
export type Opened<P extends Page> = (
  width: number,
  height: number,
  body: (t: T, page: P) => Promise<void>,
) => (t: T) => Promise<void>;

/**
 * The cases that every page with a character passes: less motion, forced colours, zoom, and axe at all widths. For files with
 * {@link longTests}.
 *
 * - `isPaused`: `true` while the character stands still.
 */
export function pageCases<P extends Page>(title: string, inWindow: Opened<P>, isPaused: (page: P) => boolean): void {
  const time = { timeout: 150_000 };
  test(
    `${title}: it stands still where the system asks for less motion, and says so`,
    emulating(
      'reduce-motion',
      inWindow(800, 600, async (t, page) => {
        t.equal(isPaused(page), true);
        const calm = find(t, page, '#calm');
        t.ok(!calm.hidden && calm.textContent?.includes('less motion'), 'the reason');
        await press(t, find(t, page, '#play'));
        t.equal([isPaused(page), calm.hidden], [false, true]);
      }),
    ),
    time,
  );
  test(
    `${title}: with forced colours, buttons have edges`,
    emulating(
      'force-colors',
      inWindow(800, 600, (t, page) => checkForcedColors(t, page)),
    ),
    time,
  );
  test(
    `${title}: at a zoom of 200 % nothing sticks out, and the picture has room`,
    inWindow(...ZOOMED, async (t, page) => {
      checkZoomed(t, page);
      t.ok(find(t, page, '#canvas').offsetHeight >= ZOOMED[1] / 2, 'the picture');
    }),
    time,
  );
  for (const width of WIDTHS)
    test(
      `${title}: nothing sticks out and axe finds nothing at ${width} pixels, in light and dark`,
      inWindow(width, 800, async (t, page) => {
        const root = page.document.documentElement;
        for (const theme of themesAt(width)) {
          root.dataset['theme'] = theme;
          t.equal(await pageFaults(page), [], theme);
        }
        t.ok(root.scrollWidth <= width, String(root.scrollWidth));
        t.equal(page.document.querySelectorAll('h1').length, 1);
      }),
      time,
    );
}
