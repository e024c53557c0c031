// The page “Pip lives” of the built site, in a frame that fills the window.

import type { States, Viewer } from 'gambol';
import { longTests, test, type T } from '../page/api.ts';
import { pageFaults } from './support/axe.ts';
import {
  checkForcedColors,
  checkZoomed,
  emulating,
  inWindow as pageInWindow,
  patiently,
  themesAt,
  WIDTHS,
  ZOOMED,
} from './support/site.ts';

// Without `--all` only the page's main cases run, which are marked.
longTests();

type Page = Window & typeof globalThis & { readonly viewer: Viewer; readonly states: States };

const TIME = { timeout: 150_000 };

const inWindow = (
  width: number,
  height: number,
  body: (t: T, page: Page) => Promise<void>,
): ((t: T) => Promise<void>) =>
  pageInWindow<Page>('/alive.html', width, height, async (t, page) => {
    await patiently(t, () => page.viewer, 'Pip');
    await body(t, page);
  });

function at<E extends HTMLElement = HTMLElement>(t: T, page: Page, id: string): E {
  return t.some(page.document.getElementById(id), id) as E;
}

const middle = (element: Element): { x: number; y: number } => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

async function press(t: T, element: Element): Promise<void> {
  element.scrollIntoView({ block: 'center' });
  await t.frames(2);
  await t.act({ type: 'move', ...middle(element) }, { type: 'down' }, { type: 'up' });
}

const position = ({ viewer }: Page): readonly [number, number, number] => viewer.place.position ?? [0, 0, 0];

test(
  'alive page: the stick makes Pip walk, and Pip stands when it is released',
  inWindow(900, 640, async (t, page) => {
    const stick = at(t, page, 'stick');
    const { x, y } = middle(stick);
    const before = position(page);
    t.equal(page.states.current('body'), 'Stand');
    await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x + 40, y });
    await patiently(t, () => page.states.current('body') === 'Move', 'it walks');
    await patiently(
      t,
      () => Math.hypot(position(page)[0] - before[0], position(page)[2] - before[2]) > 0.2,
      'it gets on',
    );
    t.ok(at(t, page, 'states').textContent?.includes('Move'), at(t, page, 'states').textContent ?? '');
    await t.act({ type: 'up' });
    await patiently(t, () => page.states.current('body') === 'Stand', 'it stands');
  }),
  { ...TIME, all: false },
);

test(
  'alive page: keys jump, buttons greet, sliders change the face, boxes change the body',
  inWindow(900, 640, async (t, page) => {
    const { viewer } = page;
    await press(t, at(t, page, 'canvas'));
    await t.act({ type: 'key', key: ' ' });
    // A slow machine may show no frame of the jump while this waits, so the words for screen readers are read.
    await patiently(t, () => at(t, page, 'live').textContent === 'Pip jumps.', 'it jumps');
    await press(t, t.some(page.document.querySelector('[data-fire=greet]'), 'the button'));
    await patiently(t, () => at(t, page, 'live').textContent === 'Pip greets you.', 'it greets');

    const slider = t.some(page.document.querySelector<HTMLInputElement>('[data-expression=happy]'), 'the slider');
    slider.focus();
    await t.act({ type: 'key', key: 'End' });
    t.equal(viewer.expression('happy').weight, 1);

    await press(t, at(t, page, 'play'));
    t.equal([viewer.paused, at(t, page, 'play').textContent], [true, 'Play']);
    await press(t, at(t, page, 'play'));
    t.equal([viewer.paused, at(t, page, 'play').textContent], [false, 'Pause']);

    // On the slope, feet without inverse kinematics are elsewhere.
    viewer.timeline = 'manual';
    const lowest = (): number =>
      Math.abs((viewer.joint('FootL').world[13] ?? 0) - (viewer.joint('FootR').world[13] ?? 0));
    const settled = async (): Promise<number> => {
      for (let i = 0; i < 60; i++) {
        viewer.advance(1 / 60);
        await t.frames(1);
      }
      return lowest();
    };
    const standing = await settled();
    await press(t, at(t, page, 'feet'));
    t.ok(Math.abs((await settled()) - standing) > 0.004, 'the feet have left the slope');
  }),
  TIME,
);

test(
  'alive page: it stands still where the system asks for less motion, and says so',
  emulating(
    'reduce-motion',
    inWindow(800, 600, async (t, page) => {
      t.equal(page.viewer.paused, true);
      t.ok(!at(t, page, 'calm').hidden && at(t, page, 'calm').textContent?.includes('less motion'), 'the reason');
      await press(t, at(t, page, 'play'));
      t.equal([page.viewer.paused, at(t, page, 'calm').hidden], [false, true]);
    }),
  ),
  TIME,
);

test(
  'alive page: with forced colours, buttons have edges',
  emulating(
    'force-colors',
    inWindow(800, 600, (t, page) => checkForcedColors(t, page)),
  ),
  { ...TIME, all: true },
);

test(
  'alive page: at a zoom of 200 % nothing sticks out, and the picture has room',
  inWindow(...ZOOMED, async (t, page) => {
    checkZoomed(t, page);
    t.ok(at(t, page, 'canvas').offsetHeight >= ZOOMED[1] / 2, 'the picture');
  }),
  { ...TIME, all: true },
);

for (const width of WIDTHS) {
  test(
    `alive page: nothing sticks out and axe finds nothing at ${width} pixels, in light and dark`,
    inWindow(width, 800, async (t, page) => {
      for (const theme of themesAt(width)) {
        page.document.documentElement.dataset['theme'] = theme;
        // The colours of buttons change in a transition.
        t.equal(await pageFaults(page), [], theme);
      }
      t.ok(page.document.documentElement.scrollWidth <= width, String(page.document.documentElement.scrollWidth));
      t.equal(page.document.querySelectorAll('h1').length, 1);
    }),
    { ...TIME, all: true },
  );
}
