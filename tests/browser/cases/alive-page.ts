// The page “Pip lives” of the built site, in a frame that fills the window.

import type { States, Viewer } from 'gambol';
import { longTests, test, type T } from '../page/api.ts';
import { find, inWindow as pageInWindow, pageCases, press } from './support/site.ts';

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
    await t.until(() => page.viewer, 'Pip');
    await body(t, page);
  });

const middle = (element: Element): { x: number; y: number } => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

const position = ({ viewer }: Page): readonly [number, number, number] => viewer.place.position ?? [0, 0, 0];

test(
  'alive page: the stick makes Pip walk, and Pip stands when it is released',
  inWindow(900, 640, async (t, page) => {
    const stick = find(t, page, '#stick');
    const { x, y } = middle(stick);
    const before = position(page);
    t.equal(page.states.current('body'), 'Stand');
    await t.act({ type: 'move', x, y }, { type: 'down' }, { type: 'move', x: x + 40, y });
    await t.until(() => page.states.current('body') === 'Move', 'it walks');
    await t.until(() => Math.hypot(position(page)[0] - before[0], position(page)[2] - before[2]) > 0.2, 'it gets on');
    t.ok(find(t, page, '#states').textContent?.includes('Move'), find(t, page, '#states').textContent ?? '');
    await t.act({ type: 'up' });
    await t.until(() => page.states.current('body') === 'Stand', 'it stands');
  }),
  TIME,
);

test(
  'alive page: keys jump, buttons greet, sliders change the face, boxes change the body',
  inWindow(640, 480, async (t, page) => {
    const { viewer } = page;
    // Beside Pip, who would sneeze.
    const { left, top } = find(t, page, '#canvas').getBoundingClientRect();
    await t.act({ type: 'move', x: left + 20, y: top + 120 }, { type: 'down' }, { type: 'up' });
    await t.act({ type: 'key', key: ' ' });
    // A slow machine may show no frame of the jump while this waits, so the words for screen readers are read.
    await t.until(() => find(t, page, '#live').textContent === 'Pip jumps.', 'it jumps');
    await press(t, t.some(page.document.querySelector('[data-fire=greet]'), 'the button'));
    await t.until(() => find(t, page, '#live').textContent === 'Pip greets you.', 'it greets');

    const slider = t.some(page.document.querySelector<HTMLInputElement>('[data-expression=happy]'), 'the slider');
    slider.focus();
    await t.act({ type: 'key', key: 'End' });
    t.equal(viewer.expression('happy').weight, 1);

    await press(t, find(t, page, '#play'));
    t.equal([viewer.paused, find(t, page, '#play').textContent], [true, 'Play']);
    await press(t, find(t, page, '#play'));
    t.equal([viewer.paused, find(t, page, '#play').textContent], [false, 'Pause']);

    // On the slope, feet without inverse kinematics are elsewhere.
    viewer.timeline = 'manual';
    const lowest = (): number =>
      Math.abs((viewer.joint('FootL').world[13] ?? 0) - (viewer.joint('FootR').world[13] ?? 0));
    const settled = async (): Promise<number> => {
      for (let i = 0; i < 12; i++) {
        viewer.advance(1 / 12);
        await t.frames(1);
      }
      return lowest();
    };
    const standing = await settled();
    await press(t, find(t, page, '#feet'));
    t.ok(Math.abs((await settled()) - standing) > 0.004, 'the feet have left the slope');
  }),
  TIME,
);

pageCases('alive page', inWindow, ({ viewer }) => viewer.paused);
